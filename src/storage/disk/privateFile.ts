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
import {unlessError} from '../../text/text.js'

// The tool's own files: mode 0600, in folders of 0700, whatever the umask.

/** Undefined on Windows, where files have no mode bits and nothing is checked. */
export type User = number | undefined

/** Asked of the system, not of the environment. */
export function currentUser(): User {
  return process.geteuid?.()
}

/** O_NONBLOCK: a pipe of that name must not hang the program. Windows has none of these flags. */
const nonBlocking = constants.O_NONBLOCK ?? 0
const noLinks = constants.O_NOFOLLOW ?? 0
const hasModes = constants.O_NOFOLLOW !== undefined

/** The bits that let others in, and those that let them write. */
const others = 0o077
const othersWrite = 0o022
const sticky = 0o1000

export interface PrivateFileRules {
  readonly maxBytes?: number
  readonly owner?: User
  /** Others are not kept out. */
  readonly leavesMode?: boolean
}

/** Opens a private file to read it, and closes it to others (0600). Throws an UnusableFile and the system's error: ELOOP for a link. */
export function openPrivateFile(path: string, rules: PrivateFileRules = {}): number | undefined {
  return checked(openIfThere(path, constants.O_RDONLY | nonBlocking | noLinks), (stat, descriptor) => {
    assertRegular(stat, rules.maxBytes)
    assertOwner(stat, rules.owner)
    if (hasModes && !rules.leavesMode && (stat.mode & others) !== 0) closeToOthers(stat, descriptor)
  })
}

/** Undefined for a missing file. Throws as `openPrivateFile`. */
export function readPrivateFile(path: string, rules: PrivateFileRules): Buffer | undefined {
  return readAndClose(openPrivateFile(path, rules))
}

/** Opens a private file (0600) to append to it, and creates it in an existing folder. Throws as `openPrivateFile`. */
export function openToAppend(path: string, {maxBytes}: Pick<PrivateFileRules, 'maxBytes'> = {}): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | nonBlocking | noLinks
  return checked(openSync(path, flags, 0o600), (stat, descriptor) => {
    assertRegular(stat, maxBytes)
    if (hasModes && (stat.mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600)
  })
}

/** Creates a private file (0600), whatever the umask, to append to it. Throws the system's error: EEXIST for any existing entry. */
export function createPrivateFile(path: string): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL
  return checked(openSync(path, flags, 0o600), (_, descriptor) => fchmodSync(descriptor, 0o600))
}

/** Opens a regular file that need not be private; a link is followed. Throws an UnusableFile (kind, size) and the system's error. */
export function openRegularFile(path: string, maxBytes?: number): number | undefined {
  return checked(openIfThere(path, constants.O_RDONLY | nonBlocking), (stat) => assertRegular(stat, maxBytes))
}

/** The bytes of a regular file. Throws as `openRegularFile`. */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  return readAndClose(openRegularFile(path, maxBytes))
}

/**
 * Appends lines in one write, so that lines of other processes are never mixed in; an unfinished last line gets a line break first
 * (`isWhole`: it is finished). Returns the bytes written. Throws the system's error: ESHORT for a part, since the rest must not
 * follow another line.
 */
export function appendLines(descriptor: number, lines: string, isWhole = false): number {
  const bytes = Buffer.from(isWhole || endsInLine(descriptor) ? lines : `\n${lines}`)
  if (writeSync(descriptor, bytes) < bytes.length) throw shortWrite()
  return bytes.length
}

/** A line that another process is just writing can look unfinished too, which costs a blank line. */
function endsInLine(descriptor: number): boolean {
  const {size} = fstatSync(descriptor)
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

export function makePrivateFolder(path: string): void {
  // Whatever the umask took away.
  if (makeFolders(path, 0o700)) chmodSync(path, 0o700)
}

/** Creates a folder with its parents; whether it was missing. One by one: Node's recursion never ends where all is ENOENT, as below /proc. */
export function makeFolders(path: string, mode?: number): boolean {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) makeOneFolder(folder, mode)
  // Throws ENOTDIR, as for a file in the place of a parent.
  if (missing.length === 0 && !statSync(path).isDirectory()) readdirSync(path)
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
 * Closes a folder to others (0700), unless it contains files other than `isOurs`. False for a missing folder. Throws an UnusableFile for a
 * folder that others can write to (shared), or that is not `owner`'s, and the system's error.
 */
export function keepPrivateFolder(
  path: string,
  {owner, leavesMode, isOurs = () => true}: PrivateFileRules & {readonly isOurs?: (name: string) => boolean} = {},
): boolean {
  if (!hasModes) return true
  const descriptor = openIfThere(path, constants.O_RDONLY | constants.O_DIRECTORY)
  if (descriptor === undefined) return false
  return thenClose(descriptor, () => {
    const stat = fstatSync(descriptor)
    if ((stat.mode & sticky) !== 0) throw new UnusableFile('shared', 'it is a folder shared by all users')
    assertOwner(stat, owner)
    if ((stat.mode & others) === 0 || leavesMode) return true
    if (readdirSync(path).every(isOurs)) closeToOthers(stat, descriptor)
    else if ((stat.mode & othersWrite) !== 0) {
      throw new UnusableFile('shared', 'it is a folder with other files, and other users can write to it')
    }
    return true
  })
}

/** As `keepPrivateFolder`, but throws nothing: using the folder shows whether it can be used. */
export function closeFolder(path: string, isOurs: (name: string) => boolean): void {
  unlessError(() => keepPrivateFolder(path, {isOurs}), false)
}

/** Makes the name of a new file durable. Throws the system's error. */
export function syncFolder(path: string): void {
  if (!hasModes) return
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems cannot sync a folder.
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
  return descriptor === undefined ? undefined : thenClose(descriptor, (file) => readFileSync(file))
}

/** The result of `work` on an open file, which is then closed. */
export function thenClose<T>(descriptor: number, work: (descriptor: number) => T): T {
  try {
    return work(descriptor)
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

/** By the open descriptor, so that no other file can slip in between. */
function closeToOthers({mode}: Stats, descriptor: number): void {
  try {
    fchmodSync(descriptor, mode & 0o700)
  } catch {
    throw new UnusableFile('mode', 'other users can read it and its mode cannot be changed')
  }
}

const full = 'the disk is full'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'it is a pipe without a reader',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'another file has that name',
  EFBIG: 'a limit on the size of files was reached',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  EMFILE: 'too many files are open',
  ENOENT: 'no such file',
  ENOSPC: full,
  ENOTDIR: 'a part of this path is not a folder',
  ENXIO: 'it is not a regular file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ESHORT: `${full} or a size limit was reached`,
}

/** It is no regular file, too large, another user's or version's, its mode cannot be closed, or others can write to the folder. */
type Fault = 'kind' | 'size' | 'owner' | 'mode' | 'shared' | 'version'

/** A private file or folder that must not be used; the message is a phrase without a full stop. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
  readonly fault: Fault

  constructor(fault: Fault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** `ENOSPC`; undefined for any error but the system's. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^E[A-Z0-9]+$/.test(code) ? code : undefined
}

/** Why the system refused something, or an UnusableFile, for people; undefined for any other error. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnusableFile) return error.message
  const code = systemCode(error)
  if (code === undefined) return undefined
  return (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? `the operating system refused it (${code})`
}

/** As `reasonOf`; throws any other error again. */
export function systemReason(error: unknown): string {
  const reason = reasonOf(error)
  if (reason === undefined) throw error
  return reason
}

export function shortWrite(): Error {
  return Object.assign(new Error('short write'), {code: 'ESHORT'})
}
