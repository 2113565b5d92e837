import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {formatDuration} from '../../selection/quantity.js'
import type {Selector} from '../../selection/selector/selector.js'
import {shortly} from '../../text/text.js'
import {jsonLine} from '../../view/format/json.js'
import {watchLine} from '../../view/room/changes.js'
import type {CallBudget} from './callBudget.js'
import {differences, gapOf, sightings} from './differences.js'
import {describeEvent, secondOf, type WatchEvent} from './event.js'
import {outageNotes, type PollResult, poll} from './poll.js'
import {Sight} from './sight.js'
import type {LimitedSession} from './timeLimitedSession.js'
import {checkFirst, checkGone, isUntilMet, lostSight, neverSeen, untilTimedOut} from './untilCondition.js'
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
  readonly budget?: CallBudget | undefined
}

/**
 * Writes what happens to rooms to stdout, a line for each event, until `until` holds for all of them, the named ones are gone,
 * nobody reads any more, or the session ends. Raises a Failure (waited) when its time runs out before `until` holds, (temporary)
 * when that happens while the service cannot be seen, (network) when it never was, a Failure (missing) for a named room that can
 * never make it hold, and what does not pass by itself.
 */
export async function watchRooms({session, ranOut}: LimitedSession, watch: RoomWatch): Promise<void> {
  const {runtime} = session
  const {ids, until, intervalMs, budget} = watch
  const read = readerOf(session, watch)
  const sight = new Sight(() => runtime.now().getTime())
  let rooms: Rooms | undefined
  let over = false
  try {
    const first = await sight.during(() => read())
    rooms = first.rooms
    budget?.takeSpent()
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
  const failure = await tellEnd(session, watch, sight, rooms)
  if (!ranOut()) session.endWith('interrupted')
  else if (failure) throw failure

  async function look(): Promise<PollResult> {
    const {seen: looked, trouble: before} = sight
    const {rooms: after, trouble} = await sight.during(() => read(rooms))
    const gap = before ? [gapFrom(looked, before)] : []
    const events = differences(rooms ?? after, after, looked)
    rooms = after
    await tell(session, [...gap, ...events])
    over = isOver(after)
    return {isLast: over, trouble, budgetMs: budget?.takeSpent()}
  }

  function isOver(seen: Rooms): boolean {
    const gone = ids.filter((id) => !seen.has(id)).length
    const isPointless = ids.length > 0 && (until ? gone > 0 : gone === ids.length)
    return isPointless || runtime.stdout.closed || (until !== undefined && isUntilMet(until, seen, runtime.now()))
  }
}

/** Tells the gap in which a watch ends, where it does, and gives back the Failure of one whose time ran out before it was done. */
async function tellEnd(
  session: Session,
  {until, intervalMs}: RoomWatch,
  sight: Sight,
  rooms: Rooms | undefined,
): Promise<Failure | undefined> {
  if (!rooms) return neverSeen()
  const trouble = sight.lost(intervalMs)
  await tell(session, trouble ? [gapFrom(sight.seen, trouble)] : unreadRooms(rooms))
  if (trouble) return lostSight(trouble)
  return until && untilTimedOut(until, rooms, session.runtime.now())
}

function gapFrom(after: number, {facts}: Failure): WatchEvent {
  return {event: 'gap', after, room_id: null, name: null, why: facts.message}
}

/** The gaps of the rooms that could not be read at the end. */
function unreadRooms(rooms: Rooms): WatchEvent[] {
  return Array.from(rooms.values()).flatMap((room) => (room.unread ? [gapOf(room, room.unread)] : []))
}

function readerOf(session: Session, {ids, where, until, budget, intervalMs}: RoomWatch): WatchReader {
  // A condition that is to hold for all of them at once asks for a look at all of them, however long it takes.
  const isWhole = budget === undefined || (until !== undefined && ids.length > 0)
  const callsPerLook = isWhole ? Number.POSITIVE_INFINITY : Math.floor(intervalMs / budget.distanceMs)
  const reading = {session, budget, callsPerLook}
  return ids.length > 0 ? namedRooms(reading, ids) : listedRooms(reading, {where, until})
}

function amount({size}: Rooms, ids: readonly string[]): string {
  if (ids.length === 1) return `room ${ids[0]}`
  return size === 1 ? '1 room' : `${size} rooms`
}

/** `at` is rounded up and `after` down: what happened did so between the two. */
async function tell({runtime, output, view, secrets}: Session, events: readonly WatchEvent[]): Promise<void> {
  const at = secondOf(Math.ceil(runtime.now().getTime() / 1000) * 1000)
  const arrow = view.plain ? 'to' : '→'
  const line = (event: WatchEvent) => {
    if (output.format === 'ndjson') return jsonLine({at, ...event, after: secondOf(event.after)})
    const room = event.room_id ?? 'all rooms'
    if (!runtime.stdout.isTerminal || !event.name) return watchLine(at, room, describeEvent(event, arrow), view)
    return watchLine(at, `${room} "${shortly(event.name)}"`, describeEvent({...event, name: null}, arrow), view)
  }
  const shown = events.map((event) => (event.event === 'gap' ? {...event, why: secrets.mask(event.why)} : event))
  await runtime.stdout.write(shown.map(line).join(''))
}

function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Failure && error.facts.exit === 'interrupted'
}
