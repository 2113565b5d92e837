import {expect, test} from 'vitest'
import {terminal} from '../answers.js'
import {emptyHome} from './home.js'

interface Row {
  readonly key: string
  readonly value: unknown
  readonly source: string
  readonly env: string | null
}

test('shows every value with its source: flag, env, profile, default', async () => {
  const home = emptyHome()
  await home.cli('config set room.url https://rooms.example.com/media')
  await home.cli('config set protected true')
  const ran = await home.cli('config list -o json', {env: {ROOMCTL_RETRIES: '4', ROOMCTL_TZ: 'utc'}})
  const rows: Row[] = JSON.parse(ran.stdout)
  const row = (key: string) => rows.find((one) => one.key === key)
  expect(row('tz')).toEqual({key: 'tz', value: 'utc', source: 'env', env: 'ROOMCTL_TZ'})
  expect(row('output')).toMatchObject({value: 'json', source: 'flag'})
  expect(row('retries')).toEqual({key: 'retries', value: 4, source: 'env', env: 'ROOMCTL_RETRIES'})
  expect(row('room.url')).toMatchObject({value: 'https://rooms.example.com/media', source: 'profile'})
  expect(row('protected')).toEqual({key: 'protected', value: true, source: 'profile', env: null})
  expect(row('timeout')).toMatchObject({value: '60s', source: 'default'})
  expect(row('room.token')).toEqual({key: 'room.token', value: null, source: 'default', env: 'ROOMCTL_ROOM_TOKEN'})
})

test('shows where a token is kept and for which origin, never the token', async () => {
  const home = emptyHome()
  await home.cli('config set room.url https://rooms.example.com/media')
  await home.cli('config login room --no-check', {stdin: 'tok-3n'})
  await home.cli('config set asset.url https://assets.example.com')
  await home.cli(['config', 'login', 'asset', '--no-check', '--token-command', 'pass tok-3n'])
  const byEnv = await home.cli('config list', {env: {ROOMCTL_PUSH_TOKEN: 'tok-3n-2'}})
  expect(byEnv.stdout).toContain('in the profile, for https://rooms.example.com')
  expect(byEnv.stdout).toContain('in the command, for https://assets.example.com')
  expect(byEnv.stdout).toMatch(/push\.token +set +env/)
  expect((await home.cli('config list', {env: {ROOMCTL_PUSH_TOKEN: ' '}})).stdout).toMatch(/push\.token +blank +env/)
  expect(byEnv.stdout + byEnv.stderr).not.toContain('tok-3n')
})

test('shows the file and the profile in use, and what a table leaves out', async () => {
  const home = emptyHome()
  const ran = await home.cli('config list')
  expect(ran.stderr).toMatch(/^\d+ more at their defaults; -o json shows all\n$/u)
  expect(ran.stdout).toMatch(/^profile +default +default/mu)
  expect((await home.cli('config list -p sandbox')).stdout).toMatch(/^profile +sandbox +flag/mu)
  expect((await home.cli('config list -o csv')).stderr).toBe('')
  expect((await home.cli('config list --columns key', terminal(100))).stdout).toContain('updateRequesterField')
  expect((await home.cli('config list -q')).stdout).toMatch(/^file\nprofile\nroom\.url\nasset\.url\n/)
})

test('of the sandbox uses no address and no token of the environment', async () => {
  const env = {ROOMCTL_ROOM_URL: 'https://rooms.example.com', ROOMCTL_ROOM_TOKEN: 'tok-3n'}
  const ran = await emptyHome().cli('config list -p sandbox -o json', {env})
  const rows: Row[] = JSON.parse(ran.stdout)
  expect(rows.find(({key}) => key === 'room.url')).toMatchObject({value: null, source: 'default'})
  expect(rows.find(({key}) => key === 'room.token')).toMatchObject({value: 'built in', source: 'default'})
})

test.each(['config list', 'config get output', 'config route list'])(
  '%s of an unknown profile is refused',
  async (line) => {
    const ran = await emptyHome().cli(`${line} -p nosuch`)
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).toBe('error: unknown profile nosuch\n  try: roomctl config profile list\n')
  },
)
