/** Texts, numbers and the signs between them, of a text that is known to be JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:]|-?\d[\d.eE+-]*/gu

/**
 * What a parser would change without a word: a name that stands twice in an object, of which the last would win, and a number
 * that would become another. In words to follow `it`; undefined where there is nothing. `text` must be JSON.
 */
export function silentLoss(text: string): string | undefined {
  const all = Array.from(text.matchAll(tokens), ([token]) => token)
  const number = all.find(isChanged)
  if (number !== undefined) return `holds the number ${number.slice(0, 40)}, which would not be sent as it is`
  const name = repeatedName(all)
  return name === undefined ? undefined : `has the name ${name} twice in one object`
}

/** As it stands in the text, with its quotes. */
function repeatedName(all: readonly string[]): string | undefined {
  const open: Set<string>[] = []
  for (const [at, token] of all.entries()) {
    const name = all[at - 1] ?? ''
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && isRepeated(open.at(-1), name)) return name
  }
  return undefined
}

/** Whether the object has that name already; takes note of it. */
function isRepeated(names: Set<string> | undefined, text: string): boolean {
  const name: string = JSON.parse(text)
  const known = names?.has(name) ?? false
  names?.add(name)
  return known
}

/** Whole numbers beyond 2^53 are rounded, and those beyond all numbers become null. */
function isChanged(token: string): boolean {
  if (!/^[-\d]/u.test(token)) return false
  const value = Number(token)
  return /^-?\d+$/u.test(token) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
}
