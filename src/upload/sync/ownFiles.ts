import {closeSync, openSync, readSync} from 'node:fs'
import {journalStart} from '../../storage/journal.js'
import {ledgerLineStart} from '../ledger/entry.js'
import {isOfLedger, ledgerFileName} from '../ledger/ledger.js'
import {lockStart} from './lock.js'

/** How a file of results begins, as `--result` writes it (features/asset/uploadReport.ts). */
export const resultStart = /^\[\n {2}\{\n {4}"file": "(?:[^"\\]|\\.)*",\n {4}"uuid": /u

const head = Buffer.allocUnsafe(32 * 1024)

/** Whether a file is a lock, a result or a journal of roomctl, by its content. One that cannot be read is none. */
export function isOwnFile(path: string): boolean {
  return startsAs(path, [lockStart, resultStart, journalStart])
}

/** Whether the entry of a folder with these names is part of a ledger of uploads. */
export function ledgerEntries(folder: string, names: readonly string[]): (name: string) => boolean {
  const isLedger = names.includes(ledgerFileName) && startsAs(`${folder}/${ledgerFileName}`, [ledgerLineStart])
  return (name) => isLedger && isOfLedger(name)
}

function startsAs(path: string, starts: readonly RegExp[]): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      // The first byte is enough for most files.
      if (readSync(file, head, 0, 1, 0) === 0 || !/[#[{]/u.test(head.toString('latin1', 0, 1))) return false
      const text = head.toString('utf8', 0, readSync(file, head, 0, head.length, 0))
      return starts.some((start) => start.test(text))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
