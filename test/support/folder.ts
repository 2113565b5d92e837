import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {afterFile} from './afterFile.js'

/** A new folder, gone after the tests of the file. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-test-'))
  afterFile(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}
