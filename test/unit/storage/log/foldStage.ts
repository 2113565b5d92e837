import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {freshFolder} from '../../../support/folder.js'
import {Listed} from './foldedLog.js'

/** The path of a log that is not there yet, in a folder that is; gone after the tests of the file. */
export function newLog(): string {
  const folder = freshFolder()
  return join(folder, 'log.jsonl')
}

/** A look at a log, which is closed after the test. */
export function listed(path: string): Listed {
  const one = new Listed(path)
  onTestFinished(() => one.log.close())
  return one
}
