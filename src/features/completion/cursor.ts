import {countLeadingFlags, roomSelectionNames} from '../../cli/flags/flags.js'
import type {Candidate} from './candidate.js'
import type {TypedLine} from './parseLine.js'

/** What is on the line of a command before the cursor. */
export interface CommandLine {
  readonly command: KnownCommand
  /** The flags that are given, by name, with the values of those that take one. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly args: readonly string[]
  /** Whether a `--` stands before the cursor, behind which nothing is a flag. */
  readonly dashed: boolean
}

/** Whether flags choose the rooms, so that none is named. */
export function choosesRooms({flags}: CommandLine): boolean {
  return roomSelectionNames.some((name) => flags.has(name))
}

/** Where the cursor is. */
export type CursorPlace =
  | {
      readonly kind: 'command'
      readonly behind: readonly string[]
      /** Whether its help is asked for, which there is for more than commands. */
      readonly isHelp: boolean
    }
  | {readonly kind: 'flag'; readonly line: CommandLine}
  | {
      readonly kind: 'value'
      readonly line: CommandLine
      readonly flag: KnownFlag
      /** What of the word stands before the value: `--status=`, `-o`, or nothing. */
      readonly lead: string
    }
  | {readonly kind: 'argument'; readonly line: CommandLine; readonly argument: KnownArgument | undefined}
  | {readonly kind: 'nowhere'}

/** Finds out what the word at the cursor is. */
export function locateCursor({before, current}: TypedLine, commands: CommandTable): CursorPlace {
  const leading = before.slice(0, countLeadingFlags(before))
  const isHelp = before[leading.length] === 'help'
  const words = before.slice(leading.length + (isHelp ? 1 : 0))
  const length = nameLength(words, commands)
  const command = commands.find(words.slice(0, length))
  if (!command) {
    return length === words.length && commands.isTopic(words)
      ? {kind: 'command', behind: words, isHelp}
      : {kind: 'nowhere'}
  }
  return isHelp ? {kind: 'nowhere'} : onLine(parseArguments(command, [...leading, ...words.slice(length)]), current)
}

/** How many words name the command or the topic. */
function nameLength(words: readonly string[], commands: CommandTable): number {
  let length = 0
  while (length < words.length) {
    const longer = words.slice(0, length + 1)
    if (!commands.find(longer) && !commands.isTopic(longer)) break
    length += 1
  }
  return length
}

interface ParsedArguments {
  readonly line: CommandLine
  /** The flag whose value comes next. */
  readonly awaited?: KnownFlag | undefined
}

function parseArguments(command: KnownCommand, words: readonly string[]): ParsedArguments {
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

/** Takes note of a flag; gives it back where its value is the next word. */
function readFlag(word: string, command: KnownCommand, flags: Map<string, string[]>): KnownFlag | undefined {
  const found = flagIn(word, command)
  if (!found) return undefined
  const {flag, value} = found
  const values = flags.get(flag.name) ?? []
  flags.set(flag.name, value === undefined ? values : [...values, value])
  return flag.type === 'option' && value === undefined ? flag : undefined
}

interface FoundFlag {
  readonly flag: KnownFlag
  readonly lead: string
  /** Undefined where the word holds none. */
  readonly value: string | undefined
}

/** The flag that a word names: `--name`, `--no-name`, `--name=value`, `-n`, `-nvalue`, `-n=value`. */
function flagIn(word: string, {flags}: KnownCommand): FoundFlag | undefined {
  const all = Object.values(flags)
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

function onLine({line, awaited}: ParsedArguments, current: string): CursorPlace {
  if (awaited) return {kind: 'value', line, flag: awaited, lead: ''}
  // A dash alone is the beginning of a flag here, though as a word it stands for stdin.
  if (!line.dashed && current.startsWith('-')) {
    const found = flagIn(current, line.command)
    const isValue = found?.value !== undefined && found.flag.type === 'option'
    return isValue ? {kind: 'value', line, flag: found.flag, lead: found.lead} : {kind: 'flag', line}
  }
  return {kind: 'argument', line, argument: argumentAt(line)}
}

/** A single dash is a word: it stands for stdin. */
function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function argumentAt({command, args}: CommandLine): KnownArgument | undefined {
  const all = Object.values(command.args)
  const last = all.at(-1)
  return all[args.length] ?? (last?.multiple ? last : undefined)
}

/** A flag, as far as completion asks: what oclif's manifest has. */
export interface KnownFlag {
  readonly name: string
  readonly char?: string | undefined
  readonly type: 'boolean' | 'option'
  readonly summary?: string | undefined
  readonly hidden?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly allowNo?: boolean | undefined
  readonly helpValue?: unknown
  readonly options?: readonly string[] | undefined
  readonly exclusive?: readonly unknown[] | undefined
}

export interface KnownArgument {
  readonly name: string
  readonly multiple?: boolean | undefined
  readonly options?: readonly string[] | undefined
}

export interface KnownCommand {
  /** `room:list`. */
  readonly id: string
  readonly aliases: readonly string[]
  readonly hidden?: boolean | undefined
  readonly summary?: string | undefined
  readonly args: Readonly<Record<string, KnownArgument>>
  readonly flags: Readonly<Record<string, KnownFlag>>
}

export interface KnownTopic {
  readonly name: string
  readonly description?: string | undefined
}

/** The commands of the tool, by the words that they are typed with. */
export class CommandTable {
  readonly #commands = new Map<string, KnownCommand>()
  readonly #topics: ReadonlyMap<string, KnownTopic>

  constructor(commands: readonly KnownCommand[], topics: readonly KnownTopic[]) {
    this.#topics = new Map(topics.map((topic) => [topic.name, topic]))
    for (const command of commands) {
      if (!command.hidden) for (const id of [command.id, ...command.aliases]) this.#commands.set(id, command)
    }
  }

  find(words: readonly string[]): KnownCommand | undefined {
    return this.#commands.get(words.join(':'))
  }

  /** Whether commands begin with these words. */
  isTopic(words: readonly string[]): boolean {
    const beginning = `${words.join(':')}:`
    return words.length === 0 || [...this.#commands.keys()].some((id) => id.startsWith(beginning))
  }

  /** What can stand behind these words: topics and commands, by their names. */
  next(words: readonly string[]): Candidate[] {
    const beginning = words.map((word) => `${word}:`).join('')
    const found = new Map<string, string | undefined>()
    for (const [id, {summary}] of this.#commands) {
      if (!id.startsWith(beginning)) continue
      const [value = '', ...deeper] = id.slice(beginning.length).split(':')
      const isTopic = deeper.length > 0
      found.set(value, isTopic ? this.#topics.get(beginning + value)?.description : summary)
    }
    return [...found].sort(byName).map(([value, description]) => ({value, description}))
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
