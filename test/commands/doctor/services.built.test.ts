import {describe, expect, test} from 'vitest'
import type {WireResponse} from '../../../src/api/http/wire/transport.js'
import {cli, demoStore, noon} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {page, refusal, reply, sandboxOf, success} from '../answers.js'
import {doctor, foundIn, healthy} from './healthy.js'

/** A machine on which the operations below one path are answered otherwise, by a service with our time unless it has its own. */
async function answering(prefix: string, answer: () => WireResponse | Promise<WireResponse>) {
  const sandbox = sandboxOf(await demoStore())
  return healthy({}, async (request) => {
    if (!request.url.pathname.startsWith(prefix)) return sandbox(request)
    const response = await answer()
    return {...response, headers: {date: noon.toUTCString(), ...response.headers}}
  })
}

describe('a room service that', () => {
  test('is reported with its fix, and asked once', () =>
    everyCase(
      [
        ['does not accept the token (401)', () => page(401), 'HTTP 401', 'roomctl config login -p live room'],
        [
          'says so by CE200',
          () => refusal('CE200'),
          'the service did not accept the application token',
          'roomctl config login -p live room',
        ],
        ['does not allow the read', () => page(403), 'HTTP 403', ''],
        ['is not at this path', () => page(404), 'room.list', ''],
        ['is at fault', () => page(503), '503', ''],
        ['answers with a page', () => page(200), 'the answer', ''],
        ['sends the client elsewhere', () => page(302, {location: 'https://elsewhere.example.com/'}), 'redirect', ''],
        ['answers in another shape', () => success({rooms: []}), 'is not what the document describes', ''],
      ],
      async (_how, answer, what, fix) => {
        const machine = await answering('/media/', answer)
        const {found, exit, named} = await doctor(machine)
        expect(exit).toBe(15)
        expect(found).toMatchObject([{check: 'room answer', state: 'fail'}])
        expect(`${found[0]?.what} ${found[0]?.fix}`).toContain(what)
        expect(found[0]?.fix).toContain(fix)
        expect(machine.arrived.filter((line) => line.includes('/media/'))).toEqual(['GET /media/v1/rooms'])
        expect(named('asset answer')).toMatchObject([{state: 'ok'}])
      },
    ))

  test('never answers is reported in time, and the others are checked meanwhile', async () => {
    const machine = await answering('/media/', () => new Promise<WireResponse>(() => undefined))
    const {found, named} = await doctor(machine, '--timeout 400ms')
    expect(found).toMatchObject([{check: 'room answer', what: expect.stringContaining('within 0.4 s')}])
    expect(named('asset answer')).toMatchObject([{state: 'ok'}])
  })
})

test('the server key that a push service answers with is shown to no user', async () => {
  const key = 'AAAA-canary-server-key-0123456789'
  const machine = await answering('/push/', () => reply(JSON.stringify({ios_apns_type: 'NONE', fcm_server_key: key})))
  const env = {ROOMCTL_PUSH_URL: `${machine.origin}/push`, ROOMCTL_PUSH_TOKEN: 'tok-canary-push'}
  const {named, ran} = await doctor(machine, '--application-id app-1', {env})
  expect(named('push answer')).toMatchObject([{state: 'ok', what: expect.stringContaining('can be read')}])
  expect(ran.stdout).not.toContain('canary')
})

describe('nothing is sent to a service', () => {
  test('for which there is no token', async () => {
    const machine = await healthy({credentials: {}})
    const {found} = await doctor(machine)
    expect(found.map(({check, fix}) => [check, fix])).toEqual([
      ['room answer', 'roomctl config login -p live room'],
      ['asset answer', 'roomctl config login -p live asset'],
    ])
    expect(machine.arrived).toEqual([])
  })

  test('whose token is stored for another origin', async () => {
    const other = {store: 'file', origin: 'https://other.example.com', token: 'tok-canary-1'}
    const machine = await healthy({credentials: {room: other}, 'asset.url': undefined})
    const {found, ran} = await doctor(machine)
    expect(found).toMatchObject([{check: 'room answer', state: 'fail'}])
    expect(found[0]?.what).toContain('https://other.example.com')
    expect(ran.stdout).not.toContain('canary')
    expect(machine.arrived).toEqual([])
  })

  test('whose address cannot be used', async () => {
    const env = {ROOMCTL_ROOM_URL: 'http://rooms.example.com', ROOMCTL_ROOM_TOKEN: 'tok-canary-1'}
    const ran = await cli('doctor -o json', {env})
    const {found, named} = foundIn(ran)
    expect(found).toMatchObject([{check: 'room answer', state: 'fail', what: expect.stringContaining('https')}])
    expect(named('asset answer')).toMatchObject([{state: 'ok', what: 'not checked: no address is set'}])
    expect(ran.stdout).not.toContain('canary')
  })

  test('whose token command fails, and what that said is not shown', async () => {
    const {origin, arrived} = await healthy()
    const settings = {
      'room.url': `${origin}/media`,
      'asset.url': undefined,
      credentials: {room: {store: 'command', origin, command: ['op', 'read']}},
    }
    const run = () => Promise.reject(new Error('tok-canary-1 is wrong'))
    const {found, ran} = await doctor(await healthy(settings), '', {run})
    expect(found).toMatchObject([
      {check: 'room answer', state: 'fail', what: expect.stringContaining('printed no token')},
    ])
    expect(ran.stdout).not.toContain('canary')
    expect(arrived).toEqual([])
  })
})
