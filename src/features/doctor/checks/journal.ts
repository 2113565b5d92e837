import {accessSync, constants, existsSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import type {journalPlace} from '../../../cli/session/journalFile.js'
import {reasonOf} from '../../../storage/disk/reason.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok} from './finding.js'
import {freeBytes, isNearlyFull} from './storage.js'

const check = 'journal'
const advice = 'bring its storage back, or name another file: roomctl config set journal.path FILE'

/**
 * Whether changes can be written where `journal.path` has them (product §5): the storage may be away, and a change is made all the
 * same. No line for the journal of this user alone, which lies in the state folder. Writes nothing.
 */
export function checkJournal({path, isShared}: ReturnType<typeof journalPlace>): Diagnosis[] {
  if (!isShared) return []
  const details = {path}
  const folder = dirname(path)
  try {
    const stat = statSync(path, {throwIfNoEntry: false})
    if (stat?.isDirectory()) return [fail(check, `${path} is a folder`, advice, details)]
    if (stat) accessSync(path, constants.R_OK | constants.W_OK)
    // One that is not there yet is made by the first change, and one that has grown is put aside; its folder is not made.
    else accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = existsSync(folder) ? (reasonOf(error) ?? 'the system refused it') : `there is no folder ${folder}`
    return [fail(check, `changes cannot be written to ${path} (journal.path): ${why}`, advice, details)]
  }
  const free = freeBytes(folder)
  return isNearlyFull(free)
    ? [fail(check, `the disk of ${path} (journal.path) is nearly full`, 'make room there', details)]
    : [ok(check, `changes are written to ${path} (journal.path)`, details)]
}
