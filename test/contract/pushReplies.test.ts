import {describe, expect, test} from 'vitest'
import type {Operation} from '../../src/api/contract/operation.js'
import {readReply} from '../../src/api/contract/replyParser.js'
import {entryOf} from './entry.js'
import {pushDocumented, pushResource, pushWitness} from './pushWitness.js'

describe('the answers of the push service', () => {
  const shown = pushDocumented.filter(([, {reply}]) => reply !== 'not shown')

  test.each(shown)('%s gives the documented fields back as they came, and others beside them', (id, {reply}) => {
    const value = {...pushResource(reply), other: {deep: [1, null]}}
    expect(readReply(entryOf(id).reply, structuredClone(value))).toEqual({success: true, data: value})
  })

  test.each(shown)('%s takes null for a field, or none at all, and refuses another type', (id, {reply}) => {
    const isSend = id === 'push.send'
    const fields = isSend ? pushWitness.resources.Transaction : pushWitness.resources[reply]
    for (const name of Object.keys(fields ?? {})) {
      const row = (value: unknown) => (isSend ? {transactions: [{[name]: value}]} : {[name]: value})
      expect([name, replyOf(entryOf(id), row(null)).success]).toEqual([name, true])
      expect([name, replyOf(entryOf(id), row(undefined)).success]).toEqual([name, true])
      // One record that is not the list of them either is no record.
      expect([name, replyOf(entryOf(id), id === 'push.records' ? [row(7)] : row(7)).success]).toEqual([name, false])
    }
  })

  test.each([
    ['nothing', null],
    ['one', pushResource('TransactionRecord')],
    ['a list', [pushResource('TransactionRecord'), {}]],
    ['an empty list', []],
    ['a list in a member', {transactions: [pushResource('TransactionRecord')]}],
  ])('records may come as %s, since the document does not show their member', (_, value) => {
    expect(replyOf(entryOf('push.records'), structuredClone(value))).toEqual({success: true, data: value})
  })

  test('of a configuration may be nothing, and its iOS kind one that the document does not know', () => {
    const {reply} = entryOf('push.show')
    for (const value of [null, {}, {ios_apns_type: 'WEB'}]) {
      expect(readReply(reply, value)).toEqual({success: true, data: value})
    }
  })

  test('are JSON, JSON or nothing, or not shown', () => {
    expect(pushWitness.operations.map(({id}) => entryOf(id).responseFormat)).toEqual(
      pushWitness.operations.map(({reply, responses}) => {
        if (reply === 'not shown') return 'unshown'
        return responses.includes(204) ? 'json-or-none' : 'json'
      }),
    )
  })
})

function replyOf({reply}: Operation, value: unknown) {
  return reply.safeParse(value)
}
