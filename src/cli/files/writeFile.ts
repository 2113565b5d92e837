import {accessSync, constants, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {reasonOf} from '../../storage/disk/reason.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'

/** Writes a file as a whole, for the user alone. Raises a Failure (file) that says why it cannot be. */
export function writePrivate(path: string, text: string): void {
  writeWhole(path, text, 'user')
}

/** The same for whom the umask lets read it: a file that is committed, or handed to another job. */
export function writeShared(path: string, text: string): void {
  writeWhole(path, text, 'umask')
}

function writeWhole(path: string, text: string, readers: 'user' | 'umask'): void {
  try {
    replaceFile(path, Buffer.from(text), readers)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Looks, before anything is sent, whether a file can be written; `fresh`: and is not there yet. Raises a Failure (file). */
export function assertWritableFile(path: string, fresh?: {readonly advice: string}): void {
  const why = obstacle(path)
  const isThere = why === undefined && fresh !== undefined && statSync(path, {throwIfNoEntry: false}) !== undefined
  if (why === undefined && !isThere) return
  throw new Failure({
    exit: 'file',
    message: `cannot write ${path}; nothing was sent`,
    why: why ?? 'it already exists',
    try: isThere ? fresh?.advice : 'name another file',
  })
}

function obstacle(path: string): string | undefined {
  try {
    const found = statSync(path, {throwIfNoEntry: false})
    if (found && !found.isFile()) return 'it is not a file'
    accessSync(dirname(path), constants.W_OK)
    return undefined
  } catch (error) {
    return whyNot(path, error)
  }
}

function unwritable(path: string, error: unknown): Failure {
  const advice = 'fix that, or name another file'
  const facts = {exit: 'file', message: `cannot write ${path}`, why: whyNot(path, error), try: advice} as const
  return new Failure(facts, {cause: error})
}

function whyNot(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' ? `no such folder: ${dirname(path)}` : (reasonOf(error) ?? 'the operating system refused it')
}
