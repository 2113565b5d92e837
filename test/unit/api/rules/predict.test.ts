import {describe, expect, test} from 'vitest'
import type {RoomDetail} from '../../../../src/api/contract/room.js'
import {predict as predictIn} from '../../../../src/api/rules/predict.js'
import {witness} from '../../../contract/witness.js'

const predict = (operation: string, asked: RoomDetail, requester?: string) =>
  predictIn(operation, asked, {requester, values: {}})

/** A room of ann, who created it, and of ben, who is host. */
function room(state: string | null, changed: Partial<RoomDetail> = {}): RoomDetail {
  return {
    room_id: 'r-1',
    room_status: state,
    created_by: 'ann',
    attendees: [
      {user_id: 'ann', is_host: false, is_present: true},
      {user_id: 'ben', is_host: true, is_present: true},
    ],
    ...changed,
  }
}

describe('by the state of the room', () => {
  test('an operation without a rule for states is allowed', () => {
    for (const id of ['room.create', 'room.list', 'room.get', 'attendee.list', 'record.list', 'appConfig.create']) {
      expect(predict(id, room('ENDED')).allowed).toBe('yes')
    }
  })

  test.each([null, undefined, 'PAUSED', ''])('a state of no document (%j) decides nothing', (state) => {
    for (const {operation} of witness.validity) {
      expect(predict(operation, {...room('IDLE'), room_status: state}, 'ben')).toMatchObject({allowed: 'unknown'})
    }
  })
})

describe('by who asks', () => {
  test('without a host no user may act as host, and with an unknown list the answer is unknown', () => {
    expect(predict('room.end', room('MEETING', {attendees: []}), 'zoe')).toMatchObject({allowed: 'no', code: 'CE002'})
    expect(predict('room.end', room('MEETING', {attendees: null}), 'zoe').allowed).toBe('unknown')
  })

  test('the creator of a RESERVED room under CREATOR counts as its host', () => {
    const reserved = room('RESERVED', {attendees: [], host_selection_type: 'CREATOR'})
    expect(predict('room.delete', reserved, 'ann').allowed).toBe('yes')
    expect(predict('room.delete', reserved, 'ben')).toMatchObject({allowed: 'no', code: 'CE002'})
  })

  test('the state comes first, and the other reason is named with its code', () => {
    expect(predict('room.end', room('IDLE'), 'zoe')).toMatchObject({
      code: 'ER001',
      why: 'the room is IDLE; it is allowed in MEETING; also, zoe is not on the attendee list of the room (CE002)',
    })
  })
})

describe('what no document states is marked', () => {
  const asked = (id: string, state: string, values: object = {}, requester = 'ben') =>
    predictIn(id, room(state, {max_attendee_count: 2}), {requester, values: {...values}})

  test.each<[string, string, object, string]>([
    ['record.start', 'IDLE', {}, 'code'],
    ['room.delete', 'ENDED', {}, 'answer'],
    ['room.presenter', 'MEETING', {}, 'answer'],
    ['room.update', 'MEETING', {is_joinable: true}, 'code'],
    ['room.update', 'IDLE', {reserved_start_time: '2026-12-01T09:00:00Z'}, 'code'],
    ['room.update', 'MEETING', {max_attendee_count: 2}, 'answer'],
    ['attendee.block', 'MEETING', {attendees: ['ben']}, 'code'],
    ['attendee.restore', 'MEETING', {attendees: ['ann']}, 'code'],
  ])('%s in %s with %j', (id, state, values, what) => {
    const mark = what === 'code' ? / \(probably [A-Z]\w+\)$/u : / \((?:\w+, )?not documented\)$/u
    expect(asked(id, state, values)).toMatchObject({documented: false, why: expect.stringMatching(mark)})
  })

  test.each<[string, string, object, string]>([
    ['room.update', 'MEETING', {reserved_start_time: '2026-12-01T09:00:00Z'}, 'no'],
    ['room.end', 'IDLE', {}, 'no'],
    ['record.start', 'ENDED', {}, 'no'],
    ['room.end', 'MEETING', {}, 'yes'],
  ])('%s in %s with %j is documented', (id, state, values, answer) => {
    const {allowed, documented, why} = asked(id, state, values)
    expect({allowed, documented}).toEqual({allowed: answer, documented: true})
    expect(why).not.toContain('documented')
  })
})
