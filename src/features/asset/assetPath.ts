import {Failure} from '../../api/contract/failure.js'

/** Where a resource lies; neither part is encoded. */
export interface ResourcePlace {
  readonly container: string
  readonly uuid: string
}

/**
 * The container that an argument names, decoded and without slashes at its ends: `games/foo`. The argument is such a path, or a
 * `uri` of an answer, which is absolute or begins with the path of the service's address `base`. Percent-escapes are decoded
 * once, where they are valid, so that nothing is encoded twice; a literal `%41` is written `%2541`. Raises a Failure (usage).
 */
export function containerOf(text: string, base: URL): string {
  return segmentsOf(text, base, /\?type=(?:all|meta)$/u).segments.join('/')
}

/**
 * The resource that an argument names: `CONTAINER/UUID`, or a `uri` of an answer, with or without `?type=…`. Otherwise as
 * `containerOf`. Raises a Failure (usage), also for the uri of a container, which ends with a slash (asset, What the service
 * does).
 */
export function resourceOf(text: string, base: URL): ResourcePlace {
  const {segments, slashAtEnd} = segmentsOf(text, base, /\?type=\w*$/u)
  const path = segments.join('/')
  if (slashAtEnd) {
    throw refusal(`${text} is a container, not a resource`, 'the uri of a container ends with a slash', {
      advice: `roomctl asset list ${argumentOf(path)} shows the resources in it`,
    })
  }
  const [container, uuid = ''] = [segments.slice(0, -1).join('/'), segments.at(-1)]
  if (container !== '') return {container, uuid}
  throw refusal(`${text} names no resource`, 'a resource is named by its container and its uuid: CONTAINER/UUID', {
    advice: 'roomctl asset list CONTAINER shows them',
  })
}

/** A place as `containerOf` and `resourceOf` read it, with what would mean something else escaped. */
export function escapedPlace(path: string): string {
  return path.replace(/[%?#]/gu, encodeURIComponent)
}

/** The same as a word of a command line, to be typed in a shell. */
export function argumentOf(path: string): string {
  const word = escapedPlace(path).replace(/^-/u, '/-')
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

interface Place {
  readonly segments: readonly string[]
  readonly slashAtEnd: boolean
}

function segmentsOf(text: string, base: URL, view: RegExp): Place {
  const path = withoutBase(text.replace(view, ''), base)
  const slashAtEnd = path.endsWith('/')
  const inner = path.slice(path.startsWith('/') ? 1 : 0, slashAtEnd ? -1 : undefined)
  if (inner === '') throw refusal('the path names no container', 'there is nothing between its slashes')
  return {segments: inner.split('/').map(segmentOf), slashAtEnd}
}

/** What stands behind the service's address; of a path that does not begin with it, all of it. */
function withoutBase(text: string, base: URL): string {
  const [, scheme, authority = '', rest = ''] = /^([a-z][a-z\d+.-]*:)\/\/([^/?#\\]*)(.*)$/isu.exec(text) ?? []
  // Read as it is written: URL would resolve `..` and turn backslashes into slashes without a word.
  const path = scheme === undefined ? text : rest
  if (scheme !== undefined && !isOrigin(`${scheme}//${authority}`, base)) throw elsewhere(base)
  if (scheme === undefined && !path.startsWith('/')) return path

  const prefix = base.pathname.split('/').filter((segment) => segment !== '')
  const [before, ...segments] = path.split('/')
  const below = before === '' && prefix.every((segment, at) => decoded(segments[at] ?? '') === decoded(segment))
  if (below) return `/${segments.slice(prefix.length).join('/')}`
  if (scheme !== undefined) throw elsewhere(base)
  return path
}

function isOrigin(text: string, base: URL): boolean {
  return !/[@\s\p{Cc}]/u.test(text) && URL.canParse(text) && new URL(text).origin === base.origin
}

/** What was given is not repeated: an address can hold a credential. */
function elsewhere(base: URL): Failure {
  return refusal('the address does not lie on the asset service', `its addresses begin with ${base.href}`, {
    advice: 'name the container by its path: games/foo',
  })
}

function segmentOf(raw: string): string {
  if (raw === '') throw refusal('the path holds an empty name', 'two slashes stand side by side')
  const mark = /[?#]/u.exec(raw)?.[0]
  if (mark !== undefined) {
    throw refusal(`the path holds a bare "${mark}"`, 'it would end the path of a request', {
      advice: `write ${encodeURIComponent(mark)} where it is part of a name`,
    })
  }
  const segment = decoded(raw)
  const problem = nameProblem(segment)
  if (problem) throw refusal(`the path ${problem}`, 'such a name cannot stand in the path of a request')
  return segment
}

function nameProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `holds "${name}" as a name`
  if (name.includes('/')) return 'holds a name with a slash in it (%2F)'
  if (name.includes('\\')) return 'holds a backslash'
  if (/\p{Cc}/u.test(name)) return 'holds a control character'
  if (/\p{Cs}/u.test(name)) return 'is not valid Unicode text'
  return undefined
}

/** The text with its escapes decoded once; as it is where they are not valid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function refusal(message: string, why: string, {advice}: {readonly advice?: string} = {}): Failure {
  return new Failure({exit: 'usage', message, why, try: advice})
}
