import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith} from '../../failure.js'
import {someOf} from '../../text/text.js'
import type {Rooms, WatchedRoom} from './watchReaders.js'

/** More rooms than this make a sentence unreadable. */
const roomsShown = 5

export interface UntilStatus {
  /** The named rooms; empty: those of the list. */
  readonly ids: readonly string[]
  /** The watch ends once each room has one of these states. */
  readonly states?: readonly string[] | undefined
}

/** Whether all rooms have the state, of which there must be one. */
export function isUntilMet(states: readonly string[], rooms: Rooms): boolean {
  return rooms.size > 0 && others(states, rooms).length === 0
}

/** Throws Failure (missing) if missing rooms leave nothing to watch, or can never have the state. */
export function checkFirst({warn}: Session, {ids, states}: UntilStatus, rooms: Rooms): void {
  const missing = ids.filter((id) => !rooms.has(id))
  if (missing.length === 0) return
  const message = `${named(missing)} ${missing.length === 1 ? 'does' : 'do'} not exist`
  if (states || rooms.size === 0) throw missingFailure(message)
  warn(`warning: ${message}; still watching for changes`)
}

/** Failure (missing, waited) for a named room that is gone or ENDED, which is final (room, States), and so never has the state. */
export function impossibility({ids, states}: UntilStatus, rooms: Rooms): Failure | undefined {
  if (!states) return undefined
  const ended = ids.filter((id) => {
    const room = rooms.get(id)
    return room?.row.room_status === 'ENDED' && !room.unread && !states.includes('ENDED')
  })
  if (ended.length > 0) {
    return failureWith('waited', `${named(ended)} can no longer be ${states.join(' or ')}`, {
      why: `${ended.length === 1 ? 'it is' : 'they are'} ENDED, which is final`,
      try: {command: ['room list', '--status', 'meeting']},
    })
  }
  const missing = ids.filter((id) => !rooms.has(id))
  return missing.length > 0 ? missingFailure(`${named(missing)} disappeared before the watch ended`) : undefined
}

function missingFailure(message: string): Failure {
  return failureWith('missing', message, {code: 'CE002', try: {command: ['room list']}})
}

/** The rooms without the state; also those that were not read, whose state may be another by now. */
function others(states: readonly string[], rooms: Rooms): WatchedRoom[] {
  return Array.from(rooms.values()).filter(({row, unread}) => unread || !states.includes(row.room_status ?? ''))
}

export function whyNot(states: readonly string[], rooms: Rooms): string {
  if (rooms.size === 0) return 'no rooms to watch'
  const other = others(states, rooms).map(({row}) => `${row.room_id} is ${row.room_status ?? 'of unknown state'}`)
  return someOf(other, roomsShown)
}

function named(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'room' : 'rooms'} ${ids.join(', ')}`
}
