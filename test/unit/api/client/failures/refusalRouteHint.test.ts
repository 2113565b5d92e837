import {describe, expect, test} from 'vitest'
import {type OperationId, operations} from '../../../../../src/api/contract/operations.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, settling, stage} from '../stage.js'

const pushes = operations.filter(({service}) => service === 'push')
const ofApplication = pushes.filter(({query}) => 'application_id' in query.shape)
const others = pushes.filter((operation) => !ofApplication.includes(operation))

/** The end of a push operation that is answered with a status, and its requests. */
async function ending(id: OperationId, status: number, body: unknown, route?: object) {
  const reading = settling(answer(status, body))
  const {api, sent} = stage([answer(status, body), ...reading], {retries: 2, ...(route ? {route: route as never} : {})})
  const {facts} = await failureOf(calls[id](api))
  return {...facts, sent}
}

test('the operations that name no application are two', () => {
  expect(others.map(({id}) => id)).toEqual(['push.register', 'push.send'])
})

describe('a 404 or 405 on an assumed route', () => {
  test.each(ofApplication.map(({id}) => id))('of %s says that the application may be unknown, too', async (id) => {
    const {message, why, try: advice} = await ending(id, 404, {message: 'no such application'})
    expect(message).toMatch(/: no such application$/)
    expect(why).toMatch(/ is assumed; either that is wrong, or the service does not know the application$/)
    expect(advice).toMatch(
      /^check the application id; if it is right, ask the operator .* roomctl config set route\.push\./,
    )
  })

  test('of one that names none, or refuses the method, says nothing of an application', async () => {
    const silent = [...others.map(({id}) => [id, 404] as const), ['push.show', 405] as const]
    for (const [id, status] of silent) {
      const {why, try: advice} = await ending(id, status, '')
      expect([id, `${why} ${advice}`]).toEqual([id, expect.not.stringContaining('application')])
    }
  })
})

test('a 404 on a route that was set names it, and offers the assumed one', async () => {
  const {why, try: advice, sent} = await ending('push.show', 404, '', {method: 'GET', path: '/v2/config'})
  expect(sent).toEqual(['GET /media/v2/config'])
  expect(why).toBe(
    'nothing answers at GET /v2/config, the route set for push.show, or the service does not know the application',
  )
  expect(advice).toBe(
    "check the application id; if it is right, set the path your service uses: roomctl config set route.push.show 'GET /v1/config'",
  )
})

test('another status says nothing of routes', async () => {
  for (const status of [400, 401, 403, 409, 422, 429, 500]) {
    const {api} = stage(
      Array.from({length: 4}, () => answer(status, {message: 'no'})),
      {retries: 0},
    )
    const {facts} = await failureOf(calls['push.broadcast'](api))
    expect([status, `${facts.why} ${facts.try}`]).toEqual([status, expect.not.stringContaining('config route')])
  }
})
