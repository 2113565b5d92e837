import {stripVTControlCharacters} from 'node:util'
import type {Output} from '../../terminal/output.js'
import {safeLines} from '../../text/text.js'
import type {Door} from '../errors/errorHandler.js'

export interface Notes {
  /** A line on stderr: hints, warnings. Under a machine format it waits for the end, as a failure takes it along (product §3). */
  readonly warn: (text: string) => void
  /** The same at once, behind what waits: progress, and what is news only now. */
  readonly progress: (text: string) => void
}

/**
 * How a command speaks beside its result. Whatever a text repeats that was not made safe before steers no terminal; the secrets in
 * it are masked where it leaves (`session.ts`).
 */
export function notesOf(door: Door, stderr: Output): Notes {
  // Who asks for --debug reads along.
  door.held = door.machine && !door.debug ? [] : undefined
  const progress = (text: string) => {
    const lines = [...(door.held?.splice(0) ?? []), safeLines(text)]
    void stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
  return {
    progress,
    warn: (text) => (door.held ? void door.held.push(stripVTControlCharacters(safeLines(text))) : progress(text)),
  }
}
