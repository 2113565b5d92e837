import type {Advice} from '../../advice.js'
import {listContainer} from '../../api/contract/asset.js'
import type {Listing} from '../../api/contract/assetShapes.js'
import {requiredArg} from '../../cli/flags/flags.js'
import {listedIds} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith, onFailure, unlessFailure, withFacts, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {decodeOnce, getOrMake, quotedText, someOf} from '../../text/text.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {listedResources, spellingsOf, uuidFromUri} from '../../upload/download/presence.js'

/**
 * The decoded container, `games/foo`, of a path or of a `uri` of an answer, which is absolute or begins with the path of `base`.
 * Valid percent-escapes are decoded once; a literal `%41` is written `%2541`. Throws Failure (usage).
 */
export function parseContainer(text: string, base: URL): string {
  return parseSegments(text, base, /\?type=(?:all|meta)$/u).segments.join('/')
}

/** The container of a uri in an answer; undefined if it is not one of this service. */
export function containerOf(uri: string | null | undefined, base: URL): string | undefined {
  return uri ? unlessFailure(() => parseContainer(uri, base)) : undefined
}

/**
 * `CONTAINER/UUID`, or a `uri` with or without `?type=…`. Throws Failure (usage), also for a container's uri, which ends with a
 * slash (asset, What the service does).
 */
export function parseResource(text: string, base: URL): ResourcePath {
  const {segments, slashAtEnd} = parseSegments(text, base, /\?type=\w*$/u)
  const path = segments.join('/')
  if (slashAtEnd) {
    const why = 'the uri of a container ends with a slash'
    throw withFacts(notResource(path), () => ({message: `${text} is a container, not a resource`, why}))
  }
  const [container, uuid = ''] = [segments.slice(0, -1).join('/'), segments.at(-1)]
  if (container !== '') return {container, uuid}
  const why = 'a resource is named by its container and its uuid: CONTAINER/UUID'
  throw wrongUsage(`${text} names no resource`, {
    why,
    try: 'name the container, a slash and the uuid that asset list shows',
  })
}

function notResource(path: string): Failure {
  const advice: Advice = {command: ['asset list', pathArgument(path)]}
  return wrongUsage(`${path} is a container, not a resource`, {code: 'container', try: advice})
}

/** A place as `containerOf` and `resourceOf` read it, with what would mean something else escaped. */
export function escapePath(path: string): string {
  return path.replace(/[%?#]/gu, encodeURIComponent)
}

/** The same as an argument of a command line. */
export function pathArgument(path: string): string {
  return escapePath(path).replace(/^-/u, '/-')
}

function parseSegments(text: string, base: URL, view: RegExp) {
  const path = withoutBase(text.replace(view, ''), base)
  const slashAtEnd = path.endsWith('/')
  const inner = path.slice(path.startsWith('/') ? 1 : 0, slashAtEnd ? -1 : undefined)
  if (inner === '') throw wrongUsage('the path names no container', {why: 'there is nothing between its slashes'})
  return {segments: inner.split('/').map(parseSegment), slashAtEnd}
}

/** The path below the service's address; the whole path if it is elsewhere. */
function withoutBase(text: string, base: URL): string {
  const [, scheme, authority = '', rest = ''] = /^([a-z][a-z\d+.-]*:)\/\/([^/?#\\]*)(.*)$/isu.exec(text) ?? []
  // Not by URL, which silently resolves `..` and turns backslashes into slashes.
  const path = scheme === undefined ? text : rest
  if (scheme !== undefined && !isOrigin(`${scheme}//${authority}`, base)) throw foreignAddress(base)
  if (scheme === undefined && !path.startsWith('/')) return path

  const prefix = base.pathname.split('/').filter((segment) => segment !== '')
  const [before, ...segments] = path.split('/')
  const below = before === '' && prefix.every((segment, at) => decodeOnce(segments[at] ?? '') === decodeOnce(segment))
  if (below) return `/${segments.slice(prefix.length).join('/')}`
  if (scheme !== undefined) throw foreignAddress(base)
  return path
}

function isOrigin(text: string, base: URL): boolean {
  return !/[@\s\p{Cc}]/u.test(text) && URL.canParse(text) && new URL(text).origin === base.origin
}

/** The input is not quoted: an address can contain a credential. */
function foreignAddress(base: URL): Failure {
  const why = `its addresses begin with ${base.href}`
  return wrongUsage('the address is not on the asset service', {why, try: 'name the container by its path: games/foo'})
}

function parseSegment(raw: string): string {
  if (raw === '') throw wrongUsage('the path contains an empty name', {why: 'it has two slashes in a row'})
  const mark = /[?#]/u.exec(raw)?.[0]
  if (mark !== undefined) {
    const advice = `write ${encodeURIComponent(mark)} where it is part of a name`
    throw wrongUsage(`the path contains a bare "${mark}"`, {why: 'it would end the request path', try: advice})
  }
  const segment = decodeOnce(raw)
  if (/^\.{1,2}$|[/\\\p{Cc}\p{Cs}]/u.test(segment)) {
    const why = '"." and "..", slashes, backslashes and control characters cannot be part of a name in a request path'
    throw wrongUsage(`the path contains the name ${quotedText(segment)}`, {why})
  }
  return segment
}

export const containerArg = requiredArg('CONTAINER', 'path of a container, games/foo, or its uri')
export const resourceArg = requiredArg('CONTAINER/UUID', 'path or uri of a resource; a unique file name works, too')

export async function readContainerArg({api}: Session, text: string): Promise<string> {
  return parseContainer(text, (await api.access('asset')).base)
}

/** The resource of `CONTAINER/UUID`, or of `CONTAINER/NAME` if no other has the name. Throws Failure. */
export async function readResourceArg(session: Session, text: string): Promise<ResourcePath> {
  const place = parseResource(text, await assetBase(session))
  return (await findNamed(session, [place]))[0] ?? place
}

/** Finds resources by the names of their files, which have an extension. Throws Failure (missing, usage). */
export async function findNamed<Place extends ResourcePath>(session: Session, places: readonly Place[]) {
  const listings = new Map<string, Promise<Listing | undefined>>()
  const isUnlisted = ({facts}: Failure) => facts.exit === 'missing' || facts.exit === 'forbidden'
  const list = (container: string) =>
    session.api.call(listContainer, {path: {container}, query: {}}).catch(onFailure(isUnlisted, () => undefined))
  const all = places.map(async (place) => {
    const {container, uuid} = place
    const listing = uuid.includes('.') ? await getOrMake(listings, container, () => list(container)) : undefined
    return listing ? {...place, uuid: uuidOfName(listing, place)} : place
  })
  return Promise.all(all)
}

function uuidOfName(listing: Listing, {container, uuid: name}: ResourcePath): string {
  if (listing.contains?.some(({uri}) => uuidFromUri(uri) === name)) throw notResource(`${container}/${name}`)
  const listed = listedResources(listing)
  if (listed.has(name)) return name
  const named = [...listed].filter((entry) => spellingsOf(entry[1].name).includes(name.normalize('NFC')))
  const [first, ...others] = named
  if (first && others.length === 0) return first[0]
  if (!first) {
    const names = [...new Set([...listed.values()].flatMap(({name: known}) => known ?? []))]
    const near = nearest(name, names)
    throw failureWith('missing', `${container} has no resource named ${name}`, {
      code: 'no-such-name',
      why: names.length === 0 ? 'it lists no resources' : `it lists ${someOf(names, candidatesShown)}`,
      try:
        near === undefined ? {command: ['asset list', pathArgument(container)]} : `did you mean ${container}/${near}?`,
    })
  }
  const candidates = named.map(
    ([uuid, {platform}]) => `${escapePath(`${container}/${uuid}`)}${platform ? ` (${platform.toLowerCase()})` : ''}`,
  )
  throw wrongUsage(`${container} has ${named.length} resources named ${name}`, {
    code: 'several-named',
    why: `they are ${someOf(candidates, candidatesShown)}`,
    try: 'name one of them by its uuid',
  })
}

const candidatesShown = 20

/** The uuid that `--link` names: itself, or by the path or uri of the resource. Throws Failure (usage, configuration). */
export async function readLinkFlag(session: Session, text: string | undefined): Promise<string | undefined> {
  return text?.includes('/') ? (await readResourceArg(session, text)).uuid : text
}

export async function assetBase({api}: Session): Promise<URL> {
  return (await api.access('asset')).base
}

export interface NamedResource extends ResourcePath {
  readonly text: string
}

/** The named resources, each once; `-` is stdin. Throws Failure (usage). */
export async function readResourceArgs(session: Session, typed: readonly string[] = []) {
  const {base} = await session.api.access('asset')
  const all = new Map<string, NamedResource>()
  const add = (text: string) => {
    const place = parseResource(text, base)
    const key = `${place.container}/${place.uuid}`
    if (!all.has(key)) all.set(key, {...place, text})
  }
  for (const word of typed) {
    if (word === '-') for await (const line of listedIds(session, word)) add(line)
    else add(word)
  }
  // One resource alone fails with its own exit code.
  if (all.size > 0 || typed.includes('-'))
    return {all: [...all.values()], single: all.size === 1 && !typed.includes('-')}
  throw wrongUsage('CONTAINER/UUID is missing', {
    try: 'name the container, a slash and the uuid that asset list shows',
  })
}
