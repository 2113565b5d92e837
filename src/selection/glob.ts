import {wrongUsage} from '../failure.js'
import {posixClasses} from '../text/posixClasses.js'
import {quotedText} from '../text/text.js'

/** A test of one character; `null` is `*`. */
type Piece = ((character: string) => boolean) | null

const piece = /\[([!^]?)(\](?:\[:[a-z]+:\]|\\.|[^\]])*|(?:\[:[a-z]+:\]|\\.|[^\]])+)\]|\\?./gsu
const member = /\[:([a-z]+):\]|\\?./gsu

const classes: Readonly<Record<string, string>> = {...posixClasses, ascii: '\\0-\\x7f', word: '0-9A-Z_a-z'}

/**
 * Compiles a glob as a shell reads it, for a whole text; case counts. Matching takes at most the product of both lengths: names
 * come from strangers. Throws Failure (usage).
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const pieces = Array.from(glob.matchAll(piece), ([text, not, members]): Piece => {
    if (members !== undefined) return classTest(glob, not ?? '', members)
    if (text === '*') return null
    if (text === '?') return () => true
    const literal = unescaped(text)
    return (character) => character === literal
  })
  return (text) => matches(pieces, Array.from(text))
}

/** Goes back to the last `*` only: an earlier one need not take more. */
function matches(pieces: readonly Piece[], characters: readonly string[]): boolean {
  let at = 0
  let star: {readonly next: number; from: number} | undefined
  for (let read = 0; read < characters.length; ) {
    const test = pieces[at]
    if (test === null) {
      at += 1
      star = {next: at, from: read}
    } else if (test?.(characters[read] ?? '')) {
      at += 1
      read += 1
    } else if (star) {
      star.from += 1
      at = star.next
      read = star.from
    } else return false
  }
  return pieces.slice(at).every((test) => test === null)
}

function classTest(glob: string, not: string, members: string): (character: string) => boolean {
  const body = members.replace(member, (text: string, name: string | undefined) => {
    const known = name === undefined ? undefined : classes[name]
    if (name !== undefined && known === undefined) throw unusable(glob, `unknown class ${text}`)
    return known ?? (text === '-' ? '-' : `\\u{${(unescaped(text).codePointAt(0) ?? 0).toString(16)}}`)
  })
  try {
    const test = new RegExp(`^[${not && '^'}${body}]$`, 'su')
    return (character) => test.test(character)
  } catch {
    throw unusable(glob, 'a range in it runs backwards')
  }
}

function unusable(glob: string, why: string) {
  return wrongUsage(`cannot use the pattern ${quotedText(glob)}: ${why}`)
}

function unescaped(text: string): string {
  return text.length > 1 ? text.replace(/^\\/u, '') : text
}
