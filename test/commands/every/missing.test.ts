import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, demoStore, esc, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {numberedFolder} from '../../support/folder.js'
import {terminal} from '../answers.js'

interface Case {
  readonly line: string
  readonly answers: readonly unknown[]
  readonly asks: readonly unknown[]
  /** The environment; with an application id otherwise. */
  readonly env?: Readonly<Record<string, string>>
  readonly sent: {readonly path: unknown; readonly body?: unknown}
}

const workshop = new TestCredentials()
const apnsKey = workshop.file('AuthKey_KEY7654321.p8', workshop.key('apns', 'P-256'))
const home = freshHome()
const folder = numberedFolder(path.join(home, 'build-'))
writeFileSync(path.join(folder, 'a.bundle'), 'a')

const env = {ROOMCTL_APPLICATION_ID: 'app-1'}

const cases: readonly Case[] = [
  {
    line: 'asset create games/chess --type basic',
    answers: ['Chess & more'],
    asks: ['Description on sandbox (built in):'],
    sent: {path: '/asset/games/chess/', body: expect.objectContaining({description: 'Chess & more'})},
  },
  {
    line: 'push send ann --type ANDROID',
    answers: ['--Moved', 'Now at noon'],
    asks: ['Title on sandbox (built in):', 'Text on sandbox (built in):'],
    sent: {path: '/push/v1/messages', body: expect.objectContaining({title: '--Moved', body: 'Now at noon'})},
  },
  {
    line: 'room create --created-by ann',
    answers: ['-Design review'],
    asks: ['Name on sandbox (built in):'],
    sent: {path: '/media/v1/rooms', body: expect.objectContaining({name: '-Design review'})},
  },
  {
    line: 'attendee add r-townhall',
    answers: ['dora, eve'],
    asks: ['Users (ids, separated by spaces) on sandbox (built in):'],
    sent: {path: '/media/v1/rooms/r-townhall/attendees', body: {attendees: ['dora', 'eve']}},
  },
  {
    line: 'room send r-standup',
    answers: ['ann', 'We close'],
    asks: ['Sender (user id) on sandbox (built in):', 'Text to send on sandbox (built in):'],
    sent: {path: '/media/v1/rooms/r-standup/send-data', body: {from: 'ann', data: 'We close'}},
  },
  {
    line: 'room create Review',
    answers: ['ann'],
    asks: ['Creator (user id) on sandbox (built in):'],
    sent: {path: '/media/v1/rooms', body: expect.objectContaining({created_by: 'ann'})},
  },
  {
    line: 'config app create --max 5',
    answers: ['app 1'],
    asks: ['Application id on sandbox (built in):'],
    env: {},
    sent: {path: expect.stringContaining('app%201')},
  },
  {
    line: 'push android --package com.example.rooms --legacy',
    answers: ['app-2', `AAAA${'b'.repeat(140)}`],
    asks: ['Application id on sandbox (built in):', 'Server key of FCM on sandbox (built in):'],
    env: {},
    sent: {path: '/push/v1/config/android?application_id=app-2'},
  },
  {
    line: 'push ios --bundle-id com.example.rooms --team-id TEAM123456',
    answers: ['app-2', apnsKey, true],
    asks: [
      'Application id on sandbox (built in):',
      'File (.p8 or .p12):',
      'Register the iOS key of application app-2 on sandbox (built in)?',
    ],
    env: {},
    sent: {path: expect.stringContaining('application_id=app-2&bundle_id=com.example.rooms')},
  },
  {
    line: 'asset sync --platform ios',
    answers: ['games/puzzle', `~/${path.basename(folder)}`],
    asks: ['Container (path) on sandbox (built in):', 'Folder or manifest to sync on sandbox (built in):'],
    sent: {path: expect.stringMatching(/^\/asset\/games\/puzzle\//u)},
  },
]

test('a missing required value is asked for on a terminal', async () => {
  await everyCase(cases, async ({line, answers, asks, sent, env: own = env}) => {
    const ran = await cli(line, {
      ...terminal(100, ...answers),
      env: {...own, NO_COLOR: '1'},
      home,
      store: await demoStore(),
    })
    expect(ran.asked).toEqual(asks)
    expect(ran.exit).toBe(0)
    expect(ran.sent.findLast(({method}) => method !== 'GET')).toMatchObject(sent)
  })
})

test('a value of several is chosen', async () => {
  const ran = await cli('asset upload games/puzzle package.json --dry-run', terminal(100, 'ios'))
  expect(ran.asked).toEqual(['Platform on sandbox (built in): ios | android | windows'])
  expect(ran.exit).toBe(0)
})

test('nothing is asked off a terminal, under a machine format or with --no-input', async () => {
  await everyCase(cases, async ({line, env: own = env}) => {
    for (const more of ['', ' --no-input', ' -o json']) {
      const ran = await cli(`${line}${more}`, more === '' ? {env: own} : {...terminal(100), env: own})
      expect(ran).toMatchObject({stdout: '', asked: [], sent: []})
      expect([2, 3]).toContain(ran.exit)
      expect(ran.stderr).toMatch(/missing|no sender given|no creator given|no application id/u)
    }
  })
})

test('Esc cancels the command', async () => {
  const ran = await cli('push send ann --title Hello', {...terminal(100, esc), env})
  expect(ran).toMatchObject({exit: 13, stdout: '', stderr: 'cancelled\n', sent: []})
})

test('a question names its value, and a deployment only if one is touched', async () => {
  const asked = async (line: string) => (await cli(line, terminal(100, esc))).asked[0]
  expect(await asked('push inspect')).toBe('File (.p8 or .p12):')
  expect(await asked('asset upload games/puzzle')).toBe('File on sandbox (built in):')
  expect(await asked('sandbox enter r-standup')).toBe('User:')
  expect(await asked('attendee find')).toBe('User on sandbox (built in):')
  expect(await asked('room create')).toBe('Name on sandbox (built in):')
})
