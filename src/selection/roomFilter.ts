import type {RoomSummary} from '../api/contract/room.js'
import {beginningOf} from '../api/contract/roomFacts.js'
import {utcMoment} from '../text/time.js'
import {compileGlob} from './glob.js'

/** The values of the selection flags. */
export interface RoomConditions {
  readonly status?: readonly string[] | undefined
  readonly match?: string | undefined
  readonly createdBy?: string | undefined
  readonly olderThan?: {readonly ms: number; readonly text: string} | undefined
  readonly empty?: boolean | undefined
}

/** `present`: how many users are present, NaN if the detail does not say it; undefined for a row of the list. */
type RoomTest = (room: RoomSummary, now: Date, present: number | undefined) => boolean

export interface RoomFilter {
  /** Whether a row that matches is not enough: who is present is in the detail alone (room §3). */
  readonly needsDetail: boolean
  /** Whether the row of the list matches; undefined if its detail decides. */
  decides(row: RoomSummary, now: Date): boolean | undefined
  /** The first flag that the room does not match, as it was typed; undefined if it matches all. */
  misfit(room: RoomSummary, now: Date, present?: number): string | undefined
}

/** Users may be in rooms of these states alone; a RESERVED room waits for them (room, States). */
const openStates: ReadonlySet<unknown> = new Set(['MEETING', 'IDLE'])

/** The filter of the flags, all of which a room must match; undefined for none. Throws Failure (usage). */
export function roomFilter(conditions: RoomConditions): RoomFilter | undefined {
  const {status, match, createdBy, olderThan, empty} = conditions
  const tests: (readonly [flag: string, test: RoomTest])[] = []
  if (status) {
    tests.push([`--status ${status.join(',')}`, (room) => status.includes(room.room_status ?? '')])
  }
  if (match !== undefined) {
    const glob = compileGlob(match)
    tests.push([`--match ${match}`, (room) => typeof room.name === 'string' && glob(room.name)])
  }
  if (createdBy !== undefined) tests.push([`--created-by ${createdBy}`, (room) => room.created_by === createdBy])
  if (olderThan) {
    // A room without an age compares as NaN, which is never more.
    const age = (room: RoomSummary, now: Date) =>
      now.getTime() - (utcMoment(beginningOf(room))?.getTime() ?? Number.NaN)
    tests.push([`--older-than ${olderThan.text}`, (room, now) => age(room, now) > olderThan.ms])
  }
  if (empty) tests.push(['--empty', (room, _now, present = 0) => openStates.has(room.room_status) && present === 0])
  if (tests.length === 0) return undefined
  const needsDetail = empty === true
  const misfit: RoomFilter['misfit'] = (room, now, present) => tests.find(([, test]) => !test(room, now, present))?.[0]
  const decides = (row: RoomSummary, now: Date) =>
    misfit(row, now) !== undefined ? false : needsDetail ? undefined : true
  return {needsDetail, decides, misfit}
}
