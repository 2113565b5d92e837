import {describe, expect, test} from 'vitest'
import {checkBundleId, checkKeyId, checkPackageName, checkTeamId} from '../../../src/credential/finding.js'

describe('team id and key id have ten characters, A to Z and 0 to 9', () => {
  test.each(['TEAM123456', 'ABCDEFGHIJ', '0123456789'])('%s will do', (text) => {
    expect(checkTeamId(text)).toEqual([])
    expect(checkKeyId(text)).toEqual([])
  })

  test.each(['', 'TEAM12345', 'TEAM1234567', 'TEAM-12345', 'TEAM12345\n', 'ТEAM123456'])('%j will not', (text) => {
    expect(checkTeamId(text)).toMatchObject([{level: 'error', code: 'team-id'}])
    expect(checkKeyId(text)).toMatchObject([{level: 'error', code: 'key-id'}])
  })

  test('one in small letters is reported with the one that would do', () => {
    expect(checkTeamId(' team123456')[0]?.message).toContain('TEAM123456 would be one')
  })
})

describe('a bundle id has letters, digits, hyphens and full stops', () => {
  test.each(['com.example.rooms', 'com.Example-1.rooms2', 'rooms'])('%s will do', (text) => {
    expect(checkBundleId(text)).toEqual([])
  })

  test.each([
    '',
    'com.example.',
    '.com',
    'com..example',
    'com.example_rooms',
    'com example',
    'com.방',
    'com.example.*',
  ])('%j will not', (text) => {
    expect(checkBundleId(text)).toMatchObject([{level: 'error', code: 'bundle-id'}])
  })
})

describe('a package name has two or more parts that begin with a letter', () => {
  test.each(['com.example.rooms', 'a.b', 'com.Example_1.rooms2'])('%s will do', (text) => {
    expect(checkPackageName(text)).toEqual([])
  })

  test.each(['', 'rooms', 'com.1example', 'com._example', 'com.example-rooms', 'com..rooms', 'com.rooms.'])(
    '%j will not',
    (text) => {
      expect(checkPackageName(text)).toMatchObject([{level: 'error', code: 'package-name'}])
    },
  )
})
