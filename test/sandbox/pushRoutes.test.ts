import {describe, expect, test} from 'vitest'
import {Failure} from '../../src/failure.js'
import {parseRoutes} from '../../src/sandbox/parseOptions.js'
import {everyCase} from '../support/everyCase.js'
import {configuration, multipartType, parts, pushStage, scheduled, sent} from './pushStage.js'

const pem = Buffer.from('-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n')
const hello = {title: 'Hello', body: 'Lunch', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']}

/** A sandbox that answers there, as the command line has it. */
const moved = (...texts: string[]) => pushStage({routes: parseRoutes(texts)})
const object = (id: string, route: object) => `${id}=${JSON.stringify(route)}`
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
    expect((await on.ask(twice, hello)).json.message).toBe('unknown query field: application_id')
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

  test('moves what the query has into a JSON body, a header, or a form, under other names', async () => {
    const route = {
      method: 'GET',
      path: '/v2/config',
      send: {application_id: 'header'},
      rename: {application_id: 'X-App'},
    }
    const byHeader = await moved(object('push.show', route))
    expect((await byHeader.ask('GET /push/v2/config', undefined, {'x-app': 'app-1'})).status).toBe(200)
    expect((await byHeader.ask('GET /push/v2/config')).json.message).toBe(
      'application_id: expected string, but it is missing',
    )
    expect((await byHeader.ask('GET /push/v2/config?application_id=app-1')).status).toBe(400)

    const send = {application_id: 'body'}
    const byBody = await moved(object('push.broadcast', {method: 'POST', path: '/b', send, rename: {title: 'subject'}}))
    const {title, ...rest} = hello
    expect((await byBody.ask('POST /push/b', {...rest, subject: title, application_id: 'app-1'})).status).toBe(200)
    expect((await byBody.ask('POST /push/b', {...hello, application_id: 'app-1'})).json.message).toBe(
      'unknown body field: title',
    )
  })

  test('moves a .p12 password and the ids out of the query, into fields of the form', async () => {
    const send = {apns_certificate_password: 'form', bundle_id: 'header'}
    const rename = {apns_certificate_password: 'password', certificate_file: 'p12', bundle_id: 'bundle'}
    const path = '/v2/apps/{application_id}/apns'
    const on = await moved(object('push.iosCertificate', {method: 'PUT', path, send, rename}))
    const body = parts({password: 's3cret', p12: Buffer.from('3003020103', 'hex')})
    const headers = {...multipartType, bundle: 'com.example.chat'}
    expect((await on.ask('PUT /push/v2/apps/app-9/apns', body, headers)).status).toBe(200)
    expect(await configuration(on, 'app-9')).toEqual({bundle_id: 'com.example.chat', ios_apns_type: 'CERTIFICATE'})
    const old = `PUT /push/v2/apps/app-9/apns?apns_certificate_password=s3cret`
    expect((await on.ask(old, body, headers)).json.message).toBe('unknown query field: apns_certificate_password')
  })

  test('moves a file’s ids into a multipart form, and keeps the file a file', async () => {
    const send = {application_id: 'form', team_id: 'form', key_id: 'form'}
    const on = await moved(object('push.iosKey', {method: 'POST', path: '/k', send, rename: {auth_key_file: 'file'}}))
    const ids = {application_id: 'app-9', team_id: 'TEAM000009', key_id: 'KEY0000009'}
    const answer = await on.ask('POST /push/k?bundle_id=com.example', parts({...ids, file: pem}), multipartType)
    expect(answer.status).toBe(200)
    expect(await configuration(on, 'app-9')).toMatchObject({team_id: 'TEAM000009', bundle_id: 'com.example'})
  })

  test('makes a whole body a form: a list is a field for each member, an object is JSON', async () => {
    const names = ['recipient_ids', 'push_type', 'title', 'body', 'data']
    const send = Object.fromEntries(names.map((name) => [name, 'form']))
    const on = await moved(
      object('push.send', {method: 'POST', path: '/v1/messages', send, rename: {recipient_ids: 'to'}}),
    )
    const line = 'POST /push/v1/messages'
    const rest = 'push_type=ANDROID&title=Hi+there&body=%EC%95%88%EB%85%95&data=%7B%22a%22%3A1%7D'
    const answer = await on.ask(line, `to=ann&to=ben&${rest}`, form)
    expect(answer.status).toBe(202)
    expect(answer.json.transactions.map((one: {recipient_id: string}) => one.recipient_id)).toEqual(['ann', 'ben'])
    expect((await on.ask(line, `to=ann&${rest}`, form)).json.transactions).toHaveLength(1)
    expect(
      (await on.ask(line, parts({to: 'ann', push_type: 'ANDROID', title: 'x', body: 'y'}), multipartType)).status,
    ).toBe(202)
    expect((await on.ask(line, `to=ann&${rest}&title=again`, form)).json.message).toBe('title: given more than once')
    expect((await on.ask(line, `to=ann&${rest.replace('%7D', '')}`, form)).status).toBe(400)
    expect((await on.ask(line, {...hello, recipient_ids: ['ann']})).json.message).toMatch(/^Content-Type: expected /)
  })

  test('takes a form of very many fields without long thought', async () => {
    const on = await moved(object('push.show', {method: 'POST', path: '/c', send: {application_id: 'form'}}))
    const answer = await on.ask('POST /push/c', 'application_id=x&'.repeat(400_000), form)
    expect([answer.status, answer.json.message]).toEqual([400, 'application_id: given more than once'])
  })

  test('moves what a body has into the query', async () => {
    const send = {push_type: 'query', user_id: 'query'}
    const on = await moved(object('push.register', {method: 'POST', path: '/t', send, rename: {user_id: 'userId'}}))
    expect((await on.ask('POST /push/t?push_type=IOS&userId=zoe', {push_token: 't'})).status).toBe(201)
    expect((await on.ask('POST /push/t?push_type=WEB&userId=zoe', {push_token: 't'})).status).toBe(422)
    expect((await on.ask('POST /push/t?push_type=IOS&push_type=IOS&userId=zoe', {push_token: 't'})).status).toBe(400)
  })
})

describe('parseRoutes', () => {
  test('reads both forms', () => {
    const show = {method: 'POST', path: '/c/{application_id}', rename: {application_id: 'app'}}
    expect(parseRoutes(['push.cancel=delete /v2/requests', object('push.show', show)])).toEqual({
      'push.cancel': {method: 'DELETE', path: '/v2/requests'},
      'push.show': show,
    })
  })

  test('refuses routes of another form or place', () =>
    everyCase(
      [
        ['nonsense', /^--route is ID='METHOD \/path' with the id of an operation, not "nonsense"$/],
        ['push.cancel=/v2/requests', /^--route push\.cancel: a route is a method and a path/],
        ['push.modify=POST /v1/notifications', /push\.modify and push\.broadcast would have the same route$/],
      ],
      (text, message) => {
        expect(() => parseRoutes([text])).toThrow(Failure)
        expect(() => parseRoutes([text])).toThrow(message)
      },
    ))
})
