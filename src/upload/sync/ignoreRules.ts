import {globTest} from './glob.js'

/** Whether patterns exclude a path below the folder; that of a folder ends with a slash. */
export type IsExcluded = (key: string) => boolean

/** The patterns of a file in the form of .gitignore: its lines without comments, and without the spaces at their end. */
export function patternsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/u, ''))
  return lines.filter((line) => !line.startsWith('#')).map(withoutEndingSpaces)
}

function withoutEndingSpaces(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end -= 1
  const isEscaped = (/\\*$/u.exec(line.slice(0, end))?.[0].length ?? 0) % 2 === 1
  return line.slice(0, isEscaped ? end + 1 : end)
}

/**
 * The rules of .gitignore patterns (gitignore, Pattern format), then of `globs`. Names are compared in NFC, as uploaded; case counts on
 * every system. `unmatched`: the globs that have matched no path yet.
 */
export function ignoreRules(patterns: readonly string[], globs: readonly string[] = []) {
  const rules = [...patterns, ...globs].flatMap(ruleOf).reverse()
  const unmatched = new Map(globs.map((glob) => [glob, ruleOf(glob)[0]]))
  const folders = new Map<string, boolean>()
  const isExcluded = (key: string): boolean => {
    const known = folders.get(key)
    if (known !== undefined) return known
    const entry = entryOf(key)
    for (const [glob, own] of unmatched) if (own && fits(own, entry)) unmatched.delete(glob)
    const rule = rules.find((own) => fits(own, entry))
    const excluded = (entry.parent !== '' && isExcluded(entry.parent)) || rule?.keeps === false
    if (entry.isFolder) folders.set(key, excluded)
    return excluded
  }
  return {isExcluded, unmatched: () => [...unmatched.keys()]}
}

/** What another tool would take for a pattern, and how it is written here. */
const otherForms: readonly (readonly [RegExp, string])[] = [
  [/^\.\//u, 'a pattern begins without ./'],
  [/\{.*\}|,/u, 'repeat --exclude for each pattern: there are no braces and no lists'],
  [/\\/u, 'the parts of a path have / between them, and a \\ escapes the next character'],
]

export function unmatchedNote(glob: string): string {
  const form = otherForms.find(([pattern]) => pattern.test(glob))
  return `--exclude ${glob} matches nothing; ${form?.[1] ?? 'case counts, and a / at the end is of folders'}`
}

type Rule = ReturnType<typeof ruleOf>[number]

function fits({ofFolders, ofNames, matches}: Rule, {isFolder, name, whole}: ReturnType<typeof entryOf>): boolean {
  return (isFolder || !ofFolders) && matches(ofNames ? name : whole)
}

function entryOf(key: string) {
  const isFolder = key.endsWith('/')
  const path = isFolder ? key.slice(0, -1) : key
  const whole = Buffer.from(path.normalize('NFC'))
  const name = whole.subarray(whole.lastIndexOf('/') + 1)
  return {isFolder, whole, name, parent: path.slice(0, path.lastIndexOf('/') + 1)}
}

function ruleOf(pattern: string) {
  const keeps = pattern.startsWith('!')
  const ofFolders = pattern.endsWith('/')
  const glob = pattern.slice(keeps ? 1 : 0, ofFolders ? -1 : undefined)
  const matches = globTest(glob.replace(/^\//u, '').normalize('NFC'))
  return matches === undefined ? [] : [{keeps, ofFolders, ofNames: !glob.includes('/'), matches}]
}
