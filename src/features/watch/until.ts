import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith} from '../../failure.js'
import type {Selector} from '../../selection/selector/selector.js'
import {someOf} from '../../text/text.js'
import {type Rooms, subjectOf, type WatchedRoom} from './watchReaders.js'

/** More rooms than this make a sentence unreadable. */
const roomsShown = 5

/** An id that neither a shell nor a selector takes apart. */
const plainId = /^[\w.:-]+$/u

/** Whether the condition holds for all rooms, of which there must be one. It cannot hold for a room that was not read. */
export function isUntilMet(until: Selector, rooms: Rooms, now: Date): boolean {
  const unread = Array.from(rooms.values()).some((room) => room.unread)
  return rooms.size > 0 && !unread && failing(until, rooms, now).length === 0
}

/** Throws Failure (missing) if missing rooms leave nothing to watch, or a condition that can never hold. */
export function checkFirst({warn}: Session, {ids, until}: Named, rooms: Rooms): void {
  const missing = ids.filter((id) => !rooms.has(id))
  if (missing.length === 0) return
  const message = `${named(missing)} ${missing.length === 1 ? 'does' : 'do'} not exist`
  const [id] = missing
  if (until || rooms.size === 0) throw missingFailure(message, id)
  warn(`warning: ${message}; still watching for changes`)
}

/**
 * Failure (missing, waited) for a room that went, or has ended, and so keeps the condition from ever holding: nothing of an ENDED room can
 * change (room, States), and no other state is the last. A room of the list may still be deleted, and is watched no longer.
 */
export function impossibility({ids, until}: Named, rooms: Rooms): Failure | undefined {
  if (!until) return undefined
  const ended = ids.filter((id) => {
    const room = rooms.get(id)
    return room?.row.room_status === 'ENDED' && !room.unread && until.settles(subjectOf(room)) === false
  })
  if (ended.length > 0) {
    return failureWith('waited', '--until can no longer be true', {
      why: `${named(ended)} ${ended.length === 1 ? 'is' : 'are'} ENDED, which is final`,
      try: "roomctl room list --where 'status!=ENDED'",
    })
  }
  const missing = ids.filter((id) => !rooms.has(id))
  return missing.length > 0 ? missingFailure(`${named(missing)} disappeared before --until was true`) : undefined
}

/** The named rooms, and the condition. */
interface Named {
  readonly ids: readonly string[]
  readonly until?: Selector | undefined
}

/** `awaited`: a room that may still be to come. */
function missingFailure(message: string, awaited?: string): Failure {
  const wait = awaited !== undefined && plainId.test(awaited) ? `use --where id=${awaited} to wait for it, or: ` : ''
  return failureWith('missing', message, {code: 'CE002', try: `${wait}roomctl room list`})
}

export function failing(until: Selector, rooms: Rooms, now: Date): WatchedRoom[] {
  return Array.from(rooms.values()).filter((room) => !until.matches(subjectOf(room), now))
}

export function whyNot(rooms: readonly WatchedRoom[]): string {
  if (rooms.length === 0) return 'no rooms to watch'
  const states = rooms.map(({row}) => `${row.room_id} is ${row.room_status ?? 'of unknown state'}`)
  return someOf(states, roomsShown)
}

function named(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'room' : 'rooms'} ${ids.join(', ')}`
}
