import {fillAdvice} from '../../api/rules/templates.js'

/** A word of a command line as the parser read it: an argument, or a flag with its value. */
export type Word =
  | {readonly type: 'arg'; readonly input: string}
  | {readonly type: 'flag'; readonly flag: string; readonly input: string}

/** More files than this make a line that nobody reads. */
const mostFiles = 20

/**
 * The command line that does what is left of a run: as it was typed, with those of the files that are `left`, and without
 * `--fresh`, which would begin anew. The first argument stays.
 */
export function commandAgain(command: string, words: readonly Word[], left: readonly string[]): string {
  if (left.length > mostFiles) return `the same command with the ${left.length} files that are not done`
  const given = words.flatMap((word) => (word.type === 'arg' ? [word.input] : []))
  const args = [...given.slice(0, 1), ...given.slice(1).filter((input) => left.includes(input))].map(typed)
  const flags = words.flatMap((word) => (word.type === 'flag' && word.flag !== 'fresh' ? flagWords(word) : []))
  const dashed = args.some((word) => word.startsWith('-'))
  return ['roomctl', command, ...(dashed ? [...flags, '--', ...args] : [...args, ...flags])].join(' ')
}

/** A flag without a value comes as it was typed: `--json`, `--no-sha256`, `-q`. */
function flagWords({flag, input}: {readonly flag: string; readonly input: string}): string[] {
  return input === `--${flag}` || input === `--no-${flag}` || /^-\w$/u.test(input)
    ? [input]
    : [`--${flag}`, typed(input)]
}

/** As a shell takes it. */
function typed(text: string): string {
  return fillAdvice('{word}', {word: text})
}
