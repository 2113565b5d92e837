import type {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import type {BooleanFlag, OptionFlag} from '@oclif/core/interfaces'
import {type Environment, isMachineFormat} from '../runtime/runtime.js'
import {commonFlags} from './flags.js'

/** A flag of a command, as in oclif's manifest. */
export type KnownFlag = Command.Flag.Cached &
  Partial<Pick<BooleanFlag<boolean>, 'allowNo'> & Pick<OptionFlag<string>, 'multiple' | 'options' | 'helpValue'>>

/** The words of a command line, before a command is loaded. */
export interface SplitLine {
  /** The common flags before the command, each with its words: `-p live` of `-p live room list`. */
  readonly leading: readonly LeadingFlag[]
  /** Whether `help` precedes the name. */
  readonly isHelp: boolean
  /** The words that name a command or a topic: `room list`. */
  readonly name: readonly string[]
  readonly rest: readonly string[]
}

interface LeadingFlag {
  readonly name: string
  readonly words: readonly string[]
}

/** Splits a command line for running, help and completion. */
export function splitLine(words: readonly string[], config: Config): SplitLine {
  const leading = leadingFlags(words)
  const behind = words.slice(leading.flatMap((flag) => flag.words).length)
  const isHelp = behind[0] === 'help'
  const own = isHelp ? behind.slice(1) : behind
  const length = nameLength(own, config)
  return {leading, isHelp, name: own.slice(0, length), rest: own.slice(length)}
}

/** Another flag ends them. */
function leadingFlags(words: readonly string[]): LeadingFlag[] {
  const leading: LeadingFlag[] = []
  for (let at = 0, word = words[0]; word !== undefined; word = words[at]) {
    const [, long, short] = /^(?:--([^=]+)|-(\w))/u.exec(word) ?? []
    const [name, flag] =
      Object.entries(commonFlags).find(([name, {char}]) => name === long || (short && char === short)) ?? []
    if (!name) break
    const isAlone = flag?.type === 'option' && word === (long ? `--${long}` : `-${short}`)
    leading.push({name, words: words.slice(at, at + (isAlone ? 2 : 1))})
    at += isAlone ? 2 : 1
  }
  return leading
}

/** The number of words that name a command or a topic. */
export function nameLength(words: readonly string[], config: Config): number {
  const isKnown = (id: string) => config.findCommand(id) !== undefined || config.findTopic(id) !== undefined
  const end = words.findIndex((_, at) => !isKnown(words.slice(0, at + 1).join(':')))
  return end === -1 ? words.length : end
}

/** The flags and arguments after the name of a command. */
export interface ParsedWords {
  /** By name, with their values. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly args: readonly string[]
  /** Whether `--` ends the flags. */
  readonly dashed: boolean
  /** The flag that takes the next word as its value. */
  readonly awaited: KnownFlag | undefined
  /** The first flag without a value that was given one: oclif would take `--yes=no` as a confirmation. */
  readonly valued: string | undefined
  readonly hasUnknown: boolean
}

export function parseWords(flags: Command.Cached['flags'], words: readonly string[]): ParsedWords {
  const values = new Map<string, string[]>()
  const args: string[] = []
  let dashed = false
  let awaited: KnownFlag | undefined
  let valued: string | undefined
  let hasUnknown = false
  const readFlag = (word: string): void => {
    const named = flagIn(word, flags)
    if (!named) {
      hasUnknown = true
      return
    }
    const {name, flag, value, more} = named
    addValue(values, name, value)
    if (flag.type === 'option') awaited = value === undefined ? {...flag, name} : undefined
    else if (value !== undefined) valued ??= name
    if (more !== undefined) readFlag(more)
  }
  for (const word of words) {
    if (awaited) {
      values.get(awaited.name)?.push(word)
      awaited = undefined
    } else if (dashed || !isFlag(word)) args.push(word)
    else if (word === '--') dashed = true
    else readFlag(word)
  }
  return {flags: values, args, dashed, awaited, valued, hasUnknown}
}

/** The format as argv alone shows it, for a command line that cannot be parsed. */
export function requestsMachineFormat(argv: readonly string[], env: Environment): boolean {
  const {flags} = parseWords(commonFlags as Command.Cached['flags'], argv)
  const otherwise = flags.has('query') ? 'json' : 'table'
  return flags.has('json') || isMachineFormat(flags.get('output')?.at(-1) ?? env.ROOMCTL_OUTPUT ?? otherwise)
}

/** The profile that the words name, and the other words. */
export function splitProfile(words: readonly string[]): {
  readonly profile: string | undefined
  readonly others: readonly string[]
} {
  const flags = {profile: commonFlags.profile} as Command.Cached['flags']
  const others: string[] = []
  let profile: string | undefined
  for (let at = 0, word = words[0]; word !== undefined; word = words[++at]) {
    if (word === '--') return {profile, others: [...others, ...words.slice(at)]}
    const named = isFlag(word) ? flagIn(word, flags) : undefined
    if (named) profile = named.value ?? words[++at]
    else others.push(word)
  }
  return {profile, others}
}

function addValue(values: Map<string, string[]>, name: string, value: string | undefined): void {
  values.set(name, [...(values.get(name) ?? []), ...(value === undefined ? [] : [value])])
}

/** A single dash means stdin. */
function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

/**
 * Parses `--name`, `--no-name`, `--name=value`, `-n`, `-nvalue`, `-n=value`. `lead`: the part before the value. `more`: the other
 * flags of `-yq`, as `-q`.
 */
export function flagIn(word: string, flags: Command.Cached['flags']) {
  const all: readonly (readonly [string, KnownFlag])[] = Object.entries(flags)
  const [, long, equals = '', inLong] = /^--([^=]+)(?:(=)(.*))?$/su.exec(word) ?? []
  if (long !== undefined) {
    const entry = all.find(([name, {allowNo}]) => name === long || (allowNo && `no-${name}` === long))
    return entry && {name: entry[0], flag: entry[1], lead: `--${long}${equals}`, value: inLong, more: undefined}
  }
  const [name, flag] = all.find(([, {char}]) => char !== undefined && char === word[1]) ?? []
  if (name === undefined || flag === undefined) return undefined
  const lead = `-${flag.char}${word[2] === '=' ? '=' : ''}`
  const rest = word.length === 2 ? undefined : word.slice(lead.length)
  const isCluster = flag.type === 'boolean' && lead.length === 2 && rest !== undefined
  return {name, flag, lead, value: isCluster ? undefined : rest, more: isCluster ? `-${rest}` : undefined}
}
