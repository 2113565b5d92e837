import type {Runtime} from '../../cli/runtime/runtime.js'
import {answerTo, type Live} from './answer.js'
import {CommandTable, type KnownCommand, type KnownTopic} from './commandTable.js'
import type {Shell} from './scripts/shells.js'
import {shownAnswer} from './shown.js'
import {readTyped} from './typed.js'

/** How long the whole run may take, and what it keeps of that to write what was found, in milliseconds: a shell waits for it. */
const longestMs = 1400
const writingMs = 100

/** What a shell's script says of the line. */
export interface Asked {
  readonly shell: Shell
  /** The words behind the tool's name, the one at the cursor last; of bash the line, as one. */
  readonly words: readonly string[]
  readonly replaced?: string | undefined
  readonly listing?: boolean
}

/** The commands of the tool, as oclif's configuration has them. */
export interface Known {
  readonly commands: readonly KnownCommand[]
  readonly topics: readonly KnownTopic[]
}

/** Writes what can stand at the cursor to stdout, as `shownAnswer` words it; nothing where that fails or takes too long. */
export async function printCandidates(runtime: Runtime, asked: Asked, known: Known): Promise<void> {
  const left = runtime.endAfter(longestMs)
  const {shell, words, replaced, listing = false} = asked
  const deadline = AbortSignal.any([runtime.signal, AbortSignal.timeout(left - writingMs)])
  try {
    const typed = readTyped(shell, words, replaced)
    const commands = new CommandTable(known.commands, known.topics)
    const answer = await Promise.race([answerTo(typed, commands, lazily(runtime, deadline)), aborted(deadline)])
    await runtime.stdout.write(shownAnswer(answer, typed, shell, listing))
  } catch {
    // Silent: the person is in the middle of a line, and a message would be written across it.
  }
}

/** What asks services is loaded when something has to be asked for. */
function lazily(runtime: Runtime, signal: AbortSignal): Live {
  return async (...asked) => (await import('./live.js')).liveOf(runtime, signal)(...asked)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), {once: true})
  })
}
