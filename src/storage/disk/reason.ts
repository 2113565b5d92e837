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

/** It is no regular file, too large, another user's, its mode cannot be closed, or others can write to the folder. */
type Fault = 'kind' | 'size' | 'owner' | 'mode' | 'shared'

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

/** As `reasonOf`; raises any other error again. */
export function systemReason(error: unknown): string {
  const reason = reasonOf(error)
  if (reason === undefined) throw error
  return reason
}

export function shortWrite(): Error {
  return Object.assign(new Error('short write'), {code: 'ESHORT'})
}
