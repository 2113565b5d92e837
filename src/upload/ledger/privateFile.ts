import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {shortWrite, systemCode, systemReason} from '../../storage/disk/reason.js'

/** O_NONBLOCK: a pipe of that name must not hang the program. Windows has none of these, and no links of that kind. */
const safely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Windows has no modes for others, and can neither flush a folder nor give it one. */
const hasModes = constants.O_NOFOLLOW !== undefined
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT

/** The failure of a file of the tool's own. `doing`: `cannot read the ledger of uploads`. */
export function fileFailure(doing: string, path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = `${doing} ${path}: ${systemReason(error)}`
  const why = systemCode(error) === 'ELOOP' ? 'a link could lead the writing to any other file' : undefined
  const advice = 'put that right, or keep the ledger in another folder with --state-dir DIR'
  return new Failure({exit: 'file', message, why, try: advice}, {cause: error})
}

/**
 * Makes a folder for its user alone, whatever the umask. One that is there and open to others is closed to them, unless it holds
 * more than what `isOurs`: a project's folder, or a home, keeps its mode. Raises a Failure (file) for one that others write to.
 */
export function keepPrivateFolder(path: string, isOurs: (name: string) => boolean = () => true): void {
  const made = mkdirSync(path, {recursive: true, mode: 0o700})
  if (!hasModes) return
  if (made !== undefined) chmodSync(path, 0o700)
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
  try {
    const {mode} = fstatSync(descriptor)
    if (made === undefined && (mode & 0o1000) !== 0) throw shared(path, 'that all users share')
    if ((mode & 0o777) === 0o700) return
    if (readdirSync(path).every(isOurs)) fchmodSync(descriptor, 0o700)
    else if ((mode & 0o022) !== 0) throw shared(path, 'with other files in it, and other users may write to it')
  } finally {
    closeSync(descriptor)
  }
}

function shared(path: string, how: string): Failure {
  return new Failure({
    exit: 'file',
    message: `${path} is not used for the ledger of uploads: it is a folder ${how}`,
    try: `--state-dir ${path}/uploads, or another folder of your own`,
  })
}

/** Opens a file to append to it, made with mode 0600 whatever the umask. */
export function openToAppend(path: string): number {
  const isNew = statSync(path, {throwIfNoEntry: false}) === undefined
  const descriptor = openSync(path, appending | safely, 0o600)
  try {
    tighten(descriptor, path)
    if (isNew) syncFolder(dirname(path))
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Opens a file to read it; undefined where there is none. */
export function openToRead(path: string): number | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | safely)
    try {
      tighten(descriptor, path)
      return descriptor
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** No ledger comes near it; what is larger is not held in memory. */
const maxBytes = 256 * 1024 * 1024

function unusable(path: string, why: string): Failure {
  const advice = 'move it away, or keep the ledger in another folder with --state-dir DIR'
  return new Failure({exit: 'file', message: `${path} is not used for the ledger of uploads: ${why}`, try: advice})
}

function tighten(descriptor: number, path: string): void {
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) throw unusable(path, 'it is no ordinary file')
  if (stat.size > maxBytes) throw unusable(path, 'it is larger than 256 MiB')
  if ((stat.mode & 0o777) === 0o600) return
  try {
    fchmodSync(descriptor, 0o600)
  } catch (error) {
    // What cannot be changed cannot be written either, and reading it does no harm.
    if (systemCode(error) !== 'EROFS') throw error
  }
}

/** Makes the name of a new file as lasting as its content. */
export function syncFolder(path: string): void {
  if (!hasModes) return
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems know no such thing for a folder.
    if (systemCode(error) !== 'EINVAL') throw error
  } finally {
    closeSync(descriptor)
  }
}

/** What a file holds from `offset` on. */
export function readFrom(descriptor: number, offset: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(descriptor).size - offset))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/**
 * Appends lines in one write, so that those of other processes stand before or after, never between. Gives back how many bytes
 * that were; raises ESHORT where only a part was taken, and the rest is not written after it, as another process's line may
 * stand there by now. `isWhole`: the last line is known to be whole.
 */
export function appendLines(descriptor: number, lines: string, isWhole: boolean): number {
  const bytes = Buffer.from(isWhole || endsInLine(descriptor) ? lines : `\n${lines}`)
  if (writeSync(descriptor, bytes) < bytes.length) throw shortWrite()
  return bytes.length
}

/** Whether the last line is whole: one that a full disk or a kill cut off must not swallow the next. */
function endsInLine(descriptor: number): boolean {
  const {size} = fstatSync(descriptor)
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === 0x0a
}
