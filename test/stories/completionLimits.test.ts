import {mkdirSync, writeFileSync} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, serve} from './service.js'

const line = 'roomctl complete --shell zsh -- room show ""'
const silent = {exit: 0, stdout: '', stderr: ''}
const listeners: net.Server[] = []

afterAll(() => {
  for (const listener of listeners) listener.close()
})

function putProfile({dir}: Place, profile: object): void {
  mkdirSync(path.join(dir, 'config'), {mode: 0o700})
  const text = JSON.stringify({version: 1, current: 'live', profiles: {live: profile}})
  writeFileSync(path.join(dir, 'config/config.json'), text, {mode: 0o600})
}

test.each([
  ['never answers', () => undefined],
  ['begins an answer and never ends it', (response: import('node:http').ServerResponse) => void response.write('{"st')],
])('a service that %s does not keep the shell waiting: the run ends by itself, with nothing', async (_, answer) => {
  const service = await serve((_path, response) => answer(response))
  const place = freshPlace(environmentOf(service))
  expect(await shell(place, line)).toMatchObject(silent)
  expect(service.asked).toHaveLength(1)
})

test('a service that fails is asked once and not again', async () => {
  const service = await serve((_path, response) => void response.writeHead(503).end())
  const place = freshPlace({...environmentOf(service), ROOMCTL_RETRIES: '5'})
  expect(await shell(place, line)).toMatchObject(silent)
  expect(service.asked).toHaveLength(1)
})

test('a token in the keyring is not asked for: neither its bus nor the service is called', async () => {
  const service = await serve((_path, response) => void response.end())
  const place = freshPlace({})
  const socket = path.join(place.dir, 'bus')
  let calls = 0
  const bus = net.createServer(() => (calls += 1)).listen(socket)
  listeners.push(bus)
  await new Promise((resolve) => bus.once('listening', resolve))
  putProfile(place, {'room.url': service.url, credentials: {room: {store: 'keyring', origin: service.url}}})
  const env = {DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}`}
  expect(await shell(place, line, {env})).toMatchObject(silent)
  expect({calls, asked: service.asked}).toEqual({calls: 0, asked: []})
})

test('a token command is not run', async () => {
  const service = await serve((_path, response) => void response.end())
  const place = freshPlace({})
  const credential = {store: 'command', origin: service.url, command: ['touch', path.join(place.dir, 'ran')]}
  putProfile(place, {'room.url': service.url, credentials: {room: credential}})
  expect(await shell(place, `${line}; ls`)).toMatchObject({exit: 0, stdout: expect.not.stringContaining('ran')})
  expect(service.asked).toEqual([])
})
