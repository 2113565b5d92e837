import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place} from './place.js'
import {environmentOf, sendJson, serve, success, summary} from './service.js'

/** Texts that would take over a terminal, or deceive who reads it, if they reached it as they are. */
const attacks: Readonly<Record<string, string>> = {
  'clears the screen': '\u001b[2J\u001b[H',
  'paints in red': '\u001b[31mroom\u001b[0m',
  'hides the cursor': '\u001b[?25l',
  'resets the terminal': '\u001bc',
  'asks where the cursor is': '\u001b[6n',
  'names the window': '\u001b]0;owned\u0007',
  'writes to the clipboard': '\u001b]52;c;cm0gLXJmIH4=\u0007',
  'makes a link': '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'opens a device string': '\u001bP$q"p\u001b\\',
  'opens a private message': '\u001b^secret\u001b\\',
  'uses the eight-bit introducer': '\u009b31m',
  'uses the eight-bit system command': '\u009d0;owned\u009c',
  'rings and rubs out': 'good\b\b\b\bevil\u0007\u007f',
  'goes back and writes over': 'ENDED\rMEETING',
  'makes lines of its own': 'room\nr-fake  ENDED\u0085r-fake\u2028r-fake',
  'turns the direction': '\u202efdp.exe\u2066x\u2069',
  'hides between letters': 'ad\u200bmin\ufeff\u{e0041}\ud800',
}

/** A sign of each attack that stays readable, so that a test knows it was shown at all. */
const marker = 'ATTACKED'

const list = Object.values(attacks)
const all = `${marker}${list.join(`${marker} `)}`

const esc = String.fromCharCode(0x1b)

/** The colours and weights that the tool itself uses. */
const colours = new RegExp(`${esc}\\[\\d{1,2}(?:;\\d{1,3})*m`, 'g')

/** Characters that a terminal obeys, and those that it hides or that turn the text around. */
const harmful: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]

function isHarmful(character: string): boolean {
  const point = character.codePointAt(0) ?? 0
  return harmful.some(([first, last]) => point >= first && point <= last)
}

function expectHarmless(terminal: string): void {
  expect(terminal).toContain(marker)
  for (const [what, attack] of Object.entries(attacks)) expect(terminal.includes(attack), what).toBe(false)
  const shown = [...terminal.replace(colours, '').replaceAll('\r\n', '\n')]
  expect(shown.filter(isHarmful).map((character) => character.codePointAt(0)?.toString(16))).toEqual([])
}

let place: Place

beforeAll(async () => {
  const room = (id: string, text: string) =>
    summary(id, {name: text, description: text, created_by: text, room_status: text, start_time: text})
  const detail = {
    ...room('r-1', all),
    host_selection_type: all,
    is_elect_host: true,
    attendees: list.map((text) => ({user_id: `${marker}${text}`, is_host: false, is_present: true})),
    attendee_count: {present_count: list.length, reserved_count: 0, invited_count: 0},
  }
  const service = await serve((path, response) => {
    if (path.endsWith('/v1/rooms')) {
      sendJson(response, success(list.map((text, at) => room(`r-${at}${marker}${text}`, `${marker}${text}`))))
    } else if (path.endsWith('/attendees')) sendJson(response, success(detail.attendees))
    else if (path.endsWith('/recordings')) {
      sendJson(response, success(list.map((text) => ({file_name: `${marker}${text}`, file_size: 1, duration: 1e9}))))
    } else if (path.endsWith('/v1/plain')) response.writeHead(200, {'content-type': 'text/plain'}).end(all)
    else if (path.endsWith('/v1/rooms/r-1')) sendJson(response, success(detail))
    else sendJson(response, {status: 'FAIL', error_code: all, message: all}, 400)
  })
  place = freshPlace({...environmentOf(service, '/media'), TERM: 'xterm-256color'})
})

describe('hostile text on a terminal', () => {
  test.each([
    'room list',
    'room list --columns name,description,created_by,room_status,start_time',
    'room list -o json',
    'room list -o ndjson',
    'room list -o yaml',
    'room list -o csv',
    'room list -o ids',
    'room show r-1',
    'room show r-1 -o json',
    'room can r-1',
    'attendee list r-1',
    'attendee list r-1 -o json',
    'record list r-1',
    'record list r-1 -o yaml',
    'api room GET /v1/rooms',
    'api room GET /v1/plain --include',
    'room show r-2',
    'room show r-2 -o json',
    'room end r-2 --yes --as ann',
    'room list --debug',
  ])('is shown and does nothing: %s', async (command) => {
    const ran = await onTerminal({
      command: ['roomctl', ...command.split(' ')],
      env: place.env,
      cwd: place.dir,
      columns: 200,
    })
    expect(ran).toMatchObject({timed_out: false, signal: null})
    expectHarmless(ran.terminal)
  })

  test('asks no question that it could answer or hide in', async () => {
    const ran = await onTerminal({
      command: ['roomctl', 'room', 'end', 'r-1', '--as', 'ann'],
      env: {...place.env, ACCESSIBLE: '1'},
      cwd: place.dir,
      columns: 200,
      steps: [{expect: 'y/N', send: 'n\r'}],
    })
    expect(ran).toMatchObject({exit: 13, waiting: null})
    expectHarmless(ran.terminal)
  })

  test('lists no choice that it could move', async () => {
    const ran = await onTerminal({
      command: ['roomctl', 'room', 'show'],
      env: {...place.env, ACCESSIBLE: '1'},
      cwd: place.dir,
      columns: 200,
      steps: [{expect: 'Number', send: '\u0004'}],
    })
    expect(ran).toMatchObject({exit: 130, waiting: null})
    expectHarmless(ran.terminal)
  })
})
