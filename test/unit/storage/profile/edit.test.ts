import {describe, expect, test} from 'vitest'
import {
  addProfile,
  removeProfile,
  setCredential,
  setRoute,
  setValue,
  unsetRoute,
  unsetValue,
  useProfile,
} from '../../../../src/storage/profile/edit.js'
import {emptyFile, type ProfileFile} from '../../../../src/storage/profile/file.js'
import {everyCase} from '../../../support/everyCase.js'
import {problemOf} from './folder.js'

const file: ProfileFile = {
  version: 1,
  current: 'prod',
  profiles: {prod: {requester: 'alice', routes: {'room.send': 'POST /v1/send'}}, test: {}},
}

test('a value is stored in the form that the file keeps', () => {
  let changed = setValue(file, 'test', 'retries', '3')
  changed = setValue(changed, 'test', 'timeout', '2m')
  changed = setValue(changed, 'test', 'protected', 'true')
  expect(changed.profiles.test).toEqual({retries: 3, timeout: '2m', protected: true})
  expect(changed.profiles.prod).toBe(file.profiles.prod)
  expect(file.profiles.test).toEqual({})
})

test('the first value makes the profile default, any other profile must have been added', () => {
  expect(setValue(emptyFile(), 'default', 'retries', '3').profiles).toEqual({default: {retries: 3}})
  const problem = problemOf(() => setValue(file, 'prd', 'retries', '3'))
  expect([problem.kind, problem.message, problem.advice]).toEqual([
    'usage',
    'unknown profile prd',
    'did you mean prod?',
  ])
  expect(problemOf(() => setValue(file, 'staging', 'retries', '3')).advice).toBe(
    'roomctl config profile list shows the profiles; roomctl config profile add staging creates this one',
  )
})

test('a forgotten value is gone from the file, and one that was not set changes nothing', () => {
  expect(unsetValue(file, 'prod', 'requester').profiles.prod).toEqual({routes: {'room.send': 'POST /v1/send'}})
  expect(unsetValue(file, 'prod', 'retries')).toBe(file)
})

test('the first profile that is added is the one in use', () => {
  const first = addProfile(emptyFile(), 'prod')
  expect(first).toEqual({version: 1, current: 'prod', profiles: {prod: {}}})
  expect(addProfile(first, 'test').current).toBe('prod')
  expect(problemOf(() => addProfile(first, 'prod')).message).toBe('profile prod already exists')
})

test('a profile that is removed is no longer in use', () => {
  expect(removeProfile(file, 'prod')).toEqual({version: 1, profiles: {test: {}}})
  expect(removeProfile(file, 'test').current).toBe('prod')
  expect(problemOf(() => removeProfile(file, 'gone')).kind).toBe('usage')
})

test('a profile that exists can be used, and the sandbox always', () => {
  expect(useProfile(file, 'test').current).toBe('test')
  expect(useProfile(file, 'sandbox').current).toBe('sandbox')
  expect(problemOf(() => useProfile(file, 'gone')).message).toBe('unknown profile gone')
})

test('a route is set and forgotten by operation id', () => {
  const changed = setRoute(file, 'prod', 'room.adminUpdate', 'PATCH /v2/rooms/{roomId}')
  expect(changed.profiles.prod?.routes).toEqual({
    'room.send': 'POST /v1/send',
    'room.adminUpdate': 'PATCH /v2/rooms/{roomId}',
  })
  expect(unsetRoute(changed, 'prod', 'room.send').profiles.prod?.routes).toEqual({
    'room.adminUpdate': 'PATCH /v2/rooms/{roomId}',
  })
  expect(unsetRoute(file, 'prod', 'room.end')).toBe(file)
})

test.each(['__proto__', 'constructor', 'room', 'room.', 'room.send.x', 'room.sen d'])(
  'the operation id %j is refused',
  (id) => {
    expect(problemOf(() => setRoute(file, 'prod', id, 'POST /v1')).message).toContain('an operation id must be')
    expect(problemOf(() => unsetRoute(file, 'prod', id)).kind).toBe('usage')
  },
)

describe('a profile name', () => {
  test('is taken', () =>
    everyCase(['a', 'prod', 'my_team.eu-1', '_x', '9', 'x'.repeat(64)], (name) => {
      expect(Object.keys(addProfile(emptyFile(), name).profiles)).toEqual([name])
    }))

  test('is refused where it has not the form of one', () =>
    everyCase(
      ['', ' ', 'a b', 'a/b', '.', '..', '-p', 'é', 'x'.repeat(65), 'a\n', '__proto__', 'constructor', 'prototype'],
      (name) => {
        for (const change of [addProfile, removeProfile, useProfile]) {
          expect(problemOf(() => change(emptyFile(), name)).message).toContain('a profile name must be')
        }
        expect(problemOf(() => setValue(emptyFile(), name, 'retries', '1')).kind).toBe('usage')
      },
    ))

  test('sandbox is reserved', () => {
    expect(problemOf(() => addProfile(emptyFile(), 'sandbox')).message).toContain('reserved')
    expect(problemOf(() => setValue(emptyFile(), 'sandbox', 'retries', '1')).advice).toContain('-p sandbox')
  })

  test('that every object inherits is no profile yet', () =>
    everyCase(['toString', 'hasOwnProperty', 'valueOf'], (name) => {
      expect(problemOf(() => useProfile(emptyFile(), name)).message).toBe(`unknown profile ${name}`)
      expect(addProfile(emptyFile(), name).profiles[name]).toEqual({})
    }))
})

test('nothing that is set changes what other objects inherit', () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  for (const key of ['__proto__', 'constructor', '__proto__.polluted']) {
    expect(problemOf(() => setValue(file, 'prod', key, 'x')).kind).toBe('usage')
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('a credential is stored and forgotten beside the others', () => {
  const room = {store: 'keyring', origin: 'https://a.example'} as const
  const push = {store: 'command', origin: 'https://b.example', command: ['pass', 'push']} as const
  let changed = setCredential(file, 'prod', 'room', room)
  changed = setCredential(changed, 'prod', 'push', {...push, command: [...push.command]})
  expect(changed.profiles.prod?.credentials).toEqual({room, push})
  expect(setCredential(changed, 'prod', 'room', undefined).profiles.prod?.credentials).toEqual({push})
})
