import {describe, expect, test} from 'vitest'
import type {Operation} from '../../../../src/api/contract/operation.js'
import {operationById, operations} from '../../../../src/api/contract/operations.js'
import {parseOwnRoute} from '../../../../src/cli/session/routes.js'
import {failing} from '../../../support/failures.js'

function known(id: string): Operation {
  const match = operationById(id)
  if (match) return match
  throw new Error(`unknown operation ${id}`)
}

const refused = (id: string, route: string) => failing(() => parseOwnRoute(known(id), route))

describe('a route of the user’s own', () => {
  test('may be the built-in one of every operation', () => {
    for (const {id, method, route} of operations) {
      expect(parseOwnRoute(known(id), `${method} ${route}`)).toEqual({method, path: route})
    }
  })

  test.each([
    ['push.cancel', 'DELETE /v2/requests'],
    ['push.cancel', 'DELETE /v2/apps/{application_id}/requests'],
    ['push.modify', 'PATCH /apps/{application_id}/requests/{request_uuid}'],
    ['push.register', 'PUT /users/{user_id}/tokens/{push_type}'],
    ['push.records', 'GET /requests/{request_id}/records'],
    ['room.list', 'GET /biz/{bizId}/rooms'],
    ['asset.meta', 'GET /{container}/{common_resource_uuid}/{type}'],
  ])('%s may be %s', (id, text) => {
    const [method, path] = text.split(' ')
    expect(parseOwnRoute(known(id), text)).toEqual({method, path})
  })
})

describe('the path of a route', () => {
  test.each([
    ['push.cancel', '/v2/{uuid}', 'it may name {application_id}, each once'],
    ['room.end', '/v2/end', 'it may name {roomId}, {requester_id}, each once'],
    ['push.register', '/v2/{push_token}', 'it may name {user_id}, {push_type}, each once'],
  ])('of %s: %s is explained', (id, path, why) => {
    expect(refused(id, `POST ${path}`).why).toBe(why)
  })
})
