import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'
import {live, writeProfiles} from '../live.js'
import {emptyHome} from './home.js'

const address = 'https://rooms.example.com/media'

async function withAddress() {
  const home = emptyHome()
  await home.cli(`config set room.url ${address}`)
  return home
}

const kept = (token: string) => ({origin: 'https://rooms.example.com', store: 'file', token})

describe('a token', () => {
  test('is read from stdin and stored for the origin of the address', async () => {
    const home = await withAddress()
    const ran = await home.cli('config login room', {stdin: '  tok-3n\r\n'})
    expect(ran).toMatchObject({
      exit: 0,
      stderr: '',
      asked: [],
      stdout: 'stored the room token of profile default for https://rooms.example.com (file)\n',
    })
    expect(home.file().profiles.default.credentials).toEqual({room: kept('tok-3n')})
  })

  test('is for the room service where none is named, and for another where one is', async () => {
    const home = await withAddress()
    await home.cli('config set push.url https://push.example.com')
    await home.cli('config login', {stdin: 'tok-1'})
    const ran = await home.cli('config login push -o json', {stdin: 'tok-2'})
    expect(JSON.parse(ran.stdout)).toEqual({
      profile: 'default',
      service: 'push',
      origin: 'https://push.example.com',
      store: 'file',
    })
    expect(Object.keys(home.file().profiles.default.credentials)).toEqual(['room', 'push'])
  })

  test('is read from a file', async () => {
    const home = await withAddress()
    const file = join(home.folder, 'token.txt')
    writeFileSync(file, 'tok-3n\n')
    expect((await home.cli(['config', 'login', 'room', '--token-file', file])).exit).toBe(0)
    expect(home.file().profiles.default.credentials.room).toEqual(kept('tok-3n'))
    expect(await home.cli('config login room --token-file /nowhere')).toMatchObject({exit: 14, stdout: ''})
  })

  test('is asked for on a terminal without being shown', async () => {
    const home = await withAddress()
    const ran = await home.cli('config login room', terminal(80, 'tok-3n'))
    expect(ran).toMatchObject({exit: 0, asked: ['Token of the room service:']})
    expect(ran.stdout + ran.stderr).not.toContain('tok-3n')
    expect(home.file().profiles.default.credentials.room).toEqual(kept('tok-3n'))
  })

  test('is not waited for where nobody can be asked', async () => {
    const home = await withAddress()
    const ran = await home.cli('config login room --no-input', terminal(80))
    expect(ran).toMatchObject({exit: 2, stdout: '', asked: []})
    expect(ran.stderr).toContain('--token-file FILE')
  })

  test('that is empty is not stored', () =>
    everyCase(['', '\n', '   '], async (stdin) => {
      const home = await withAddress()
      const ran = await home.cli('config login room', {stdin})
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain('the token is empty, nothing was stored')
      expect(home.file().profiles.default).toEqual({'room.url': address})
    }))

  test.each(['two words', 'two\nlines', 'nul\u0000l', '토큰'])(
    'that no header can carry (%j) is refused and not repeated',
    async (stdin) => {
      const home = await withAddress()
      const ran = await home.cli('config login room', {stdin})
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).not.toContain(stdin)
      expect(home.file().profiles.default).toEqual({'room.url': address})
    },
  )

  test('replaces an older one', async () => {
    const home = await withAddress()
    await home.cli('config login room', {stdin: 'old'})
    await home.cli('config login room', {stdin: 'new'})
    expect(home.file().profiles.default.credentials).toEqual({room: kept('new')})
    expect(home.text()).not.toContain('old')
  })
})

describe('a token command', () => {
  test('is stored as words, not run by a shell, and not run now', async () => {
    const home = await withAddress()
    const ran = await home.cli(['config', 'login', 'room', '--token-command', 'op read op://ops/roomctl/token'])
    expect(ran).toMatchObject({
      exit: 0,
      stdout: 'stored the room token of profile default for https://rooms.example.com (command)\n',
    })
    expect(home.file().profiles.default.credentials.room).toEqual({
      origin: 'https://rooms.example.com',
      store: 'command',
      command: ['op', 'read', 'op://ops/roomctl/token'],
    })
    await home.cli(['config', 'login', 'room', '--token-command', '["pass","show","a b"]'])
    expect(home.file().profiles.default.credentials.room.command).toEqual(['pass', 'show', 'a b'])
  })

  test.each(['echo "$TOKEN"', 'cat x | head', 'a; b', '', '  ', '[]', '[1]', '["a"', '{"a":1}'])(
    '%j is none',
    async (text) => {
      const home = await withAddress()
      expect(await home.cli(['config', 'login', 'room', '--token-command', text])).toMatchObject({exit: 2, stdout: ''})
      expect(home.file().profiles.default).toEqual({'room.url': address})
    },
  )

  test('gives the token of each command that needs one', async () => {
    const ran: string[][] = []
    const run = async (command: readonly string[]) => {
      ran.push([...command])
      return 'sandbox-application-token\n'
    }
    const service = await live()
    await service.cli(['config', 'login', 'room', '--token-command', 'pass show roomctl'], {run})
    expect(ran).toEqual([])
    expect((await service.cli('room list -q', {run})).exit).toBe(0)
    expect(ran).toEqual([['pass', 'show', 'roomctl']])
    expect(service.authorization).toEqual(['Bearer sandbox-application-token'])
  })

  test('that fails or prints nothing ends with 3, repeating nothing that it said', async () => {
    const service = await live()
    const fails = () => Promise.reject(new Error('s3cr3t in the message'))
    await service.cli(['config', 'login', 'room', '--token-command', 'pass show roomctl'])
    for (const run of [fails, async () => '', async () => 's3cr3t\nmore']) {
      const ran = await service.cli('room list', {run})
      expect(ran).toMatchObject({exit: 3, stdout: ''})
      expect(ran.stderr).toContain('the token command of the room service gave no token')
      expect(ran.stderr).not.toContain('s3cr3t')
    }
    expect(service.arrived).toEqual([])
  })

  test('and a file cannot be given together', async () => {
    const home = await withAddress()
    expect((await home.cli('config login room --token-file x --token-command y')).exit).toBe(2)
  })
})

test('a service without an address has nothing to bind a token to', async () => {
  const home = emptyHome()
  const ran = await home.cli('config login room', {stdin: 'tok-3n'})
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toContain('there is no address for the room service')
})

test('a profile that does not exist is said before the token is asked for', async () => {
  const home = await withAddress()
  const ran = await home.cli('config login room -p nope', {...terminal(80), env: {ROOMCTL_ROOM_URL: address}})
  expect(ran).toMatchObject({exit: 2, asked: []})
  expect(await home.cli('config login room -p sandbox', {stdin: 'x'})).toMatchObject({exit: 2})
})

test('the token of the environment wins over a stored one, and is never stored', async () => {
  const service = await live()
  const ran = await service.cli('room list', {env: {ROOMCTL_ROOM_TOKEN: 'from-the-environment'}})
  expect(ran.exit).toBe(4)
  expect(service.authorization).toEqual(['Bearer from-the-environment'])
})

test('without any token nothing is sent', async () => {
  const home = emptyHome()
  writeProfiles(home.folder, {default: {'room.url': address}})
  const ran = await home.cli('room list')
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toBe(
    'error: there is no token for the room service\n' +
      '  why: profile default holds none for https://rooms.example.com, and ROOMCTL_ROOM_TOKEN is not set\n' +
      '  try: roomctl config login room\n',
  )
})
