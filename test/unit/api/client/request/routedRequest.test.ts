import {describe, expect, test} from 'vitest'
import {token} from '../../../../../src/api/contract/attendee.js'
import {parametersOf} from '../../../../../src/api/contract/operation.js'
import {operations} from '../../../../../src/api/contract/operations.js'
import * as push from '../../../../../src/api/contract/push.js'
import {sendData} from '../../../../../src/api/contract/room.js'
import {failureOf} from '../../../../support/failures.js'
import {carriedBy} from './onTheWire.js'
import {planned} from './planned.js'

const title = 'Lunch & 점심'
const broadcast = {
  query: {application_id: 'app-1'},
  body: {title, body: 'at one', dispatch_type: 'IMMEDIATE', destination: ['ANDROID', 'IOS']},
}

describe('a route that moves and renames', () => {
  test('puts what it names elsewhere, and leaves the rest where the document has it', async () => {
    const request = await planned(
      push.broadcast,
      {
        method: 'POST',
        path: '/v2',
        send: {title: 'query', application_id: 'header'},
        rename: {application_id: 'X-App'},
      },
      broadcast,
    )
    expect(request.url.href).toBe('https://rooms.test/media/v2?title=Lunch%20%26%20%EC%A0%90%EC%8B%AC')
    expect(request.headers['X-App']).toBe('app-1')
    expect(request.body).toBe('{"body":"at one","dispatch_type":"IMMEDIATE","destination":["ANDROID","IOS"]}')
  })

  test('takes what the path names out of query and body', async () => {
    const request = await planned(push.broadcast, {method: 'PUT', path: '/{application_id}/{dispatch_type}'}, broadcast)
    expect([request.method, request.url.pathname, request.url.search]).toEqual(['PUT', '/media/app-1/IMMEDIATE', ''])
    expect(JSON.parse(String(request.body))).toEqual({title, body: 'at one', destination: ['ANDROID', 'IOS']})
  })

  test('sends a form in place of the JSON body, with a field for each member of a list', async () => {
    const send = {title: 'form', body: 'form', dispatch_type: 'form', destination: 'form', dispatch_date: 'form'}
    const rename = {destination: 'to[]'}
    const {headers, body} = await planned(push.broadcast, {method: 'POST', path: '/v2', send, rename}, broadcast)
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(body).toBe(
      'title=Lunch+%26+%EC%A0%90%EC%8B%AC&body=at+one&dispatch_type=IMMEDIATE&to%5B%5D=ANDROID&to%5B%5D=IOS',
    )
  })

  test('sends an object in a form as JSON', async () => {
    const send = Object.fromEntries(parametersOf(push.sendToUsers).map(({name}) => [name, 'form']))
    const input = {body: {recipient_ids: ['ann'], push_type: 'IOS', title, body: 'x', data: {room: 'r-1', n: 1}}}
    const request = await planned(push.sendToUsers, {method: 'POST', path: '/v2', send}, input)
    expect(new URLSearchParams(String(request.body)).get('data')).toBe('{"room":"r-1","n":1}')
  })

  test('adds to the form of the files what it sends there', async () => {
    const route = {
      method: 'POST',
      path: '/{application_id}',
      send: {apns_certificate_password: 'form'},
      rename: {certificate_file: 'p12', bundle_id: 'bundle'},
    }
    const request = await planned(push.iosCertificate, route, {
      query: {application_id: 'app-1', apns_certificate_password: 'p &=ä', bundle_id: 'com.example'},
      files: {certificate_file: Buffer.from('bytes')},
    })
    expect(request.url.href).toBe('https://rooms.test/media/app-1?bundle=com.example')
    expect(await carriedBy(request)).toEqual([
      ['query', 'bundle', 'com.example'],
      ['form', 'apns_certificate_password', 'p &=ä'],
      ['form', 'p12', 'bytes'],
    ])
  })

  test('has no body where it sends all of it elsewhere, and an empty form where nothing of it is given', async () => {
    const elsewhere = {method: 'POST', path: '/{user_id}', send: {push_type: 'query', push_token: 'header'}}
    const body = {user_id: 'ann', push_type: 'IOS', push_token: 'token'}
    const moved = await planned(push.register, elsewhere, {body})
    expect([moved.url.pathname, moved.url.search, moved.body]).toEqual(['/media/ann', '?push_type=IOS', undefined])
    expect(moved.headers['content-type']).toBeUndefined()

    const asForm = {method: 'POST', path: '/{roomId}/{userId}', send: {user_name: 'form'}}
    const empty = await planned(token, asForm, {path: {roomId: 'r', userId: 'u'}, body: {}})
    expect([empty.headers['content-type'], empty.body]).toEqual(['application/x-www-form-urlencoded', ''])
  })

  test('has a place for what is not given, and sends nothing for it', async () => {
    const route = {method: 'GET', path: '/tx', send: {request_id: 'header'}, rename: {recipient_id: 'user'}}
    expect((await planned(push.records, route, {query: {application_id: 'a'}})).url.search).toBe('?application_id=a')
    expect(await carriedBy(await planned(push.records, route, {}))).toEqual([])
  })

  test('of another service works alike', async () => {
    const route = {
      method: 'PUT',
      path: '/{roomId}/data',
      send: {from: 'header'},
      rename: {from: 'X-From', data: 'payload'},
    }
    const request = await planned(sendData, route, {
      path: {roomId: 'r 1'},
      body: {from: 'ann', data: 'hi', to: ['ben']},
    })
    expect([request.url.pathname, request.headers['X-From'], request.body]).toEqual([
      '/media/r%201/data',
      'ann',
      '{"payload":"hi","to":["ben"]}',
    ])
  })
})

describe('a value that would be changed where the route sends it', () => {
  const inHeader = {method: 'POST', path: '/v2', send: {title: 'header'}, rename: {title: 'X-Title'}}

  test.each(['점심', 'a\r\nX-Other: 1', ' a', 'a ', 'a\u0000', 'é'])('is refused for a header: %j', async (text) => {
    const {facts} = await failureOf(
      planned(push.broadcast, inHeader, {...broadcast, body: {...broadcast.body, title: text}}),
    )
    expect([facts.exit, facts.message]).toEqual([
      'usage',
      'the value for the header X-Title cannot be sent in a header',
    ])
  })

  test.each(['a\nb', 'a\rb', 'a\r\nb'])('is refused for a form with files: %j', async (password) => {
    const route = {method: 'POST', path: '/v2', send: {apns_certificate_password: 'form'}}
    const query = {application_id: 'a', apns_certificate_password: password, bundle_id: 'b'}
    const files = {certificate_file: Buffer.from('x')}
    const {facts} = await failureOf(planned(push.iosCertificate, route, {query, files}))
    expect([facts.exit, facts.message]).toEqual([
      'usage',
      'the value for the form field apns_certificate_password cannot be sent in a form with files',
    ])
  })

  test('is refused for a path, as is one that is missing there', async () => {
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
