import {createHash} from 'node:crypto'
import {readFileSync, readlinkSync} from 'node:fs'
import {hostname} from 'node:os'
import process from 'node:process'

/** A process, as another one can recognise it. */
export interface Incarnation {
  readonly pid: number
  /** When it was started, by the system's clock; absent where the system does not tell. */
  readonly start?: string
  readonly host: string
  /** The same for processes whose numbers mean the same: one machine, since it was booted, and one container on it. */
  readonly machine: string
}

/** This process. */
export function thisProcess(): Incarnation {
  const {pid} = process
  const host = hostname()
  const start = stateOf(pid)?.start
  return {pid, ...(start === undefined ? {} : {start}), host, machine: machineOf(host)}
}

/**
 * Whether a process of this machine runs; undefined where its number is in use and the system does not tell since when, so
 * that it may be another process by now.
 */
export function isRunning({pid, start}: Incarnation): boolean | undefined {
  const state = stateOf(pid)
  // A zombie has ended; only its parent has not looked yet.
  if (state) return state.start === start && !state.ended
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    const forbidden = error instanceof Error && 'code' in error && error.code === 'EPERM'
    return forbidden ? undefined : false
  }
}

function machineOf(host: string): string {
  const facts = [host, textOf('/proc/sys/kernel/random/boot_id'), targetOf('/proc/self/ns/pid')]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16)
}

/** From /proc/PID/stat, whose second field is a name in brackets that may hold anything. */
function stateOf(pid: number): {start: string; ended: boolean} | undefined {
  const [state, ...fields] =
    textOf(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /su, '')
      .split(' ') ?? []
  const start = fields[18]
  return state === undefined || start === undefined ? undefined : {start, ended: state === 'Z' || state === 'X'}
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
