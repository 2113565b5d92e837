import {readFileSync} from 'node:fs'
import {Failure} from '../../api/contract/failure.js'

/** The text of a file. Raises a Failure (file) that says why it cannot be read, and what to do where that is known. */
export function readTextFile(path: string, advice?: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadableFile(path, error, advice)
  }
}

/** The Failure (file) of a file that the system does not let be read. */
export function unreadableFile(path: string, error: unknown, advice?: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const why = reasons[code ?? ''] ?? code
  return new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice}, {cause: error})
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
}
