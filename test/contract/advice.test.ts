import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Code} from '../../src/api/contract/codes.js'
import {operationById} from '../../src/api/contract/operations.js'
import {newWorld, type Room} from '../../src/sandbox/world/world.js'
import {instead, isChange, refusal} from '../commands/answers.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

const states = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const

const lines = {
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
const ids = Object.keys(lines) as (keyof typeof lines)[]
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

const cells = ids.flatMap((id) =>
  [...common, ...(operationById(id)?.fails ?? [])].flatMap((code) => states.map((state) => [id, code, state] as const)),
)

interface Advised {
  readonly advice: string
  readonly stderr: string
  readonly run: (line: string) => Promise<number>
}

/** How a change is refused with a code in a room of that state, and a way to run what is advised in the same world. */
async function advised(
  id: keyof typeof lines,
  code: Code,
  state: Room['room_status'],
  isPublic = true,
): Promise<Advised> {
  const store = memoryStore({...newWorld(), rooms: [roomIn(state, isPublic)]})
  const transport = await instead(isChange, [() => refusal(code)], {store})
  const {stderr} = await cli(lines[id], {transport})
  const advice = /\n {2}try: (.*)\n$/u.exec(stderr)?.[1] ?? ''
  if (code === 'T001') {
    await store.change((world) => {
      for (const attendee of world.rooms[0]?.attendees ?? []) attendee.isBlocked ||= attendee.user_id === 'olga'
    })
  }
  return {advice, stderr, run: async (line) => (await cli(line, {store})).exit}
}

/** A line as a person runs it: with a value for each placeholder, and confirmed. */
function typed(advice: string): string {
  const line = advice.replace(/^roomctl /u, '').replace('NUMBER', '12')
  return /^(?:room (?:end|delete)|attendee block|room delegate)/u.test(line) ? `${line} --yes` : line
}

describe('the advice of a refusal, in the state that is read', () => {
  test('is a command that works there, or a sentence that names no command first', () =>
    everyCase(cells, async (id, code, state) => {
      const {advice, stderr, run} = await advised(id, code, state)
      expect(advice, stderr).toMatch(/\S/u)
      expect(advice).not.toMatch(/\{\w+\}|undefined|null/u)
      if (advice.startsWith('roomctl ')) expect([advice, await run(typed(advice))]).toEqual([advice, 0])
    }))

  test('does not name a state that the room is not in', () =>
    everyCase(cells, async (id, code, state) => {
      const {stderr} = await advised(id, code, state)
      const why = /\n {2}why: (.*)\n/u.exec(stderr)?.[1] ?? ''
      if (state !== 'ENDED') expect([stderr, why]).toEqual([stderr, expect.not.stringMatching(/is ENDED/u)])
    }))

  test.each<[keyof typeof lines, Code, (typeof states)[number], RegExp]>([
    ['room.delete', 'D001', 'RESERVED', /why: the room is RESERVED now, which allows it; .*\n {2}try: wait a moment/u],
    ['record.start', 'RE001', 'ENDED', /\n {2}try: roomctl room create NAME --created-by USER\n/u],
    ['record.start', 'RE001', 'MEETING', /why: a recording is already running\n {2}try: roomctl record stop r-1\n/u],
    ['record.stop', 'RE001', 'MEETING', /why: no recording is running\n/u],
    ['attendee.token', 'CE001', 'MEETING', /why: 1 of 9 present; that may have just changed\n/u],
  ])('%s refused with %s in %s', async (id, code, state, text) => {
    expect((await advised(id, code, state)).stderr).toMatch(text)
  })
})

test('a read that is refused advises no flag of changes', async () => {
  for (const line of ['room list', 'room show r-1', 'attendee list r-1', 'record list r-1']) {
    const transport = await instead(() => true, [() => refusal('CE001')])
    const {stderr} = await cli(line, {transport})
    expect(stderr).toContain('\n  try: run the command again with --debug to see the request\n')
    expect((await cli(`${line} --debug`)).exit).not.toBe(2)
  }
})
