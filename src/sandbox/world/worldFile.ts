import {createHash} from 'node:crypto'
import {accessSync, closeSync, constants, readSync, statSync, unlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {
  appendLines,
  closeFolder,
  makePrivateFolder,
  openPrivateFile,
  openToAppend,
  readRegularFile,
} from '../../storage/disk/privateFile.js'
import {reasonOf} from '../../storage/disk/reason.js'
import {replaceFile, sweepLeft} from '../../storage/disk/replaceFile.js'
import type {StoredResource} from './world.js'
import {SandboxProblem} from './world.js'

/** No world comes near it: the bytes of uploads lie in files of their own. */
const maxBytes = 256 * 1024 * 1024

/** Enough for many processes that all want to change it at once, and longer than a lock lasts that a killed one left. */
const patienceMs = 30_000

/** The file of a world in its folder. */
export function worldFile(dir: string): string {
  return join(dir, 'world.json')
}

/** The text of the file, or undefined where there is none yet. Raises a SandboxProblem for one that cannot be read. */
export function readWorld(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch (error) {
    throw notRead(file, error)
  }
}

function notRead(file: string, error: unknown): SandboxProblem {
  return problem(`cannot read the sandbox's state in ${file}`, error, 'fix that, or move the file away')
}

/** Puts the text in place as a whole, for the user alone. Raises a SandboxProblem. */
export function writeWorld(file: string, text: string): void {
  try {
    replaceFile(file, Buffer.from(text))
  } catch (error) {
    throw stateNotWritten(file, error)
  }
}

/** What changes when the file is replaced by another; the same text for a file that is not there. Raises a SandboxProblem. */
export function worldIdentity(file: string): string {
  try {
    const stat = statSync(file, {bigint: true, throwIfNoEntry: false})
    return stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : ''
  } catch (error) {
    throw notRead(file, error)
  }
}

/**
 * A write-ahead log of uploaded files: a line of JSON for each. Its first line is the digest of the world that it extends;
 * a log of another world, which a killed process may have left, counts for nothing.
 */
export class ResourceLog {
  readonly #file: string
  readonly #world: string
  readonly #header: string
  /** Bytes that were read; 0 until there is a log of this world. */
  #end = 0

  /** `file` and `text`: those of the world. */
  constructor(file: string, text: string) {
    this.#file = logFile(file)
    this.#world = file
    this.#header = `${createHash('sha256').update(text).digest('hex')}\n`
  }

  /** What was appended since the last call, in order; a line that is damaged is passed over. Raises a SandboxProblem. */
  unread(): unknown[] {
    try {
      const size = statSync(this.#file, {throwIfNoEntry: false})?.size ?? 0
      if (size <= this.#end) return []
      const bytes = this.#read(size)
      const text = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1).toString('utf8')
      if (this.#end === 0 && !text.startsWith(this.#header)) return []
      const lines = text.slice(this.#end === 0 ? this.#header.length : 0)
      this.#end += Buffer.byteLength(text)
      return lines.split('\n').flatMap(parseLine)
    } catch (error) {
      throw notRead(this.#file, error)
    }
  }

  #read(size: number): Buffer {
    const bytes = Buffer.alloc(size - this.#end)
    const descriptor = openPrivateFile(this.#file)
    if (descriptor === undefined) return bytes.subarray(0, 0)
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, this.#end))
    } finally {
      closeSync(descriptor)
    }
  }

  /** To be called under the lock, once nothing is unread. Raises a SandboxProblem. */
  append(resources: readonly StoredResource[]): void {
    if (resources.length === 0) return
    const lines = resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
    try {
      if (this.#end === 0) replaceFile(this.#file, Buffer.from(this.#header + lines))
      else this.#append(lines)
    } catch (error) {
      throw stateNotWritten(this.#world, error)
    }
  }

  #append(lines: string): void {
    const descriptor = openToAppend(this.#file)
    try {
      appendLines(descriptor, lines)
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Removes the log of a world that has taken it in. One that cannot be removed extends another world by now. */
export function removeResourceLog(file: string): void {
  try {
    unlinkSync(logFile(file))
  } catch {
    // Mostly: there is none.
  }
}

function logFile(file: string): string {
  return `${file}.uploads`
}

function parseLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Does `work` while no other process does any on the same world; makes its folder. Raises a SandboxProblem. */
export function withWorldLock<T>(file: string, work: () => T): Promise<T> {
  keepFolder(dirname(file))
  const lockedOut = (lockFolder: string) =>
    new SandboxProblem(`the sandbox's state in ${file} is in use by another process`, undefined, {
      exit: 'temporary',
      why: `its lock ${lockFolder} was there for ${patienceMs / 1000} s`,
      try: 'run the command again in a moment',
    })
  const cannotLock = (error: unknown) => stateNotWritten(file, error)
  return whileFileLocked(file, work, {waitMs: patienceMs, lockedOut, cannotLock})
}

/** Makes a folder for the user alone, where it is not there yet. Raises a SandboxProblem. */
export function makeFolder(dir: string): void {
  try {
    makePrivateFolder(dir)
  } catch (error) {
    throw stateNotWritten(dir, error)
  }
}

/** That something of the sandbox could not be written. `error` is the system's; the folder is asked where that is not known. */
export function stateNotWritten(where: string, error: unknown = whyNot(where)): SandboxProblem {
  return problem(
    `cannot keep the sandbox's state in ${where}`,
    error,
    'fix that, or keep the state of a sandbox elsewhere: roomctl sandbox start --data DIR',
  )
}

function whyNot(folder: string): unknown {
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    return error
  }
}

function problem(what: string, error: unknown, advice: string): SandboxProblem {
  const reason = reasonOf(error) ?? 'its disk may be full'
  return new SandboxProblem(`${what}: ${reason}`, undefined, {exit: 'configuration', try: advice, cause: error})
}

/** The names of what a sandbox keeps; beside others the folder is somebody's own, and its mode is theirs to say. */
const own = /^(?:world\.json.*|files)$/

/** Drafts of versions that named them otherwise. */
const oldDraft = /^world\.json\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function keepFolder(dir: string): void {
  makeFolder(dir)
  sweepLeft(dir, 60_000, (name) => oldDraft.test(name))
  closeFolder(dir, (name) => own.test(name))
}
