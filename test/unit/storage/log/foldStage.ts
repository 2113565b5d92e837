import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {Listed} from './foldedLog.js'

/** The path of a log that is not there yet, in a folder that is; gone after the test. */
export function newLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomctl-log-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  return join(folder, 'log.jsonl')
}

/** A look at a log, which is closed after the test. */
export function listed(path: string): Listed {
  const one = new Listed(path)
  onTestFinished(() => one.log.close())
  return one
}
