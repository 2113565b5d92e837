import type {RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {exactJson} from '../../text/json.js'
import {dueRooms} from './watchReaders.js'

type Count = RoomDetail['attendee_count']

/** The details that a watched list has read of its rooms, so that a poll stays within its budget. */
export class ListMemory {
  readonly #known = new Map<string, {readonly row: string; readonly at: number; readonly count: Count}>()
  /** When the oldest reading began that the last look shows, in milliseconds; undefined if it read all rooms. */
  shownSince: number | undefined

  constructor(
    readonly distanceMs: number,
    private readonly callsPerLook: number,
  ) {}

  /** Rooms whose row changed, then within the budget the least recently read. */
  due(rooms: readonly RoomSummary[]): (room: RoomSummary) => boolean {
    const same = new Set(rooms.filter((room) => this.#known.get(room.room_id)?.row === exactJson(room)))
    const readAt = (id: string) => this.#known.get(id)?.at ?? 0
    const left = this.callsPerLook - 1 - (rooms.length - same.size)
    const ids = [...same].map((room) => room.room_id)
    const isDue = dueRooms(ids, readAt, left)
    const kept = [...same].filter((room) => !isDue(room.room_id)).map((room) => readAt(room.room_id))
    this.shownSince = kept.length === 0 ? undefined : kept.reduce((least, at) => Math.min(least, at))
    return (room) => !same.has(room) || isDue(room.room_id)
  }

  countOf({room_id: id}: RoomSummary): Count {
    return this.#known.get(id)?.count
  }

  keep(room: RoomSummary, {at, attendee_count: count}: {readonly at: number; readonly attendee_count: Count}): void {
    this.#known.set(room.room_id, {row: exactJson(room), at, count})
  }
}
