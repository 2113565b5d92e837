import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import * as z from 'zod/mini'
import {type Failure, failureWith, fileFailure} from '../../failure.js'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {keepPrivateFolder, makePrivateFolder, systemCode} from '../../storage/disk/privateFile.js'
import {parseLogLine} from '../../storage/log/line.js'
import {unlessError} from '../../text/text.js'
import {monotonicMs} from '../../text/time.js'

const peerShape = z.object({
  pid: z.int().check(z.positive()),
  host: z.string(),
  /** When it was started, by the system's clock; absent if the system does not say: a number alone is soon another process's. */
  start: z.optional(z.string()),
  /** In which its number counts (Linux): containers can share a folder and a host name. */
  namespace: z.optional(z.string()),
})

type Peer = z.output<typeof peerShape>

/** A claim of another machine without a heartbeat for this time is stale. */
const silentMs = 60_000

export function thisProcess(): Peer {
  const {pid} = process
  return {pid, host: hostname(), start: stateOf(pid)?.start, namespace: namespaceHere()}
}

function namespaceHere(): string | undefined {
  return unlessError(() => readlinkSync('/proc/self/ns/pid'), undefined)
}

/** Whether this system shows if a process still runs. */
function isHere({host, namespace}: Peer): boolean {
  return host === hostname() && namespace === namespaceHere()
}

/** Whether a process may still run: of this machine by the system, of another by when it touched its file (`touched`, milliseconds). */
function mayRun(peer: Peer | undefined, touched: number): boolean {
  const running = peer && isHere(peer) ? isRunning(peer) : undefined
  return running ?? isYoung(touched, silentMs)
}

/** Whether a file was touched within this time. A future time means that the clock was set back. */
function isYoung(touched: number, ms: number): boolean {
  return Math.abs(Date.now() - touched) < ms
}

/** Undefined if the number is in use and the system does not say since when: it may be another process by now. */
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

/** The text of a file; empty if it cannot be read. */
function readIfThere(path: string): string {
  return unlessError(() => readFileSync(path, 'utf8'), '')
}

/** The folder of the lock files, one for each upload that a process works on. */
export const claimsFolder = 'runs'
const isId = /^[\w-]+$/u

/** How often a claim's file is touched (heartbeat). */
const beatMs = 10_000
/** A file without its line is just being made; one that is older was left by a process that was killed at that moment. */
const unwrittenMs = 2000
const pollMs = {least: 20, most: 80}
/** Delay of the notice of a wait, and its interval. */
const quietMs = 2_000
const toldMs = 10_000

export interface Waiter {
  readonly signal: AbortSignal
  /** It will be asked again after `ms`, or have the upload; `why` is a phrase without a full stop. */
  readonly waiting: (ms: number, why: string) => void
}

/**
 * Claims of uploads, by lock files that only one process can make (O_EXCL). A file names its process and holds while that runs: of
 * this machine by the process list, of another by its heartbeat.
 */
export class Claims {
  readonly #folder: string
  readonly #line: string
  readonly #own = new Set<string>()
  readonly #beating: NodeJS.Timeout

  /** `dir`, `ledger`: the ledger's folder and file. Throws the system's error if the folder of the claims cannot be made. */
  constructor(
    dir: string,
    private readonly ledger: string,
    private readonly warn: (text: string) => void,
  ) {
    this.#folder = join(dir, claimsFolder)
    const stat = statSync(this.#folder, {throwIfNoEntry: false})
    if (stat && !stat.isDirectory()) throw misplaced(this.#folder, 'it is not a folder')
    makePrivateFolder(this.#folder)
    keepPrivateFolder(this.#folder)
    this.#line = JSON.stringify(thisProcess())
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
  }

  /** Claims an upload until `drop`. A taken one is waited for with a waiter, else throws a Failure (state). Throws the signal's reason. */
  async take(id: string, waiter?: Waiter): Promise<void> {
    const left = await this.#makeInTurn(id, waiter)
    try {
      // Who rewrites the ledger looks for claims after it has the lock, and this is the other way round: one sees the other.
      if (lstatSync(`${this.ledger}.lock`, {throwIfNoEntry: false})) await this.#whileLocked(() => undefined)
    } catch (error) {
      this.drop(id)
      throw error
    }
    if (left && !isHere(left)) {
      this.warn(`upload ${id} was taken over from ${nameOf(left)}, which has not touched it for a minute`)
    }
  }

  /** Returns the process that had abandoned the upload, if any. */
  async #makeInTurn(id: string, waiter: Waiter | undefined): Promise<Peer | undefined> {
    let toldAt = monotonicMs() + quietMs - toldMs
    let left: Peer | undefined
    while (!this.#make(id)) {
      const claimed = this.#claimed(id)
      if (claimed?.isHeld) {
        if (!waiter) throw heldElsewhere(id, claimed.peer)
        if (monotonicMs() - toldAt > toldMs) {
          toldAt = monotonicMs()
          waiter.waiting(toldMs, `${nameOf(claimed.peer)} is uploading it`)
        }
        await pause(pollMs.least + Math.random() * (pollMs.most - pollMs.least))
      } else if (claimed) {
        left = claimed.peer
        await this.sweep([id])
      }
      waiter?.signal.throwIfAborted()
    }
    return left
  }

  drop(id: string): void {
    // Another process may have taken it over from one that was stopped for long.
    if (this.#own.delete(id) && this.#lineOf(id) === this.#line) rmSync(this.#pathOf(id), {force: true})
  }

  /** Removes the files that ended processes left. Only under the lock, or a slower one would remove the claim of who was quicker. */
  async sweep(ids: readonly string[] = this.#ids()): Promise<void> {
    const isLeft = (id: string) => this.#claimed(id)?.isHeld === false
    if (!ids.some(isLeft)) return
    await this.#whileLocked(() => {
      for (const id of ids.filter(isLeft)) rmSync(this.#pathOf(id), {force: true})
    })
  }

  /** Runs `work` while no other process can claim an upload. Throws Failure (state) if another one has a claim, or does the same. */
  async whileAlone(work: () => void): Promise<void> {
    await this.#whileLocked(() => {
      if (!this.#ids().some((id) => this.#claimed(id)?.isHeld)) work()
    }, 0)
  }

  close(): void {
    clearInterval(this.#beating)
    for (const id of [...this.#own]) this.drop(id)
  }

  #make(id: string): boolean {
    try {
      this.#write(openSync(this.#pathOf(id), 'wx', 0o600), id)
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw error
    }
  }

  #write(descriptor: number, id: string): void {
    try {
      writeFileSync(descriptor, `${this.#line}\n`)
      this.#own.add(id)
    } catch (error) {
      rmSync(this.#pathOf(id), {force: true})
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** The owner in the file of a claim, if its line is whole. Undefined if there is no file. */
  #claimed(id: string): {readonly peer: Peer | undefined; readonly isHeld: boolean} | undefined {
    const stat = lstatSync(this.#pathOf(id), {throwIfNoEntry: false})
    if (stat === undefined) return undefined
    // A pipe would be read for ever.
    if (!stat.isFile()) throw misplaced(this.#pathOf(id), 'it is not a file')
    const {mtimeMs: touched} = stat
    const peer = parseLogLine(Buffer.from(this.#lineOf(id)), peerShape, new TextDecoder())
    return {peer, isHeld: peer ? mayRun(peer, touched) : isYoung(touched, unwrittenMs)}
  }

  #whileLocked(work: () => void, waitMs = 20_000): Promise<void> {
    const advice = 'remove it, then run the command again'
    const lockedOut = (lock: string) => failureWith('state', `${lock} is held for too long`, {try: advice})
    return whileFileLocked(this.ledger, work, {waitMs, lockedOut})
  }

  /** The uploads that have a file, be it a claim or one that was left. */
  #ids(): string[] {
    return readdirSync(this.#folder).filter((name) => isId.test(name))
  }

  #pathOf(id: string): string {
    return join(this.#folder, id)
  }

  #lineOf(id: string): string {
    return readIfThere(this.#pathOf(id)).split('\n', 1)[0] ?? ''
  }

  #beat(): void {
    const now = new Date()
    // If the folder was cleared, other processes do not see this one, but no work is lost.
    for (const id of this.#own) unlessError(() => utimesSync(this.#pathOf(id), now, now), undefined)
  }
}

function misplaced(path: string, why: string): Failure {
  return fileFailure(`${path} is not used for the claims of uploads: ${why}`, {
    try: 'move it away, or use another folder with --state-dir',
  })
}

function nameOf(peer: Peer | undefined): string {
  return peer ? `process ${peer.pid} on ${peer.host}` : 'a process that is just starting it'
}

function heldElsewhere(id: string, peer: Peer | undefined): Failure {
  return failureWith('state', `upload ${id} is under way in another roomctl`, {
    code: 'upload-in-use',
    why: `${nameOf(peer)} has it`,
    try: {sentence: 'wait until that one has ended, or end it; to see how far it is', command: ['asset uploads']},
    retryable: true,
  })
}
