import {describe, expect, test} from 'vitest'
import type {OperationId} from '../../../../../src/api/contract/operations.js'
import {stateRule, stateRules} from '../../../../../src/api/contract/stateRules.js'
import {type RoomState, roomStates, stateCodes} from '../../../../../src/api/contract/states.js'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls, enveloped} from '../calls.js'
import {answer, breaks, noRoom, refusal, room, type Step, settling, stage} from '../stage.js'

const stateful = Object.keys(stateRules) as (keyof typeof stateRules)[]
const withCode = stateful.flatMap((id) =>
  stateCodes(stateRules[id]).flatMap((code) => (code === undefined ? [] : [[id, code] as const])),
)
const cells = withCode.flatMap(([id, code]) => roomStates.map((state) => [id, code, state] as const))

/** How a call ends that is refused with a code, with the room that is read to explain it. */
async function explained(id: OperationId, code: string, ...reading: Step[]) {
  const {api, sent} = stage([refusal(code, 'because'), ...reading], {retries: 0})
  const {facts} = await failureOf(calls[id](api))
  return {...facts, sent}
}

/** room, States and transitions. */
const saysOf = {
  RESERVED: /^nobody has entered it yet$/,
  MEETING: /^people are in it now$/,
  IDLE: /^everybody has left; /,
  ENDED: /^it has ended, /,
}

describe('a refusal for the state of the room', () => {
  test('names the state if it is the reason', () =>
    everyCase(cells, async (id, code, state) => {
      const {message, why, outcome, sent} = await explained(id, code, room({room_status: state, attendees: []}))
      // The document refuses to stop in ENDED, or where nothing is recorded: IDLE alone explains nothing (room §15).
      const isOpen = id === 'record.stop' && state === 'IDLE'
      const isReason = stateRule(id)?.in[state].allowed !== 'yes' && !isOpen
      expect(sent).toHaveLength(2)
      expect(outcome).toBe('none')
      if (isReason) {
        expect(message).toMatch(new RegExp(`^cannot .*: it is ${state}, `))
        expect(why).toMatch(saysOf[state])
      } else expect(message).toMatch(/: because$/)
    }))

  test.each<[OperationId, RoomState, string]>([
    ['room.end', 'IDLE', 'roomctl room delete r-1'],
    ['room.end', 'RESERVED', 'roomctl room delete r-1'],
    ['room.end', 'ENDED', 'roomctl room show r-1'],
    ['room.delete', 'MEETING', 'roomctl room end r-1'],
    ['room.delete', 'IDLE', 'nothing: this service does not delete IDLE rooms, and only a MEETING room can be ended'],
    ['room.delete', 'ENDED', 'nothing: this service keeps ENDED rooms'],
  ])('%s of a %s room advises: %s', async (id, state, advice) => {
    const code = stateRule(id)?.code ?? ''
    expect((await explained(id, code, room({room_status: state, attendees: []}))).try).toBe(advice)
  })

  test.each([
    ['is gone', noRoom],
    ['cannot be read', breaks('refused', 'no')],
    ['says no state', room()],
    ['is in a state of no document', room({room_status: 'PAUSED'})],
    ['comes broken', answer(200, '<html>')],
  ])('keeps the message of the service if the room %s', async (_, reading) => {
    const {message, code, outcome} = await explained('room.end', 'ER001', reading)
    expect([message, code, outcome]).toEqual(['cannot end room r-1: because', 'ER001', 'none'])
  })

  test.each(['CE001', 'CE003'])('needs no read for the code %s', async (code) => {
    expect((await explained('room.end', code)).sent).toHaveLength(1)
  })
})

describe('a 404 or 405 without a code', () => {
  const rows = enveloped.flatMap(({id}) => [404, 405].map((status) => [id, status] as const))

  test('names the route and the setting that changes it', () =>
    everyCase(rows, async (id, status) => {
      const entry = enveloped.find((one) => one.id === id)
      const {api} = stage([answer(status, '<html>'), ...settling(breaks('reset'))], {retries: 0})
      const {facts} = await failureOf(calls[id](api))
      const route = `${entry?.method} ${entry?.route}`
      const assumed = "the document does not show this operation's method and path; "
      // Nothing is missing for certain where a change may have been made.
      const open = '; something in front of the service may have answered, even after the change was made'
      const [exit, more] = entry?.effect === 'read' ? ['missing', ''] : ['network', open]
      expect(facts.exit).toBe(exit)
      const why =
        entry && 'assumed' in entry
          ? `${assumed}${route} is assumed`
          : `nothing answers at the documented ${route} under the service's address`
      expect(facts.why).toBe(`${why}${more}`)
      expect(facts.try).toContain(
        `roomctl config set route.${id}${id === 'room.update' ? " 'PATCH /v1/rooms/{roomId}'" : ''}`,
      )
      expect(facts.try).not.toContain(route)
    }))

  test('of a route that was set names that route, and offers the documented one', async () => {
    const route = {method: 'POST', path: '/v2/rooms/{roomId}/finish'}
    const {api, sent} = stage([answer(404, {status: 'FAIL', message: 'no such path'}), breaks('reset')], {
      route,
      retries: 0,
    })
    const {facts} = await failureOf(calls['room.end'](api))
    expect(sent[0]).toBe('POST /media/v2/rooms/r-1/finish')
    expect(facts.message).toBe('room r-1 may have been ended: no such path')
    expect(facts.why).toMatch(
      /^nothing answers at POST \/v2\/rooms\/\{roomId\}\/finish, the route set for room\.end; /u,
    )
    expect(facts.try).toMatch(/: roomctl config set route.room.end 'POST \/v1\/rooms\/\{roomId\}\/end'/)
  })
})
