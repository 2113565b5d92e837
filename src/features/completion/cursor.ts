import type {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import {flagIn, type KnownFlag, type ParsedWords, parseWords, splitLine} from '../../cli/app/commandLine.js'
import {roomSelectionNames, rowFlags} from '../../cli/flags/flags.js'
import type {Candidate} from './candidate.js'
import type {TypedLine} from './parseLine.js'

export interface CommandLine extends ParsedWords {
  readonly command: Command.Loadable
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
  const {leading, isHelp, name, rest} = splitLine(before, config)
  const first = leading.flatMap(({words}) => words)
  const command = commandAt(name, config)
  if (command?.hidden) return {kind: 'nowhere'}
  if (command) return isHelp ? {kind: 'nowhere'} : onLine(parsedLine(command, [...first, ...rest]), current)
  if (rest.length > 0) return {kind: 'nowhere'}
  const value = isHelp || name.length > 0 ? undefined : valueBeforeCommand(first, current, config)
  return value ?? {kind: 'command', behind: name, isHelp}
}

/** The value of a common flag before the command; which columns there are, the command decides. */
function valueBeforeCommand(leading: readonly string[], current: string, config: Config): CursorPlace | undefined {
  const takesAll = commandAt(['room', 'list'], config)
  const typed = takesAll && parsedLine(takesAll, leading)
  if (!typed?.awaited) return undefined
  return typed.awaited.name in rowFlags ? {kind: 'nowhere'} : onLine(typed, current)
}

function parsedLine(command: Command.Loadable, words: readonly string[]): CommandLine {
  return {command, ...parseWords(command.flags, words)}
}

function onLine(line: CommandLine, current: string): CursorPlace {
  if (line.awaited) return {kind: 'value', line, flag: line.awaited, lead: ''}
  // A single dash may become a flag, although as a word it means stdin.
  if (!line.dashed && current.startsWith('-')) {
    const found = flagIn(current, line.command.flags)
    const isValue = found?.value !== undefined && found.flag.type === 'option'
    return isValue ? {kind: 'value', line, flag: found.flag, lead: found.lead} : {kind: 'flag', line}
  }
  return {kind: 'argument', line, argument: argumentAt(line)}
}

function argumentAt({command, args}: CommandLine): Command.Arg.Cached | undefined {
  const all = Object.values(command.args)
  const last = all.at(-1)
  return all[args.length] ?? (last?.multiple ? last : undefined)
}

/** The command that the words name; for an alias the command itself. */
function commandAt(words: readonly string[], config: Config): Command.Loadable | undefined {
  const typed = words.join(':')
  return config.commands.find(({id, aliases}) => id !== typed && aliases.includes(typed)) ?? config.findCommand(typed)
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
