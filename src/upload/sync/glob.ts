import {posixClasses} from '../../text/posixClasses.js'

/** A place of a glob: one byte of a set, or with `loops` any number of them; `folders` are whole folder names with their slashes. */
interface Place {
  readonly set: Uint8Array
  readonly loops?: 'bytes' | 'folders'
  /** Where the text of the next place begins. */
  readonly end: number
}

const slash = 0x2f
const anyByte = new Uint8Array(256).fill(1)
const anyInName = anyByte.map((_, byte) => (byte === slash ? 0 : 1))
const literals = Array.from(anyByte, (_, byte) => new Uint8Array(256).fill(1, byte, byte + 1))

/** The classes as git has them: `[[:space:]]` without the vertical tab and the form feed. */
const classes = new Map(Object.entries({...posixClasses, space: ' \\t\\n\\r'}))

/**
 * Tests a path, or one name of it, by git's wildmatch, byte by byte. It follows all ways to match at once (Thompson's simulation of
 * a nondeterministic automaton), in at most the glob's time times the path's. Undefined for a glob that never matches: `[a` or `a\`.
 */
export function globTest(text: string): ((path: Buffer) => boolean) | undefined {
  // As in git, the pattern proper begins behind the literal text, so that `a**/b` is `a` and then `**/b`.
  const [literal = ''] = /^[^*?[\\]*/.exec(text) ?? []
  const prefix = Buffer.from(literal)
  // One character for each byte.
  const glob = Buffer.from(text.slice(literal.length)).toString('latin1')
  const places: Place[] = []
  for (let at = 0; at < glob.length; ) {
    const place = glob[at] === '*' ? starsAt(glob, at) : glob[at] === '[' ? setAt(glob, at + 1) : byteAt(glob, at)
    if (place === undefined) return undefined
    places.push(place)
    at = place.end
  }
  return (path) => path.subarray(0, prefix.length).equals(prefix) && matches(places, path.subarray(prefix.length))
}

function matches(places: readonly Place[], path: Buffer): boolean {
  // The step that reached a place last, so that none is taken twice in one step.
  const reached = new Uint32Array(places.length + 1)
  const reach = (active: number[], from: number, at: number) => {
    const isNameStart = at === 0 || path[at - 1] === slash
    let place = from
    while (reached[place] !== at + 1) {
      reached[place] = at + 1
      active.push(place)
      if (isOptional(places[place], isNameStart)) place += 1
    }
    return active
  }
  let active = reach([], 0, 0)
  for (const [at, byte] of path.entries()) {
    if (active.length === 0) return false
    const before = active
    active = []
    for (const place of before) {
      const here = places[place]
      if (here?.set[byte] === 1) reach(active, here.loops ? place : place + 1, at + 1)
    }
  }
  return reached[places.length] === path.length + 1
}

function isOptional(place: Place | undefined, isNameStart: boolean): boolean {
  return place?.loops === 'bytes' || (place?.loops === 'folders' && isNameStart)
}

function byteAt(glob: string, at: number): Place | undefined {
  const from = glob[at] === '\\' ? at + 1 : at
  const set = glob[at] === '?' ? anyInName : literals[glob.charCodeAt(from)]
  return set && {set, end: from + 1}
}

/** Two stars and more span folders only if alone between slashes. */
function starsAt(glob: string, start: number): Place {
  let end = start
  while (glob[end] === '*') end += 1
  const isAlone = end - start > 1 && (start === 0 || glob[start - 1] === '/')
  if (isAlone && glob[end] === '/') return {set: anyByte, loops: 'folders', end: end + 1}
  const spans = isAlone && (end === glob.length || glob.startsWith('\\/', end))
  return {set: spans ? anyByte : anyInName, loops: 'bytes', end}
}

/** An element of a set: a class, a range or one byte. */
const element = /\[:([^\]]*):\]|(\\?.)(?:-(?!\])(\\?.))?/sy

/** A set in brackets, whose first byte is at `start`; undefined if it is not closed, or names no class. */
function setAt(glob: string, start: number): Place | undefined {
  const isNegated = glob[start] === '!' || glob[start] === '^'
  const first = isNegated ? start + 1 : start
  const ranges: string[] = []
  let at = first
  while (at === first || glob[at] !== ']') {
    element.lastIndex = at
    const [text = '', name, low = '', high = low] = element.exec(glob) ?? []
    const range = name === undefined ? rangeOf(low, high) : classes.get(name)
    if (text === '' || range === undefined) return undefined
    ranges.push(range)
    at += text.length
  }
  const bytes = new RegExp(`[${ranges.join('')}]`)
  const has = (byte: number) => byte !== slash && bytes.test(String.fromCharCode(byte)) !== isNegated
  return {set: anyByte.map((_, byte) => Number(has(byte))), end: at + 1}
}

/** As regular expressions have it. Nothing is between a byte and an earlier one, but git takes the first byte by itself. */
function rangeOf(low: string, high: string): string {
  const [from, to] = [low, high].map((text) => text.slice(-1).charCodeAt(0).toString(16).padStart(2, '0'))
  return String(from) > String(to) ? `\\x${from}` : `\\x${from}-\\x${to}`
}
