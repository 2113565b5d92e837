import {readFileSync} from 'node:fs'
import {Failure} from '../contract/failure.js'

/** The text of a file. Raises a Failure (file) that says why it cannot be read, and what to do where that is known. */
export function readTextFile(path: string, advice?: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    const why = reasons[code ?? ''] ?? code
    throw new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice}, {cause: error})
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
}
