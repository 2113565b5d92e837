import type {CLIError} from '@oclif/core/errors'
import {distance} from 'fastest-levenshtein'
import {Failure} from '../contract/failure.js'

/** The members that oclif's parse errors carry beside their message. */
interface ParseError {
  readonly flags?: readonly string[]
  readonly args?: readonly unknown[]
  readonly parse?: {readonly input?: {readonly flags?: object; readonly args?: object}}
}

/**
 * The failure for a command line that oclif could not parse. Values are not repeated: an unknown flag or an argument
 * too many may hold a secret that its owner believed to be in the right place.
 */
export function usageFailure(error: CLIError & ParseError): Failure {
  const known = Object.keys(error.parse?.input?.flags ?? {})
  if (error.name === 'Error' && error.constructor.name === 'NonExistentFlagsError') return unknownFlag(error, known)
  if (error.flags) return unknownFlag(error, known)
  if (error.args && error.message.startsWith('Unexpected')) return tooMany(error)
  if (error.args && error.message.startsWith('Missing')) return missing(error.args)
  return new Failure({
    exit: 'usage',
    message: plain(error.message),
    try: 'add --help to the command to see what it takes',
  })
}

function unknownFlag({flags = []}: ParseError, known: readonly string[]): Failure {
  const names = flags.map((flag) => flag.replace(/=.*$/su, ''))
  const [first = ''] = names
  const secret = /token|secret|password|key/i.test(first)
  const guess = closest(first.replace(/^-+/u, ''), known)
  return new Failure({
    exit: 'usage',
    message: `there is no flag ${names.join(', ')}`,
    why: secret ? 'secrets are never taken from the command line: others can read it' : undefined,
    try: secret
      ? 'roomctl config login, which reads a token from stdin, a file, a command or a hidden prompt'
      : guess === undefined
        ? 'add --help to the command to see its flags'
        : `--${guess}`,
  })
}

function tooMany({args = [], parse}: ParseError): Failure {
  const takes = Object.keys(parse?.input?.args ?? {}).map((name) => name.toUpperCase())
  const many = args.length === 1 ? 'one argument' : `${args.length} arguments`
  return new Failure({
    exit: 'usage',
    message: `${many} more than the command takes`,
    why: takes.length === 0 ? 'it takes no arguments' : `it takes ${takes.join(' and ')}`,
    try: 'put a value with spaces in quotes, or add --help to see what the command takes',
  })
}

function missing(args: readonly unknown[]): Failure {
  const names = args.map((arg) => (arg as {name?: string}).name ?? 'argument')
  return new Failure({
    exit: 'usage',
    message: `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing`,
    try: 'add --help to the command to see what it takes',
  })
}

/** The nearest of the known words, if it is near enough to be meant. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({candidate, far: distance(word, candidate)}))
    .filter(({candidate, far}) => far <= Math.max(1, Math.floor(candidate.length / 3)))
  near.sort((a, b) => a.far - b.far)
  return near[0]?.candidate
}

/** oclif's sentence in our form: one line, no advice of its own, no colour. */
function plain(message: string): string {
  return (
    message
      .replace(/\n?See more help with --help/u, '')
      .replace(/^The following errors? occurred:\s*/u, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colour escapes are what is taken out.
      .replace(/\u001b\[[0-9;]*m/gu, '')
      .replace(/\s+/gu, ' ')
      .trim()
  )
}
