import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats} from 'node:fs'

/** Why a file of the tool's own is not read: a clause without a stop. */
export class NotRead extends Error {
  override readonly name = 'NotRead'
}

/** O_NONBLOCK: a pipe of that name must not hang the program. Windows has none of these, and no links of that kind. */
const safely = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of an ordinary file of at most `maxBytes`; undefined where there is none. `check` may raise an error for what the file
 * is, and change its mode. Raises a NotRead for what is no file or larger, and the system's error.
 */
export function readOwnFile(
  path: string,
  maxBytes: number,
  {
    followLinks = true,
    check,
  }: {readonly followLinks?: boolean; readonly check?: (stat: Stats, descriptor: number) => void} = {},
): Buffer | undefined {
  const descriptor = opened(path, followLinks ? safely : safely | (constants.O_NOFOLLOW ?? 0))
  if (descriptor === undefined) return undefined
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new NotRead('it is not a file')
    check?.(stat, descriptor)
    if (stat.size > maxBytes) throw new NotRead(`it is larger than ${maxBytes / 1024 / 1024} MiB`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function opened(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
