import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {live, writeProfiles} from '../live.js'

const none = {ROOMCTL_PROFILE: ''}

describe('a service that is not set up', () => {
  test('without any profile says how to set one up, and how to try the tool', async () => {
    const ran = await cli('room list', {env: none})
    expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(ran.stderr).toBe(
      'error: no address is set for the room service\n' +
        '  why: no profile is set up, and ROOMCTL_ROOM_URL is not set\n' +
        '  try: add -p sandbox to try the tool without a service, or: roomctl config init\n',
    )
    const change = await cli('room end r-1 r-2 --yes', {env: {...none, NO_COLOR: '1'}, columns: 80})
    expect(change.stderr).toMatch(/^error: no address is set/u)
  })

  test('with a profile that does not exist says which', async () => {
    const ran = await cli('room list -p nope -o json')
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'configuration', outcome: 'none', exit_code: 3})
    expect(await cli('room list -p ../x')).toMatchObject({exit: 2})
  })

  test('works on the sandbox all the same', async () => {
    expect((await cli('room list -q', {env: {...none, ROOMCTL_PROFILE: 'sandbox'}})).exit).toBe(0)
  })
})

describe('the environment alone', () => {
  test('is enough: an address and a token', async () => {
    const service = await live()
    const env = {
      ...none,
      ROOMCTL_ROOM_URL: `${service.origin}/media/`,
      // As `export ROOMCTL_ROOM_TOKEN="$(cat file)"` leaves it of a file from Windows.
      ROOMCTL_ROOM_TOKEN: ' sandbox-application-token\r\n',
    }
    expect((await cli('room list -q --status idle', {env})).stdout).toBe('r-review\n')
    expect(service.arrived).toEqual(['GET /media/v1/rooms'])
  })

  test.each([
    ['http://192.0.2.1/media', 'must begin with https'],
    ['http://127.0.0.1.example.com/media', 'must begin with https'],
    ['rooms.example.com', 'ROOMCTL_ROOM_URL'],
    ['rooms dot example', 'ROOMCTL_ROOM_URL'],
    ['https://user:s3cr3t@rooms.example.com/', 'ROOMCTL_ROOM_URL'],
    ['https://rooms.example.com/?token=s3cr3t', 'ROOMCTL_ROOM_URL'],
    ['https://rooms.example.com/#x', 'ROOMCTL_ROOM_URL'],
    ['ftp://rooms.example.com/', 'ROOMCTL_ROOM_URL'],
  ])('with the address %s sends nothing and says whose it is', async (url, says) => {
    const ran = await cli('room list', {env: {...none, ROOMCTL_ROOM_URL: url, ROOMCTL_ROOM_TOKEN: 'x'}})
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).not.toContain('s3cr3t')
  })

  test.each([
    ['ROOMCTL_TIMEOUT', '1e3x'],
    ['ROOMCTL_RETRIES', '-1'],
    ['ROOMCTL_OUTPUT', 'xml'],
    ['ROOMCTL_TZ', 'Mars'],
    ['ROOMCTL_ROUTE_ROOM_LIST', 'nonsense'],
    ['ROOMCTL_PROFILE', '../x'],
  ])('with a wrong %s names the variable', async (name, value) => {
    const ran = await cli('room list', {env: {ROOMCTL_PROFILE: 'sandbox', [name]: value}})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(name)
  })
})

describe('the profile file', () => {
  test('with a setting of the wrong form names the command that puts it right', async () => {
    const home = freshHome()
    writeProfiles(home, {default: {timeout: 'for ever'}})
    const ran = await cli('room list', {home, env: none})
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).toContain('roomctl config unset timeout')
  })
})

test('a wrong token ends with 4 and the login', async () => {
  const service = await live()
  writeProfiles(service.home, {
    live: {
      'room.url': `${service.origin}/media`,
      credentials: {room: {store: 'file', origin: service.origin, token: 'wr0ng'}},
    },
  })
  const ran = await service.cli('room list')
  expect(ran).toMatchObject({exit: 4, stdout: ''})
  expect(ran.stderr).toContain('(CE200)')
  expect(ran.stderr).toContain('try: roomctl config login -p live room\n')
  expect(ran.stderr).not.toContain('wr0ng')
})

test('a token that is missing, refused or of two lines names the variable that holds it', async () => {
  const service = await live()
  const env = {...none, ROOMCTL_ROOM_URL: `${service.origin}/media`}
  const missing = await cli('room list', {env})
  expect(missing).toMatchObject({exit: 3, stdout: ''})
  expect(missing.stderr).toMatch(/^error: no token is stored for the room service\n.*\n.*config login/u)
  const refused = await cli('room list', {env: {...env, ROOMCTL_ROOM_TOKEN: 'wr0ng'}})
  expect(refused.exit).toBe(4)
  expect(refused.stderr).toContain('\n  try: export ROOMCTL_ROOM_TOKEN again, with a new token\n')
  const broken = await cli('room list', {env: {...env, ROOMCTL_ROOM_TOKEN: 'abc\ndef'}})
  expect(broken).toMatchObject({exit: 2, stdout: ''})
  expect(broken.stderr).toContain('ROOMCTL_ROOM_TOKEN cannot be used as a token')
  expect(broken.stderr).not.toContain('abc')
})

test('a service that is gone ends with 10', async () => {
  const service = await live({'room.url': 'http://127.0.0.1:1/media'})
  writeProfiles(service.home, {
    live: {
      'room.url': 'http://127.0.0.1:1/media',
      credentials: {room: {store: 'file', origin: 'http://127.0.0.1:1', token: 'x'}},
    },
  })
  const ran = await service.cli('room list -o json')
  expect(ran).toMatchObject({exit: 10, stdout: ''})
  expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'refused', retryable: true, outcome: 'none'})
})

test('a file of certificates that cannot be read ends with 14', async () => {
  const service = await live()
  const ran = await service.cli('room list --ca-file /nowhere.pem')
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('cannot read /nowhere.pem')
  expect(service.arrived).toEqual([])
})

test('a timeout names its length', async () => {
  const service = await live({}, () => new Promise(() => undefined))
  const ran = await service.cli('room list --timeout 100ms --retries 0 -o json')
  expect(ran).toMatchObject({exit: 10, stdout: ''})
  expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'deadline', message: expect.stringContaining('0.1 s')})
})

test('--debug shows each request and answer on stderr, and no secret', async () => {
  const service = await live()
  const ran = await service.cli('room list -q --status idle --debug')
  expect(ran).toMatchObject({exit: 0, stdout: 'r-review\n'})
  expect(ran.stderr).toContain(`> GET ${service.origin}/media/v1/rooms`)
  expect(ran.stderr).toMatch(/< 200 in /)
  expect(ran.stderr).not.toContain('sandbox-application-token')
})
