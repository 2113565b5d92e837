import {shellWord} from '../../text/text.js'

export type ParsedWord =
  | {readonly type: 'arg'; readonly input: string}
  | {readonly type: 'flag'; readonly flag: string; readonly input: string}

/** Above this many files the line would be too long to read. */
const mostFiles = 20

/** The command line for the rest of a run: as typed, with the files that are `left`, and without `--fresh`, which would start over. */
export function retryCommand(command: string, words: readonly ParsedWord[], left: readonly string[]): string {
  if (left.length > mostFiles) return `the same command with the ${left.length} files that are not done`
  const values = words.flatMap((word) => (word.type === 'arg' ? [word.input] : []))
  const args = [...values.slice(0, 1), ...values.slice(1).filter((input) => left.includes(input))].map(shellWord)
  const flags = words.flatMap((word) => (word.type === 'flag' && word.flag !== 'fresh' ? flagWords(word) : []))
  const dashed = args.some((word) => word.startsWith('-'))
  return ['roomctl', command, ...(dashed ? [...flags, '--', ...args] : [...args, ...flags])].join(' ')
}

/** A flag without a value, as typed: `--json`, `--no-stamp`, `-q`. */
function flagWords({flag, input}: {readonly flag: string; readonly input: string}): string[] {
  return input === `--${flag}` || input === `--no-${flag}` || /^-\w$/u.test(input)
    ? [input]
    : [`--${flag}`, shellWord(input)]
}
