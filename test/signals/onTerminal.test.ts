import {truncateSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {onTerminal, type TerminalRun, type TerminalScript} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {gate} from './gate.js'

interface Scene {
  readonly name: string
  readonly line: string
  /** The text on the terminal before the signal; without it the request of `at`. */
  readonly shows?: string
  readonly at?: RegExp
  readonly env?: Readonly<Record<string, string>>
  /** What the last line says; nothing is left where it is undefined. */
  readonly says?: string
}

/** So many that no line of these wraps. */
const columns = 160
const accessible = {ACCESSIBLE: '1'}
const noTokens = {ROOMCTL_ROOM_TOKEN: '', ROOMCTL_ASSET_TOKEN: '', ROOMCTL_PUSH_TOKEN: ''}
const interrupted = 'interrupted; nothing was sent'
const upload = 'asset upload games/puzzle f.bundle --platform ios --description d --chunk-size 64KiB'

/** Every kind of question, drawn and as plain lines, and everything that draws. */
const scenes: readonly Scene[] = [
  {name: 'a yes or no', line: 'room end r-party', shows: '(y/N)', says: interrupted},
  {name: 'a plain yes or no', line: 'room end r-party', shows: '[y/N]', env: accessible, says: interrupted},
  {name: 'a name to type', line: 'room delete r-private', shows: 'to confirm', says: interrupted},
  {
    name: 'a plain count to type',
    line: 'room end r-party r-full',
    shows: 'to confirm',
    env: accessible,
    says: interrupted,
  },
  {name: 'a hidden token', line: 'config login room', shows: 'Token', env: noTokens, says: interrupted},
  {
    name: 'a plain hidden token',
    line: 'config login room',
    shows: '(not shown)',
    env: {...noTokens, ...accessible},
    says: interrupted,
  },
  {name: 'a choice', line: 'room show', shows: 'Which room on', says: interrupted},
  {name: 'a plain choice', line: 'room show', shows: 'Number (', env: accessible, says: interrupted},
  {
    name: 'a question of the set-up',
    line: 'config init',
    shows: 'Profile file from a colleague',
    says: 'interrupted; nothing was saved',
  },
  {name: 'ids typed line by line', line: 'room end -', at: /^$/u, says: interrupted},
  {name: 'a request', line: 'room list', at: /GET/u, says: interrupted},
  {
    name: 'bars of an upload',
    line: upload,
    shows: '128.0 KiB of 300.0 KiB',
    at: /PATCH/u,
    says: 'to resume the rest, run the same command again',
  },
  {
    name: 'bars before an upload',
    line: 'asset upload games/puzzle big.bundle --platform ios --description d',
    shows: 'of 4.0 GiB',
    says: 'to resume the rest, run the same command again',
  },
  {name: 'a watch of events', line: 'room watch r-party', shows: 'watching room'},
]

const ends = {
  'Ctrl-C': {act: {send: '\u0003'}, exit: 130, signal: null},
  SIGTERM: {act: {kill: 'SIGTERM'}, exit: 143, signal: null},
  // Node cannot set a terminal back that is gone, so the signal itself ends it; a shell sees 129.
  'a window that is closed': {act: {hangup: true}, exit: null, signal: 1},
} as const

async function play({line, shows, at, env = {}}: Scene, {act}: (typeof ends)[keyof typeof ends]) {
  const isHeld = (arrivals: number) => (at?.source === 'PATCH' && arrivals < 2 ? 'pass' : undefined)
  const place = await gate(at, isHeld, {NO_COLOR: '1', ...env})
  writeFileSync(path.join(place.dir, 'f.bundle'), Buffer.alloc(300 * 1024, 'f'))
  writeFileSync(path.join(place.dir, 'big.bundle'), '')
  truncateSync(path.join(place.dir, 'big.bundle'), 4 * 2 ** 30)
  // A program that reads stdin says nothing: Node has its handlers long before.
  if (at?.source === '^$') setTimeout(() => writeFileSync(place.reached, ''), 1500)
  const step = shows === undefined ? {file: place.reached} : {expect: shows}
  return onTerminal({
    command: ['roomctl', ...line.split(' ')],
    env: place.env,
    cwd: place.dir,
    columns,
    steps: [{...step, ...act}],
  })
}

/** The final screen of an independent terminal. */
async function screenOf({terminal}: TerminalRun) {
  const screen = new Screen(columns)
  await screen.output.write(terminal)
  return {lines: await screen.lines(), cursor: await screen.showsCursor()}
}

/** Ctrl-C, and one of the others in turn. */
const endsOf = (turn: number) => Object.entries(ends).filter((_, at) => at === 0 || at === 1 + (turn % 2))

describe.each(scenes.map((scene, turn) => ({...scene, turn})))('$name', ({turn, ...scene}) => {
  test.each(endsOf(turn))('%s ends it, and the terminal is as it was', async (_, end) => {
    const ran = await play(scene, end)
    expect(ran).toMatchObject({exit: end.exit, signal: end.signal, timed_out: false, waiting: null})
    if ('hangup' in end.act) return
    const {lines, cursor} = await screenOf(ran)
    expect({kept: ran.kept, cursor}).toEqual({kept: true, cursor: true})
    expect(ran.terminal).not.toContain('\u001b[?1049h')
    expect(ran.terminal.replaceAll('\u001b', ''), 'the line is ended').toMatch(/(?:\n|\[J|\r\[K)(?:\[\?25h)?$/u)
    const last = lines.findLast((item) => !/^(?:\^C)?$/u.test(item)) ?? ''
    if (scene.says) expect(last).toContain(scene.says)
    else expect(lines.join('\n')).not.toContain('error')
  })
})

test('the keys are the pager’s while it runs, and a signal ends both', async () => {
  const pager =
    '#!/bin/sh\ntrap "" INT\nhead -1\necho paged\nread one < /dev/tty\necho "read $one"\nread two < /dev/tty\n'
  const run = async (steps: TerminalScript['steps'] = []) => {
    const place = await gate(undefined, undefined, {NO_COLOR: '1', PAGER: 'own-pager'})
    writeFileSync(path.join(place.dir, 'bin/own-pager'), pager, {mode: 0o755})
    const twice = [
      {expect: 'paged', send: '\u0003'},
      {expect: '^C', send: '\u0003'},
      {expect: '^C', send: 'go on\r'},
    ]
    const all = [...twice, ...steps]
    return onTerminal({
      command: ['roomctl', 'room', 'list'],
      env: place.env,
      cwd: place.dir,
      columns,
      rows: 5,
      steps: all,
    })
  }
  const [read, ended] = await Promise.all([
    run([{expect: 'read go on', send: '\r'}]),
    run([{expect: 'read go on', kill: 'SIGTERM'}]),
  ])
  expect(read).toMatchObject({exit: 0, signal: null, waiting: null, kept: true})
  expect(ended).toMatchObject({exit: 143, signal: null, waiting: null, timed_out: false, kept: true})
})
