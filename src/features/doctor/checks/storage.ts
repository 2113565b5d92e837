import {accessSync, constants, existsSync, statfsSync} from 'node:fs'
import {dirname} from 'node:path'
import {reasonOf} from '../../../storage/disk/reason.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok, warn} from './finding.js'

const check = 'disk'

/** Bytes that must be free: a journal or a ledger that cannot be written stops changes and uploads. */
const enough = 50 * 1024 * 1024

/** Whether the journal and the ledger of uploads can be written where they lie: the right to, and the room. */
export function checkStorage(stateFolder: string): Diagnosis {
  const place = existing(stateFolder)
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
  } catch (error) {
    const what = `the state folder ${stateFolder} cannot be written: ${reasonOf(error) ?? 'the system refused it'}`
    return fail(check, what, 'make it writable, or set ROOMCTL_STATE_DIR to another folder')
  }
  const free = freeBytes(place)
  return roomVerdict(stateFolder, free)
}

/** What there is to say of so many free bytes; undefined where the system does not tell. */
export function roomVerdict(stateFolder: string, free: number | undefined): Diagnosis {
  const details = {path: stateFolder, free_bytes: free ?? null}
  if (free === undefined) return ok(check, `the state folder ${stateFolder} can be written`, details)
  const words = `${Math.floor(free / 1024 / 1024)} MiB free`
  if (!isNearlyFull(free)) return ok(check, `the state folder ${stateFolder} can be written, ${words}`, details)
  const what = `the disk of the state folder ${stateFolder} is nearly full: ${words}`
  return warn(check, what, 'make room, or set ROOMCTL_STATE_DIR to a folder on another disk', details)
}

/** The folder, or the nearest above it that is there. */
function existing(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? folder : existing(above)
}

/** Whether so many free bytes are too few; an unknown number is none. */
export function isNearlyFull(free: number | undefined): boolean {
  return free !== undefined && free < enough
}

/** The free bytes of the disk that a folder is on; undefined where the system does not tell. */
export function freeBytes(folder: string): number | undefined {
  try {
    const {bavail, bsize} = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
