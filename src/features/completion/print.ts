import type {Config} from '@oclif/core/config'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {safeText} from '../../text/text.js'
import {type CompletionAnswer, completeLine, type LiveLookup} from './answer.js'
import {parseLine, type TypedLine} from './parseLine.js'
import type {Shell} from './scripts.js'
import type {Candidate} from './sources.js'

/** The time limit of the whole run in milliseconds. */
const totalMs = 1400

export interface CompletionRequest {
  readonly shell: Shell
  /** The words after the tool's name, the one at the cursor last; for bash the whole line. */
  readonly words: readonly string[]
  readonly replaced: string | undefined
  readonly listing: boolean
}

/** Prints the candidates at the cursor; nothing on an error or after the time limit. */
export async function printCandidates(runtime: Runtime, asked: CompletionRequest, config: Config): Promise<void> {
  runtime.endAfter(totalMs)
  const {shell, words, replaced, listing} = asked
  try {
    const typed = parseLine(shell, words, replaced)
    const live: LiveLookup = async (...wanted) => (await import('./liveCandidates.js')).lookUp(runtime, ...wanted)
    const answer = await completeLine(typed, config, live)
    await runtime.stdout.write(formatAnswer(answer, typed, shell, listing))
  } catch {
    // A message would be printed into the line that is being typed.
  }
}

const maxDescription = 60
const maxValue = 500

/**
 * A directive (`:words`, `:open`, `:files`, `:folders`), then a line for each candidate: value, tab, description. Bash gets what to
 * insert, and in a mere listing the description after two spaces. Hidden characters exclude a value.
 */
export function formatAnswer(
  {offer, open, candidates}: CompletionAnswer,
  typed: TypedLine,
  shell: Shell,
  listing: boolean,
): string {
  const lines = candidates.flatMap((candidate) => {
    const inserted = isTypable(candidate.value) ? typed.insertion(candidate.value) : undefined
    if (inserted === undefined) return []
    const description = descriptionOf(candidate)
    if (shell !== 'bash') return [description === '' ? inserted : `${inserted}\t${description}`]
    return [listing && description !== '' && candidates.length > 1 ? `${inserted}  ${description}` : inserted]
  })
  const directive = offer === 'words' && open ? 'open' : offer
  return [`:${directive}`, ...lines].map((line) => `${line}\n`).join('')
}

function isTypable(value: string): boolean {
  return value !== '' && value.length <= maxValue && safeText(value) === value
}

function descriptionOf({description = ''}: Candidate): string {
  const letters = [...safeText(description)]
  return letters.length > maxDescription ? `${letters.slice(0, maxDescription - 1).join('')}…` : letters.join('')
}
