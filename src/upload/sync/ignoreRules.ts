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

/** The rules of .gitignore patterns (gitignore, Pattern format). Names are compared in NFC, as uploaded; case counts on every system. */
export function ignoreRules(patterns: readonly string[]): IsExcluded {
  const rules = patterns.flatMap(ruleOf).reverse()
  const folders = new Map<string, boolean>()
  const isExcluded = (key: string): boolean => {
    const known = folders.get(key)
    if (known !== undefined) return known
    const isFolder = key.endsWith('/')
    const path = isFolder ? key.slice(0, -1) : key
    const nameAt = path.lastIndexOf('/') + 1
    const whole = Buffer.from(path.normalize('NFC'))
    const name = whole.subarray(whole.lastIndexOf('/') + 1)
    const rule = rules.find(
      ({ofFolders, ofNames, matches}) => (isFolder || !ofFolders) && matches(ofNames ? name : whole),
    )
    const excluded = (nameAt > 0 && isExcluded(path.slice(0, nameAt))) || rule?.keeps === false
    if (isFolder) folders.set(key, excluded)
    return excluded
  }
  return isExcluded
}

function ruleOf(pattern: string) {
  const keeps = pattern.startsWith('!')
  const ofFolders = pattern.endsWith('/')
  const glob = pattern.slice(keeps ? 1 : 0, ofFolders ? -1 : undefined)
  const matches = globTest(glob.replace(/^\//u, '').normalize('NFC'))
  return matches === undefined ? [] : [{keeps, ofFolders, ofNames: !glob.includes('/'), matches}]
}
