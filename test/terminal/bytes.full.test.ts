import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {serve} from '../../src/api/http/server/serve.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {reply} from '../commands/answers.js'
import {freshPlace, type Place} from '../stories/place.js'
import {afterFile} from '../support/afterFile.js'
import {onTerminal, type TerminalScript} from '../support/pty.js'
import {attacks, everyAttack, expectHarmlessBytes} from './hostile.js'
import {mostlyHostile, serviceOf} from './service.js'

const nasty = everyAttack()
const environment = {
  TERM: 'xterm-256color',
  ROOMCTL_RETRIES: '0',
  ROOMCTL_APPLICATION_ID: 'app-1',
  TZ: 'UTC',
  PAGER: 'cat',
}

/** A place whose services answer as `transport` does. */
async function placeOf(transport: Transport): Promise<Place> {
  const {url, close} = await serve(transport, {port: 0})
  afterFile(close)
  const addresses = ['ROOM', 'ASSET', 'PUSH'].flatMap((name) => [
    [`ROOMCTL_${name}_URL`, new URL(name === 'ROOM' ? '/media' : `/${name.toLowerCase()}`, url).href],
    [`ROOMCTL_${name}_TOKEN`, 'tok-5f2c9d1e7b3a4860'],
  ])
  return freshPlace({...environment, ...Object.fromEntries(addresses)})
}

function on(place: Place, words: readonly string[], script: Partial<TerminalScript> = {}) {
  return onTerminal({
    command: ['roomctl', ...words],
    cwd: place.dir,
    columns: 200,
    ...script,
    env: {...place.env, ...script.env},
  })
}

/** As it can stand in argv and in the name of a file: without a zero byte and half characters. */
const typed = (text: string) => text.replace(/[\0\p{Cs}]/gu, '')

let place: Place
let refusing: Place

beforeAll(async () => {
  place = await placeOf(serviceOf(mostlyHostile()))
  refusing = await placeOf(async () => reply(JSON.stringify({status: 'FAIL', error_code: nasty, message: nasty})))
})

describe('hostile text on a real terminal', () => {
  test.each([
    'room list --with-counts',
    'room list -o json',
    'room show r-standup',
    'asset list games --tree',
    'asset show games/u-1 --view meta',
    'push records -o csv',
    'api room GET /v1/rooms --include',
    'attendee why r-standup ann --debug',
  ])('is text and colours: %s', async (line) => {
    const ran = await on(place, line.split(' '))
    expect(ran).toMatchObject({timed_out: false, signal: null})
    expect(ran.terminal).toContain('hostile')
    expectHarmlessBytes(ran.terminal)
  })

  test.each(['room list', 'room end r-1 --yes --as ann', 'record list r-1 -o json'])(
    'is text and colours in a refusal: %s',
    async (line) => {
      const ran = await on(refusing, line.split(' '))
      expect(ran.terminal).toContain('hostile')
      expectHarmlessBytes(ran.terminal)
    },
  )

  test('that is typed is repeated as text', async () => {
    const ran = await on(place, ['room', 'list', '--status', typed(nasty)])
    expect(ran).toMatchObject({exit: 2})
    expectHarmlessBytes(ran.terminal)
  })

  test.each([
    ['a question', ['room', 'end', 'r-standup', '--as', 'ann'], ['hostile', 'y/N'], 'n\r'],
    ['a list to choose from', ['room', 'show'], ['Which room on 127.0.0.1', 'hostile'], '\u0003'],
  ])('stands in %s as text, with what asks about it', async (_, words, [first = '', then = ''], send) => {
    for (const ACCESSIBLE of ['', '1']) {
      const ran = await on(place, words, {env: {ACCESSIBLE}, steps: [{expect: first}, {expect: then, send}]})
      expect(ran).toMatchObject({waiting: null, timed_out: false})
      expectHarmlessBytes(ran.terminal.replace('^C', ''), ACCESSIBLE === '' ? 'asked' : 'text')
    }
  })

  test('is text in the lines of a watch', async () => {
    let look = 0
    const changing: Transport = async () => {
      look += 1
      const attendees = [{user_id: `${everyAttack(look)}${look}`, is_host: true, is_present: true}]
      return reply(
        JSON.stringify({status: 'SUCCESS', data: {room_id: 'r-1', name: nasty, room_status: nasty, attendees}}),
      )
    }
    const ran = await on(await placeOf(changing), ['room', 'watch', 'r-1', '--interval', '1s'], {
      steps: [{expect: 'joined', send: '\u0003'}],
    })
    expect(ran).toMatchObject({exit: 130, waiting: null})
    expectHarmlessBytes(ran.terminal.replace('^C', ''))
  })

  test('is the name of a file that is sent, beside a bar that is drawn repeatedly', async () => {
    const folder = path.join(place.dir, 'files')
    mkdirSync(folder)
    // A name with a control character is refused before anything is sent.
    const names = Object.values(attacks).map(
      (attack, at) => `${at}-hostile${attack.replace(/[/\\:\p{Cc}\p{Cs}]/gu, '')}.bundle`,
    )
    for (const name of names) writeFileSync(path.join(folder, name), name.repeat(20_000))
    const slow = serviceOf(mostlyHostile())
    const service: Transport = async (request) => {
      // A file has a bar of its own after a second.
      await new Promise((resolve) => setTimeout(resolve, 700))
      const answer = await slow(request)
      // A server cannot send the hostile ones.
      const headers = Object.entries(answer.headers).filter(([name]) => /^[a-z-]+$/u.test(name))
      return {...answer, headers: Object.fromEntries(headers)}
    }
    const files = names.map((name) => path.join('files', name))
    const words = ['asset', 'upload', 'games', ...files, '--platform', 'ios', '--description', 'd', '--verify', 'none']
    const ran = await on(await placeOf(service), words, {columns: 120, cwd: place.dir})
    expect(ran).toMatchObject({timed_out: false, signal: null})
    expect(ran.terminal).toContain('\u001b[?25l')
    expect(ran.terminal).toContain('hostile')
    expectHarmlessBytes(ran.terminal, 'repainted')
  })
})
