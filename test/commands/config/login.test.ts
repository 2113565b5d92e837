import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {sandboxToken} from '../../../src/sandbox/world/world.js'
import {freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {always, lost, page, refusal, reply, success, terminal} from '../answers.js'
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
    const ran = await home.cli('config login room --no-check', {stdin: '  tok-3n\r\n'})
    expect(ran).toMatchObject({
      exit: 0,
      stderr: '',
      asked: [],
      stdout: 'stored the room token of profile default for https://rooms.example.com (file, not checked)\n',
    })
    expect(home.file().profiles.default.credentials).toEqual({room: kept('tok-3n')})
  })

  test('is for the room service where none is named, and for another where one is', async () => {
    const home = await withAddress()
    await home.cli('config set push.url https://push.example.com')
    await home.cli('config login --no-check', {stdin: 'tok-1'})
    const ran = await home.cli('config login push -o json', {stdin: 'tok-2'})
    expect(JSON.parse(ran.stdout)).toEqual({
      profile: 'default',
      service: 'push',
      origin: 'https://push.example.com',
      store: 'file',
      checked: false,
    })
    expect(Object.keys(home.file().profiles.default.credentials)).toEqual(['room', 'push'])
  })

  test('is read from a file', async () => {
    const home = await withAddress()
    const file = join(home.folder, 'token.txt')
    writeFileSync(file, 'tok-3n\n')
    expect((await home.cli(['config', 'login', 'room', '--token-file', file, '--no-check'])).exit).toBe(0)
    expect(home.file().profiles.default.credentials.room).toEqual(kept('tok-3n'))
    expect(await home.cli('config login room --token-file /nowhere')).toMatchObject({exit: 14, stdout: ''})
  })

  test('is asked for on a terminal without being shown', async () => {
    const home = await withAddress()
    const ran = await home.cli('config login room --no-check', terminal(80, 'tok-3n'))
    expect(ran).toMatchObject({exit: 0, asked: ['Token of the room service on default (rooms.example.com):']})
    expect(ran.stdout + ran.stderr).not.toContain('tok-3n')
    expect(home.file().profiles.default.credentials.room).toEqual(kept('tok-3n'))
  })

  test('is not waited for without a terminal', async () => {
    const home = await withAddress()
    const ran = await home.cli('config login room --no-input', terminal(80))
    expect(ran).toMatchObject({exit: 2, stdout: '', asked: []})
    expect(ran.stderr).toContain('use --token-file or --token-command')
  })

  test('that is empty, or that no header can carry, is not stored and not repeated', () =>
    everyCase(['', '\n', '   ', 'two words', 'two\nlines', 'nul\u0000l', '토큰'], async (stdin) => {
      const home = await withAddress()
      const ran = await home.cli('config login room --no-check', {stdin})
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toMatch(/the token of the room service is empty|the given value cannot be used as a token/u)
      if (stdin.trim() !== '') expect(ran.stderr).not.toContain(stdin)
      expect(home.file().profiles.default).toEqual({'room.url': address})
    }))
})

describe('the check of a token', () => {
  const file = (service: Awaited<ReturnType<typeof live>>) =>
    JSON.parse(readFileSync(join(service.home, '.config/roomctl/config.json'), 'utf8')).profiles.live.credentials

  test('reads the room list once with it, whatever the environment holds, and then stores it', async () => {
    const service = await live({credentials: undefined})
    const ran = await service.cli('config login room -o json', {
      stdin: sandboxToken,
      env: {ROOMCTL_ROOM_TOKEN: 'another-token'},
    })
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toMatchObject({store: 'file', checked: true})
    expect(service.arrived).toEqual(['GET /media/v1/rooms'])
    expect(service.authorization).toEqual([`Bearer ${sandboxToken}`])
    expect(file(service).room.token).toBe(sandboxToken)
  })

  test('does not store a refused one, from stdin, a file, a command or the terminal: exit 4', async () => {
    const home = freshHome()
    const path = join(home, 'token')
    writeFileSync(path, 's3cr3t-wrong')
    const sources = [
      {words: [], circumstances: {stdin: 's3cr3t-wrong'}},
      {words: [], circumstances: terminal(200, 's3cr3t-wrong')},
      {words: ['--token-file', path]},
      {words: ['--token-command', 'pass show'], circumstances: {run: async () => 's3cr3t-wrong\n'}},
    ]
    await everyCase(sources, async ({words, circumstances = {}}) => {
      const service = await live()
      const before = file(service)
      const ran = await service.cli(['config', 'login', 'room', ...words], circumstances)
      expect(ran).toMatchObject({exit: 4, stdout: ''})
      expect(ran.stderr).toContain('error: the room token was not stored: the service refused it (CE200)\n')
      expect(ran.stderr).toContain('--no-check')
      expect(ran.stderr).not.toContain('s3cr3t')
      expect(file(service)).toEqual(before)
    })
  })

  test('is a warning where the service cannot tell, and the token is stored', async () => {
    const faults = [
      always(() => page(500)),
      always(() => page(502)),
      always(() => page(200)),
      always(() => page(404)),
      always(() => reply('{"s3cr3t-new": ')),
      always(() => refusal('CE003', 'not for s3cr3t-new', 403)),
      always(() => refusal('CE100', 's3cr3t-new failed')),
      always(() => lost('reset', 'maybe')),
    ]
    await everyCase(faults, async (fault) => {
      const service = await live({}, fault)
      const ran = await service.cli('config login room', {stdin: 's3cr3t-new'})
      expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining('(file, not checked)')})
      expect(ran.stderr).toMatch(/^warning: the room token is stored, but it could not be checked: /u)
      expect(ran.stderr).not.toContain('s3cr3t')
      expect(service.arrived).toHaveLength(1)
      expect(file(service).room.token).toBe('s3cr3t-new')
    })
  })

  test('takes a 401 page of a proxy for a refusal', async () => {
    const service = await live(
      {},
      always(() => page(401)),
    )
    expect(await service.cli('config login room', {stdin: 'x'})).toMatchObject({exit: 4, stdout: ''})
  })

  test('is made for every service by its own read', async () => {
    const home = await live({applicationId: 'app-1'})
    for (const name of ['room', 'asset', 'push']) {
      const ran = await home.cli(`config login ${name}`, {stdin: 's3cr3t-wrong'})
      expect(ran).toMatchObject({exit: 4, stdout: ''})
      expect(ran.stderr).toContain(`the ${name} token was not stored: the service refused it`)
    }
    const ran = await home.cli('config login push', {stdin: sandboxToken})
    expect(ran).toMatchObject({exit: 0, stderr: '', stdout: expect.stringMatching(/\(file\)\n$/u)})
    const asset = await home.cli('config login asset', {stdin: sandboxToken})
    expect(asset).toMatchObject({exit: 0, stderr: '', stdout: expect.stringContaining('(file, not checked)')})
  })

  test('is not made with --no-check, nor of push without an application id', async () => {
    const service = await live(
      {},
      always(() => success([])),
    )
    for (const line of ['config login room --no-check', 'config login asset --no-check', 'config login push']) {
      const ran = await service.cli(line, {stdin: 's3cr3t-wrong'})
      expect(ran).toMatchObject({exit: 0, stderr: '', stdout: expect.stringContaining('(file, not checked)')})
    }
    expect(service.arrived).toEqual([])
    expect(file(service).push.token).toBe('s3cr3t-wrong')
  })

  test('of a token command needs its token: one that gives none is not stored', async () => {
    const service = await live({credentials: undefined})
    const fails = async () => 'two words\n'
    const ran = await service.cli(['config', 'login', 'room', '--token-command', 'pass show'], {run: fails})
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).not.toContain('two words')
    expect(file(service)).toBeUndefined()
  })
})

describe('a token command', () => {
  test('is stored as words, not run by a shell, and not run now', async () => {
    const home = await withAddress()
    const ran = await home.cli([
      'config',
      'login',
      'room',
      '--token-command',
      'op read op://ops/roomctl/token',
      '--no-check',
    ])
    expect(ran).toMatchObject({
      exit: 0,
      stdout: 'stored the room token of profile default for https://rooms.example.com (command, not checked)\n',
    })
    expect(home.file().profiles.default.credentials.room).toEqual({
      origin: 'https://rooms.example.com',
      store: 'command',
      command: ['op', 'read', 'op://ops/roomctl/token'],
    })
    await home.cli(['config', 'login', 'room', '--token-command', '["pass","show","a b"]', '--no-check'])
    expect(home.file().profiles.default.credentials.room.command).toEqual(['pass', 'show', 'a b'])
    await home.cli(['config', 'login', 'room', '--token-command', 'C:\\tools\\token.cmd print', '--no-check'])
    expect(home.file().profiles.default.credentials.room.command).toEqual(['C:\\tools\\token.cmd', 'print'])
  })

  test.each(['echo "$TOKEN"', 'cat x | head', 'a; b', '', '  ', '[]', '[1]', '["a"', '{"a":1}'])(
    '%j is refused',
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
    await service.cli(['config', 'login', 'room', '--token-command', 'pass show roomctl', '--no-check'], {run})
    expect(ran).toEqual([])
    expect((await service.cli('room list -q', {run})).exit).toBe(0)
    expect(ran).toEqual([['pass', 'show', 'roomctl']])
    expect(service.authorization).toEqual(['Bearer sandbox-application-token'])
  })

  test('that fails or prints nothing ends with 3, repeating nothing that it said', async () => {
    const service = await live()
    const fails = () => Promise.reject(new Error('s3cr3t in the message'))
    await service.cli(['config', 'login', 'room', '--token-command', 'pass show roomctl', '--no-check'])
    for (const run of [fails, async () => '', async () => 's3cr3t\nmore']) {
      const ran = await service.cli('room list', {run})
      expect(ran).toMatchObject({exit: 3, stdout: ''})
      expect(ran.stderr).toContain('the token command of the room service printed no token')
      expect(ran.stderr).not.toContain('s3cr3t')
    }
    expect(service.arrived).toEqual([])
  })
})

test('a service without an address has nothing to bind a token to', async () => {
  const home = emptyHome()
  const ran = await home.cli('config login room --no-check', {stdin: 'tok-3n'})
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toContain('no address is set for the room service')
})

test('a missing profile is reported before the token is asked for', async () => {
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
    'error: no token is stored for the room service\n' +
      '  why: profile default has none for https://rooms.example.com, and ROOMCTL_ROOM_TOKEN is not set\n' +
      '  try: roomctl config login room\n',
  )
})
