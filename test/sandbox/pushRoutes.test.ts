import {describe, expect, test} from 'vitest'
import {routeFlags} from '../../src/cli/session/routes.js'
import {pushStage, scheduled, sent} from './pushStage.js'

const hello = {title: 'Hello', body: 'Lunch', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']}

/** A sandbox that answers there, as the command line has it. */
const moved = async (...texts: string[]) => pushStage({routes: Object.fromEntries(await routeFlags(texts))})
const form = {'Content-Type': 'application/x-www-form-urlencoded'}

describe('a configured route', () => {
  test('is answered at, and the assumed one no longer; the others stay', async () => {
    const on = await moved('push.cancel=DELETE /v2/requests')
    const body = {request_uuids: [scheduled]}
    const query = '?application_id=app-1'
    expect((await on.ask(`POST /push/v1/notifications/cancel${query}`, body)).status).toBe(404)
    expect((await on.ask(`DELETE /push/v2/requests${query}`, body)).status).toBe(204)
    expect((await on.ask(`GET /push/v1/config${query}`)).status).toBe(200)
    expect((await on.ask(`POST /push/v2/requests${query}`, body)).headers.allow).toBe('DELETE')
  })

  test('takes names into the path, in any order of literal and named paths', async () => {
    const on = await moved(
      'push.modify=POST /v2/apps/{application_id}/requests/{request_uuid}',
      'push.cancel=POST /v2/apps/{application_id}/requests/cancel',
    )
    expect((await on.ask(`POST /push/v2/apps/app-1/requests/${scheduled}`, hello)).status).toBe(204)
    expect((await on.ask('POST /push/v2/apps/app-1/requests/cancel', {request_uuids: [sent]})).status).toBe(403)
    const twice = `POST /push/v2/apps/app-1/requests/${scheduled}?application_id=app-1`
    expect((await on.ask(twice, hello)).json.message).toBe('application_id: given more than once')
  })

  test('takes names of a body into the path, decoded', async () => {
    const on = await moved('push.register=PUT /users/{user_id}/tokens')
    const line = `PUT /push/users/${encodeURIComponent('김/철수')}/tokens`
    expect((await on.ask(line, {push_type: 'ANDROID', push_token: 't'})).status).toBe(201)
    expect(await on.store.read(({push}) => push.users.at(-1))).toEqual({
      user_id: '김/철수',
      tokens: [{push_type: 'ANDROID', push_token: 't', is_gone: false}],
    })
  })

  test('refuses a form of very many fields without long thought', async () => {
    const on = await moved('push.iosKey=POST /k')
    const answer = await on.ask('POST /push/k', 'application_id=x&'.repeat(400_000), form)
    expect([answer.status, answer.json.message]).toEqual([400, 'Content-Type: expected multipart/form-data'])
  })
})
