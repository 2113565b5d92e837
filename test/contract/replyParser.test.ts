import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {readReply} from '../../src/api/contract/replyParser.js'
import {everyCase} from '../support/everyCase.js'
import {replySample, samples, witness} from './witness.js'

const fields = Object.values(witness.resources).flatMap((resource) => Object.keys(resource))
const name = fc.constantFrom(...new Set(fields), 'meeting_status', 'other')
const leaf = fc.constantFrom<unknown>(null, true, 7, 0, Number.POSITIVE_INFINITY, '', 'IDLE', [], {})

/** Replies of all sorts: whole ones, and ones that were changed at a place or two. */
const replies = fc
  .record({
    whole: fc.constantFrom(...witness.operations.filter(({reply}) => reply !== null).map(replySample)),
    changes: fc.array(fc.tuple(name, fc.oneof(leaf, fc.jsonValue())), {maxLength: 3}),
    less: fc.array(name, {maxLength: 2}),
  })
  .map(({whole, changes, less}) => {
    const reply = structuredClone(whole)
    const [row = {}] = Array.isArray(reply) ? reply : [reply]
    Object.assign(row, Object.fromEntries(changes.filter(([key]) => key !== '__proto__')))
    for (const field of less) Reflect.deleteProperty(row, field)
    return reply
  })

test('every reply is read as its shape reads it', () =>
  everyCase(
    operations.map((operation): [string, Operation] => [operation.id, operation]),
    (_, {reply}) => {
      fc.assert(
        fc.property(fc.oneof({arbitrary: replies, weight: 3}, fc.jsonValue()), (value) => {
          // zod drops such members, and data keeps them.
          fc.pre(!JSON.stringify(value).includes('__proto__'))
          const byShape = reply.safeParse(structuredClone(value))
          const read = readReply(reply, structuredClone(value))
          if (byShape.success) expect(read).toEqual({success: true, data: byShape.data})
          else expect(read).toEqual({success: false, path: byShape.error.issues[0]?.path})
        }),
      )
    },
  ))

test('the rows of a list are not copied', () => {
  const [list] = operations.filter(({id}) => id === 'room.list')
  const row = samples(witness.resources.RoomSummary ?? {})
  const rows = [row]
  const reading = list && readReply(list.reply, rows)
  expect(reading?.success && reading.data).toBe(rows)
  expect(rows[0]).toBe(row)
})
