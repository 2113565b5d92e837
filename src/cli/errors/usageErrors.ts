import type {Command} from '@oclif/core/command'
import type {CLIError} from '@oclif/core/errors'
import type {ArgInput} from '@oclif/core/interfaces'
import {type Advice, shellArgument} from '../../advice.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {type KnownFlag, type ParsedWords, parseWords} from '../flags/commandLine.js'
import {commonFlags} from '../flags/flags.js'
import {notAChoice, ownHelp} from '../flags/parseValues.js'
import {suggestedWords} from './advice.js'
import {habitOf} from './habits.js'
import {removedFlag} from './removed.js'

/** The fields of oclif's errors. Those of a known flag have none. */
interface ParseError {
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  readonly parse?: {readonly output?: {readonly argv?: readonly unknown[]}}
}

/** The words of a command line, and what its command takes. */
interface Line {
  readonly command: string | undefined
  readonly args: ArgInput
  readonly flags: Command.Cached['flags']
  readonly words: readonly string[]
}

/** The failure for a command line that oclif could not parse. What may be a secret in the wrong place is not repeated. */
export function usageFailure(error: CLIError & ParseError, line: Line): Failure {
  const {command, args, flags, words} = line
  const known = Object.keys(flags)
  if (error.flags) {
    const removed = removedFlag(error.flags.map(flagName), command)
    const place = {command, isInPlace: isInPlace(error, Object.values(args))}
    return removed ?? withoutUse(error.flags) ?? unknownFlag(error.flags, known, place)
  }
  // Missing arguments were asked for, or refused, before (baseCommand.ts).
  if (error.args) return unexpected(error.args, Object.keys(args), known)
  const given = parseWords(flags, words)
  // No other is known.
  const [unexplained = ''] = error.message.split('\n')
  return wrongValue(flags, given) ?? wrongUsage(wrongTogether(flags, given) ?? unexplained, {try: ownHelp})
}

/** A flag that lacks its value or has one that is no choice. */
function wrongValue(flags: Line['flags'], {flags: given, awaited}: ParsedWords): Failure | undefined {
  // oclif takes no flag for a value.
  const isFlag = (word: string) => parseWords(flags, [word]).flags.size > 0
  for (const [name, values] of given) {
    const {options}: Partial<KnownFlag> = flags[name] ?? {}
    const isMissing = awaited?.name === name || values.some(isFlag)
    const wrong = isMissing ? '' : values.find((value) => options?.includes(value) === false)
    if (options && wrong !== undefined) return notAChoice(`--${name}`, wrong, options)
    if (isMissing) return wrongUsage(`--${name} expects a value`, {try: ownHelp})
  }
  return undefined
}

/** A flag that is given again, or with one that it excludes, or without one that it needs. */
function wrongTogether(flags: Line['flags'], {flags: given}: ParsedWords): string | undefined {
  for (const [name, values] of given) {
    const {multiple, exclusive = [], dependsOn = []}: Partial<KnownFlag> = flags[name] ?? {}
    if (values.length > 1 && !multiple) return `--${name} is given more than once`
    const other = exclusive.find((flag) => given.has(flag))
    if (other !== undefined) return `--${other} cannot also be provided when using --${name}`
    const needed = dependsOn.find((flag) => !given.has(flag))
    if (needed !== undefined) return `--${name} needs --${needed}`
  }
  return undefined
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
function isInPlace({flags: [first = ''] = [], parse}: ParseError, args: readonly ArgInput[string][]): boolean {
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
function wayOfSecrets(flag: string, known: readonly string[]): Advice {
  const others = known.filter((name) => name.startsWith(`${flag}-`)).map((name) => `--${name}`)
  return others.length > 0
    ? `use ${others.join(' or ')}, or none, to be asked without echo`
    : {command: ['config login']}
}

/** `known`: the arguments of the command; `flags`: its flags. If it takes a secret, any word may be one. */
function unexpected(words: readonly string[], known: readonly string[], flags: readonly string[]): Failure {
  const takes = known.map((name) => name.toUpperCase())
  const takesSecret = flags.some((flag) => /token|password/u.test(flag))
  const what = words.length === 1 ? 'argument' : 'arguments'
  const said = takesSecret
    ? `${words.length} unexpected ${what}`
    : `unexpected ${what}: ${suggestedWords(words).map(shellArgument).join(', ')}`
  return wrongUsage(said, {
    why:
      takes.length === 0
        ? 'it takes no arguments'
        : `it takes ${takes.join(' and ')}; a value with spaces needs quotes`,
    try: takes.length === 0 && flags.includes('match') ? byName(words) : ownHelp,
  })
}

/** For a name where a list takes none, unless it may be a secret. */
function byName(words: readonly string[]): Advice {
  const [word = '', ...others] = suggestedWords(words)
  const isName = others.length === 0 && word === words[0]
  return isName ? {sentence: 'for rooms by their name', command: ['room list', '--match', `*${word}*`]} : ownHelp
}

export function missingInput(names: readonly string[]): Failure {
  return wrongUsage(`${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing`, {try: ownHelp})
}

/** oclif reads the value of a boolean flag as an argument, and the flag as set: `--yes=no` would confirm. */
export function switchWithValue(name: string): Failure {
  return wrongUsage(`--${name} takes no value`, {
    why: 'it applies whenever it is given',
    try: `use --${name} alone, or leave it out`,
  })
}
