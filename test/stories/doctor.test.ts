import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import type {Diagnosis} from '../../src/view/system/doctor.js'
import {freshPlace, type Ran, shell} from './place.js'
import {type Service, serve} from './service.js'

let silent: Service

beforeAll(async () => {
  silent = await serve(() => undefined)
})

const stateOf = ({stdout}: Ran) =>
  Object.fromEntries((JSON.parse(stdout) as Diagnosis[]).map(({check, state}) => [check, state]))

// Each check is bounded; so is the program that one of them had to start.
test('doctor, as installed ends a token command that waits for an answer and ignores signals', async () => {
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
