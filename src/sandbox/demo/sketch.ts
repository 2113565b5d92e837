import {newAttendee} from '../room/people.js'
import {utc} from '../room/time.js'
import type {Attendee, Room} from '../world/world.js'

/** What somebody is in a room, in words: `host`, `present`, `invited`, `blocked`, `visitor`; reserved unless invited or a visitor. */
type People = Readonly<Record<string, string>>

/** A demonstration room, in short. Times are milliseconds from now, negative in the past. */
export interface Sketch {
  readonly name: string
  readonly people: People
  readonly created: number
  readonly by?: string
  readonly reserved?: readonly [start: number, end: number]
  readonly started?: number
  readonly ended?: number
  readonly room?: Partial<Room>
}

function attendeesOf(people: People): Attendee[] {
  return Object.entries(people).map(([userId, words], index) => {
    const is = (word: string) => words.split(' ').includes(word)
    return newAttendee(userId, {
      isHost: is('host'),
      isPresent: is('present'),
      isInvited: is('invited'),
      isBlocked: is('blocked'),
      isReserved: !is('invited') && !is('visitor'),
      entered: is('present') || is('blocked') ? index + 1 : 0,
    })
  })
}

function statusOf({started, ended, people}: Sketch): Room['status'] {
  if (ended !== undefined) return 'ENDED'
  if (started === undefined) return 'RESERVED'
  return Object.values(people).some((words) => words.includes('present')) ? 'MEETING' : 'IDLE'
}

/** The room that a sketch stands for, with times relative to `now`, in whole seconds. */
export function roomOf(id: string, sketch: Sketch, now: Date): Room {
  const at = (ms: number) => utc(new Date(Math.floor((now.getTime() + ms) / 1000) * 1000))
  const {name, people, created, reserved, started, ended} = sketch
  return {
    id,
    name,
    status: statusOf(sketch),
    createdBy: sketch.by ?? 'ann',
    createdAt: at(created),
    hostSelection: 'CREATOR',
    isElectHost: true,
    description: '',
    reservedStart: at(reserved?.[0] ?? created),
    ...(reserved === undefined ? {} : {reservedEnd: at(reserved[1])}),
    ...(started === undefined ? {} : {start: at(started)}),
    ...(ended === undefined ? {} : {end: at(ended)}),
    maxAttendees: 30,
    isPublic: true,
    isJoinable: true,
    attendees: attendeesOf(people),
    files: [],
    ...sketch.room,
  }
}
