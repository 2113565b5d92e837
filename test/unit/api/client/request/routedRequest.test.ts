import {describe, expect, test} from 'vitest'
import {parametersOf} from '../../../../../src/api/contract/operation.js'
import {operations} from '../../../../../src/api/contract/operations.js'
import * as push from '../../../../../src/api/contract/push.js'
import {failureOf} from '../../../../support/failures.js'
import {planned} from './planned.js'

const title = 'Lunch & 점심'
const broadcast = {
  query: {application_id: 'app-1'},
  body: {title, body: 'at one', dispatch_type: 'IMMEDIATE', destination: ['ANDROID', 'IOS']},
}

describe('a route with its own path', () => {
  test('takes what the path names out of query and body', async () => {
    const request = await planned(push.broadcast, {method: 'PUT', path: '/{application_id}/{dispatch_type}'}, broadcast)
    expect([request.method, request.url.pathname, request.url.search]).toEqual(['PUT', '/media/app-1/IMMEDIATE', ''])
    expect(JSON.parse(String(request.body))).toEqual({title, body: 'at one', destination: ['ANDROID', 'IOS']})
  })

  test('refuses a value that a path cannot have, and one that is missing there', async () => {
    const route = {method: 'GET', path: '/apps/{application_id}/tx'}
    for (const [query, message] of [
      [{application_id: '..'}, 'the value of application_id must not be ".."'],
      [{}, 'the path /apps/{application_id}/tx needs a value for application_id'],
    ] as const) {
      const {facts} = await failureOf(planned(push.records, route, {query}))
      expect([facts.exit, facts.message]).toEqual(['usage', message])
    }
  })
})

test('no operation has two parameters of one name', () => {
  for (const operation of operations) {
    const names = parametersOf(operation).map(({name}) => name)
    expect([operation.id, new Set(names).size]).toEqual([operation.id, names.length])
  }
})
