import {randomBytes} from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import {join} from 'node:path'
import {shortWrite} from '../../storage/disk/reason.js'
import {type Incarnation, isRunning, thisProcess} from './machine.js'
import {keepPrivateFolder} from './privateFile.js'

/** Each running process that writes the ledger has one file in this folder, below that of the ledger. */
const folderName = 'runs'
/** How often a process touches its file, and how long one of another machine may leave its own untouched. */
const beatMs = 2000
export const silentMs = 7000

/** A process that runs, as its file tells of it. */
export interface Other {
  readonly pid: number
  readonly host: string
  /** Whether it is certain that it runs: the system says so. Otherwise only its file was touched not long ago. */
  readonly certain: boolean
  /** When it last touched its file, in milliseconds. */
  readonly beat: number
  readonly holds: ReadonlySet<string>
}

/**
 * This process among those that work with the same ledger. What each of them holds stands in its own file, which no other
 * process writes: whoever wants something writes so first and looks at the others' files then, so that of two who want the
 * same thing at once, one at least sees the other. A file that was carried along with the folder is not where it was made and
 * says nothing, and neither does that of a process that is gone.
 */
export class Presence {
  readonly #folder: string
  readonly #name: string
  readonly #descriptor: number
  readonly #self: Incarnation
  readonly #beating: NodeJS.Timeout
  #left = false

  /** Raises the system's error where the file cannot be made. */
  constructor(dir: string) {
    this.#folder = join(dir, folderName)
    keepPrivateFolder(this.#folder)
    this.#self = thisProcess()
    this.#name = `${this.#self.pid}-${randomBytes(6).toString('hex')}`
    this.#descriptor = openSync(this.#path, 'ax', 0o600)
    try {
      fchmodSync(this.#descriptor, 0o600)
      const {ino} = fstatSync(this.#descriptor, {bigint: true})
      this.#write(JSON.stringify({...this.#self, ino: String(ino)}))
    } catch (error) {
      closeSync(this.#descriptor)
      rmSync(this.#path, {force: true})
      throw error
    }
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
  }

  /** Says that this process holds something, or wants to. */
  hold(what: string): void {
    this.#write(`+${what}`)
  }

  drop(what: string): void {
    this.#write(`-${what}`)
  }

  /** The other processes that run. Removes the files of those that are gone. */
  others(): Other[] {
    const names = readdirSync(this.#folder).filter((name) => name !== this.#name)
    return names.flatMap((name) => {
      const path = join(this.#folder, name)
      const other = otherOf(path, this.#self)
      if (other === 'gone') rmSync(path, {force: true})
      return other === 'gone' || other === 'none' ? [] : other
    })
  }

  leave(): void {
    this.#left = true
    clearInterval(this.#beating)
    closeSync(this.#descriptor)
    rmSync(this.#path, {force: true})
  }

  get #path(): string {
    return join(this.#folder, this.#name)
  }

  #write(line: string): void {
    if (this.#left) return
    const bytes = Buffer.from(`${line}\n`)
    if (writeSync(this.#descriptor, bytes) < bytes.length) throw shortWrite()
  }

  #beat(): void {
    try {
      const now = new Date()
      utimesSync(this.#path, now, now)
    } catch {
      // Somebody has cleared the folder: the others will not see this process, and no work is lost by it.
    }
  }
}

function otherOf(path: string, self: Incarnation): Other | 'gone' | 'none' {
  const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false})
  if (!stat?.isFile()) return 'none'
  const beat = Number(stat.mtimeMs)
  const fresh = Math.abs(Date.now() - beat) < silentMs
  const [first = '', ...lines] = readLines(path)
  const owner = ownerOf(first)
  // A file whose first line is missing is just being made, or was left by a process killed at that moment.
  if (!owner) return fresh ? {pid: 0, host: '', certain: false, beat, holds: new Set()} : 'gone'
  if (owner.ino !== String(stat.ino)) return 'gone'
  const running = owner.machine === self.machine ? isRunning(owner) : undefined
  if (running === false || (running === undefined && !fresh)) return 'gone'
  return {pid: owner.pid, host: owner.host, certain: running === true, beat, holds: heldBy(lines)}
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

function heldBy(lines: readonly string[]): Set<string> {
  const held = new Set<string>()
  for (const line of lines) {
    if (line.startsWith('+')) held.add(line.slice(1))
    else held.delete(line.slice(1))
  }
  return held
}

function ownerOf(line: string): (Incarnation & {ino: string}) | undefined {
  try {
    const {pid, start, host, machine, ino} = JSON.parse(line)
    if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
    if (![host, machine, ino].every((text) => typeof text === 'string')) return undefined
    return {pid, host, machine, ino, ...(typeof start === 'string' ? {start} : {})}
  } catch {
    return undefined
  }
}
