import type {RecordingFile} from '../../api/contract/record.js'
import {newAttendee} from '../room/rules.js'
import {type Attendee, type Room, unsetTexts, wholeSecond} from '../world/world.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function recordingPart(roomId: string, part: number, minutes: number): RecordingFile {
  return {
    file_name: `recordings/${roomId}/part-${part}.mp4`,
    file_size: 4096 + minutes * 60 * 250_000,
    duration: minutes * minute * 1_000_000,
  }
}

/** The demonstration: every state, several languages, and one room for each thing worth trying. */
function roomSpecs(now: Date): Readonly<Record<string, DemoRoom>> {
  return {
    'r-retro': {
      name: 'Sprint retro',
      people: {ann: 'host', ben: '', carl: '', dora: ''},
      created: -3 * day,
      reserved: [-2 * day, -2 * day + hour],
      started: -2 * day + 2 * minute,
      ended: -2 * day + 55 * minute,
      room: {
        description: 'What went well, what did not',
        files: [recordingPart('r-retro', 1, 30), recordingPart('r-retro', 2, 17)],
      },
    },
    'r-kickoff': {
      name: '프로젝트 착수 회의',
      people: {김민준: 'host', ann: '', eve: 'invited'},
      by: '김민준',
      created: -2 * day,
      started: -day,
      ended: -day + 40 * minute,
      room: {description: '일정과 역할을 정합니다'},
    },
    'r-test-1': {
      name: 'test-load-1',
      people: {ben: 'host present', 'bot-1': 'present', 'bot-2': 'visitor present'},
      by: 'ben',
      created: -12 * hour,
      started: -11 * hour,
    },
    'r-test-2': {
      name: 'test-load-2',
      people: {ben: 'host', 'bot-1': 'visitor present'},
      by: 'ben',
      created: -10 * hour,
      started: -9 * hour,
    },
    'r-review': {
      name: 'Design review',
      people: {ann: 'host', ben: '', dora: 'invited'},
      created: -6 * hour,
      reserved: [-5 * hour, -4 * hour],
      started: -5 * hour + minute,
    },
    'r-arabic': {
      name: 'اجتماع الفريق',
      people: {carl: 'host', dora: '', ليلى: 'invited'},
      by: 'carl',
      created: -5 * hour,
      reserved: [3 * hour, 4 * hour],
    },
    'r-private': {
      name: 'Salary round',
      people: {ben: 'host', dora: '', carl: 'invited'},
      by: 'ben',
      created: -4 * hour,
      reserved: [2 * hour, 3 * hour],
      room: {is_public: false, max_attendee_count: 5},
    },
    'r-townhall': {
      name: 'Town hall',
      people: {ann: 'host', ben: '', carl: '', dora: '', eve: 'invited'},
      created: -3 * hour,
      reserved: [day, day + hour],
      room: {max_attendee_count: 200, description: 'Everybody is welcome'},
    },
    'r-first': {
      name: 'Open office hour',
      people: {dora: '', ben: ''},
      by: 'dora',
      created: -2 * hour,
      reserved: [30 * minute, 90 * minute],
      room: {host_selection_type: 'FIRST_ENTER_USER'},
    },
    'r-support': {
      name: 'Customer support',
      people: {carl: 'host present', dora: 'present', 'customer-7': 'visitor present'},
      by: 'carl',
      created: -70 * minute,
      started: -65 * minute,
      room: {recording: {layout: 'GRID', startedAt: new Date(now.getTime() - 42 * minute).toISOString()}},
    },
    'r-full': {
      name: 'Interview',
      people: {dora: 'host present', eve: 'present', ben: 'invited present'},
      by: 'dora',
      created: -50 * minute,
      started: -45 * minute,
      room: {max_attendee_count: 3},
    },
    'r-party': {
      name: 'Friday drinks 🎉👩‍💻',
      people: {eve: 'host present', carl: 'present'},
      by: 'eve',
      created: -40 * minute,
      started: -35 * minute,
      room: {is_elect_host: false, description: 'Bring your own 🥤'},
    },
    'r-standup': {
      name: 'Daily standup',
      people: {ann: 'host present', ben: 'present', 김민준: 'present', dora: 'blocked', eve: 'invited'},
      created: -30 * minute,
      reserved: [-25 * minute, 20 * minute],
      started: -24 * minute,
      room: {metadata: JSON.stringify({presenter: {userId: 'ben'}})},
    },
  }
}

/** With times relative to `now`. The ids are fixed: the help's examples use them. */
export function demoRooms(now: Date): Room[] {
  return Object.entries(roomSpecs(now)).map(([id, spec]) => buildRoom(id, spec, now))
}

/** `host`, `present`, `invited`, `blocked`, `visitor`; reserved unless invited or a visitor. */
type People = Readonly<Record<string, string>>

/** Times are milliseconds from now, negative in the past. */
export interface DemoRoom {
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
  return Object.entries(people).map(([userId, traits], index) => {
    const is = (word: string) => traits.split(' ').includes(word)
    return newAttendee(userId, {
      is_host: is('host'),
      is_present: is('present'),
      is_invited: is('invited'),
      isBlocked: is('blocked'),
      is_reserved: !is('invited') && !is('visitor'),
      entered: is('present') || is('blocked') ? index + 1 : 0,
    })
  })
}

function stateOf({started, ended, people}: DemoRoom): Room['room_status'] {
  if (ended !== undefined) return 'ENDED'
  if (started === undefined) return 'RESERVED'
  return Object.values(people).some((traits) => traits.includes('present')) ? 'MEETING' : 'IDLE'
}

export function buildRoom(id: string, spec: DemoRoom, now: Date): Room {
  const at = (ms: number) => wholeSecond(now, ms)
  const {name, people, created, reserved, started, ended} = spec
  return {
    room_id: id,
    name,
    room_status: stateOf(spec),
    reserved_start_time: at(reserved?.[0] ?? created),
    ...(reserved === undefined ? {} : {reserved_end_time: at(reserved[1])}),
    ...(started === undefined ? {} : {start_time: at(started)}),
    ...(ended === undefined ? {} : {end_time: at(ended)}),
    max_attendee_count: 30,
    is_public: true,
    created_by: spec.by ?? 'ann',
    ...unsetTexts,
    is_joinable: true,
    is_elect_host: true,
    host_selection_type: 'CREATOR',
    attendees: attendeesOf(people),
    createdAt: at(created),
    files: [],
    ...spec.room,
  }
}
