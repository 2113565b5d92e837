import {createHash} from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {Failure} from '../../api/contract/failure.js'
import {sweepLock, whileFileLocked} from '../../storage/disk/lock.js'
import {keepPrivateFolder, makePrivateFolder} from '../../storage/disk/privateFile.js'
import {shortWrite, systemCode} from '../../storage/disk/reason.js'

/** The folder of the lock files, one for each upload that a process works on; named as by the versions before. */
export const claimsFolder = 'runs'
/** Claims the ledger as a whole, while it is rewritten; no upload has such an id. */
const cleanup = '.cleanup'
const isId = /^[\w-]+$/

/** How often a claim's file is touched (heartbeat), and how long that of another machine may lie untouched. */
const beatMs = 2000
const silentMs = 7000
/** One untouched for so long by the clock was left, and is not watched first; clocks of machines differ by less. */
const leftMs = 60_000
const pollMs = {least: 20, most: 80}
/** How often a person is told what is waited for. */
const toldMs = 10_000

/** Who waits for an upload that another process works on. */
export interface Waiter {
  readonly signal: AbortSignal
  /** It will be told again after `ms`, or have the upload; `why` is a clause without a full stop. */
  readonly waiting: (ms: number, why: string) => void
}

/** Who holds a claim, as its file tells. */
interface Holder {
  readonly pid: number
  readonly host: string
  /** Whether the system knows that it runs; otherwise only its heartbeat tells. */
  readonly isCertain: boolean
  /** When the file was last touched, in milliseconds. */
  readonly beat: number
}

/**
 * Claims of uploads among processes, by lock files that only one can make (O_EXCL). A file says which process made it, and it is
 * a claim for as long as that process runs: of the same machine the system tells so at once, of another one the heartbeat does.
 * A file that was carried along with its folder is not the one that was made, as its inode says, and claims nothing.
 */
export class Claims {
  readonly #folder: string
  readonly #self: Peer
  /** The inode of each claim that this process made, by upload. */
  readonly #own = new Map<string, bigint>()
  #mayLink = true
  readonly #beating: NodeJS.Timeout

  /** `dir`: the folder of the ledger. Raises the system's error where the folder of the claims cannot be made. */
  constructor(dir: string) {
    this.#folder = join(dir, claimsFolder)
    makePrivateFolder(this.#folder)
    keepPrivateFolder(this.#folder)
    this.#self = thisProcess()
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
  }

  /**
   * Claims an upload until `drop`. One that another process works on is waited for where there is a waiter, and raises a Failure
   * (state) that says who has it where there is none. Raises the signal's reason when that ends the waiting.
   */
  async take(id: string, waiter?: Waiter): Promise<void> {
    const watch = new Watch(waiter)
    while (!this.#make(id)) {
      const holder = this.#holderOf(id)
      if (!holder) continue
      if (holder === 'left' || watch.isGone(holder)) await this.#removeLeft(id, holder)
      else if (watch.mayWait(holder)) await pause(pollMs.least + Math.random() * (pollMs.most - pollMs.least))
      else throw heldElsewhere(id, holder)
      waiter?.signal.throwIfAborted()
    }
    // Who rewrites the ledger looks for claims after its own is made, and this is the other way round: one sees the other.
    while (isHolder(this.#holderOf(cleanup))) await pause(pollMs.least)
  }

  drop(id: string): void {
    const ino = this.#own.get(id)
    this.#own.delete(id)
    // Another machine may have taken it over from a process that was stopped for long.
    const path = this.#pathOf(id)
    if (lstatSync(path, {bigint: true, throwIfNoEntry: false})?.ino === ino) unlinkSync(path)
  }

  /** Removes the files that ended processes left. */
  async sweep(): Promise<void> {
    for (const id of [...this.#ids(), cleanup]) if (this.#holderOf(id) === 'left') await this.#removeLeft(id, 'left')
    sweepLock(this.#leftPath)
  }

  /** What the lock of the removal stands beside. */
  get #leftPath(): string {
    return join(this.#folder, 'left')
  }

  /** Does `work` if nobody has a claim, and lets nobody have one meanwhile. */
  whileAlone(work: () => void): void {
    if (!this.#make(cleanup)) return
    try {
      if (!this.#ids().some((id) => isHolder(this.#holderOf(id)))) work()
    } finally {
      this.drop(cleanup)
    }
  }

  close(): void {
    clearInterval(this.#beating)
    for (const id of [...this.#own.keys()]) this.drop(id)
  }

  /** Makes the file of a claim; false where there is one. */
  #make(id: string): boolean {
    try {
      if (this.#linked(id)) return true
      this.#write(id, openSync(this.#pathOf(id), 'wx', 0o600))
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw error
    }
  }

  /** Another name for the file of a claim that is held, which costs less than a file; false where there is none, or no such names. */
  #linked(id: string): boolean {
    const [held] = this.#own
    if (!held || id === cleanup || !this.#mayLink) return false
    const [other, ino] = held
    try {
      linkSync(this.#pathOf(other), this.#pathOf(id))
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw error
      this.#mayLink = systemCode(error) === 'ENOENT'
      return false
    }
    this.#own.set(id, ino)
    // It may be of another process by now, that took it over.
    if (lstatSync(this.#pathOf(id), {bigint: true, throwIfNoEntry: false})?.ino === ino) return true
    this.#own.delete(id)
    unlinkSync(this.#pathOf(id))
    return false
  }

  #write(id: string, descriptor: number): void {
    try {
      const {ino} = fstatSync(descriptor, {bigint: true})
      this.#own.set(id, ino)
      const line = Buffer.from(`${JSON.stringify({...this.#self, ino: String(ino)})}\n`)
      if (writeSync(descriptor, line) < line.length) throw shortWrite()
    } catch (error) {
      this.drop(id)
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** Who holds a claim; `left` for the file of a process that is gone, undefined where there is none. */
  #holderOf(id: string): Holder | 'left' | undefined {
    const path = this.#pathOf(id)
    const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false})
    if (!stat) return undefined
    const beat = Number(stat.mtimeMs)
    const isFresh = Math.abs(Date.now() - beat) < leftMs
    const owner = peerIn(readLine(path))
    // A file without its line is just being made, or was left by a process that was killed at that moment.
    if (!owner) return isFresh ? {pid: 0, host: '', isCertain: false, beat} : 'left'
    const running = owner.machine === this.#self.machine ? isRunning(owner) : undefined
    if (owner.ino !== String(stat.ino) || running === false || (running === undefined && !isFresh)) return 'left'
    return {pid: owner.pid, host: owner.host, isCertain: running === true, beat}
  }

  /** Removes a file that was left. Only under the lock, or a slower one would remove the claim of who was quicker. */
  #removeLeft(id: string, seen: Holder | 'left'): Promise<void> {
    const remove = () => {
      const holder = this.#holderOf(id)
      const isSame = seen !== 'left' && isHolder(holder) && holder.beat === seen.beat
      if (holder === 'left' || isSame) rmSync(this.#pathOf(id), {force: true})
    }
    const advice = 'remove it, then run the command again'
    const lockedOut = (lock: string) =>
      new Failure({exit: 'state', message: `${lock} is held for too long`, try: advice})
    return whileFileLocked(this.#leftPath, remove, {waitMs: 20_000, lockedOut})
  }

  /** The uploads that have a file, be it a claim or one that was left. */
  #ids(): string[] {
    return readdirSync(this.#folder).filter((name) => isId.test(name))
  }

  #pathOf(id: string): string {
    return join(this.#folder, id)
  }

  #beat(): void {
    const now = new Date()
    for (const id of this.#own.keys()) {
      try {
        utimesSync(this.#pathOf(id), now, now)
      } catch {
        // Somebody has cleared the folder: others will not see this process, and no work is lost by it.
      }
    }
  }
}

/** A claim that somebody else holds, looked at again and again. */
class Watch {
  readonly #waiter: Waiter | undefined
  #beat: number | undefined
  #since = 0
  #hasBeaten = false
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(waiter: Waiter | undefined) {
    this.#waiter = waiter
  }

  /** Whether its heartbeat has stopped, where nothing else tells; clocks of other machines are not believed. */
  isGone({beat, isCertain}: Holder): boolean {
    if (beat !== this.#beat) {
      this.#hasBeaten = this.#beat !== undefined
      this.#beat = beat
      this.#since = performance.now()
    }
    return !isCertain && performance.now() - this.#since > silentMs
  }

  /** Whether to look again: to wait for its end, which the waiter is told, or for its heartbeat. */
  mayWait({pid, host, isCertain}: Holder): boolean {
    if (!this.#waiter) return !isCertain && !this.#hasBeaten
    const now = performance.now()
    if (now - this.#toldAt > toldMs) {
      this.#toldAt = now
      this.#waiter.waiting(toldMs, `process ${pid} on ${host} is uploading it`)
    }
    return true
  }
}

function isHolder(holder: Holder | 'left' | undefined): holder is Holder {
  return typeof holder === 'object'
}

function readLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n', 1)[0] ?? ''
  } catch {
    return ''
  }
}

function heldElsewhere(id: string, {pid, host}: Holder): Failure {
  return new Failure({
    exit: 'state',
    code: 'upload-in-use',
    message: `upload ${id} is under way in another roomctl`,
    why: `process ${pid} on ${host} has it`,
    try: 'wait until that one has ended, or end it; roomctl asset uploads shows how far it is',
    retryable: true,
  })
}

/** A process, as another one can recognise it: a number alone is soon another process's. */
interface Peer {
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
