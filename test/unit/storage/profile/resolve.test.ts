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

test('with nothing at all there are the defaults, for a profile that is not there', () => {
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

test('a flag wins over the environment, that over the profile, that over the default, each with its source', () => {
  const env = {ROOMCTL_RETRIES: '3', ROOMCTL_TIMEOUT: '5s'}
  const all = resolved({flags: {retries: '4'}, env})
  expect([all.values.retries, all.source('retries')]).toEqual([4, 'flag'])
  expect([all.values.timeout, all.source('timeout')]).toEqual([5000, 'env'])
  expect([all.values['room.url'], all.source('room.url')]).toEqual(['https://prod.example', 'profile'])
  expect([all.values.output, all.source('output')]).toEqual(['table', 'default'])
})

test('the name of the profile has the same order', () => {
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

test('a flag that was not given is the same as none', () => {
  expect(resolved({flags: {retries: undefined, profile: undefined}}).list()).toEqual(resolved().list())
})

test('a bad flag is a mistake of usage', () => {
  expect(problemOf(() => resolved({flags: {timeout: '10'}})).message).toMatch(/^timeout must be/)
  expect(problemOf(() => resolved({flags: {profile: '__proto__'}})).message).toMatch(/^the profile name must be/)
})

test('a profile named like something that objects inherit is not there', () => {
  expect(resolved({flags: {profile: 'toString'}}).exists).toBe(false)
})

test('the list has every setting as the file would keep it, with its source and variable', () => {
  const list = resolved({env: {ROOMCTL_CONCURRENCY: '4'}}).list()
  expect(list).toHaveLength(22)
  expect(list).toContainEqual({key: 'timeout', value: '2m', source: 'profile', env: 'ROOMCTL_TIMEOUT'})
  expect(list).toContainEqual({key: 'concurrency', value: 4, source: 'env', env: 'ROOMCTL_CONCURRENCY'})
  expect(list).toContainEqual({key: 'protected', value: true, source: 'profile'})
  expect(list).toContainEqual({key: 'tz', value: undefined, source: 'default', env: 'ROOMCTL_TZ'})
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

test('an address in the environment is stronger than a sandbox that the file chose, not than one named now', () => {
  const file = {version: 1, current: 'sandbox', profiles: {}} as const
  const env = {ROOMCTL_ROOM_URL: 'https://rooms.example.com/media'}
  const own = resolved({file, env})
  expect([own.isSandbox, own.name, own.values['room.url']]).toEqual([false, 'default', env.ROOMCTL_ROOM_URL])
  expect(resolved({file, env: {...env, ROOMCTL_PROFILE: 'sandbox'}}).isSandbox).toBe(true)
})
