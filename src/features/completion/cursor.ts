import type {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import type {BooleanFlag, OptionFlag} from '@oclif/core/interfaces'
import {leadingFlags, roomSelectionNames, rowFlags} from '../../cli/flags/flags.js'
import type {Candidate} from './candidate.js'
import type {TypedLine} from './parseLine.js'

/** A flag in oclif's manifest. */
export type KnownFlag = Command.Flag.Cached &
  Partial<Pick<BooleanFlag<boolean>, 'allowNo'> & Pick<OptionFlag<string>, 'multiple' | 'options' | 'helpValue'>>

export interface CommandLine {
  readonly command: Command.Loadable
  /** By name, with their values. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly args: readonly string[]
  /** Whether `--` precedes the cursor: no more flags. */
  readonly dashed: boolean
}

/** Whether flags select the rooms, so that none is named. */
export function choosesRooms({flags}: Pick<CommandLine, 'flags'>): boolean {
  return roomSelectionNames.some((name) => flags.has(name))
}

export type CursorPlace =
  | {
      readonly kind: 'command'
      readonly behind: readonly string[]
      /** Whether it follows `help`: help topics are offered, too. */
      readonly isHelp: boolean
    }
  | {readonly kind: 'flag'; readonly line: CommandLine}
  | {
      readonly kind: 'value'
      readonly line: CommandLine
      readonly flag: KnownFlag
      /** The part of the word before the value: `--status=`, `-o`, or nothing. */
      readonly lead: string
    }
  | {readonly kind: 'argument'; readonly line: CommandLine; readonly argument: Command.Arg.Cached | undefined}
  | {readonly kind: 'nowhere'}

export function locateCursor({before, current}: TypedLine, config: Config): CursorPlace {
  const leading = leadingFlags(before).flatMap(({words}) => words)
  const isHelp = before[leading.length] === 'help'
  const words = before.slice(leading.length + (isHelp ? 1 : 0))
  const length = nameLength(words, config)
  const command = commandAt(words.slice(0, length), config)
  if (!command) {
    const value = words.length === 0 ? valueBeforeCommand(leading, current, config) : undefined
    if (value) return value
    return length === words.length && isTopic(words, config)
      ? {kind: 'command', behind: words, isHelp}
      : {kind: 'nowhere'}
  }
  return isHelp ? {kind: 'nowhere'} : onLine(parseArguments(command, [...leading, ...words.slice(length)]), current)
}

/** The value of a common flag before the command; which columns there are, the command decides. */
function valueBeforeCommand(leading: readonly string[], current: string, config: Config): CursorPlace | undefined {
  const takesAll = commandAt(['room', 'list'], config)
  const typed = takesAll && parseArguments(takesAll, leading)
  if (!typed?.awaited) return undefined
  return typed.awaited.name in rowFlags ? {kind: 'nowhere'} : onLine(typed, current)
}

/** `awaited`: the flag that takes the next word as its value. */
function parseArguments(command: Command.Loadable, words: readonly string[]) {
  const flags = new Map<string, string[]>()
  const args: string[] = []
  let dashed = false
  let awaited: KnownFlag | undefined
  for (const word of words) {
    if (awaited) {
      flags.get(awaited.name)?.push(word)
      awaited = undefined
    } else if (dashed || !isFlag(word)) args.push(word)
    else if (word === '--') dashed = true
    else awaited = readFlag(word, command, flags)
  }
  return {line: {command, flags, args, dashed}, awaited}
}

/** Records a flag; returns it if its value is the next word. */
function readFlag(word: string, command: Command.Cached, flags: Map<string, string[]>): KnownFlag | undefined {
  const found = flagIn(word, command)
  if (!found) return undefined
  const {flag, value} = found
  const values = flags.get(flag.name) ?? []
  flags.set(flag.name, value === undefined ? values : [...values, value])
  return flag.type === 'option' && value === undefined ? flag : undefined
}

/** Parses `--name`, `--no-name`, `--name=value`, `-n`, `-nvalue`, `-n=value`. */
function flagIn(word: string, {flags}: Command.Cached) {
  const all: readonly KnownFlag[] = Object.values(flags)
  const [, long, equals = '', inLong] = /^--([^=]+)(?:(=)(.*))?$/su.exec(word) ?? []
  if (long !== undefined) {
    const flag = all.find(({name, allowNo}) => name === long || (allowNo && `no-${name}` === long))
    return flag && {flag, lead: `--${long}${equals}`, value: inLong}
  }
  const flag = all.find(({char}) => char !== undefined && char === word[1])
  if (!flag) return undefined
  const rest = word.slice(2)
  const short = `-${flag.char}${rest.startsWith('=') ? '=' : ''}`
  return {flag, lead: short, value: rest === '' ? undefined : word.slice(short.length)}
}

function onLine({line, awaited}: ReturnType<typeof parseArguments>, current: string): CursorPlace {
  if (awaited) return {kind: 'value', line, flag: awaited, lead: ''}
  // A single dash may become a flag, although as a word it means stdin.
  if (!line.dashed && current.startsWith('-')) {
    const found = flagIn(current, line.command)
    const isValue = found?.value !== undefined && found.flag.type === 'option'
    return isValue ? {kind: 'value', line, flag: found.flag, lead: found.lead} : {kind: 'flag', line}
  }
  return {kind: 'argument', line, argument: argumentAt(line)}
}

/** A single dash means stdin. */
function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function argumentAt({command, args}: CommandLine): Command.Arg.Cached | undefined {
  const all = Object.values(command.args)
  const last = all.at(-1)
  return all[args.length] ?? (last?.multiple ? last : undefined)
}

function nameLength(words: readonly string[], config: Config): number {
  let length = 0
  while (length < words.length) {
    const longer = words.slice(0, length + 1)
    if (!commandAt(longer, config) && !isTopic(longer, config)) break
    length += 1
  }
  return length
}

/** The command that the words name; for an alias the command itself. */
function commandAt(words: readonly string[], config: Config): Command.Loadable | undefined {
  const typed = words.join(':')
  const aliased = config.commands.find(({id, aliases}) => id !== typed && aliases.includes(typed))
  const command: Command.Loadable | undefined = aliased ?? config.findCommand(typed)
  return command?.hidden ? undefined : command
}

function isTopic(words: readonly string[], {commandIDs}: Config): boolean {
  return words.length === 0 || commandIDs.some((id) => id.startsWith(`${words.join(':')}:`))
}

export function namesBehind(words: readonly string[], {commands, topics}: Config): Candidate[] {
  const beginning = words.map((word) => `${word}:`).join('')
  const found = new Map<string, string | undefined>()
  for (const {id, summary, hidden} of commands) {
    if (hidden || !id.startsWith(beginning)) continue
    const [value = '', ...deeper] = id.slice(beginning.length).split(':')
    const topic = topics.find(({name}) => name === beginning + value)
    found.set(value, deeper.length > 0 ? topic?.description : summary)
  }
  return [...found]
    .map(([value, description]) => ({value, description}))
    .sort((one, other) => (one.value < other.value ? -1 : 1))
}
