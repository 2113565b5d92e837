import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, type Service, sendJson, serve, success, summary} from './service.js'

let place: Place
let service: Service
let otherName: Service

const made = new TestCredentials()

/** A certificate that signs itself, for one name; it lies in the folder. */
function certificate(folder: string, name: string, alternatives: string): {cert: string; key: string} {
  const cert = made.certificate({name, alternatives})
  writeFileSync(path.join(folder, `${name}.pem`), cert)
  return {cert, key: made.key('key')}
}

beforeAll(async () => {
  place = freshPlace({ROOMCTL_RETRIES: '0'})
  const answer: Parameters<typeof serve>[0] = (_path, response) => sendJson(response, success([summary('r-1')]))
  service = await serve(answer, certificate(place.dir, 'right', 'IP:127.0.0.1'))
  otherName = await serve(answer, certificate(place.dir, 'other', 'DNS:rooms.example.com'))
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
    expect(ran.stderr).toMatch(/try: .*--ca-file FILE/)
    expect(service.asked).toEqual([])
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

  test('is not trusted under another name, nor by a file that holds another certificate', async () => {
    const name = await shell(place, 'roomctl room list --ca-file other.pem', {env: environmentOf(otherName)})
    expect(name.exit).toBe(10)
    expect(name.stderr).toContain('its certificate was issued for another name')
    const file = await shell(place, 'roomctl room list --ca-file other.pem', {env: environmentOf(service)})
    expect(file.exit).toBe(10)
    expect(file.stderr).toContain('its certificate is not signed by a trusted CA')
    expect(otherName.asked).toEqual([])
  })

  test('a file that contains no certificate is said to hold none', async () => {
    const ran = await shell(place, 'echo nothing > empty.pem; roomctl room list --ca-file empty.pem', {
      env: environmentOf(service),
    })
    expect(ran.exit).toBe(14)
    expect(ran.stderr).toMatch(/^error: .*empty\.pem/)
  })
})
