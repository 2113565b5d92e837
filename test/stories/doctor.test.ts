import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import type {Diagnosis} from '../../src/view/system/doctor.js'
import {freshPlace, type Place, type Ran, shell, start} from './place.js'
import {environmentOf, type Service, sendJson, serve, success, summary, token} from './service.js'

let place: Place
let service: Service
let silent: Service

beforeAll(async () => {
  place = freshPlace()
  const made = new TestCredentials()
  const to = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const cert = made.certificate({name: 'rooms', alternatives: 'IP:127.0.0.1', to})
  writeFileSync(path.join(place.dir, 'own.pem'), cert)
  const pair = {cert, key: made.key('key')}
  service = await serve((_path, response) => sendJson(response, success([summary('r-1')])), pair)
  silent = await serve(() => undefined)
})

const stateOf = ({stdout}: Ran) =>
  Object.fromEntries((JSON.parse(stdout) as Diagnosis[]).map(({check, state}) => [check, state]))

describe('doctor, as installed', () => {
  test('sees a certificate that ends soon', async () => {
    const ran = await shell(place, 'roomctl doctor -o json --ca-file own.pem', {env: environmentOf(service)})
    expect(ran.exit).toBe(15)
    expect(stateOf(ran)).toMatchObject({
      'room tls': 'warn',
      'room answer': 'ok',
      'room clock': 'ok',
    })
    expect(ran.stdout).toMatch(/certificate of rooms by rooms, [89] days left/u)
    expect(ran.stdout + ran.stderr).not.toContain(token)
  })

  test('sends nothing to a service whose certificate is not trusted', async () => {
    const before = service.asked.length
    const ran = await shell(place, 'roomctl doctor -o json', {env: environmentOf(service)})
    expect(ran.exit).toBe(15)
    expect(stateOf(ran)).toMatchObject({'room tls': 'fail', 'room answer': 'fail'})
    expect(service.asked.length).toBe(before)
  })

  test('comes to an end where a service never answers', async () => {
    const ran = await shell(place, 'roomctl doctor --timeout 300ms -o json', {env: environmentOf(silent)})
    expect(ran).toMatchObject({exit: 15, signal: null})
    expect(stateOf(ran)).toMatchObject({'room answer': 'fail'})
  })

  // product §1: each check is bounded; so is the program that one of them had to start.
  test('ends a token command that waits for an answer, and pays no heed', async () => {
    const waiting = freshPlace()
    const script = 'trap "" TERM; echo $$ >waiting.pid; exec sleep 300'
    const room = {store: 'command', origin: silent.url, command: ['sh', '-c', script]}
    const profile = {'room.url': `${silent.url}/media`, credentials: {room}}
    mkdirSync(path.join(waiting.dir, 'config'), {mode: 0o700})
    const file = path.join(waiting.dir, 'config/config.json')
    writeFileSync(file, JSON.stringify({version: 1, profiles: {live: profile}}), {mode: 0o600})
    const ran = await shell(waiting, 'roomctl doctor -p live --timeout 300ms -o json; kill -0 "$(cat waiting.pid)"')
    expect(stateOf(ran)).toMatchObject({'room answer': 'fail'})
    expect(ran.stdout).toContain('its token was not available within 0.3 s')
    expect(ran.stderr).toContain('No such process')
  })

  test('ends with 130 at Ctrl-C', async () => {
    const asked = silent.asked.length
    const run = start(place, 'exec roomctl doctor', environmentOf(silent))
    while (silent.asked.length === asked) await new Promise((resolve) => setTimeout(resolve, 20))
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({exit: 130, stdout: ''})
  })
})
