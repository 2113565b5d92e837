import {memoryStore} from '../../scripts/memoryStore.js'
import type {Code} from '../../src/api/contract/codes.js'
import {operationById} from '../../src/api/contract/operations.js'
import {newWorld, type Room} from '../../src/sandbox/world/world.js'
import {instead, isChange, refusal} from '../commands/answers.js'
import {cli} from '../support/cli.js'

export const states = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const

export const changes = {
  'room.update': 'room update r-1 --name Weekly',
  'room.delete': 'room delete r-1 --yes',
  'room.end': 'room end r-1 --yes',
  'room.delegate': 'room delegate r-1 dora --yes',
  'room.presenter': 'room presenter r-1 dora',
  'room.send': 'room send r-1 hello --from olga',
  'attendee.add': 'attendee add r-1 zoe',
  'attendee.token': 'attendee token r-1 olga',
  'attendee.block': 'attendee block r-1 dora --yes',
  'attendee.restore': 'attendee restore r-1 bob',
  'record.start': 'record start r-1',
  'record.stop': 'record stop r-1',
} as const
const ids = Object.keys(changes) as (keyof typeof changes)[]
const common = ['CE001', 'CE002', 'CE003'] as const

/** A room of cara, its host, with olga, dora, who is present in a meeting, and bob, who is blocked. */
function roomIn(room_status: Room['room_status'], isPublic: boolean): Room {
  const isMet = room_status !== 'RESERVED'
  const isMeeting = room_status === 'MEETING'
  const people = ['cara', 'olga', 'dora', 'bob'].map((user_id) => ({
    user_id,
    is_host: user_id === 'cara',
    is_present: isMeeting && user_id === 'dora',
    is_reserved: true,
    is_invited: false,
    isBlocked: isMet && user_id === 'bob',
    entered: isMet ? 1 : 0,
  }))
  return {
    room_id: 'r-1',
    name: 'Standup',
    created_by: 'cara',
    createdAt: '2026-12-01T09:00:00Z',
    host_selection_type: 'CREATOR',
    is_elect_host: true,
    room_status,
    description: '',
    reserved_start_time: '2026-12-01T09:00:00Z',
    ...(isMet ? {start_time: '2026-12-01T09:00:00Z'} : {}),
    max_attendee_count: 9,
    is_public: isPublic,
    is_joinable: true,
    attendees: people,
    files: [],
    // A refused start in a meeting is one while a recording runs.
    ...(isMeeting ? {recording: {layout: 'GRID', startedAt: '2026-12-01T10:00:00Z'}} : {}),
  }
}

export const cells = ids.flatMap((id) =>
  [...common, ...(operationById(id)?.fails ?? [])].flatMap((code) => states.map((state) => [id, code, state] as const)),
)

interface Advised {
  readonly advice: string
  readonly stderr: string
  readonly run: (line: string) => Promise<number>
}

/** How a change is refused with a code in a room of that state, and a way to run the advice in the same world. */
export async function advised(
  id: keyof typeof changes,
  code: Code,
  state: Room['room_status'],
  isPublic = true,
): Promise<Advised> {
  const store = memoryStore({...newWorld(), rooms: [roomIn(state, isPublic)]})
  const transport = await instead(isChange, [() => refusal(code)], {store})
  const {stderr} = await cli(changes[id], {transport})
  const advice = /\n {2}try: (.*)\n$/u.exec(stderr)?.[1] ?? ''
  if (code === 'T001') {
    await store.change((world) => {
      for (const attendee of world.rooms[0]?.attendees ?? []) attendee.isBlocked ||= attendee.user_id === 'olga'
    })
  }
  return {advice, stderr, run: async (line) => (await cli(line, {store})).exit}
}

/** A line as a person runs it: with a value for each placeholder, and confirmed. */
export function confirmed(advice: string): string {
  const line = advice.replace(/^roomctl /u, '')
  return /^(?:room (?:end|delete)|attendee block|room delegate)/u.test(line) ? `${line} --yes` : line
}
