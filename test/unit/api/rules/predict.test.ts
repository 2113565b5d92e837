import {describe, expect, test} from 'vitest'
import {operations} from '../../../../src/api/contract/operations.js'
import type {RoomDetail} from '../../../../src/api/contract/room.js'
import {predict as predictIn} from '../../../../src/api/rules/predict.js'
import {codesOf, documentedOf, states, witness} from '../../../contract/witness.js'
import {everyCase} from '../../../support/everyCase.js'

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

const cells = witness.validity.flatMap((row) => states.map((state) => [row.operation, state, row[state]] as const))

describe('by the state of the room', () => {
  test('is what the document says of the operation in that state', () =>
    everyCase(cells, (id, state, verdict) => {
      const {allowed, code, why} = predict(id, room(state), 'ben')
      // A room that nobody has entered yet cannot be recording; otherwise the room does not show whether it is.
      if (verdict !== 'while recording') expect(allowed).toBe(verdict)
      else if (state !== 'RESERVED') expect(why).toMatch(/recording/)
      expect(why).toContain(state)
      if (allowed === 'no') expect([...codesOf(documentedOf(id)), documentedOf(id).sampleCode]).toContain(code)
      else expect(code).toBeUndefined()
    }))

  test('says where the operation is allowed', () =>
    everyCase(
      cells.filter(([, , verdict]) => verdict === 'no'),
      (id, state) => {
        const row = witness.validity.find(({operation}) => operation === id)
        const allowed = states.filter((other) => row?.[other] === 'yes')
        for (const other of allowed) expect(predict(id, room(state)).why).toContain(other)
      },
    ))

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
  const inMeeting = operations.filter(
    ({id, service}) => service === 'room' && predict(id, room('MEETING')).allowed === 'yes',
  )

  test.each(inMeeting.map(({id}) => id))('%s in a MEETING room', (id) => {
    const {requester} = documentedOf(id)
    const verdicts = ['ben', 'ann', 'zoe'].map((user) => predict(id, room('MEETING'), user))
    const allowed = verdicts.map((verdict) => verdict.allowed)
    if (requester === 'host') expect(allowed).toEqual(['yes', 'no', 'no'])
    else if (requester === 'creator or host') expect(allowed).toEqual(['yes', 'yes', 'no'])
    else expect(allowed).toEqual(['yes', 'yes', 'yes'])
    for (const verdict of verdicts) if (verdict.allowed === 'no') expect(verdict.code).toBe('CE003')
  })

  test('where nobody is host nobody may do what is for the host, and where the list is not known nobody knows', () => {
    expect(predict('room.end', room('MEETING', {attendees: []}), 'zoe')).toMatchObject({allowed: 'no', code: 'CE003'})
    expect(predict('room.end', room('MEETING', {attendees: null}), 'zoe').allowed).toBe('unknown')
  })

  test('the creator of a RESERVED room under CREATOR counts as its host', () => {
    const reserved = room('RESERVED', {attendees: [], host_selection_type: 'CREATOR'})
    expect(predict('room.delete', reserved, 'ann').allowed).toBe('yes')
    expect(predict('room.delete', reserved, 'ben')).toMatchObject({allowed: 'no', code: 'CE003'})
  })

  test('the state comes first: who may not ask is told of it', () => {
    expect(predict('room.end', room('IDLE'), 'zoe').code).toBe('ER001')
  })
})
