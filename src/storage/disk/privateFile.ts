import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {shortWrite, systemCode, UnusableFile} from './reason.js'

// The files of the tool's own: mode 0600, in folders of 0700, whatever the umask. All parts that keep something use these functions
// and `replaceFile`; each gives the errors words of its own.

/** The user this process acts as; undefined on Windows, where files have no mode bits and nothing is checked. */
export type User = number | undefined

/** Asked of the system, not of the environment, so that nobody else's file is taken for one's own. */
export function currentUser(): User {
  return process.geteuid?.()
}

/** O_NONBLOCK: a pipe of that name must not hang the program. Windows has none of these flags, and no links of that kind. */
const nonBlocking = constants.O_NONBLOCK ?? 0
const noLinks = constants.O_NOFOLLOW ?? 0
const hasModes = constants.O_NOFOLLOW !== undefined

/** The bits that let others in, and those that let them write. */
const others = 0o077
const othersWrite = 0o022
const sticky = 0o1000

/** What a private file must be. */
export interface PrivateFileRules {
  /** Bytes; a larger file is refused and never held in memory. */
  readonly maxBytes?: number
  /** Whose it must be; not checked where undefined. */
  readonly owner?: User
}

/**
 * Opens a file of the tool's own to read it, and closes a mode that lets others in (0600); undefined where there is none. Raises an
 * UnusableFile, and the system's error: ELOOP for a symbolic link, which could lead to any other file.
 */
export function openPrivateFile(path: string, rules: PrivateFileRules = {}): number | undefined {
  return checked(openIfThere(path, constants.O_RDONLY | nonBlocking | noLinks), (stat, descriptor) => {
    assertRegular(stat, rules.maxBytes)
    assertOwner(stat, rules.owner)
    if (hasModes && (stat.mode & others) !== 0) closeToOthers(stat, descriptor)
  })
}

/** The bytes of a file of the tool's own; undefined where there is none. Raises as `openPrivateFile`. */
export function readPrivateFile(path: string, rules: PrivateFileRules): Buffer | undefined {
  return readAndClose(openPrivateFile(path, rules))
}

/**
 * Opens a file of the tool's own to append to it, made where it is missing; its folder must be there. Its mode is 0600 after that,
 * whatever it was. Raises as `openPrivateFile`.
 */
export function openToAppend(path: string, {maxBytes}: Pick<PrivateFileRules, 'maxBytes'> = {}): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | nonBlocking | noLinks
  return checked(openSync(path, flags, 0o600), (stat, descriptor) => {
    assertRegular(stat, maxBytes)
    if (hasModes && (stat.mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600)
  })
}

/**
 * Makes a file that nobody may have made before, to append to it, with this mode whatever the umask. Raises the system's error, EEXIST
 * where there is anything of that name.
 */
export function createPrivateFile(path: string, mode = 0o600): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL
  return checked(openSync(path, flags, mode), (_, descriptor) => fchmodSync(descriptor, mode))
}

/**
 * The bytes of a regular file of at most `maxBytes` that need not be private: a link is followed and the mode stays. Undefined where
 * there is none. Raises an UnusableFile (kind, size) and the system's error.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  const descriptor = openIfThere(path, constants.O_RDONLY | nonBlocking)
  return readAndClose(checked(descriptor, (stat) => assertRegular(stat, maxBytes)))
}

/**
 * Appends lines in one write, so that those of other processes stand before or after, never between. A last line that a kill or a
 * full disk cut off gets a line break first; `isWhole`: that is known not to be. Gives back how many bytes were written. Raises
 * the system's error, of code ESHORT where only a part was taken: the rest is not written after it, for another process's line may
 * stand there by now.
 */
export function appendLines(descriptor: number, lines: string, isWhole = false): number {
  const bytes = Buffer.from(isWhole || endsInLine(descriptor) ? lines : `\n${lines}`)
  if (writeSync(descriptor, bytes) < bytes.length) throw shortWrite()
  return bytes.length
}

/** A line that another process is just writing can look cut off too, which costs a blank line. */
function endsInLine(descriptor: number): boolean {
  const {size} = fstatSync(descriptor)
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

/** Makes a folder of mode 0700, with those above it, where it is missing. Raises the system's error. */
export function makePrivateFolder(path: string): void {
  // Whatever the umask took away.
  if (makeFolders(path, 0o700)) chmodSync(path, 0o700)
}

/**
 * Makes a folder, with those above it, where it is missing; whether it was. One by one, for Node's own recursion never ends where
 * every folder is refused with ENOENT, as below /proc, and no signal ends it. Raises the system's error.
 */
export function makeFolders(path: string, mode?: number): boolean {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) makeOneFolder(folder, mode)
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path)
  return missing.length > 0
}

function makeOneFolder(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, {mode})
  } catch (error) {
    // Another process was quicker.
    if (systemCode(error) !== 'EEXIST' || statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) throw error
  }
}

/**
 * Keeps a folder to its user: one that is open to others is closed to them (0700), unless it holds more than what `isOurs`, as a
 * project's folder or a home does, which keeps its mode. False where there is none. Raises an UnusableFile for a folder that all
 * users share, like /tmp (shared), that others can write to and that is not closed (shared), or that is not `owner`'s
 * (owner), and the system's error.
 */
export function keepPrivateFolder(
  path: string,
  {owner, isOurs = () => true}: {readonly owner?: User; readonly isOurs?: (name: string) => boolean} = {},
): boolean {
  if (!hasModes) return true
  const descriptor = openIfThere(path, constants.O_RDONLY | constants.O_DIRECTORY)
  if (descriptor === undefined) return false
  try {
    const stat = fstatSync(descriptor)
    if ((stat.mode & sticky) !== 0) throw new UnusableFile('shared', 'it is a folder shared by all users')
    assertOwner(stat, owner)
    if ((stat.mode & others) === 0) return true
    if (readdirSync(path).every(isOurs)) closeToOthers(stat, descriptor)
    else if ((stat.mode & othersWrite) !== 0) {
      throw new UnusableFile('shared', 'it is a folder with other files, and other users can write to it')
    }
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** As `keepPrivateFolder`, and raises nothing: whether the folder can be used shows when it is. */
export function closeFolder(path: string, isOurs: (name: string) => boolean): void {
  try {
    keepPrivateFolder(path, {isOurs})
  } catch {
    // Shared, or another user's.
  }
}

/** Makes the name of a new file as lasting as its content. Raises the system's error. */
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

function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The descriptor, which is closed again where `check` raises an error. */
function checked<D extends number | undefined>(descriptor: D, check: (stat: Stats, descriptor: number) => void): D {
  if (descriptor === undefined) return descriptor
  try {
    check(fstatSync(descriptor), descriptor)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function readAndClose(descriptor: number | undefined): Buffer | undefined {
  if (descriptor === undefined) return undefined
  try {
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function assertRegular(stat: Stats, maxBytes = Number.POSITIVE_INFINITY): void {
  if (!stat.isFile()) throw new UnusableFile('kind', 'it is not a file')
  if (stat.size > maxBytes) throw new UnusableFile('size', `it is larger than ${maxBytes / 1024 / 1024} MiB`)
}

function assertOwner({uid}: Stats, owner: User): void {
  if (owner === undefined || uid === owner) return
  throw new UnusableFile('owner', `it belongs to another user (uid ${uid}, you are ${owner})`)
}

/** On the open descriptor, so that no other file can slip in between. */
function closeToOthers({mode}: Stats, descriptor: number): void {
  try {
    fchmodSync(descriptor, mode & 0o700)
  } catch {
    throw new UnusableFile('mode', 'other users can read it and its mode cannot be changed')
  }
}
