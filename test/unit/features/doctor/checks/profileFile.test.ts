import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {lookAtProfile} from '../../../../../src/features/doctor/checks/profileFile.js'
import {folders} from '../../../doctor/places.js'

const secret = 'tok-canary-7731'
const whole = JSON.stringify({
  version: 1,
  profiles: {prod: {credentials: {room: {store: 'file', origin: 'https://rooms.example.com', token: secret}}}},
})

function withProfile(text: string, backup?: string) {
  const {config} = folders()
  const file = path.join(config, 'config.json')
  writeFileSync(file, text, {mode: 0o600})
  if (backup !== undefined) writeFileSync(path.join(config, 'config.backup.json'), backup, {mode: 0o600})
  return {config, file}
}

describe('the profile file', () => {
  test('may not be there, which is only a hint', () => {
    const {config} = folders()
    const {file, found} = lookAtProfile(path.join(config, 'deeper'))
    expect(found).toMatchObject({state: 'ok', fix: 'roomctl config init'})
    expect(file.profiles).toEqual({})
    expect(existsSync(path.join(config, 'deeper'))).toBe(false)
  })

  test('is whole', () => {
    const {config} = withProfile(whole)
    const {file, found} = lookAtProfile(config)
    expect(found).toMatchObject({state: 'ok', fix: null, details: {version: 1, profiles: ['prod']}})
    expect(Object.keys(file.profiles)).toEqual(['prod'])
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  test.each([
    ['cut off', whole.slice(0, -9), 'breaks off at line 1'],
    ['empty', '', 'is empty'],
    [
      'with a key that nobody knows',
      '{"version": 1, "profiles": {"a": {"protectd": true}}}',
      'unknown key: profiles.a.protectd',
    ],
    ['no JSON', `{"token": ${secret}}`, 'is not JSON at line 1, column 11'],
  ])('is damaged (%s), which is told and not repaired', (_how, text, words) => {
    const {config, file} = withProfile(text, whole)
    const {found, file: used} = lookAtProfile(config)
    expect(found).toMatchObject({state: 'fail', fix: expect.stringContaining('roomctl config list')})
    expect(found.what).toContain(words)
    expect(found.what).toMatch(/the last good copy is of \d{4}-/u)
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(used.profiles).toEqual({})
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(config).sort()).toEqual(['config.backup.json', 'config.json'])
  })

  test.each([
    ['no copy', undefined],
    ['a damaged one', '{'],
  ])('is damaged and there is %s', (_which, backup) => {
    const {config, file} = withProfile('{', backup)
    const {found} = lookAtProfile(config)
    expect(found.what).toContain('there is no good copy of it')
    expect(found.fix).toBe(`repair it by hand, or mv ${file} ${file}.old and roomctl config init`)
  })

  test('was written by a newer version', () => {
    const {config} = withProfile('{"version": 2, "profiles": {}, "new": 1}')
    expect(lookAtProfile(config).found).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('it has version 2, this one knows version 1'),
    })
  })

  test('is a folder, or a pipe that nobody writes to', () => {
    const {config} = folders()
    mkdirSync(path.join(config, 'config.json'))
    expect(lookAtProfile(config).found).toMatchObject({state: 'fail', what: expect.stringContaining('is not a file')})
    const other = folders()
    execFileSync('mkfifo', [path.join(other.config, 'config.json')])
    expect(lookAtProfile(other.config).found).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('is not a file'),
    })
  })

  test('lies behind something that is no folder', () => {
    const {root} = folders()
    writeFileSync(path.join(root, 'plain'), '')
    const {found} = lookAtProfile(path.join(root, 'plain'))
    expect(found).toMatchObject({state: 'fail', what: expect.stringContaining('a part of this path is no folder')})
  })
})
