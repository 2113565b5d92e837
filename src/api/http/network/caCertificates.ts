import {readFileSync} from 'node:fs'
import type {SecureContext} from 'node:tls'
import {WireError} from '../wire/transport.js'

const begin = /(?=-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/u
const whole = /^-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/u

/**
 * The certificates of a PEM file, in blocks as OpenSSL writes them: it reads none that is indented. Text, keys and attributes
 * between them are left out. A block that is cut off becomes an empty one, which counts as damaged.
 */
export function certificateBlocks(bytes: Uint8Array): readonly string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const parts = Buffer.from(bytes)
    .toString(isUtf16 ? 'utf16le' : 'latin1')
    .split(begin)
  return parts
    .filter((part) => part.search(begin) === 0)
    .map((part) => {
      const [, label = 'CERTIFICATE', body = ''] = whole.exec(part) ?? []
      const lines = body.replace(/\s/gu, '').match(/.{1,64}/gu) ?? []
      return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
    })
}

/**
 * The given authorities (PEM blocks), and those of `NODE_EXTRA_CA_CERTS`, which Node 20 itself ignores once any are given. A file
 * that is unreadable is ignored, as Node does.
 */
export function extraCaCertificates(
  ca: readonly string[] = [],
  env: Readonly<NodeJS.ProcessEnv> = {},
): readonly string[] {
  const {NODE_EXTRA_CA_CERTS: file} = env
  if (ca.length === 0 || !file) return ca
  try {
    return [...ca, ...certificateBlocks(readFileSync(file))]
  } catch {
    return ca
  }
}

/** PEM texts of a private key, and of its certificate with those above it. */
export interface ClientCertificate {
  readonly key: string
  readonly certificate: string
}

/**
 * The TLS context that trusts what Node trusts by default (its roots, or the store that NODE_OPTIONS names) and the given PEM blocks,
 * and shows `client`; undefined if Node's default is right. Throws a `WireError` 'tls' for a damaged certificate.
 */
export async function createTrustContext(
  ca: readonly string[] = [],
  client?: ClientCertificate,
): Promise<SecureContext | undefined> {
  if (ca.length === 0 && !client) return undefined
  const {createSecureContext} = await import('node:tls')
  const secureContext = createSecureContext(client ? {key: client.key, cert: client.certificate} : {})
  // The option `ca` would replace the default store. This adds to a copy of it, as the option itself does.
  const native: {addCACert(pem: string): void} = secureContext.context
  const {X509Certificate} = await import('node:crypto')
  for (const [index, block] of ca.entries()) {
    try {
      // By its bytes: the parser of PEM refuses TRUSTED.
      new X509Certificate(Buffer.from(block.replace(/-----.*-----/gu, ''), 'base64'))
      native.addCACert(block)
    } catch (error) {
      const message = `certificate ${index + 1} of the CA file is damaged`
      throw new WireError('tls', 'no', message, {cause: error, tls: 'ca-file'})
    }
  }
  return secureContext
}
