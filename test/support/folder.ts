import {mkdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {afterFile} from './afterFile.js'

let count = 0

/** A new folder whose name is this beginning and a number: a random word in a path may be what a test must not find in a text. */
export function numberedFolder(beginning: string): string {
  for (;;) {
    count += 1
    try {
      mkdirSync(`${beginning}${count}`, {mode: 0o700})
      return `${beginning}${count}`
    } catch (error) {
      // Another process has taken the number.
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
