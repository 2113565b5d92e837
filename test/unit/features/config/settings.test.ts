import {describe, expect, test} from 'vitest'
import {settingRows} from '../../../../src/features/config/settings.js'
import type {Profile} from '../../../../src/storage/profile/file.js'
import {resolveProfile} from '../../../../src/storage/profile/resolve.js'

describe('the rows of config list', () => {
  const resolve = (profile: Profile, env: Record<string, string> = {}, name = 'work') =>
    settingRows(resolveProfile({flags: {profile: name}, env, file: {version: 1, profiles: {work: profile}}}))
  const rowOf = (rows: ReturnType<typeof resolve>, key: string) => rows.find((row) => row.key === key)

  test('show a value with its source and its variable', () => {
    const rows = resolve({requester: 'ann', bizId: 'biz-1'}, {ROOMCTL_BIZ_ID: 'biz-2'})
    expect(rowOf(rows, 'requester')).toEqual({
      key: 'requester',
      value: 'ann',
      source: 'profile',
      env: 'ROOMCTL_REQUESTER',
    })
    expect(rowOf(rows, 'bizId')).toMatchObject({value: 'biz-2', source: 'env'})
    expect(rowOf(rows, 'applicationId')).toMatchObject({value: null, source: 'default'})
  })

  test.each([
    [{store: 'file', origin: 'https://a.test', token: 'S3CRET'}, 'in the profile, for https://a.test'],
    [{store: 'keyring', origin: 'https://a.test'}, 'in the keyring, for https://a.test'],
    [{store: 'command', origin: 'https://a.test', command: ['pass', 'S3CRET']}, 'in the command, for https://a.test'],
  ] as const)('say where a token is kept and never the token: %j', (credential, value) => {
    const rows = resolve({credentials: {room: {...credential} as NonNullable<Profile['credentials']>['room']}})
    expect(rowOf(rows, 'room.token')).toEqual({key: 'room.token', value, source: 'profile', env: 'ROOMCTL_ROOM_TOKEN'})
    expect(rowOf(rows, 'push.token')).toMatchObject({value: null, source: 'default', env: 'ROOMCTL_PUSH_TOKEN'})
    expect(JSON.stringify(rows)).not.toContain('S3CRET')
  })

  test('say that a token comes from the environment and never the token', () => {
    const rows = resolve({}, {ROOMCTL_ASSET_TOKEN: 'S3CRET'})
    expect(rowOf(rows, 'asset.token')).toMatchObject({value: 'set', source: 'env'})
    expect(JSON.stringify(rows)).not.toContain('S3CRET')
  })

  test('of the sandbox has its token built in, whatever the environment holds', () => {
    const rows = resolve({}, {ROOMCTL_ROOM_TOKEN: 'S3CRET'}, 'sandbox')
    expect(rowOf(rows, 'room.token')).toMatchObject({value: 'built in', source: 'default'})
    expect(JSON.stringify(rows)).not.toContain('S3CRET')
  })
})
