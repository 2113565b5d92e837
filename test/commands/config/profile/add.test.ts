import {describe, expect, test} from 'vitest'
import {everyCase} from '../../../support/everyCase.js'
import {emptyHome} from '../home.js'

test('adds a profile with its settings, and the first one is used', async () => {
  const home = emptyHome()
  const ran = await home.cli([
    ...['config', 'profile', 'add', 'live', '--room-url', 'https://rooms.example.com/media'],
    ...['--push-url', 'https://push.example.com', '--application-id', 'app-1', '--read-only'],
  ])
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'added profile live\n'})
  expect(home.file()).toEqual({
    version: 2,
    current: 'live',
    profiles: {
      live: {
        'room.url': 'https://rooms.example.com/media',
        'push.url': 'https://push.example.com',
        applicationId: 'app-1',
        readOnly: true,
      },
    },
  })
})

test('takes letters, digits, dots, dashes and underscores, and names that every object inherits', () =>
  everyCase(['a', 'my_team.eu-1', '_x', '9', 'x'.repeat(64), 'toString', 'valueOf'], async (name) => {
    const home = emptyHome()
    expect((await home.cli(['config', 'profile', 'add', name])).exit).toBe(0)
    expect(Object.keys(home.file().profiles)).toEqual([name])
  }))

test('keeps names apart that differ in case only: no file is called after a profile', async () => {
  const home = emptyHome()
  await home.cli('config profile add live')
  await home.cli('config profile add Live')
  expect((await home.cli('config set timeout 5s -p Live')).exit).toBe(0)
  expect(home.file().profiles).toEqual({live: {}, Live: {timeout: '5s'}})
})

test('leaves the one in use, and gives the name to programs', async () => {
  const home = emptyHome()
  await home.cli('config profile add live')
  const ran = await home.cli('config profile add test -o json')
  expect(JSON.parse(ran.stdout)).toEqual({profile: 'test'})
  expect(home.file().current).toBe('live')
  expect((await home.cli('config profile add third -q')).stdout).toBe('third\n')
})

describe('refusals, with nothing stored', () => {
  test('is refused with the reason', () =>
    everyCase(
      [
        ['config profile add sandbox', 'reserved'],
        ['config profile add ..', 'must be 1 to 64 letters'],
        ['config profile add __proto__', 'must be 1 to 64 letters'],
        ['config profile add live --room-url http://rooms.example.com', 'must begin with https'],
        ['config profile add live --room-url https://u:p@rooms.example.com', 'user name or password'],
        ['config profile add live --push-url nonsense', 'invalid address'],
        ['config profile add', 'NAME is missing'],
      ],
      async (line, message) => {
        const home = emptyHome()
        const ran = await home.cli(line)
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).toContain(message)
        expect(() => home.text()).toThrow()
      },
    ))

  test('an invalid name', () =>
    everyCase(
      ['', ' ', 'a b', 'a/b', '.', '-p', 'é', 'x'.repeat(65), 'a\n', 'constructor', 'prototype'],
      async (name) => {
        const home = emptyHome()
        expect((await home.cli(['config', 'profile', 'add', '--', name])).exit).toBe(2)
        expect(() => home.text()).toThrow()
      },
    ))

  test('a name that is taken', async () => {
    const home = emptyHome()
    await home.cli('config profile add live --application-id app-1')
    const ran = await home.cli('config profile add live')
    expect(ran).toMatchObject({exit: 2, stdout: '', stderr: expect.stringContaining('profile live already exists')})
    expect(home.file().profiles.live).toEqual({applicationId: 'app-1'})
  })
})
