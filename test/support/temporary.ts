import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'

/** One temporary folder for the run, in which the tests and what they start make their own; nothing of it stays. */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, {recursive: true, force: true})
}
