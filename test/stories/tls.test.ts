import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, type Service, sendJson, serve, success, summary} from './service.js'

let place: Place
let service: Service

const made = new TestCredentials()

beforeAll(async () => {
  place = freshPlace({ROOMCTL_RETRIES: '0'})
  const cert = made.certificate({name: 'right', alternatives: 'IP:127.0.0.1'})
  writeFileSync(path.join(place.dir, 'right.pem'), cert)
  const pair = {cert, key: made.key('key')}
  service = await serve((_path, response) => sendJson(response, success([summary('r-1')])), pair)
})

describe('a service whose certificate signs itself', () => {
  test.each([
    ['as it is', {}],
    ['even where Node is told not to look', {NODE_TLS_REJECT_UNAUTHORIZED: '0'}],
  ])('is not trusted, %s', async (_how, env: Record<string, string>) => {
    const ran = await shell(place, 'roomctl room list', {env: {...environmentOf(service), ...env}})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(
      /error: cannot list the rooms: cannot reach 127\.0\.0\.1:\d+: its certificate is not signed by/,
    )
    expect(ran.stderr).toMatch(/try: .*--ca-file/)
    expect(service.asked).toEqual([])
  })

  test('under another name, or where plain http answers, the address is to be checked', async () => {
    const plain = await serve((_path, response) => sendJson(response, success([])))
    const file = path.join(place.dir, 'right.pem')
    for (const [address, why] of [
      [
        environmentOf(service).ROOMCTL_ROOM_URL?.replace('127.0.0.1', 'localhost'),
        'its certificate was issued for another name',
      ],
      [environmentOf(plain).ROOMCTL_ROOM_URL?.replace('http:', 'https:'), 'it does not speak TLS'],
    ]) {
      const env = {...environmentOf(service), ROOMCTL_ROOM_URL: address ?? '', ROOMCTL_CA_FILE: file}
      const ran = await shell(place, 'roomctl room list', {env})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.stderr).toContain(why)
      expect(ran.stderr).toContain('try: check the host and port of the address: roomctl config list\n')
    }
  })

  test('is trusted where the file is named: by flag, environment, setting, or to Node itself', async () => {
    const env = environmentOf(service)
    const named = await shell(place, 'roomctl room list -q --ca-file right.pem', {env})
    expect(named).toMatchObject({exit: 0, stdout: 'r-1\n', stderr: ''})
    for (const name of ['ROOMCTL_CA_FILE', 'NODE_EXTRA_CA_CERTS']) {
      const ran = await shell(place, 'roomctl room list -q', {env: {...env, [name]: path.join(place.dir, 'right.pem')}})
      expect(ran, name).toMatchObject({exit: 0, stdout: 'r-1\n', stderr: ''})
    }
    const set = await shell(place, 'roomctl config set caFile "$PWD/right.pem" >&2; roomctl room list -q', {env})
    expect(set).toMatchObject({exit: 0, stdout: 'r-1\n', stderr: expect.any(String)})
    await shell(place, 'roomctl config unset caFile')
  })
})
