import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {Failure, type FailureFacts} from '../../../src/api/contract/failure.js'
import {afterFile} from '../../support/afterFile.js'

/** A fresh folder with these files, by their paths below it; gone after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-sync-'))
  afterFile(() => rmSync(folder, {recursive: true, force: true}))
  put(folder, files)
  return folder
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true})
    writeFileSync(path.join(folder, name), content)
  }
}

/** What a Failure says that the work raises. */
export async function failureOf(work: () => unknown): Promise<FailureFacts> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failure) return error.facts
    throw error
  }
  throw new Error('it raised nothing')
}
