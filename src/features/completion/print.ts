import type {Config} from '@oclif/core/config'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {safeText} from '../../text/text.js'
import {completeLine, type LiveLookup} from './answer.js'
import type {Candidate, CompletionAnswer} from './candidate.js'
import {parseLine, type TypedLine} from './parseLine.js'
import type {Shell} from './scripts.js'

/** How long the whole run may take, and what it keeps of that to write what was found, in milliseconds: a shell waits for it. */
const totalMs = 1400
const writingMs = 100

/** What a shell's script says of the line. */
export interface CompletionRequest {
  readonly shell: Shell
  /** The words behind the tool's name, the one at the cursor last; of bash the line, as one. */
  readonly words: readonly string[]
  readonly replaced?: string | undefined
  readonly listing?: boolean
}

/** Writes what can stand at the cursor to stdout, as `formatAnswer` words it; nothing where that fails or takes too long. */
export async function printCandidates(runtime: Runtime, asked: CompletionRequest, config: Config): Promise<void> {
  const left = runtime.endAfter(totalMs)
  const {shell, words, replaced, listing = false} = asked
  const deadline = AbortSignal.any([runtime.signal, AbortSignal.timeout(left - writingMs)])
  try {
    const typed = parseLine(shell, words, replaced)
    const answer = await Promise.race([completeLine(typed, config, lazily(runtime, deadline)), aborted(deadline)])
    await runtime.stdout.write(formatAnswer(answer, typed, shell, listing))
  } catch {
    // Silent: the person is in the middle of a line, and a message would be written across it.
  }
}

/** What asks services is loaded when something has to be asked for. */
function lazily(runtime: Runtime, signal: AbortSignal): LiveLookup {
  return async (...asked) => (await import('./liveCandidates.js')).liveLookup(runtime, signal)(...asked)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), {once: true})
  })
}

/** Longer ones leave no room for others. */
const maxDescription = 60
const maxValue = 500

/**
 * The answer as the scripts of the shells read it: a line that says what to offer (`:words`, `:open`, `:files`, `:folders`), then
 * one for each candidate: its value, a tab and its description. Bash gets what is to be inserted instead, and for a list that is
 * only shown (`listing`) the description behind two spaces. A value that could not be typed as it is, since it holds a control or
 * a hidden character, is left out.
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
