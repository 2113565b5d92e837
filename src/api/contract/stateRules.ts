import * as appConfig from './appConfig.js'
import * as attendee from './attendee.js'
import * as record from './record.js'
import * as room from './room.js'
import * as roomChanges from './roomChanges.js'
import {sendData} from './sendData.js'
import type {StateRule} from './states.js'

export const roomOperations = [
  roomChanges.createRoom,
  room.listRooms,
  room.getRoom,
  roomChanges.updateRoom,
  attendee.listAttendees,
  attendee.add,
  attendee.token,
  attendee.block,
  attendee.restore,
  roomChanges.remove,
  roomChanges.end,
  roomChanges.presenter,
  roomChanges.delegate,
  record.start,
  record.stop,
  record.listRecordings,
  sendData,
  roomChanges.adminUpdate,
  appConfig.createConfiguration,
  appConfig.updateConfiguration,
] as const

/** The operations that a room's state allows or refuses (room, Operation validity by state). */
export type StatefulOperation = Exclude<(typeof roomOperations)[number], {states: 'any'}>['id']

const topics = ['room', 'attendee', 'record']

/** Sorted by topic. */
export const stateRules = Object.fromEntries(
  topics.flatMap((topic) =>
    roomOperations.flatMap(({id, requester, source, states}) =>
      states === 'any' || !id.startsWith(`${topic}.`) ? [] : [[id, {...states, who: requester, source}]],
    ),
  ),
) as Readonly<Record<StatefulOperation, StateRule>>

/** Undefined if a room's state plays no part. */
export function stateRule(id: string): StateRule | undefined {
  return Object.hasOwn(stateRules, id) ? stateRules[id as StatefulOperation] : undefined
}
