import type {CLIError} from '@oclif/core/errors'
import {type Failure, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {commonFlags} from '../flags/flags.js'
import {ownHelp} from '../flags/parseValues.js'
import {suggestedWords} from './advice.js'
import {habitOf} from './habits.js'
import {removedFlag} from './removed.js'

interface ParseError {
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  readonly parse?: {
    readonly input?: {readonly flags?: object; readonly args?: Readonly<Record<string, {readonly multiple?: boolean}>>}
    readonly output?: {readonly argv?: readonly unknown[]}
  }
}

/** The failure for a command line that oclif could not parse. What may be a secret in the wrong place is not repeated. */
export function usageFailure(error: CLIError & ParseError, command?: string): Failure {
  const known = Object.keys(error.parse?.input?.flags ?? {})
  if (error.flags) {
    const removed = removedFlag(error.flags.map(flagName), command)
    const line = {command, isInPlace: isInPlace(error)}
    return removed ?? withoutUse(error.flags) ?? unknownFlag(error.flags, known, line)
  }
  // Missing arguments were asked for, or refused, before (baseCommand.ts).
  if (error.args) return unexpected(error.args, Object.keys(error.parse?.input?.args ?? {}), known)
  // oclif's class of this error has neither flag nor choices: only its message has both.
  const [, flag, value = '', choices] = /^Expected --([\w-]+)=(.*) to be one of: ([^\n]*)/su.exec(error.message) ?? []
  if (flag !== undefined && choices !== undefined) return notAChoice(flag, value, choices.split(', '))
  return wrongUsage(plainMessage(error.message), {try: ownHelp})
}

function flagName(flag: string): string {
  return flag.startsWith('--') ? flag.replace(/=.*$/su, '') : flag.slice(0, 2)
}

interface LineParts {
  readonly command?: string | undefined
  /** Whether the flag is in the place of a value of the command. */
  readonly isInPlace?: boolean
}

/** The failure for unknown flags; `known` are names without dashes. */
export function unknownFlag(flags: readonly string[], known: readonly string[], line: LineParts = {}): Failure {
  const names = flags.map(flagName)
  const [first = ''] = names
  const bare = first.replace(/^-+/u, '')
  const message = `unknown flag ${names.join(', ')}`
  if (/token|secret|password|key/i.test(first)) {
    const why = 'secrets are not accepted as arguments: other users can see them'
    return wrongUsage(message, {why, try: wayOfSecrets(bare, known)})
  }
  const habit = habitOf(first, known, line.command)
  const guess = first.startsWith('--') ? nearest(bare, known) : undefined
  const isValue = habit === undefined && guess === undefined && line.isInPlace === true && !first.startsWith('--')
  return wrongUsage(message, {
    why: isValue ? 'a value that begins with a dash goes after --' : undefined,
    try: habit ?? (guess === undefined ? ownHelp : `use --${guess}`),
  })
}

/** Whether the first of the unknown flags is in the place of an argument; more values may follow the last one of several. */
function isInPlace({flags: [first = ''] = [], parse}: ParseError): boolean {
  const args = Object.values(parse?.input?.args ?? {})
  const place = parse?.output?.argv?.indexOf(first) ?? -1
  return place < args.length || (args.at(-1)?.multiple === true && first.length > 2)
}

const whyUnused: Readonly<Record<string, string>> = {
  ROWS: 'it prints no rows',
  TIMES: 'it neither prints nor reads times',
  SERVICE: 'it calls no service',
  RUN: 'it has no run over several targets or files',
}

/** A common flag that does nothing in this command. */
function withoutUse([flag = '']: readonly string[]): Failure | undefined {
  const [, name = ''] = /^--([\w-]+)/u.exec(flag) ?? []
  const common: Readonly<Record<string, {readonly helpGroup?: string}>> = commonFlags
  const why = Object.hasOwn(common, name) ? whyUnused[common[name]?.helpGroup ?? ''] : undefined
  if (why === undefined) return undefined
  return wrongUsage(`this command does not take --${name}`, {
    why,
    try: `leave --${name} out, or put it before the command, where it is ignored`,
  })
}

/** A command that takes a secret has flags for its source: `--password-file` in place of --password. */
function wayOfSecrets(flag: string, known: readonly string[]): string {
  const others = known.filter((name) => name.startsWith(`${flag}-`)).map((name) => `--${name}`)
  return others.length > 0 ? `use ${others.join(' or ')}, or none, to be asked without echo` : 'roomctl config login'
}

/** `known`: the arguments of the command; `flags`: its flags. If it takes a secret, any word may be one. */
function unexpected(words: readonly string[], known: readonly string[], flags: readonly string[]): Failure {
  const takes = known.map((name) => name.toUpperCase())
  const takesSecret = flags.some((flag) => /token|password/u.test(flag))
  const what = words.length === 1 ? 'argument' : 'arguments'
  const said = takesSecret
    ? `${words.length} unexpected ${what}`
    : `unexpected ${what}: ${suggestedWords(words).join(', ')}`
  return wrongUsage(said, {
    why:
      takes.length === 0
        ? 'it takes no arguments'
        : `it takes ${takes.join(' and ')}; a value with spaces needs quotes`,
    try: takes.length === 0 && flags.includes('match') ? byName(words) : ownHelp,
  })
}

/** For a name where a list takes none, unless it may be a secret. */
function byName(words: readonly string[]): string {
  const [word = '', ...others] = suggestedWords(words)
  const isName = others.length === 0 && word === words[0]
  return isName ? `for rooms by their name: roomctl room list --match '*${word}*'` : ownHelp
}

/** The value is repeated only if it is similar to a choice; otherwise it may be a secret. */
function notAChoice(flag: string, value: string, choices: readonly string[]): Failure {
  const guess = nearest(value, choices)
  return wrongUsage(`--${flag} takes ${choices.join(', ').replace(/, ([^,]*)$/u, ' or $1')}`, {
    try: guess === undefined ? ownHelp : `use --${flag} ${guess}`,
  })
}

export function missingInput(names: readonly string[]): Failure {
  return wrongUsage(`${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing`, {try: ownHelp})
}

/** oclif's message on one line, without its advice and colour. */
function plainMessage(message: string): string {
  return (
    message
      .replace(/\n?See more help with --help/u, '')
      .replace(/^The following errors? occurred:\s*/u, '')
      // The values in `--json=true cannot also be …` may be secret.
      .replace(/(--[\w-]+)=.*? (cannot also be provided)/gsu, '$1 $2')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: removes colour escapes.
      .replace(/\u001b\[[0-9;]*m/gu, '')
      .replace(/\s+/gu, ' ')
      .replace(/^All of the following must be provided when using (--[\w-]+): /u, '$1 needs ')
      .replace(/^Flag (?=--)/u, '')
      .replace(/^(--[\w-]+) can only be specified once/u, '$1 is given more than once')
      .trim()
  )
}

/** oclif reads the value of a boolean flag as an argument, and the flag as set: `--yes=no` would confirm. */
export function switchWithValue(name: string): Failure {
  return wrongUsage(`--${name} takes no value`, {
    why: 'it applies whenever it is given',
    try: `use --${name} alone, or leave it out`,
  })
}
