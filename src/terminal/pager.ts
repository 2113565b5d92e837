import {spawn} from 'node:child_process'
import {Output} from './output.js'

/** A program that shows long output, and what is written to it. */
export interface Pager {
  readonly output: Output
  /** Ends what is written and waits until the reader has closed the program. */
  close(): Promise<void>
}

/**
 * Starts a pager such as `less -FRX` on the terminal, without a shell; undefined where it cannot be started. `less` is told
 * by LESS, where nothing else is said, to leave a short output on the screen and to show colours. `signal` ends it.
 */
export async function openPager(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Pager | undefined> {
  const [file = '', ...args] = command.trim().split(/\s+/u)
  const child = spawn(file, args, {stdio: ['pipe', 'inherit', 'inherit'], env: {LESS: 'FRX', ...env}})
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  if (!started) return undefined
  const output = new Output(child.stdin)
  const end = () => void child.kill()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, {once: true})
  return {
    output,
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}
