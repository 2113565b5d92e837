import {stripVTControlCharacters} from 'node:util'
import type {Output} from '../../terminal/output.js'
import {safeLines} from '../../text/text.js'
import type {CommandOutcome} from '../errors/errorHandler.js'

export interface StderrMessages {
  /** A line on stderr: hints, warnings. Under a machine format it waits for the end, as a failure takes it along (product §3). */
  readonly warn: (text: string) => void
  /** The same at once, behind what waits: progress, and what is news only now. */
  readonly progress: (text: string) => void
}

/**
 * How a command speaks beside its result. Whatever a text repeats that was not made safe before steers no terminal; the secrets in
 * it are masked where it leaves (`session.ts`).
 */
export function stderrMessages(outcome: CommandOutcome, stderr: Output): StderrMessages {
  // Who asks for --debug reads along.
  outcome.held = outcome.machine && !outcome.debug ? [] : undefined
  const progress = (text: string) => {
    const lines = [...(outcome.held?.splice(0) ?? []), safeLines(text)]
    void stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
  return {
    progress,
    warn: (text) => (outcome.held ? void outcome.held.push(stripVTControlCharacters(safeLines(text))) : progress(text)),
  }
}
