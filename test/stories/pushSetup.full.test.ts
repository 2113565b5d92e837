import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {onTerminal} from '../support/pty.js'
import {freshPlace, shell} from './place.js'
import {serve} from './service.js'

const enter = '\r'
const down = '\u001b[B'
const leave = {Esc: '\u001b', 'Ctrl-D': '\u0004'}

function placeWithKey(env: Record<string, string>) {
  const place = freshPlace({TERM: 'xterm-256color', NO_COLOR: '1', ...env})
  writeFileSync(path.join(place.dir, 'AuthKey_KEY7654321.p8'), new TestCredentials().key('apns', 'P-256'))
  return place
}

const questions = [
  {expect: 'Application id', send: `app-2${enter}`},
  {expect: 'File (.p8 or .p12)', send: `AuthKey_KEY7654321.p8${enter}`},
  {expect: 'Team id', send: `TEAM123456${enter}`},
  {expect: 'Bundle id', send: `com.example.rooms${enter}`},
  {expect: 'only if Apple accepts', send: `${down}${down}${down}${enter}`},
  {expect: 'Register the iOS key', send: `y${enter}`},
]

test('the guided way registers a key on a terminal', async () => {
  const place = placeWithKey({ROOMCTL_PROFILE: 'sandbox'})
  await shell(place, 'roomctl sandbox seed')
  const command = ['roomctl', 'push', 'ios']
  // On the sandbox nothing is asked of Apple.
  const steps = questions.filter((question) => !question.expect.includes('Apple'))
  const run = await onTerminal({command, env: place.env, cwd: place.dir, columns: 120, steps})
  expect(run).toMatchObject({exit: 0, timed_out: false})
  expect(run.text).toContain('registered the iOS key KEY7654321 of team TEAM123456')
  expect((await shell(place, 'roomctl push show --application-id app-2 -o json')).stdout).toContain('KEY7654321')
}, 60_000)

test.each(Object.entries(leave))(
  '%s leaves it at every question with nothing registered',
  async (_, byte) => {
    const service = await serve((_path, response) => {
      response.writeHead(204).end()
    })
    for (let at = 0; at < questions.length; at += 2) {
      const place = placeWithKey({ROOMCTL_PUSH_URL: service.url, ROOMCTL_PUSH_TOKEN: 'a-token', ...credentialRoutes})
      const steps = [...questions.slice(0, at), {expect: questions[at]?.expect ?? '', send: byte}]
      const command = ['roomctl', 'push', 'ios']
      const run = await onTerminal({command, env: place.env, cwd: place.dir, columns: 120, steps})
      expect(run, questions[at]?.expect).toMatchObject({exit: 13, timed_out: false})
      expect(run.text).toContain('cancelled; nothing was sent')
    }
    expect(service.asked.filter(({method}) => method !== 'GET')).toEqual([])
  },
  120_000,
)
