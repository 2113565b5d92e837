import {expect, test} from 'vitest'
import {cli, demoStore, esc} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'

interface Case {
  readonly line: string
  readonly answers: readonly unknown[]
  readonly asks: readonly string[]
  readonly sent: {readonly path: string; readonly body?: unknown}
}

const env = {ROOMCTL_APPLICATION_ID: 'app-1'}

const cases: readonly Case[] = [
  {
    line: 'asset create games/chess --type basic',
    answers: ['Chess & more'],
    asks: ['Description of the container; may be empty on sandbox (built in):'],
    sent: {path: '/asset/games/chess/', body: expect.objectContaining({description: 'Chess & more'})},
  },
  {
    line: 'push send ann --type ANDROID',
    answers: ['--Moved', 'Now at noon'],
    asks: ['Title of the notification on sandbox (built in):', 'Text of the notification on sandbox (built in):'],
    sent: {path: '/push/v1/messages', body: expect.objectContaining({title: '--Moved', body: 'Now at noon'})},
  },
  {
    line: 'room create --created-by ann',
    answers: ['-Design review'],
    asks: ['Name of the room on sandbox (built in):'],
    sent: {path: '/media/v1/rooms', body: expect.objectContaining({name: '-Design review'})},
  },
  {
    line: 'attendee add r-townhall',
    answers: ['dora, eve'],
    asks: ['Users (ids, separated by spaces) on sandbox (built in):'],
    sent: {path: '/media/v1/rooms/r-townhall/attendees', body: {attendees: ['dora', 'eve']}},
  },
]

test('what a command requires and was not given is asked for on a terminal', async () => {
  await everyCase(cases, async ({line, answers, asks, sent}) => {
    const ran = await cli(line, {...terminal(100, ...answers), env: {...env, NO_COLOR: '1'}, store: await demoStore()})
    expect(ran.asked).toEqual(asks)
    expect(ran.exit).toBe(0)
    expect(ran.sent.findLast(({method}) => method !== 'GET')).toMatchObject(sent)
  })
})

test('a value of several is chosen', async () => {
  const ran = await cli('asset upload games/puzzle none.bundle', terminal(100, 'ios'))
  expect(ran.asked).toEqual(['Platform of the files on sandbox (built in): ios | android | windows'])
  expect(ran.exit).toBe(14)
})

test('nothing is asked off a terminal, under a machine format or with --no-input', async () => {
  await everyCase(cases, async ({line}) => {
    for (const more of ['', ' --no-input', ' -o json']) {
      const ran = await cli(`${line}${more}`, more === '' ? {env} : {...terminal(100), env})
      expect(ran).toMatchObject({exit: 2, stdout: '', asked: [], sent: []})
      expect(ran.stderr).toMatch(/missing/u)
    }
  })
})

test('Esc cancels the command', async () => {
  const ran = await cli('push send ann --title Hello', {...terminal(100, esc), env})
  expect(ran).toMatchObject({exit: 13, stdout: '', stderr: 'cancelled\n', sent: []})
})
