import type {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import {isPreview, type LocalCommand, shownBy} from '../../cli/app/baseCommand.js'
import {flagIn, type KnownFlag, parseWords, splitLine} from '../../cli/flags/commandLine.js'
import {rowFlags} from '../../cli/flags/flags.js'
import type {TypedLine} from './parseLine.js'
import {
  argumentSource,
  type Candidate,
  type CandidateSource,
  type CommandLine,
  choosesRooms,
  flagSource,
  type LiveList,
} from './sources.js'

export interface CompletionAnswer {
  /** The shell finds files and folders itself. */
  readonly offer: 'words' | 'files' | 'folders'
  /** Whether the word may continue: no space is added. */
  readonly open: boolean
  readonly candidates: readonly Candidate[]
}

/** Finds candidates on this machine or a service. `typed`: the value so far. */
export type LiveLookup = (list: LiveList, line: CommandLine, typed: string) => Promise<readonly Candidate[]>

const noCandidates: CompletionAnswer = {offer: 'words', open: false, candidates: []}

function wordsAnswer(candidates: readonly Candidate[], open = false): CompletionAnswer {
  return {offer: 'words', open, candidates}
}

const maxCandidates = 2000

/** The candidates at the cursor. Throws what `live` throws. */
export async function completeLine(typed: TypedLine, config: Config, live: LiveLookup): Promise<CompletionAnswer> {
  const all = await allAt(typed, config, live)
  const begun = typed.current.toLowerCase()
  const fitting = all.candidates.filter(({value}) => value.toLowerCase().startsWith(begun))
  return {...all, candidates: fitting.slice(0, maxCandidates)}
}

async function allAt({before, current}: TypedLine, config: Config, live: LiveLookup): Promise<CompletionAnswer> {
  const {leading, isHelp, name, rest} = splitLine(before, config)
  const first = leading.flatMap(({words}) => words)
  const command = commandAt(name, config)
  if (command?.hidden || (command ? isHelp : rest.length > 0)) return noCandidates
  if (command) return onLine(parsedLine(command, [...first, ...rest]), current, live)
  const common = isHelp || name.length > 0 ? undefined : lineOfCommonFlags(first, config)
  if (common?.awaited === undefined) {
    return wordsAnswer([...namesBehind(name, config), ...(isHelp && name.length === 0 ? await topics() : [])])
  }
  // The command decides which columns there are.
  return common.awaited.name in rowFlags ? noCandidates : onLine(common, current, live)
}

/** The flags before the command, as those of a command that takes each of them. */
function lineOfCommonFlags(leading: readonly string[], config: Config): CommandLine | undefined {
  const takesAll = commandAt(['room', 'list'], config)
  return takesAll && parsedLine(takesAll, leading)
}

function parsedLine(command: Command.Loadable, words: readonly string[]): CommandLine {
  return {command, ...parseWords(command.flags, words)}
}

function onLine(line: CommandLine, current: string, live: LiveLookup): CompletionAnswer | Promise<CompletionAnswer> {
  if (line.awaited) return valuesOf(line.awaited, '', line, current, live)
  // A single dash may become a flag, although as a word it means stdin.
  if (!line.dashed && current.startsWith('-')) {
    const flag = flagIn(current, line.command.flags)
    const isValue = flag?.value !== undefined && flag.flag.type === 'option'
    return isValue ? valuesOf(flag.flag, flag.lead, line, current, live) : wordsAnswer(flagsOf(line, current))
  }
  return argumentsOf(line, current, live)
}

/** `lead`: the part of the word before the value: `--status=`, `-o`, or nothing. */
async function valuesOf(flag: KnownFlag, lead: string, line: CommandLine, current: string, live: LiveLookup) {
  const source = flagSource(flag)
  const typed = current.slice(lead.length)
  const earlier = source.earlier?.exec(typed)?.[0] ?? ''
  const named = earlier.split(',').map((name) => name.replace(/^-/u, ''))
  const {candidates, ...answer} = await ofSource(source, line, typed.slice(earlier.length), live)
  const left = candidates.filter(({value}) => !named.includes(value))
  return {...answer, candidates: left.map((candidate) => ({...candidate, value: lead + earlier + candidate.value}))}
}

async function argumentsOf(line: CommandLine, current: string, live: LiveLookup): Promise<CompletionAnswer> {
  const {command, args, dashed} = line
  const all = Object.values(command.args)
  const last = all.at(-1)
  const argument = all[args.length] ?? (last?.multiple ? last : undefined)
  // After the last argument only flags can follow.
  if (!argument) return dashed ? noCandidates : wordsAnswer(flagsOf(line, current))
  const answer = await ofSource(argumentSource(argument, line), line, current, live)
  // A word is offered once, and one that looks like a flag only after `--`.
  const fits = ({value}: Candidate) => !args.includes(value) && (dashed || !value.startsWith('-'))
  return {...answer, candidates: answer.candidates.filter(fits)}
}

async function ofSource(
  source: CandidateSource,
  line: CommandLine,
  typed: string,
  live: LiveLookup,
): Promise<CompletionAnswer> {
  if (source.path) return {...noCandidates, offer: source.path}
  if (source.columns) return wordsAnswer(await columnsOf(line), true)
  const candidates = source.live ? await live(source.live, line, typed) : []
  return wordsAnswer([...(source.words ?? []), ...candidates], source.open)
}

/** The commands that change several rooms; one room has a result of its own form. */
const bulkOfRooms: ReadonlySet<string> = new Set([
  'room:end',
  'room:delete',
  'record:stop',
  'attendee:add',
  'attendee:block',
  'attendee:restore',
])

/** The columns of what the command shows; none if a preview or the result of one room has a form of its own. */
async function columnsOf(line: CommandLine): Promise<Candidate[]> {
  const {command, args} = line
  const flags = Object.fromEntries([...line.flags].map(([name, values]) => [name, values.at(-1) ?? true]))
  const isOfRooms = bulkOfRooms.has(command.id)
  const isOne = isOfRooms && !choosesRooms(line) && ('room user' in command.args || args.length === 1)
  const {rows} = isOfRooms
    ? {rows: (await import('../../view/room/changes.js')).changeResults}
    : ((await command.load()) as typeof LocalCommand)
  if (isOne || (isPreview(flags) && typeof rows !== 'function')) return []
  return shownBy({rows}, flags)?.columns.map(({name, label}) => ({value: name, description: label})) ?? []
}

function flagsOf(line: CommandLine, current: string): Candidate[] {
  const all: readonly KnownFlag[] = Object.values(line.command.flags)
    .filter((flag) => mayBeGiven(flag, line))
    .sort((flag, other) => (flag.name < other.name ? -1 : 1))
  const short = all.find(({char}) => char !== undefined && current === `-${char}`)
  return [
    ...(short ? [{value: current, description: short.summary}] : []),
    ...all.flatMap(({name, summary, allowNo}) => [
      {value: `--${name}`, description: summary},
      ...(allowNo ? [{value: `--no-${name}`, description: summary}] : []),
    ]),
    {value: '--help', description: 'show the help of the command'},
  ]
}

function mayBeGiven({name, hidden, multiple, exclusive = []}: KnownFlag, {command, flags}: CommandLine): boolean {
  if (hidden || (flags.has(name) && !multiple)) return false
  const typedFlags = [...flags.keys()]
  return !typedFlags.some((other) => exclusive.includes(other) || command.flags[other]?.exclusive?.includes(name))
}

/** The command that the words name; for an alias the command itself. */
function commandAt(words: readonly string[], config: Config): Command.Loadable | undefined {
  const typed = words.join(':')
  return config.commands.find(({id, aliases}) => id !== typed && aliases.includes(typed)) ?? config.findCommand(typed)
}

function namesBehind(words: readonly string[], {commands, topics}: Config): Candidate[] {
  const beginning = words.map((word) => `${word}:`).join('')
  const candidates = new Map<string, string | undefined>()
  for (const {id, summary, hidden} of commands) {
    if (hidden || !id.startsWith(beginning)) continue
    const [value = '', ...deeper] = id.slice(beginning.length).split(':')
    const topic = topics.find(({name}) => name === beginning + value)
    candidates.set(value, deeper.length > 0 ? topic?.description : summary)
  }
  return [...candidates]
    .map(([value, description]) => ({value, description}))
    .sort((candidate, other) => (candidate.value < other.value ? -1 : 1))
}

async function topics(): Promise<Candidate[]> {
  const {helpTopics} = await import('../../cli/help/topicPages.js')
  return helpTopics.map(({name, summary}) => ({value: name, description: summary}))
}
