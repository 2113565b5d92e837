import {expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {type Served, served} from './served.js'
import {codesOf, documentedOf, type InStateTable, states, witness} from './witness.js'

const rooms = '/media/v1/rooms'
const host = {requester_id: 'ann'}

/** One literal request of each operation that the table of states names; `{room}` is the room's path. */
const requests: Readonly<Record<InStateTable, readonly [line: string, body: object]>> = {
  'room.update': ['PATCH /media{room}', {...host, name: 'Weekly', description: 'x', max_attendee_count: 9}],
  'room.delete': ['DELETE {room}', host],
  'room.end': ['POST {room}/end', host],
  'attendee.block': ['POST {room}/block', {...host, attendees: ['ben']}],
  'attendee.restore': ['POST {room}/restore', {...host, attendees: ['carl']}],
  'room.delegate': ['POST {room}/delegate', {...host, user_id: 'ben'}],
  'record.start': ['POST {room}/record', {...host, layout: 'GRID'}],
  'record.stop': ['POST {room}/stop-record', host],
  'attendee.add': ['POST {room}/attendees', {attendees: ['dora']}],
  'attendee.token': ['POST {room}/attendees/ben/token', {}],
}

/** A room of ann and ben in a state; where it has met, carl was in it and is blocked. */
async function roomIn(service: Served, state: string): Promise<string> {
  const room = await service.create({attendees: ['ann', 'ben', 'carl']})
  if (state === 'RESERVED') return `${rooms}/${room}`
  await service.enter(room, 'ann', 'ben', 'carl')
  await service.send(`POST ${rooms}/${room}/block`, {...host, attendees: ['carl']})
  if (state === 'IDLE') await service.leave(room, 'ben', 'ann')
  if (state === 'ENDED') await service.send(`POST ${rooms}/${room}/end`, host)
  return `${rooms}/${room}`
}

const cells = witness.validity.flatMap((row) => states.map((state) => [row.operation, state, row[state], row] as const))

test('every operation is answered in every state as the state table has it', () =>
  everyCase(cells, async (id, state, verdict) => {
    const service = await served()
    const room = await roomIn(service, state)
    const [line, body] = requests[id]
    if (verdict === 'while recording' && state === 'MEETING') {
      await service.send(`POST ${room}/record`, {...host, layout: 'GRID'})
      expect((await service.send(line.replace('{room}', room), body)).status).toBe('SUCCESS')
    }
    const {status, code} = await service.send(line.replace('{room}', room), body)

    // Where the texts differ both readings are allowed, and no other.
    if (verdict === 'unknown') expect([undefined, 'D001']).toContain(code)
    else expect(status).toBe(verdict === 'yes' ? 'SUCCESS' : 'FAIL')
    if (status === 'FAIL') expect([...codesOf(documentedOf(id)), documentedOf(id).sampleCode]).toContain(code)
    const after = await service.send(`GET ${room}`)
    if (status === 'FAIL') expect(after.data.room_status).toBe(state)
  }))

test('operations without a documented state are accepted in each', () =>
  everyCase(states, async (state) => {
    const service = await served()
    const room = await roomIn(service, state)
    expect((await service.send(`POST ${room}/update-presenter`, {...host, user_id: 'ben'})).status).toBe('SUCCESS')
    expect((await service.send(`POST ${room}/send-data`, {from: 'ann', data: 'hello'})).status).toBe('SUCCESS')
  }))

test.each(['MEETING', 'IDLE'])('a %s room keeps the fields that the document fixes then', async (state) => {
  const {fixedInMeetingAndIdle = []} = witness.validity.find(({operation}) => operation === 'room.update') ?? {}
  expect(fixedInMeetingAndIdle).toHaveLength(3)
  for (const field of fixedInMeetingAndIdle) {
    const service = await served()
    const room = await roomIn(service, state)
    const value = field === 'is_joinable' ? false : '2026-12-02T09:00:00Z'
    expect((await service.send(`PATCH /media${room}`, {...host, [field]: value})).code).toBe('U001')
  }
})
