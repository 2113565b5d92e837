import {mkdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {afterFile} from './afterFile.js'

let count = 0

/**
 * A new folder whose name is this beginning and numbers: a random word in a path may be what a test must not find in a text. The first is
 * of the process, so that none takes the name of a folder that another process removes later.
 */
export function numberedFolder(beginning: string): string {
  for (;;) {
    count += 1
    const folder = `${beginning}${process.pid}-${count}`
    try {
      mkdirSync(folder, {mode: 0o700})
      return folder
    } catch (error) {
      // An earlier process of this number left it.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** A new folder, gone after the tests of the file. */
export function freshFolder(): string {
  const folder = numberedFolder(path.join(tmpdir(), 'roomctl-test-'))
  afterFile(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}
