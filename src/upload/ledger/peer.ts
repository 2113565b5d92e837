import {createHash} from 'node:crypto'
import {readFileSync, readlinkSync} from 'node:fs'
import {hostname} from 'node:os'
import process from 'node:process'
import {systemCode} from '../../storage/disk/reason.js'

/** A process, as another one can recognise it: a number alone is soon another process's. */
export interface Peer {
  readonly pid: number
  /** When it was started, by the system's clock; absent where the system does not tell. */
  readonly start?: string
  readonly host: string
  /** The same for processes whose numbers mean the same: one machine, since it was booted, and one container on it. */
  readonly machine: string
}

/** This process. */
export function thisProcess(): Peer {
  const {pid} = process
  const host = hostname()
  const start = stateOf(pid)?.start
  const facts = [host, read('/proc/sys/kernel/random/boot_id'), read('/proc/self/ns/pid', readlinkSync)]
  const machine = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16)
  return {pid, ...(start === undefined ? {} : {start}), host, machine}
}

/**
 * Whether a process of this machine runs; undefined where its number is in use and the system does not tell since when, so
 * that it may be another process by now.
 */
export function isRunning({pid, start}: Peer): boolean | undefined {
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

/** The process that a line of JSON tells of, with the other members of the line; undefined where it tells of none. */
export function peerIn(line: string): (Peer & {readonly [member: string]: unknown}) | undefined {
  try {
    const value = JSON.parse(line)
    const {pid, start, host, machine} = value
    const isPeer = Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' && typeof machine === 'string'
    return isPeer && (start === undefined || typeof start === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

/** From /proc/PID/stat, whose second field is a name in brackets that may hold anything. */
function stateOf(pid: number): {start: string; ended: boolean} | undefined {
  const fields =
    read(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /su, '')
      .split(' ') ?? []
  const [state, start] = [fields[0], fields[19]]
  return state === undefined || start === undefined ? undefined : {start, ended: state === 'Z' || state === 'X'}
}

function read(path: string, by: (path: string, encoding: 'utf8') => string = readFileSync): string | undefined {
  try {
    return by(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
