import {expect, test} from 'vitest'
import {emptyFile, type ProfileFile} from '../../../../src/storage/profile/file.js'
import {type Layers, type Resolved, resolveProfile} from '../../../../src/storage/profile/resolve.js'
import {problemOf} from './folder.js'

const file: ProfileFile = {
  version: 1,
  current: 'prod',
  profiles: {
    prod: {
      'room.url': 'https://prod.example',
      retries: 1,
      timeout: '2m',
      protected: true,
      readOnly: true,
      allowHttp: true,
      tokenStore: 'keyring',
      routes: {'room.send': 'POST /profile'},
      credentials: {room: {store: 'file', origin: 'https://prod.example', token: 'secret'}},
    },
    test: {'room.url': 'https://test.example'},
  },
}

function resolved(layers: Partial<Layers> = {}): Resolved {
  return resolveProfile({flags: {}, env: {}, file, ...layers})
}

test('without settings the defaults apply, for a missing profile', () => {
  const {name, nameSource, exists, isSandbox, values} = resolved({file: emptyFile()})
  expect({name, nameSource, exists, isSandbox}).toEqual({
    name: 'default',
    nameSource: 'default',
    exists: false,
    isSandbox: false,
  })
  expect(values).toEqual({
    'room.url': undefined,
    'asset.url': undefined,
    'push.url': undefined,
    applicationId: undefined,
    bizId: undefined,
    requester: undefined,
    output: 'table',
    tz: undefined,
    timeout: 60_000,
    retries: 2,
    concurrency: 8,
    caFile: undefined,
    allowHttp: false,
    protected: false,
    readOnly: false,
    tokenStore: 'file',
    updateRequesterField: 'requester_id',
    'asset.headerEncoding': 'percent',
    'asset.stamp': undefined,
    'asset.containerPath': 'itself',
    'push.dispatchDateFormat': 'basic',
    'push.authScheme': 'Bearer',
  })
})

test('the name of the profile comes from flag, environment and file, in this order', () => {
  const names = (layers: Partial<Layers>) => {
    const {name, nameSource} = resolved(layers)
    return [name, nameSource]
  }
  const env = {ROOMCTL_PROFILE: 'test'}
  expect(names({flags: {profile: 'other'}, env})).toEqual(['other', 'flag'])
  expect(names({env})).toEqual(['test', 'env'])
  expect(names({})).toEqual(['prod', 'profile'])
  expect(names({file: emptyFile()})).toEqual(['default', 'default'])
  expect(resolved({flags: {profile: 'other'}}).exists).toBe(false)
  expect(resolved({env}).values['room.url']).toBe('https://test.example')
})

test('an empty variable counts as unset', () => {
  const env = {
    ROOMCTL_RETRIES: '',
    ROOMCTL_ROOM_URL: '',
    ROOMCTL_PROFILE: '',
    ROOMCTL_ROOM_TOKEN: '',
    ROOMCTL_ROUTE_ROOM_SEND: '',
  }
  const same = resolved({env})
  expect(same.list()).toEqual(resolved().list())
  expect([same.name, same.envToken('room')]).toEqual(['prod', undefined])
  expect(same.route('room.send')).toEqual({text: 'POST /profile', source: 'profile'})
})

test('a bad flag is a usage error', () => {
  expect(problemOf(() => resolved({flags: {timeout: '10'}})).message).toMatch(/^timeout must be/)
  expect(problemOf(() => resolved({flags: {profile: '__proto__'}})).message).toMatch(/^the profile name must be/)
})

test('a route comes from the environment before the profile, under the name of its operation', () => {
  const env = {
    ROOMCTL_ROUTE_ROOM_SEND: 'PUT /env',
    ROOMCTL_ROUTE_PUSH_IOS_KEY: 'POST /key',
    ROOMCTL_ROUTE_ROOM_ADMIN_UPDATE: 'PATCH /admin',
    ROOMCTL_ROUTE_APP_CONFIG_CREATE: 'POST /app',
  }
  const {route} = resolved({env})
  expect(route('room.send')).toEqual({text: 'PUT /env', source: 'env'})
  expect(route('push.iosKey')).toEqual({text: 'POST /key', source: 'env'})
  expect(route('room.adminUpdate')).toEqual({text: 'PATCH /admin', source: 'env'})
  expect(route('appConfig.create')).toEqual({text: 'POST /app', source: 'env'})
  expect(resolved().route('room.send')).toEqual({text: 'POST /profile', source: 'profile'})
  expect(route('room.end')).toBeUndefined()
  expect(route('constructor')).toBeUndefined()
})

test('the sandbox is there without a file, and no address or token of a real service reaches it', () => {
  const env = {ROOMCTL_ROOM_URL: 'https://prod.example', ROOMCTL_ROOM_TOKEN: 'secret', ROOMCTL_REQUESTER: 'alice'}
  const sandbox = resolved({flags: {profile: 'sandbox'}, env})
  expect([sandbox.isSandbox, sandbox.exists]).toEqual([true, true])
  expect(sandbox.values['room.url']).toBeUndefined()
  expect(sandbox.envToken('room')).toBeUndefined()
  expect(sandbox.credential('room')).toBeUndefined()
  expect(sandbox.values.requester).toBe('alice')
  expect(resolved({file: {version: 1, current: 'sandbox', profiles: {}}}).isSandbox).toBe(true)
})

test('an address in the environment overrides a sandbox chosen in the file, not one named now', () => {
  const file = {version: 1, current: 'sandbox', profiles: {}} as const
  const env = {ROOMCTL_ROOM_URL: 'https://rooms.example.com/media'}
  const own = resolved({file, env})
  expect([own.isSandbox, own.name, own.values['room.url']]).toEqual([false, 'default', env.ROOMCTL_ROOM_URL])
  expect(resolved({file, env: {...env, ROOMCTL_PROFILE: 'sandbox'}}).isSandbox).toBe(true)
})
