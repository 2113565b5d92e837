import {statSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {everyCase} from '../../support/everyCase.js'
import {writeProfiles} from '../live.js'
import {emptyHome} from './home.js'

test('stores a value in a private file, and says so', async () => {
  const home = emptyHome()
  const ran = await home.cli('config set room.url https://rooms.example.com/media')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'set room.url in profile default\n', sent: []})
  expect(home.file()).toEqual({version: 2, profiles: {default: {'room.url': 'https://rooms.example.com/media'}}})
  expect(statSync(join(home.folder, '.config/roomctl/config.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(home.folder, '.config/roomctl')).mode & 0o777).toBe(0o700)
})

test('says that a switch which is off by default is unset by false', async () => {
  const home = emptyHome()
  for (const key of ['protected', 'readOnly', 'allowHttp']) {
    expect((await home.cli(`config set ${key} true`)).stdout).toBe(`set ${key} in profile default\n`)
    expect((await home.cli(`config set ${key} false`)).stdout).toBe(`unset ${key} in profile default\n`)
    expect((await home.cli(`config set ${key} no`)).exit).toBe(2)
  }
  expect(home.file().profiles.default).toEqual({})
})

test('gives the result to programs', async () => {
  const home = emptyHome()
  const ran = await home.cli('config set timeout 2m -o json')
  expect(JSON.parse(ran.stdout)).toEqual({profile: 'default', key: 'timeout', value: '2m'})
  expect((await home.cli('config set timeout 2m -q')).stdout).toBe('timeout\n')
})

test('a value of another form is refused and nothing is stored', () =>
  everyCase(
    [
      ['room.url', 'rooms.example.com', 'invalid address'],
      ['room.url', 'http://rooms.example.com', 'must begin with https'],
      ['timeout', '60', 'timeout must be'],
      ['output', 'xml', 'output must be one of table, json'],
      ['timeuot', '1m', 'unknown setting "timeuot"'],
      ['__proto__', 'x', 'unknown setting'],
    ],
    async (key, value, message) => {
      const home = emptyHome()
      const ran = await home.cli(['config', 'set', key, value])
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain(message)
      expect(() => home.text()).toThrow()
    },
  ))

describe('profiles', () => {
  test('-p and the variable choose the one that is changed', async () => {
    const home = emptyHome()
    await home.cli('config profile add live')
    await home.cli('config profile add test')
    await home.cli('config set retries 1 -p test')
    await home.cli('config set retries 3', {env: {ROOMCTL_PROFILE: 'live'}})
    expect(home.file().profiles).toEqual({live: {retries: 3}, test: {retries: 1}})
  })

  test('the sandbox and one that does not exist have no settings', async () => {
    const home = emptyHome()
    expect((await home.cli('config set retries 1 -p sandbox')).stderr).toContain('profile sandbox is built in')
    expect(await home.cli('config set retries 1 -p nope')).toMatchObject({exit: 2, stdout: ''})
    await home.cli('config profile add prod')
    expect((await home.cli('config set retries 1 -p prd')).stderr).toContain('try: did you mean prod?')
    expect((await home.cli('config set retries 1 -p staging')).stderr).toMatch(
      /unknown profile staging\n(?:.*\n)?.*try: create it with config profile add, or see the profiles: roomctl config profile list/u,
    )
  })

  test('a wrong setting of the profile does not stand in the way of putting it right', async () => {
    const home = emptyHome()
    writeProfiles(home.folder, {default: {timeout: 'for ever', output: 'xml'}})
    expect(await home.cli('room list')).toMatchObject({exit: 3})
    expect((await home.cli('config set timeout 1m')).exit).toBe(0)
    expect((await home.cli('config unset output')).exit).toBe(0)
    expect((await home.cli('config get timeout')).stdout).toBe('1m\n')
  })
})

describe('an address that moves', () => {
  async function loggedIn() {
    const home = emptyHome()
    await home.cli('config set room.url https://rooms.example.com/media')
    await home.cli('config login room --no-check', {stdin: 'tok-3n\n'})
    return home
  }

  test('to another origin leaves the token behind, and says so', async () => {
    const home = await loggedIn()
    const ran = await home.cli('config set room.url https://other.example.com/media')
    expect(ran).toMatchObject({
      exit: 0,
      stderr:
        'the room token is stored for https://rooms.example.com and is not sent to https://other.example.com: roomctl config login room\n',
    })
    const list = await home.cli('room list')
    expect(list).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(list.stderr).toContain(
      'the token stored for https://rooms.example.com is not sent to https://other.example.com',
    )
    expect(list.stderr).not.toContain('tok-3n')
    const byEnv = await home.cli('room list', {env: {ROOMCTL_ROOM_URL: 'https://third.example.com'}})
    expect(byEnv).toMatchObject({exit: 3})
  })

  test('within its origin keeps it', async () => {
    const home = await loggedIn()
    expect((await home.cli('config set room.url https://rooms.example.com/v2')).stderr).toBe('')
    expect(home.file().profiles.default.credentials.room.origin).toBe('https://rooms.example.com')
  })
})

test('plain http beyond this machine needs allowHttp, and is warned of', async () => {
  const home = emptyHome()
  expect((await home.cli('config set room.url http://192.0.2.1/media')).exit).toBe(2)
  expect((await home.cli('config set allowHttp true')).exit).toBe(0)
  expect((await home.cli('config set room.url http://192.0.2.1/media')).exit).toBe(0)
  const shown = await home.cli('room list')
  expect(shown.stderr).toContain('warning: 192.0.2.1 is plain http')
})
