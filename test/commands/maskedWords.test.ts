import {expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import type {WireResponse} from '../../src/api/http/wire/transport.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {refusal, success} from './answers.js'
import {live, writeProfiles} from './live.js'
import {stateOf} from './push/registering.js'

test('no password masks an error code, an outcome or a field name', async () => {
  const made = new TestCredentials()
  const bytes = made.p12({certificates: [made.certificate()], password: 'correct horse'})
  const file = made.file('push.p12', bytes)
  await everyCase(['password', 'message', 'outcome', 'none', 'retryable', 'exit_code', 'wrong'], async (password) => {
    const stdin = `${password}\n`
    const ran = await cli(['push', 'ios', file, '--application-id', 'app-1', '--password-stdin', '-o', 'json'], {
      stdin,
    })
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'wrong-password',
      outcome: 'none',
      message: expect.any(String),
      retryable: false,
      exit_code: 14,
    })
  })
})

/** A service that answers everything in one way, and a home with its address and this token. */
async function service(token: string, answer: () => WireResponse) {
  const {home, cli: run, origin} = await live({}, async () => answer())
  const env = {ROOMCTL_ROOM_TOKEN: token, ROOMCTL_ROOM_URL: `${origin}/media`}
  return {run: (line: string) => run(line, {env}), journal: () => stateOf(home)}
}

test('so do codes and outcomes in the journal, and a code of the document', async () => {
  const {run, journal} = await service('failed', () => refusal('ER001', 'it failed'))
  const {error} = JSON.parse((await run('room end r-1 --as ann --yes -o json')).stderr)
  expect(error).toMatchObject({code: 'ER001', outcome: 'none', message: 'cannot end room r-1: it failed'})
  expect(JSON.parse(journal())).toMatchObject({operation: 'room.end', outcome: 'failed', code: 'ER001'})
})

test('and the sentence keeps its words, though the password is one of them', async () => {
  const made = new TestCredentials()
  const file = made.file('push.p12', made.p12({certificates: [made.certificate()], password: 'correct horse'}))
  const line = ['push', 'ios', file, '--application-id', 'app-1', '--password-stdin']
  const plain = await cli(line, {stdin: 'x7\n'})
  expect(plain.stderr).toContain('password')
  await everyCase(['password', 'wrong', 'certificate', 'error', 'push', 'application'], async (password) => {
    expect((await cli(line, {stdin: `${password}\n`})).stderr).toBe(plain.stderr)
  })
})

test('but a token that the service repeats as a code, a name or a field is masked there, too', async () => {
  const token = 'tok3n-Zq8Xr4Lm9'
  const refusing = await service(token, () => refusal(token, `no ${token}`))
  const refused = await refusing.run('room end r-1 --as ann --yes -o json')
  expect(JSON.parse(refused.stderr).error).toMatchObject({code: '***', outcome: 'unknown', service_message: 'no ***'})
  expect(refusing.journal()).not.toContain(token)
  const listing = await service(token, () => success([{room_id: 'r-1', name: token, [token]: 1}]))
  const {stdout} = await listing.run('room list -o json')
  expect(stdout).toContain('***')
  expect(stdout).not.toContain(token)
})

test('a token that a command prints is masked where the service repeats it', async () => {
  const token = 's3cr3t-of-a-command'
  const {home, origin} = await live({}, async () => refusal('CE002', `no room for ${token}`))
  const credentials = {room: {store: 'command', origin, command: ['pass', 'show']}}
  writeProfiles(home, {live: {'room.url': `${origin}/media`, credentials}}, 'live')
  const ran = await cli('room show r-1', {home, env: {ROOMCTL_PROFILE: ''}, run: async () => `${token}\n`})
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(ran.stderr).toContain('no room for ***')
  expect(ran.stderr).not.toContain(token)
})
