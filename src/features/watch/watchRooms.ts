import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {formatDuration} from '../../selection/quantity.js'
import type {Selector} from '../../selection/selector/selector.js'
import {jsonLine} from '../../view/format/json.js'
import {watchLine} from '../../view/room/changes.js'
import {differences, sightings} from './differences.js'
import type {WatchEvent} from './event.js'
import {describeEvent} from './event.js'
import {outageNotes, type PollResult, poll, secondOf} from './poll.js'
import type {LimitedSession} from './timeLimitedSession.js'
import {checkFirst, checkGone, isUntilMet, untilTimedOut} from './untilCondition.js'
import type {Rooms} from './watchedRoom.js'
import {listedRooms, namedRooms, type WatchReader} from './watchReaders.js'

export interface RoomWatch {
  /** The rooms that were named; none: those of the list that `where` chooses. */
  readonly ids: readonly string[]
  readonly where?: Selector | undefined
  readonly until?: Selector | undefined
  readonly intervalMs: number
  /** Whether the rooms are told of as they are at first. */
  readonly initial: boolean
}

/**
 * Writes what happens to rooms to stdout, a line for each event, until `until` holds for all of them, the named ones are gone,
 * nobody reads any more, or the session ends. Raises a Failure (waited) when its time runs out before `until` holds, a Failure
 * (missing) for a named room that can never make it hold, and what does not pass by itself.
 */
export async function watchRooms({session, ranOut}: LimitedSession, watch: RoomWatch): Promise<void> {
  const {runtime} = session
  const {ids, until, intervalMs} = watch
  const read = readerOf(session, watch)
  let rooms: Rooms | undefined
  let over = false
  try {
    const first = await read()
    rooms = first.rooms
    checkFirst(session, watch, rooms)
    session.progress(`watching ${amount(rooms, ids)} every ${formatDuration(intervalMs)}`)
    if (watch.initial) await tell(session, sightings(rooms))
    over = isOver(rooms)
    if (!over) await poll(session, {intervalMs, look, ...outageNotes(session)})
  } catch (error) {
    if (!isInterruption(error, runtime.signal)) throw error
  }
  if (over && !runtime.stdout.closed) checkGone(watch, rooms)
  if (over) return
  if (!ranOut()) session.endWith('interrupted')
  else if (until) throw untilTimedOut(until, rooms, runtime.now())

  async function look(): Promise<PollResult> {
    const {rooms: after, trouble} = await read(rooms)
    const events = differences(rooms ?? after, after)
    rooms = after
    await tell(session, events)
    over = isOver(after)
    return {isLast: over, trouble}
  }

  function isOver(seen: Rooms): boolean {
    const gone = ids.filter((id) => !seen.has(id)).length
    const isPointless = ids.length > 0 && (until ? gone > 0 : gone === ids.length)
    return isPointless || runtime.stdout.closed || (until !== undefined && isUntilMet(until, seen, runtime.now()))
  }
}

function readerOf(session: Session, {ids, where, until}: RoomWatch): WatchReader {
  return ids.length > 0 ? namedRooms(session, ids) : listedRooms(session, {where, until})
}

function amount({size}: Rooms, ids: readonly string[]): string {
  if (ids.length === 1) return `room ${ids[0]}`
  return size === 1 ? '1 room' : `${size} rooms`
}

async function tell({runtime, output, view}: Session, events: readonly WatchEvent[]): Promise<void> {
  const at = secondOf(runtime.now())
  const line = (event: WatchEvent) =>
    output.format === 'ndjson' ? jsonLine({at, ...event}) : watchLine(at, event.room_id, describeEvent(event), view)
  await runtime.stdout.write(events.map(line).join(''))
}

function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Failure && error.facts.exit === 'interrupted'
}
