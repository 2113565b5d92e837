import {expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {type Answered, type Served, served} from './served.js'
import {witness} from './witness.js'

type Scene = (on: Served) => Promise<Answered>

const rooms = '/media/v1/rooms'
const host = {requester_id: 'ann'}
const stranger = {requester_id: 'zoe'}
const ben = {...host, attendees: ['ben']}

/** A request on a room of ann and ben in a state; `{room}` in the line is its id. */
function on(state: string, line: string, body?: object, asked?: object): Scene {
  return async (service) => {
    const room = await service.roomIn(state, asked)
    return service.send(line.replace('{room}', `${rooms}/${room}`), body)
  }
}

/** A request on a room that is not there. */
function nowhere(line: string, body?: object): Scene {
  return (service) => service.send(line.replace('{room}', `${rooms}/r-0`), body)
}

async function blocked(service: Served): Promise<string> {
  const room = await service.roomIn('MEETING')
  await service.send(`POST ${rooms}/${room}/block`, ben)
  return room
}

/** For each row of the error table, the requests that meet its condition; `or` makes more than one. */
const scenes: Readonly<Record<string, readonly Scene[]>> = {
  'create CE001': [
    (service) => service.send(`POST ${rooms}`, {}),
    (service) => service.send(`POST ${rooms}`, {...creation, host_selection_type: 'ANYBODY'}),
    (service) => service.send(`POST ${rooms}`, {...creation, attendees: ['ben']}),
  ],
  'update CE001': [
    on('MEETING', 'PATCH /media{room}', {...host, max_attendee_count: 1}),
    on('MEETING', 'PATCH /media{room}', {...host, is_public: 'yes'}),
  ],
  'update CE002': [
    nowhere('PATCH /media{room}', {...host, name: 'x'}),
    on('MEETING', 'PATCH /media{room}', {...stranger, name: 'x'}),
  ],
  'update U001': [
    on('ENDED', 'PATCH /media{room}', {...host, name: 'x'}),
    on('MEETING', 'PATCH /media{room}', {...host, reserved_start_time: '2026-12-02T09:00:00Z'}),
    on('MEETING', 'PATCH /media{room}', {...host, reserved_end_time: '2026-12-02T09:00:00Z'}),
  ],
  'delete CE002': [nowhere('DELETE {room}', host), on('RESERVED', 'DELETE {room}', stranger)],
  'delete D001': [on('MEETING', 'DELETE {room}', host)],
  'token CE001': [on('MEETING', 'POST {room}/attendees/zoe/token', {}, {max_attendee_count: 2})],
  'token CE002': [nowhere('POST {room}/attendees/ben/token', {})],
  'token T001': [
    on('MEETING', 'POST {room}/attendees/zoe/token', {}, {is_public: false}),
    async (service) => service.send(`POST ${rooms}/${await blocked(service)}/attendees/ben/token`, {}),
  ],
  'token T002': [on('ENDED', 'POST {room}/attendees/ben/token', {})],
  'end CE002': [nowhere('POST {room}/end', host), on('MEETING', 'POST {room}/end', stranger)],
  'end ER001': ['RESERVED', 'IDLE', 'ENDED'].map((state) => on(state, 'POST {room}/end', host)),
  'add attendees CE002': [nowhere('POST {room}/attendees', {attendees: ['carl']})],
  'add attendees AA001': [
    on('MEETING', 'POST {room}/attendees', {attendees: ['carl', 'dora']}, {max_attendee_count: 3}),
  ],
  'add attendees AA002': [on('ENDED', 'POST {room}/attendees', {attendees: ['carl']})],
  'block CE002': [nowhere('POST {room}/block', ben)],
  'block BR001': [
    ...['RESERVED', 'IDLE', 'ENDED'].map((state) => on(state, 'POST {room}/block', ben)),
    on('MEETING', 'POST {room}/block', {...host, attendees: ['carl']}, {attendees: ['ann', 'ben', 'carl']}),
  ],
  'restore CE002': [nowhere('POST {room}/restore', ben)],
  'restore CE003': [
    async (service) =>
      service.send(`POST ${rooms}/${await blocked(service)}/restore`, {requester_id: 'ben', attendees: ['ben']}),
  ],
  'restore BA001': ['RESERVED', 'ENDED'].map((state) => on(state, 'POST {room}/restore', ben)),
  'delegate CE001': [
    on('MEETING', 'POST {room}/delegate', {...host, user_id: 'ann'}),
    on('MEETING', 'POST {room}/delegate', {...host, user_id: 'carl'}, {attendees: ['ann', 'ben', 'carl']}),
  ],
  'delegate CE002': [
    on('MEETING', 'POST {room}/delegate', {...stranger, user_id: 'ben'}),
    on('MEETING', 'POST {room}/delegate', {...host, user_id: 'zoe'}),
  ],
  'delegate DH001': ['RESERVED', 'IDLE', 'ENDED'].map((state) =>
    on(state, 'POST {room}/delegate', {...host, user_id: 'ben'}),
  ),
  'start recording CE001': [on('MEETING', 'POST {room}/record', {...host, layout: 'MOSAIC'})],
  'start recording CE002': [
    nowhere('POST {room}/record', {...host, layout: 'GRID'}),
    on('MEETING', 'POST {room}/record', {...stranger, layout: 'GRID'}),
  ],
  'start recording RE001': [
    on('ENDED', 'POST {room}/record', {...host, layout: 'GRID'}),
    async (service) => {
      const room = await service.roomIn('MEETING')
      await service.send(`POST ${rooms}/${room}/record`, {...host, layout: 'GRID'})
      return service.send(`POST ${rooms}/${room}/record`, {...host, layout: 'GRID'})
    },
  ],
  'stop recording CE001': [on('MEETING', 'POST {room}/stop-record', {requester_id: 7})],
  'stop recording CE002': [
    nowhere('POST {room}/stop-record', host),
    on('MEETING', 'POST {room}/stop-record', stranger),
  ],
  'stop recording RE001': ['MEETING', 'ENDED'].map((state) => on(state, 'POST {room}/stop-record', host)),
  'recording list RE003': [on('MEETING', 'POST {room}/recordings')],
}

const creation = {
  name: 'Standup',
  created_by: 'ann',
  host_selection_type: 'CREATOR',
  is_elect_host: true,
  is_joinable: true,
  attendees: ['ann'],
}

test('every code of the error table is answered in its condition', () =>
  everyCase(witness.operationErrors, async (title, code) => {
    const requests = scenes[`${title} ${code}`] ?? []
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) {
      const {http, status, code: answered, message, data} = await request(await served())
      expect([status, answered, data]).toEqual(['FAIL', code, undefined])
      expect(message).toMatch(/\S/)
      expect(http).toBeGreaterThanOrEqual(400)
    }
  }))

test.each([
  ['an operation on a room that is not there', nowhere('GET {room}'), 'CE002'],
  ['somebody who is not host', on('MEETING', 'POST {room}/end', {requester_id: 'ben'}), 'CE003'],
  ['a presenter set by somebody who is not host', on('MEETING', 'POST {room}/update-presenter', presenter()), 'CE003'],
  [
    'a recording of a room in which nobody meets',
    on('IDLE', 'POST {room}/record', {...host, layout: 'GRID'}),
    'FAILED_PRECONDITION',
  ],
  ['blocking the host', on('MEETING', 'POST {room}/block', {...host, attendees: ['ann']}), 'CE003'],
])('the common code for %s', async (_, request, code) => {
  const {status, code: answered} = await request(await served())
  expect([status, answered]).toEqual(['FAIL', code])
})

function presenter() {
  return {requester_id: 'ben', user_id: 'ben'}
}
