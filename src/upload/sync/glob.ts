/** A place of a glob: one byte of a set, or with `loops` any number of them; `folders` are whole folder names with their slashes. */
interface Place {
  readonly set: Uint8Array
  readonly loops?: 'bytes' | 'folders'
}

const [bang = 0, dash = 0, slash = 0, star = 0, question = 0] = Buffer.from('!-/*?')
const [colon = 0, bracket = 0, backslash = 0, closing = 0, caret = 0] = Buffer.from(':[\\]^')

const anyByte = new Uint8Array(256).fill(1)
const anyInName = anyByte.map((_, byte) => (byte === slash ? 0 : 1))
const literals = Array.from(anyByte, (_, byte) => new Uint8Array(256).fill(1, byte, byte + 1))

/** The classes as git has them: `[[:space:]]` without the vertical tab and the form feed. */
const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z0-9]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[^ -~\x80-\xff]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[A-Fa-f0-9]/],
])

/**
 * Tests a path, or one name of it, by git's wildmatch, byte by byte. It follows all ways to match at once (Thompson's simulation of
 * a nondeterministic automaton), in at most the glob's time times the path's. Undefined for a glob that never matches: `[a` or `a\`.
 */
export function globTest(text: string): ((path: Buffer) => boolean) | undefined {
  const glob = parseGlob(Buffer.from(text))
  if (glob === undefined) return undefined
  const {prefix, places} = glob
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

/** `prefix`: the literal bytes before the first special one. */
function parseGlob(whole: Buffer) {
  const special = whole.findIndex((byte) => [star, question, bracket, backslash].includes(byte))
  const [prefix, glob] = special < 0 ? [whole, Buffer.of()] : [whole.subarray(0, special), whole.subarray(special)]
  const places: Place[] = []
  for (let at = 0; at < glob.length; ) {
    const place = placeAt(glob, at)
    if (place === undefined) return undefined
    places.push(place.place)
    at = place.end
  }
  return {prefix, places}
}

interface Found {
  readonly place: Place
  readonly end: number
}

function placeAt(glob: Buffer, at: number): Found | undefined {
  switch (glob[at]) {
    case star:
      return starsAt(glob, at)
    case question:
      return {place: {set: anyInName}, end: at + 1}
    case bracket:
      return setAt(glob, at + 1)
    case backslash:
      return literalAt(glob, at + 1)
    default:
      return literalAt(glob, at)
  }
}

function literalAt(glob: Buffer, at: number): Found | undefined {
  const set = literals[glob[at] ?? -1]
  return set && {place: {set}, end: at + 1}
}

/** Two stars and more span folders only if alone between slashes. */
function starsAt(glob: Buffer, start: number): Found {
  let end = start
  while (glob[end] === star) end += 1
  const isAlone = end - start > 1 && (start === 0 || glob[start - 1] === slash)
  if (isAlone && glob[end] === slash) return {place: {set: anyByte, loops: 'folders'}, end: end + 1}
  const spans = isAlone && (end === glob.length || (glob[end] === backslash && glob[end + 1] === slash))
  return {place: {set: spans ? anyByte : anyInName, loops: 'bytes'}, end}
}

/** A set in brackets, whose first byte is at `start`; undefined if it is not closed, or names no class. */
function setAt(glob: Buffer, start: number): Found | undefined {
  const isNegated = glob[start] === bang || glob[start] === caret
  const first = isNegated ? start + 1 : start
  const members: Member[] = []
  let at = first
  while (at === first || glob[at] !== closing) {
    const member = memberAt(glob, at, members.at(-1)?.last ?? 0)
    if (member === undefined) return undefined
    members.push(member)
    at = member.end
  }
  const has = (byte: number) => byte !== slash && members.some((member) => member.has(byte)) !== isNegated
  return {place: {set: anyByte.map((_, byte) => (has(byte) ? 1 : 0))}, end: at + 1}
}

interface Member {
  readonly has: (byte: number) => boolean
  /** The byte that a range can begin with; 0 for none. */
  readonly last: number
  readonly end: number
}

/** The element of a set at `at`: a class, a range from the byte before, or one byte. */
function memberAt(glob: Buffer, at: number, previous: number): Member | undefined {
  const end = glob[at] === bracket && glob[at + 1] === colon ? glob.indexOf(closing, at + 2) : at
  if (end < 0) return undefined
  return end > at + 2 && glob[end - 1] === colon ? classAt(glob, at + 2, end) : rangeAt(glob, at, previous)
}

function rangeAt(glob: Buffer, at: number, previous: number): Member | undefined {
  const isRange = glob[at] === dash && previous > 0 && glob[at + 1] !== closing
  const from = isRange ? at + 1 : at
  const end = glob[from] === backslash ? from + 1 : from
  const last = glob[end]
  if (last === undefined) return undefined
  const first = isRange ? previous : last
  return {has: (byte) => byte >= first && byte <= last, last: isRange ? 0 : last, end: end + 1}
}

function classAt(glob: Buffer, start: number, end: number): Member | undefined {
  const bytes = classes.get(glob.toString('latin1', start, end - 1))
  return bytes && {has: (byte) => bytes.test(String.fromCharCode(byte)), last: 0, end: end + 1}
}
