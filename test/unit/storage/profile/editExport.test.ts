import {expect, test} from 'vitest'
import {exportProfile, importProfile, placeImport} from '../../../../src/storage/profile/edit.js'
import {emptyFile, type ProfileFile} from '../../../../src/storage/profile/file.js'
import {everyCase} from '../../../support/everyCase.js'
import {problemOf, textOf} from './folder.js'

const file: ProfileFile = {
  version: 1,
  profiles: {
    prod: {
      'room.url': 'https://prod.example/media',
      retries: 3,
      timeout: '2m',
      protected: true,
      pager: 'less -R',
      tokenStore: 'keyring',
      routes: {'room.send': 'POST /v1/send'},
      credentials: {
        room: {store: 'file', origin: 'https://prod.example', token: 'hunter2'},
        push: {store: 'command', origin: 'https://push.example', command: ['op', 'hunter2']},
      },
    },
    plain: {},
  },
}

const exported = {kind: 'roomctl-profile', version: 1, name: 'prod', settings: {retries: 3}}

function importOf(change: Record<string, unknown>) {
  return () => importProfile(JSON.stringify({...exported, ...change}))
}

test('an export has the settings and routes and no secret, no command and no pager', () => {
  const text = JSON.stringify(exportProfile(file, 'prod'))
  expect(JSON.parse(text)).toEqual({
    kind: 'roomctl-profile',
    version: 1,
    name: 'prod',
    settings: {
      'room.url': 'https://prod.example/media',
      retries: 3,
      timeout: '2m',
      protected: true,
      tokenStore: 'keyring',
    },
    routes: {'room.send': 'POST /v1/send'},
  })
  expect(text).not.toContain('hunter2')
})

test('an address with a password, put into the file by hand, is not exported', () => {
  const bad: ProfileFile = {version: 1, profiles: {prod: {'room.url': 'https://me:hunter2@prod.example'}}}
  const problem = problemOf(() => exportProfile(bad, 'prod'))
  expect(textOf(problem)).not.toContain('hunter2')
})

test('what was exported can be imported', () => {
  const {name, profile} = importProfile(JSON.stringify(exportProfile(file, 'prod')))
  const {pager: _, credentials: __, ...rest} = file.profiles.prod ?? {}
  expect({name, profile}).toEqual({name: 'prod', profile: rest})
  expect(importProfile(JSON.stringify(exportProfile(file, 'plain')))).toEqual({name: 'plain', profile: {}})
})

test('there is no export of a profile that does not exist, nor of the sandbox', () => {
  expect(problemOf(() => exportProfile(file, 'prd')).advice).toBe('did you mean prod?')
  expect(problemOf(() => exportProfile(file, 'sandbox')).message).toContain('reserved')
})

test('a wrong import is refused and none of its values repeated', () =>
  everyCase(
    [
      ['credentials', importOf({credentials: {room: {store: 'file', origin: 'https://x.example', token: 'hunter2'}}})],
      ['credentials among the settings', importOf({settings: {credentials: {}}})],
      ['a pager', importOf({settings: {pager: 'sh -c hunter2'}})],
      ['an unknown setting', importOf({settings: {hunter3: 1}})],
      ['a wrong type', importOf({settings: {retries: 'hunter2'}})],
      ['a number out of range', importOf({settings: {retries: 99}})],
      ['an address with a password', importOf({settings: {'room.url': 'https://me:hunter2@x.example'}})],
      ['a bad operation id', importOf({routes: {room: 'POST /x'}})],
      ['a bad name', importOf({name: '../x'})],
      ['the name of the sandbox', importOf({name: 'sandbox'})],
      ['the name constructor', importOf({name: 'constructor'})],
      ['another version', importOf({version: 2})],
      ['__proto__', () => importProfile('{"kind": "roomctl-profile", "__proto__": {"version": 1}}')],
      ['no JSON', () => importProfile('{"kind": hunter2')],
      ['nothing', () => importProfile('')],
      ['a list', () => importProfile('[]')],
    ],
    (_, call) => {
      const problem = problemOf(call)
      expect(problem.kind).toBe('usage')
      expect(`${problem.message}${problem.why}${problem.advice}`).not.toContain('hunter2')
    },
  ))

test('an import of a new name is placed as it is', () => {
  const placed = placeImport(emptyFile(), importProfile(JSON.stringify(exported)))
  expect(placed).toEqual({version: 1, profiles: {prod: {retries: 3}}})
})

test('an import replaces a profile only when told to, and the tokens of the old one are gone', () => {
  const read = importProfile(JSON.stringify(exported))
  expect(problemOf(() => placeImport(file, read)).message).toBe('profile prod already exists')
  const replaced = placeImport(file, read, {replace: true})
  expect(replaced.profiles.prod).toEqual({retries: 3})
  expect(replaced.profiles.plain).toBe(file.profiles.plain)
})

test('an import under another name must have a good name', () => {
  const read = importProfile(JSON.stringify(exported))
  for (const name of ['sandbox', '__proto__', 'a/b']) {
    expect(problemOf(() => placeImport(emptyFile(), {...read, name})).kind).toBe('usage')
  }
})
