import {readFileSync} from 'node:fs'
import {hostname} from 'node:os'
import * as z from 'zod/mini'
import {systemCode} from '../../storage/disk/reason.js'

export const peerShape = z.object({
  pid: z.int().check(z.positive()),
  host: z.string(),
  /** When it was started, by the system's clock; absent where the system does not tell: a number alone is soon another process's. */
  start: z.optional(z.string()),
})

export type Peer = z.output<typeof peerShape>

/** What a process of another machine has not touched for so long was left. */
const silentMs = 60_000

export function thisProcess(): Peer {
  const {pid} = process
  return {pid, host: hostname(), start: stateOf(pid)?.start}
}

/** Whether a process may still run: of this machine by the system, of another by when it touched its file (`touched`, milliseconds). */
export function mayRun(peer: Peer | undefined, touched: number): boolean {
  const running = peer?.host === hostname() ? isRunning(peer) : undefined
  return running ?? isYoung(touched, silentMs)
}

/** Whether a file was touched within this time. One of the future was touched before the clock was set back. */
export function isYoung(touched: number, ms: number): boolean {
  return Math.abs(Date.now() - touched) < ms
}

/** Undefined where the number is in use and the system does not tell since when: it may be another process by now. */
function isRunning({pid, start}: Peer): boolean | undefined {
  const state = stateOf(pid)
  // A zombie has ended; only its parent has not looked yet.
  if (state) return state.start === start && !state.ended
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    return systemCode(error) === 'EPERM' ? undefined : false
  }
}

/** From /proc/PID/stat, whose second field is a name in brackets that may hold anything. */
function stateOf(pid: number): {start: string; ended: boolean} | undefined {
  const [state, ...fields] = readIfThere(`/proc/${pid}/stat`)
    .replace(/^.*\) /su, '')
    .split(' ')
  const start = fields[18]
  return start === undefined ? undefined : {start, ended: state === 'Z' || state === 'X'}
}

/** The text of a file; empty where it cannot be read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
