import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import type {Selector} from '../../selection/selector/selector.js'
import {type Rooms, subjectOf, type WatchedRoom} from './watchedRoom.js'

/** More rooms than this make a sentence unreadable. */
const roomsShown = 5

/** An id that neither a shell nor a selector takes apart. */
const plainId = /^[\w.:-]+$/u

/**
 * Whether the condition holds for all rooms, of which there is one at least: of none it would hold by a slip of the pen. It
 * cannot hold for a room that was not read.
 */
export function isUntilMet(until: Selector, rooms: Rooms, now: Date): boolean {
  const unread = Array.from(rooms.values()).some((room) => room.unread)
  return rooms.size > 0 && !unread && failing(until, rooms, now).length === 0
}

/** The end of a watch whose time ran out; `rooms` as they were last seen. */
export function untilTimedOut(until: Selector, rooms: Rooms, now: Date): Failure {
  return new Failure({
    exit: 'waited',
    message: '--timeout expired before --until was true',
    why: whyNot(failing(until, rooms, now)),
    try: 'use a longer --timeout, or none',
  })
}

/** The end of a watch whose time ran out while the service did not answer; `trouble`: the last that was seen of it. */
export function lostSight(trouble: Failure): Failure {
  return new Failure({
    exit: 'temporary',
    code: 'unseen',
    message: 'the watch ended during an outage of the service',
    why: trouble.facts.message,
    try: 'roomctl doctor checks the service; the gap event says since when nothing was seen',
    retryable: true,
  })
}

/** The end of a watch whose time ran out before the first answer. */
export function neverSeen(): Failure {
  return new Failure({
    exit: 'network',
    code: 'unseen',
    message: '--timeout expired before the service was reached',
    try: 'use a longer --timeout; roomctl doctor checks the service',
    retryable: true,
  })
}

/**
 * Says at the beginning which of the named rooms do not exist. Raises a Failure (missing) where that leaves nothing to watch, or
 * a condition that can never hold.
 */
export function checkFirst({warn}: Session, {ids, until}: Named, rooms: Rooms): void {
  const missing = ids.filter((id) => !rooms.has(id))
  if (missing.length === 0) return
  const message = `${named(missing)} ${missing.length === 1 ? 'does' : 'do'} not exist`
  const [id] = missing
  if (until || rooms.size === 0) throw missingFailure(message, id)
  warn(`warning: ${message}; still watching for changes`)
}

/** Raises a Failure (missing) when a room that went keeps the condition from ever holding. */
export function checkGone({ids, until}: Named, rooms: Rooms | undefined): void {
  const missing = ids.filter((id) => !rooms?.has(id))
  if (until && missing.length > 0) throw missingFailure(`${named(missing)} disappeared before --until was true`)
}

interface Named {
  readonly ids: readonly string[]
  readonly until?: Selector | undefined
}

/** `awaited`: a room that may still be to come. */
function missingFailure(message: string, awaited?: string): Failure {
  const wait = awaited !== undefined && plainId.test(awaited) ? `; use --where id=${awaited} to wait for it` : ''
  return new Failure({exit: 'missing', code: 'CE002', message, try: `roomctl room list shows all rooms${wait}`})
}

function failing(until: Selector, rooms: Rooms, now: Date): WatchedRoom[] {
  return Array.from(rooms.values()).filter((room) => !until.matches(subjectOf(room), now))
}

function whyNot(rooms: readonly WatchedRoom[]): string {
  if (rooms.length === 0) return 'no rooms to watch'
  const shown = rooms.slice(0, roomsShown).map(({row}) => `${row.room_id} is ${row.room_status ?? 'of unknown state'}`)
  const more = rooms.length - shown.length
  return more > 0 ? `${shown.join(', ')}, and ${more} more` : shown.join(', ')
}

function named(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'room' : 'rooms'} ${ids.join(', ')}`
}
