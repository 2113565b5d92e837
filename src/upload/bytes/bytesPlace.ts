import {bytes, meta} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import {isLoopback} from '../../api/http/network/address.js'
import {hostAndPort} from '../../api/http/wire/transport.js'
import type {FetchContext} from './fetchContext.js'

/** A resource by the container and the uuid that stand in its address, neither encoded. */
export interface Resource {
  readonly container: string
  readonly uuid: string
}

/** Where the bytes of a resource are, and what the service says of them. */
export interface BytesPlace {
  readonly url: URL
  /** Whether the address is the service's own form `?type=asset`, not one that the metadata gave. */
  readonly ownForm: boolean
  /** The name that the resource was uploaded under, where the service tells it. */
  readonly name?: string
}

/**
 * Reads from the metadata of a resource where its bytes are: at `dataUrl`, or where there is none at `?type=asset` (asset,
 * Resource operations). Raises a Failure.
 */
export async function findBytes({api}: FetchContext, {container, uuid}: Resource): Promise<BytesPlace> {
  const asked = {path: {container, common_resource_uuid: uuid}, query: {type: 'meta'}} as const
  const {dataUrl, originalFileName} = await api.call(meta, asked)
  const name = originalFileName ? {name: originalFileName} : {}
  if (!dataUrl) {
    const {url} = await api.plan(bytes, {path: {container, uuid}, query: {type: 'asset'}})
    return {url, ownForm: true, ...name}
  }
  const {url: from} = await api.plan(meta, asked)
  return {
    url: addressIn(dataUrl, from, `cannot read where ${container}/${uuid} lies: the dataUrl of the metadata`),
    ownForm: false,
    ...name,
  }
}

/** An address that an answer from `from` names. Raises a Failure (network) that calls it `what`. */
export function addressIn(text: string, from: URL, what: string): URL {
  if (URL.canParse(text, from.href)) return new URL(text, from)
  throw new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `${what} is no address`,
    why: `${hostAndPort(from)} answered with it`,
  })
}

/**
 * Refuses an address of bytes that must not be followed: by anything but https (http on this machine, and on the origin that
 * the profile itself names), from https to http, or with a user name inside. `from` is the address whose answer named it.
 * Raises a Failure (network, code `unsafe-address`); the address itself is not repeated, it can hold a signature.
 */
export function checkBytesAddress(url: URL, from: URL, base: URL): void {
  const refuse = (message: string, why: string) => {
    throw new Failure({
      exit: 'network',
      code: 'unsafe-address',
      message,
      why,
      try: 'roomctl asset show CONTAINER/UUID --view meta shows the address that the service gives',
    })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    refuse(`the bytes are said to lie at an address that begins with ${url.protocol}`, 'only https is followed')
  }
  if (url.username !== '' || url.password !== '') {
    refuse(
      `the address of the bytes on ${hostAndPort(url)} holds a user name or a password`,
      'such an address is not followed',
    )
  }
  if (url.protocol === 'https:') return
  if (from.protocol === 'https:') {
    refuse(
      `the address of the bytes leads from https to plain http, on ${hostAndPort(url)}`,
      'the bytes could be changed on the way',
    )
  }
  if (!isLoopback(url.hostname) && url.origin !== base.origin) {
    refuse(
      `the bytes lie at a plain http address, on ${hostAndPort(url)}`,
      'plain http is followed on this machine only',
    )
  }
}
