import type {Config} from '@oclif/core/config'
import type {KnownFlag} from '../../cli/app/commandLine.js'
import {type Candidate, type CompletionAnswer, noCandidates, wordsAnswer} from './candidate.js'
import {type CommandLine, type CursorPlace, locateCursor, namesBehind} from './cursor.js'
import type {TypedLine} from './parseLine.js'
import {argumentSource, type CandidateSource, flagSource, type LiveList} from './sources.js'

/** Finds candidates on this machine or a service. `typed`: the value so far. */
export type LiveLookup = (list: LiveList, line: CommandLine, typed: string) => Promise<readonly Candidate[]>

const maxCandidates = 2000

/** The candidates at the cursor. Throws what `live` throws. */
export async function completeLine(typed: TypedLine, config: Config, live: LiveLookup): Promise<CompletionAnswer> {
  const place = locateCursor(typed, config)
  const all = await allAt(place, typed.current, config, live)
  const begun = typed.current.toLowerCase()
  const fitting = all.candidates.filter(({value}) => value.toLowerCase().startsWith(begun))
  return {...all, candidates: fitting.slice(0, maxCandidates)}
}

async function allAt(place: CursorPlace, current: string, config: Config, live: LiveLookup): Promise<CompletionAnswer> {
  switch (place.kind) {
    case 'command':
      return wordsAnswer([
        ...namesBehind(place.behind, config),
        ...(place.isHelp ? await topicsBehind(place.behind) : []),
      ])
    case 'flag':
      return wordsAnswer(flagsOf(place.line, current))
    case 'value': {
      const {line, flag} = place
      const source = flagSource(flag)
      const typed = current.slice(place.lead.length)
      const earlier = source.earlier?.exec(typed)?.[0] ?? ''
      const named = earlier.split(',').map((name) => name.replace(/^-/u, ''))
      const lead = place.lead + earlier
      const {candidates, ...answer} = await ofSource(source, line, typed.slice(earlier.length), live)
      const left = candidates.filter(({value}) => !named.includes(value))
      return {...answer, candidates: left.map((one) => ({...one, value: lead + one.value}))}
    }
    case 'argument': {
      const {line, argument} = place
      // After the last argument only flags can follow.
      if (!argument) return line.dashed ? noCandidates : wordsAnswer(flagsOf(line, current))
      const answer = await ofSource(argumentSource(argument, line), line, current, live)
      return {...answer, candidates: answer.candidates.filter(({value}) => fits(value, line))}
    }
    case 'nowhere':
      return noCandidates
  }
}

async function topicsBehind(words: readonly string[]): Promise<Candidate[]> {
  if (words.length > 0) return []
  const {helpTopics} = await import('../../cli/help/topicPages.js')
  return helpTopics.map(({name, summary}) => ({value: name, description: summary}))
}

async function ofSource(
  source: CandidateSource,
  line: CommandLine,
  typed: string,
  live: LiveLookup,
): Promise<CompletionAnswer> {
  if (source.path) return {...noCandidates, offer: source.path}
  if (source.columns) {
    const {columnCandidates} = await import('./rowColumns.js')
    return wordsAnswer(await columnCandidates(line), true)
  }
  const found = source.live ? await live(source.live, line, typed) : []
  return wordsAnswer([...(source.words ?? []), ...found], source.open)
}

/** A word is offered once, and one that looks like a flag only after `--`. */
function fits(value: string, {args, dashed}: CommandLine): boolean {
  return !args.includes(value) && (dashed || !value.startsWith('-'))
}

function flagsOf(line: CommandLine, current: string): Candidate[] {
  const all: readonly KnownFlag[] = Object.values(line.command.flags)
    .filter((flag) => mayBeGiven(flag, line))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
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
  const given = [...flags.keys()]
  return !given.some((other) => exclusive.includes(other) || command.flags[other]?.exclusive?.includes(name))
}
