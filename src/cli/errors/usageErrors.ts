import type {CLIError} from '@oclif/core/errors'
import {type Failure, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {commonFlags} from '../flags/flags.js'
import {ownHelp} from '../flags/parseValues.js'
import {suggestedWords} from './advice.js'
import {removedFlag} from './removed.js'

interface ParseError {
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  readonly parse?: {readonly input?: {readonly flags?: object; readonly args?: object}}
}

/** The failure for a command line that oclif could not parse. What may be a secret in the wrong place is not repeated. */
export function usageFailure(error: CLIError & ParseError, command?: string): Failure {
  const known = Object.keys(error.parse?.input?.flags ?? {})
  if (error.flags) {
    const removed = removedFlag(error.flags.map(flagName), command)
    return removed ?? withoutUse(error.flags) ?? unknownFlag(error.flags, known, error.parse?.input?.args)
  }
  // Missing arguments were asked for, or refused, before (baseCommand.ts).
  if (error.args) return unexpected(error.args, Object.keys(error.parse?.input?.args ?? {}), known)
  const [, flag, value = '', choices] = /^Expected --([\w-]+)=(.*) to be one of: ([^\n]*)/su.exec(error.message) ?? []
  if (flag !== undefined && choices !== undefined) return notAChoice(flag, value, choices.split(', '))
  return wrongUsage(plainMessage(error.message), {try: ownHelp})
}

/** The replacement of an unknown flag, if it is not a flag of the command. */
function otherWay(bare: string, known: readonly string[]): string | undefined {
  if (bare === 'all' && known.includes('limit')) return 'omit it: without --limit all are shown'
  if (bare === 'all' && known.includes('match')) return "to select all rooms: --match '*'"
  return bare === 'at' && known.includes('recipients-from')
    ? 'to send to all users: roomctl push broadcast --title TEXT --body TEXT --at TIME'
    : undefined
}

/** Flags of other tools, with their names here; the first that the command has counts. */
const habits: Readonly<Record<string, readonly string[]>> = {
  force: ['overwrite'],
  format: ['output'],
  filter: ['match'],
}

function flagName(flag: string): string {
  return flag.startsWith('--') ? flag.replace(/=.*$/su, '') : flag.slice(0, 2)
}

/** The failure for unknown flags; `known` are names without dashes. */
export function unknownFlag(flags: readonly string[], known: readonly string[], args: object = {}): Failure {
  const names = flags.map(flagName)
  const [first = ''] = names
  const secret = /token|secret|password|key/i.test(first)
  const bare = first.replace(/^-+/u, '')
  // --force was renamed to --overwrite: beside `room end` it read as if it forced the change.
  const habit = habits[bare]?.find((flag) => known.includes(flag))
  const guess = habit ?? nearest(bare, known)
  if (/^y(?:es)?$/.test(bare) && known.includes('confirm')) return noYes(first)
  return wrongUsage(`unknown flag ${names.join(', ')}`, {
    why: secret
      ? 'secrets are not accepted as arguments: other users can see them'
      : guess === undefined && !first.startsWith('--') && Object.keys(args).length > 0
        ? 'a value that begins with a dash goes after --'
        : undefined,
    try: secret ? wayOfSecrets(bare, known) : (otherWay(bare, known) ?? (guess === undefined ? ownHelp : `--${guess}`)),
  })
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

/** A command that asks nothing, or asks for a name. */
function noYes(flag: string): Failure {
  return wrongUsage(`this command does not take ${flag}`, {
    why: 'it asks for a name or an id, which --yes does not answer',
    try: `use --confirm VALUE, or leave ${flag} out`,
  })
}

/** A command that takes a secret has flags for its source: `--password-file` in place of --password. */
function wayOfSecrets(flag: string, known: readonly string[]): string {
  const others = known.filter((name) => name.startsWith(`${flag}-`)).map((name) => `--${name}`)
  return others.length > 0
    ? `${others.join(' or ')}, or without ${others.length === 1 ? 'it' : 'them'} a hidden prompt`
    : 'roomctl config login'
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
    try: ownHelp,
  })
}

/** The value is repeated only if it is similar to a choice; otherwise it may be a secret. */
function notAChoice(flag: string, value: string, choices: readonly string[]): Failure {
  const guess = nearest(value, choices)
  return wrongUsage(`--${flag} takes ${choices.join(', ').replace(/, ([^,]*)$/u, ' or $1')}`, {
    try: guess === undefined ? ownHelp : `--${flag} ${guess}`,
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
