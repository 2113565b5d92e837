import {randomBytes} from 'node:crypto'
import {closeSync, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {Folded} from './fold.js'
import {readLine} from './ledgerRecord.js'
import {openToRead, readFrom, syncFolder} from './privateFile.js'

/** Below so many lines, and so many for each entry, tidying is not worth its time. */
const fewLines = 1000
const linesPerEntry = 3

/** Whether a ledger says much more than its entries come to, or holds lines that say nothing. */
export function isUntidy({lines, damaged}: {lines: number; damaged: number}, entries: number): boolean {
  return damaged > 0 || (lines > fewLines && lines > linesPerEntry * entries)
}

/**
 * Writes a ledger anew with the fewest lines, in one step: a reader, or a kill, finds the old or the new. Lines of a newer
 * version are kept as they are; damaged ones are left out. Nobody else may be writing the ledger. Raises the system's error.
 */
export function compact(path: string): void {
  sweep(path)
  const descriptor = openToRead(path)
  if (descriptor === undefined) return
  const text = readFrom(descriptor, 0).toString('utf8')
  closeSync(descriptor)
  replace(path, tidied(text))
}

function tidied(text: string): string {
  const folded = new Folded()
  const kept: string[] = []
  for (const line of text.split('\n')) {
    const record = line === '' ? 'damaged' : readLine(line)
    if (record === 'damaged') continue
    const isKnown = record !== 'foreign' && folded.take(record)
    // What is not known may belong to an entry of a newer version.
    if (record === 'foreign' || (!isKnown && kept.length > 0)) kept.push(`${line}\n`)
  }
  return [...folded.lines(), ...kept].join('')
}

function replace(path: string, text: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      fchmodSync(descriptor, 0o600)
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(draft, {force: true})
    throw error
  }
}

/** Removes what a process left that was killed while it tidied. */
function sweep(path: string): void {
  const name = basename(path)
  for (const other of readdirSync(dirname(path))) {
    const isDraft = other.startsWith(`${name}.`) && /^[0-9a-f]{16}$/.test(other.slice(name.length + 1))
    if (isDraft) rmSync(join(dirname(path), other), {force: true})
  }
}
