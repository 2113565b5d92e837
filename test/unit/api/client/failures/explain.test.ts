import {describe, expect, test} from 'vitest'
import type {Api} from '../../../../../src/api/client/api.js'
import * as attendee from '../../../../../src/api/contract/attendee.js'
import type {OperationId} from '../../../../../src/api/contract/operations.js'
import {createRoom, updateRoom} from '../../../../../src/api/contract/roomChanges.js'
import {sendData} from '../../../../../src/api/contract/sendData.js'
import {documented, witness} from '../../../../contract/witness.js'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaks, noRoom, refusal, room, type Step, stage, success} from '../stage.js'
import {ann, explanations, listed, meeting, present} from './explanationRows.js'

/** The end of a call that is refused with a code, with the reads that explain it. */
async function explained(call: (api: Api) => Promise<unknown>, code: string, ...reading: Step[]) {
  const {api, sent} = stage([refusal(code, 'because'), ...reading], {retries: 0})
  const {facts} = await failureOf(call(api))
  return {...facts, read: sent.slice(1)}
}

/** Nothing but a full room explains it. */
function isOnlyForFull(id: OperationId, code: string): boolean {
  return id === 'attendee.token' && code === 'CE001'
}

/** The rows of the error table with these codes (room, Errors), by operation. */
const rows = witness.operationErrors
  .filter(([, code]) => code === 'CE001' || code === 'CE002')
  .map(([title, code]) => [witness.operations.find((one) => one.title === title)?.id as OperationId, code] as const)

/** Only the call itself explains these: the document has one meaning, and no room shows more of it. */
const explainedByCall = ['room.create CE001', 'record.start CE001', 'record.stop CE001']

const noSuchRoom = 'room r-1 does not exist: the id is wrong, it was deleted, or it belongs to another application'
describe('which reading of a code applies', () => {
  test.each(explanations)('%s %s, %s', async (id, code, _, reading, why, advice) => {
    const facts = await explained(calls[id], code, reading)
    expect(facts.why).toBe(why)
    if (advice !== undefined) expect(facts.try).toBe(advice)
    expect(facts).toMatchObject({code, message: expect.stringMatching(/: because$/), outcome: 'none'})
    expect(facts.read).toEqual(['GET /media/v1/rooms/r-1'])
  })

  const looked = rows.filter(([id, code]) => !explainedByCall.includes(`${id} ${code}`))
  const asked = [
    ...new Map([...explanations, ...looked].map(([id, code]) => [`${id} ${code}`, [id, code] as const])).values(),
  ]

  test('says that a missing room does not exist', () =>
    everyCase(asked, async (id, code) => {
      const facts = await explained(calls[id], code, noRoom)
      expect(facts).toMatchObject({why: noSuchRoom, try: 'roomctl room list', read: ['GET /media/v1/rooms/r-1']})
    }))

  test('keeps its general reason if the room cannot be read', () =>
    everyCase(asked, async (id, code) => {
      const plain = await explained(calls[id], code, breaks('refused', 'no'))
      const broken = await explained(calls[id], code, answer(200, '<html>'))
      expect(plain).toMatchObject({code, message: expect.stringMatching(/: because$/)})
      expect(plain.why === undefined).toBe(isOnlyForFull(id, code))
      expect(broken.why).toBe(plain.why)
    }))

  test('reads the attendees where the detail has none, and nothing more', () =>
    everyCase(asked, async (id, code) => {
      const bare = room({room_status: 'MEETING', max_attendee_count: 9})
      expect((await explained(calls[id], code, bare, success([]))).read).toEqual([
        'GET /media/v1/rooms/r-1',
        'GET /media/v1/rooms/r-1/attendees',
      ])
      expect((await explained(calls[id], code, bare, refusal('CE101'))).message).toMatch(/: because$/)
    }))
})

describe('a value that an update or a creation did not give', () => {
  const update = (body: object) => (api: Api) =>
    api.call(updateRoom, {path: {roomId: 'r-1'}, body: {requester_id: 'ann', ...body}})
  const unset = {host_selection_type: 'CREATOR', is_elect_host: true, is_joinable: true} as const
  const end = {reserved_end_time: '2026-12-01T09:00:00Z'}

  test('is not explained', async () => {
    const renamed = await explained(update({name: ''}), 'CE001')
    expect(renamed.why).toBe('the service refused a value of the request; its message names the problem')
    const body = {name: 'Weekly', created_by: 'ann', attendees: ['ann'], ...unset}
    const created = await explained((api) => api.call(createRoom, {body}), 'CE001')
    for (const {why, try: advice} of [renamed, created]) expect(`${why} ${advice}`).not.toMatch(/--max|creator| -a/u)
  })

  test('counts if a given time conflicts with the other time of the room', async () => {
    const start = {reserved_start_time: '2026-12-01T10:00:00Z'}
    const facts = await explained(update(end), 'CE001', room({...start, attendees: []}))
    expect(facts.why).toBe(
      'the reservation would end at 2026-12-01T09:00:00Z, not after its start at 2026-12-01T10:00:00Z',
    )
    expect(facts.try).toContain('--end')
  })
})

describe('every CE001 and CE002 of the document', () => {
  test('is explained by a read, or has one meaning', () =>
    everyCase(rows, async (id, code) => {
      const {read, why} = await explained(calls[id], code, meeting({ann, ben: present}))
      expect(read).toHaveLength(explainedByCall.includes(`${id} ${code}`) ? 0 : 1)
      expect(why ?? 'no seat is left').toMatch(/^\S.*[^.]$/u)
      expect(why === undefined).toBe(isOnlyForFull(id, code))
    }))

  test('makes two calls at most, and none that changes anything', () =>
    everyCase(
      documented.flatMap(([id]) => ['CE001', 'CE002'].map((code) => [id, code] as const)),
      async (id, code) => {
        const {read} = await explained(calls[id as OperationId], code, room(), success([]))
        expect(read.length).toBeLessThanOrEqual(2)
        expect(read.filter((line) => !line.startsWith('GET '))).toEqual([])
      },
    ))
})

describe('a refusal that the values of the call explain without a read', () => {
  const base = {
    name: 'Weekly',
    created_by: 'ann',
    host_selection_type: 'FIRST_ENTER_USER',
    is_elect_host: true,
    is_joinable: true,
  } as const

  test.each([
    [
      {host_selection_type: 'CREATOR', attendees: ['ben']},
      'under --host creator the creator must be among the attendees, and ann is not',
      'add the creator with -a',
    ],
    [
      {is_public: false},
      'in a private room the creator must be among the attendees, and ann is not',
      'add the creator with -a',
    ],
    [
      {attendees: ['ann', 'ben'], max_attendee_count: 1},
      'there are 2 attendees, and max_attendee_count is 1',
      'raise --max',
    ],
    [
      {reserved_start_time: '2026-12-01T09:00:00Z', reserved_end_time: '2026-12-01T17:00:00+09:00'},
      'the reservation would end at 2026-12-01T17:00:00+09:00, not after its start at 2026-12-01T09:00:00Z',
      'give a later --end',
    ],
  ])('a creation with %j', async (fields, why, advice) => {
    const facts = await explained((api) => api.call(createRoom, {body: {...base, ...(fields as object)}}), 'CE001')
    expect(facts).toMatchObject({why, try: advice, read: []})
  })
})

test('a success reads nothing', async () => {
  const {api, sent} = stage([success()])
  await calls['attendee.block'](api)
  expect(sent).toHaveLength(1)
})

test.each([
  ["o'neil; x", "'o'\\''neil; x'"],
  ['{roomId}', "'{roomId}'"],
])('the name %s is in the advice as it is, quoted for the shell', async (userId, word) => {
  const token = (api: Api) => api.call(attendee.token, {path: {roomId: 'r-1', userId}, body: {}})
  const facts = await explained(token, 'T001', meeting({ann}, {is_public: false}))
  expect(facts.try).toBe(`roomctl attendee add r-1 ${word}`)
  const listed = await explained(token, 'CE002', meeting({ann}))
  expect(listed.try).toBe(`roomctl attendee add r-1 ${word}`)
})

test('the recipients of data are looked up, too', async () => {
  const call = (api: Api) =>
    api.call(sendData, {path: {roomId: 'r-1'}, body: {from: 'ann', to: ['ben', 'zoe'], data: 'x'}})
  const facts = await explained(call, 'CE001', meeting({ann, ben: listed}))
  expect(facts.why).toBe('the room exists; zoe is not on its attendee list')
})
