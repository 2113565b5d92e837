const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else is in the way',
  EFBIG: 'a limit on the size of files was reached',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  ENXIO: 'it is no ordinary file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** The code of an error of the system, `ENOSPC`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^E[A-Z0-9]+$/.test(code) ? code : undefined
}

/** Why the system refused something, a clause without a stop. Any other error is not the system's and is raised again. */
export function systemReason(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) throw error
  return (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? `the system refused it (${code})`
}
