import {bashInsertion, bashWords} from './bashWord.js'
import type {Shell} from './scripts/shells.js'

/** A command line as far as it is typed, without the name of the tool. */
export interface Typed {
  /** The whole words before the one at the cursor, without their quoting. */
  readonly before: readonly string[]
  /** The word at the cursor, as far as it is typed; empty behind a space. */
  readonly current: string
  /** What the shell is to be given for a value; undefined where it cannot be put there. */
  readonly insertion: (value: string) => string | undefined
}

/**
 * The line as a shell's script passes it on (scripts/): bash the line itself, and as `replaced` the part of it that readline will
 * replace; zsh the words without quoting; fish the same but for the last; PowerShell each as `x` and its bytes in hexadecimal, since
 * some of its versions lose empty words and quotes on the way.
 */
export function readTyped(shell: Shell, given: readonly string[], replaced = ''): Typed {
  if (shell === 'bash') return bashTyped(given[0] ?? '', replaced)
  const words = shell === 'powershell' ? given.map(fromHex) : given
  const last = words.at(-1) ?? ''
  return {
    before: words.slice(0, -1),
    current: shell === 'fish' ? fishText(last) : last,
    insertion: (value) => value,
  }
}

function bashTyped(line: string, replaced: string): Typed {
  const [, ...words] = bashWords(line)
  const current = words.pop() ?? {raw: '', text: ''}
  return {
    before: words.map(({text}) => text),
    current: current.text,
    insertion: (value) => bashInsertion(value, current, replaced),
  }
}

function fromHex(word: string): string {
  return Buffer.from(word.slice(1), 'hex').toString()
}

const fishPiece = /\\([\s\S]?)|'((?:[^'\\]|\\[\s\S]?)*)(?:'|$)|"((?:[^"\\]|\\[\s\S]?)*)(?:"|$)|[^\\'"]+/gu

/** A word of fish without its quoting, which may still be open. */
function fishText(raw: string): string {
  return raw.replace(fishPiece, (whole, escaped?: string, single?: string, double?: string) => {
    if (single !== undefined) return single.replace(/\\([\\'])/gu, '$1')
    if (double !== undefined) return double.replace(/\\([\\"$])/gu, '$1')
    return escaped ?? whole
  })
}
