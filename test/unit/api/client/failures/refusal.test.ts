import {describe, expect, test} from 'vitest'
import {failureOf} from '../../../../../src/api/client/failures/refusal.js'
import {exitOfStatus} from '../../../../../src/api/client/response/refusalKind.js'
import {fillText} from '../../../../../src/api/contract/operation.js'
import {type AnyOperation, operations} from '../../../../../src/api/contract/operations.js'
import {exits, failureJson} from '../../../../../src/failure.js'
import {enveloped} from '../calls.js'

/** The values of a call that names all that the operation's sentence and its route do. */
function valuesOf({action, route}: AnyOperation): Record<string, unknown> {
  const names = [...`${action} ${route}`.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, name === 'attendees' ? ['ben', 'carl'] : `some-${name}`]))
}

describe('a documented code', () => {
  test('has its condition if the service gives no message', () => {
    const [end] = operations.filter(({id}) => id === 'room.end')
    const failure = failureOf({status: 200, code: 'ER001'}, {operation: end ?? operations[0], values: {roomId: 'r-1'}})
    expect(JSON.parse(JSON.stringify(failureJson(failure)))).toEqual({
      code: 'ER001',
      message: 'cannot end room r-1: room is not MEETING',
      why: 'only a MEETING room can be ended',
      service_message: null,
      try: 'roomctl room show r-1',
      http_status: 200,
      body: null,
      retryable: false,
      outcome: 'none',
      exit_code: 7,
    })
  })

  test('means something else for another operation', () => {
    const why = (code: string, id: string) => {
      const [operation = operations[0]] = operations.filter((one) => one.id === id)
      return failureOf({status: 409, code}, {operation, values: valuesOf(operation)}).facts.why
    }
    expect(why('RE001', 'record.start')).toBe('the room is ENDED, or already being recorded')
    expect(why('RE001', 'record.stop')).toBe('the room is ENDED, or nothing is being recorded in it')
    const said = ['record.start', 'record.stop'].map((id) => {
      const [operation = operations[0]] = operations.filter((one) => one.id === id)
      return failureOf({status: 200, code: 'RE001'}, {operation, values: {roomId: 'r-1'}, roomState: 'ENDED'}).message
    })
    expect(said).toEqual([
      'cannot start recording room r-1: it is ENDED, only a MEETING room can be recorded',
      'cannot stop recording room r-1: it is ENDED, and nothing is being recorded in it',
    ])
    const ce001 = new Set(['room.create', 'attendee.token', 'room.delegate'].map((id) => why('CE001', id)))
    expect(ce001.size).toBe(3)
  })
})

describe('a code of no document', () => {
  const [operation] = operations

  test.each([
    [200, 8],
    [400, 8],
    [409, 7],
    [403, 5],
    [429, 9],
    [500, 9],
  ])('is shown as it came, and with HTTP %i ends with exit %i', (status, exitCode) => {
    const failure = failureOf({status, code: 'X42', message: 'the moon is full'}, {operation, values: {name: 'Weekly'}})
    expect(failureJson(failure)).toMatchObject({
      code: 'X42',
      message: 'cannot create the room Weekly: the moon is full',
      why: "the code X42 is not in the service's document",
      retryable: exitCode === 9,
      exit_code: exitCode,
    })
  })

  test.each(['__proto__', 'constructor', 'toString', '{roomId}'])('may be called %s', (code) => {
    const {facts} = failureOf({status: 400, code}, {operation, values: {name: 'Weekly', roomId: 'r-1'}})
    expect(facts).toMatchObject({code, exit: 'refused', why: `the code ${code} is not in the service's document`})
  })
})

describe('an HTTP status without a code', () => {
  test.each([
    [400, 8],
    [401, 4],
    [402, 8],
    [407, 10],
    [408, 10],
    [425, 9],
    [403, 5],
    [404, 6],
    [405, 6],
    [409, 7],
    [410, 6],
    [412, 7],
    [413, 8],
    [418, 8],
    [422, 8],
    [423, 9],
    [429, 9],
    [460, 10],
    [500, 9],
    [502, 9],
    [503, 9],
    [504, 9],
    [599, 9],
  ])('%i ends with exit %i', (status, exitCode) => {
    expect(exits[exitOfStatus(status)].code).toBe(exitCode)
    for (const operation of enveloped) {
      const failure = failureOf({status, broken: 'is empty'}, {operation, values: valuesOf(operation)})
      expect(failureJson(failure)).toMatchObject({
        exit_code: exitCode,
        http_status: status,
        body: null,
        outcome: 'none',
        retryable: exitCode === 9,
      })
      expect(failure.message).toMatch(/^cannot [^\n{}]+: the service answered HTTP \d{3}$/)
      const foreign = failureOf({status, broken: 'is empty', isForeign: true}, {operation, values: valuesOf(operation)})
      expect(foreign.message).toMatch(/: the answer was HTTP \d{3}$/)
    }
  })
})

describe('texts with the values of a call', () => {
  test.each([
    ['room {roomId}', {roomId: 'r-1'}, 'room r-1'],
    ['{a} and {b}', {a: '{b}', b: '$&'}, '{b} and $&'],
    ['{attendees}', {attendees: ['ann', 'ben']}, 'ann, ben'],
    ['{attendees}', {attendees: ['a', 'b', 'c', 'd', 'e', 'f']}, 'a, b, c, d, e, f'],
    ['{attendees}', {attendees: [...'abcdefgh']}, 'a, b, c, d, e and 3 more'],
    ['{roomId} {userId} {user_id} {name}', {}, 'ROOM USER USER NAME'],
  ])('%s', (text, values, filled) => {
    expect(fillText(text, values)).toBe(filled)
  })
})
