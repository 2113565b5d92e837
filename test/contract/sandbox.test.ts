import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {fitting, host, lineOf, reserved} from './scenes.js'
import {served} from './served.js'
import {codesOf, type Documented, documented, fieldRows, witness} from './witness.js'

describe('the served sandbox', () => {
  test('takes every documented field and answers with the documented reply', () =>
    everyCase(documented, async (id, operation) => {
      const {state, body, prepare} = fitting[id]
      const on = await served()
      const room = await on.roomIn(state, reserved)
      await prepare?.(on, room)
      const {http, status, data} = await on.send(lineOf(operation, room), body)

      expect(Object.keys(body ?? {}).sort()).toEqual(bodyNames(operation))
      expect([status, Math.floor(http / 100)]).toEqual(['SUCCESS', 2])
      if (operation.reply === null) expect(data).toBeUndefined()
      else expectReply(data, operation.reply)
    }))

  test('refuses a request without the application token, and one with a malformed one', () =>
    everyCase(documented, async (id, operation) => {
      const on = await served()
      const {state, body} = fitting[id]
      const room = await on.roomIn(state)
      for (const authorization of ['', 'the-application-token', 'Basic the-application-token', 'Bearer ']) {
        const {status, code, data} = await on.send(lineOf(operation, room), body, authorization)
        expect([status, code, data]).toEqual(['FAIL', 'CE200', undefined])
      }
    }))

  test('refuses a request without a required field with CE001 and names it', () =>
    everyCase(
      fieldRows(({required}) => required === 'yes'),
      async (_, name, operation) => {
        const {state, body = {}, prepare} = fitting[operation.id]
        const on = await served()
        const room = await on.roomIn(state)
        await prepare?.(on, room)
        const rest = Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
        const {status, code, message} = await on.send(lineOf(operation, room), rest)
        expect([status, code]).toEqual(['FAIL', 'CE001'])
        expect(message).toContain(name)
      },
    ))

  test('nothing answers at the paths that the document gives only in passing', async () => {
    const on = await served()
    const room = await on.roomIn('MEETING')
    expect((await on.send(`POST /media/v1/room/${room}/recordings`)).http).toBe(404)
    expect((await on.send(`PATCH /media/v1/rooms/${room}`, {...host, name: 'x'})).http).toBe(405)
  })
})

/** What one request can name; the requester of an update is named once, though it has two names. */
function bodyNames({body}: Documented): string[] {
  const fields = Object.entries(body ?? {}).filter(([, {required}]) => required !== 'in place of requester_id')
  return fields.map(([name]) => name).sort()
}

/** Holds a reply to the document: no field that it does not name, each of its type; only times that are not yet may lack. */
function expectReply(data: unknown, reply: string): void {
  const [resource = '', list] = reply.split('[]')
  const rows = list === undefined ? [data] : data
  if (!Array.isArray(rows)) throw new Error(`no list: ${JSON.stringify(data)}`)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expectResource(row, resource)
}

function expectResource(row: Record<string, unknown>, resource: string): void {
  const fields = witness.resources[resource] ?? {}
  expect(Object.keys(row).sort()).toEqual(Object.keys(fields).sort())
  for (const [name, type] of Object.entries(fields)) expectType(row[name], type)
}

function expectType(value: unknown, type: string): void {
  const values = witness.enumerations[type]
  if (values) expect(values).toContain(value)
  else if (type === 'date-time') expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  else if (witness.resources[type] || type.endsWith('[]')) expectReply(value, type)
  else expect(typeof value).toBe(type)
}

test('every operation of the witness has its scene', () => {
  expect(Object.keys(fitting)).toEqual(witness.operations.map(({id}) => id))
  expect(witness.operations.flatMap(codesOf).length).toBe(witness.operationErrors.length)
})
