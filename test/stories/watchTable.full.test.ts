import stringWidth from 'string-width'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal, type TerminalRun, type TerminalScript} from '../support/pty.js'
import {frames} from '../support/screen.js'
import {freshPlace, type Place, shell} from './place.js'

const hidesCursor = '\u001b[?25l'
const status = 'Ctrl-C to stop'
let place: Place

beforeAll(async () => {
  place = freshPlace({NO_COLOR: '1', ROOMCTL_PROFILE: 'sandbox'})
  expect((await shell(place, 'roomctl sandbox seed')).exit).toBe(0)
})

function watch(script: Partial<TerminalScript>, words = ''): Promise<TerminalRun> {
  const line = `echo before; roomctl room list --watch --interval 1s ${words}; echo "after $?"`
  return onTerminal({
    command: ['bash', '-c', `trap : INT; ${line}`],
    cwd: place.dir,
    ...script,
    env: {...place.env, TERM: 'xterm-256color', TZ: 'UTC', ...script.env},
  })
}

interface Size {
  readonly columns: number
  readonly rows: number
}

describe.each<Size>([
  {columns: 80, rows: 24},
  {columns: 200, rows: 10},
  {columns: 30, rows: 8},
])('on a terminal of $columns columns and $rows rows', (size) => {
  test('the list is repainted in its place, never wraps or scrolls, and its last frame stays', async () => {
    const ran = await watch({
      ...size,
      // At the last line of a frame: a terminal drops pending output when Ctrl-C is typed.
      steps: [{expect: 'ID  '}, {expect: ' +00:00,'}, {expect: 'ID  '}, {expect: ' +00:00,', send: '\u0003'}],
    })
    expect(ran).toMatchObject({exit: 0, timed_out: false, waiting: null})
    const {seen, last, cursor} = await frames(ran.terminal, size.columns, size.rows)
    const drawn = seen.filter((lines) => lines.some((line) => line.startsWith('ID ')) && !lines.includes('after 130'))
    expect(drawn.length).toBeGreaterThanOrEqual(2)
    for (const lines of drawn) {
      expect(lines[0]).toBe('before')
      expect(lines.length).toBeLessThanOrEqual(size.rows)
      expect(lines.filter((line) => line.startsWith('ID '))).toHaveLength(1)
      for (const line of lines) expect(stringWidth(line)).toBeLessThan(size.columns)
    }
    expect(cursor).toBe(true)
    const [frame = []] = drawn.slice(-1)
    expect(last).toEqual([...frame.slice(0, -1), expect.not.stringContaining('Ctrl-C'), 'after 130'])
  })
})

test('what does not fit the window is counted', async () => {
  const ran = await watch({columns: 80, rows: 10, steps: [{expect: status, send: '\u0003'}]})
  const {seen} = await frames(ran.terminal, 80, 10)
  const lines = seen.find((one) => one.some((line) => line.includes(status))) ?? []
  expect(lines.at(-2)).toBe('7 more; enlarge the window')
  expect(lines.at(-1)).toContain(', 13 rooms on sandbox (built in); Ctrl-C to stop')
})

test('a change is shown, and a frame is one write that erases nothing first', async () => {
  const script = 'sleep 2; roomctl sandbox enter r-townhall ann > /dev/null'
  const ran = await onTerminal({
    command: ['bash', '-c', `trap : INT; (${script}) & roomctl room list --watch --interval 1s --columns id,status`],
    cwd: place.dir,
    env: {...place.env, TERM: 'xterm'},
    steps: [{expect: 'r-townhall  RESERVED'}, {expect: 'r-townhall  MEETING', send: '\u0003'}],
  })
  expect(ran).toMatchObject({exit: 130, waiting: null})
  expect(ran.terminal).not.toContain('\u001b[2J')
  const {last} = await frames(ran.terminal, 80, 24)
  expect(last.filter((line) => /^r-townhall +MEETING/u.test(line))).toHaveLength(1)
  expect(last.at(-1)).toMatch(/, \d+ rooms on sandbox \(built in\)$/u)
})

test('a terminal that changes its size gets the list in the new one', async () => {
  const ran = await watch({
    columns: 80,
    rows: 24,
    steps: [{expect: status, resize: [120, 9]}, {expect: 'more; enlarge the window'}, {expect: status, send: '\u0003'}],
  })
  expect(ran).toMatchObject({exit: 0, timed_out: false, waiting: null})
  expect(ran.text).toContain('after 130')
  expect(ran.terminal.lastIndexOf('\u001b[?25h')).toBeGreaterThan(ran.terminal.lastIndexOf(hidesCursor))
})

test.each([
  ['a screen reader', {ACCESSIBLE: '1'}, 'ID: r-townhall\r\nSTATUS: '],
  ['a terminal that cannot move its cursor', {TERM: 'dumb'}, 'r-townhall  '],
] as const)('%s gets the list once, and again below where it has changed', async (_, env, row) => {
  const fresh = freshPlace({NO_COLOR: '1', ROOMCTL_PROFILE: 'sandbox'})
  await shell(fresh, 'roomctl sandbox seed')
  const script = 'sleep 3; roomctl sandbox enter r-townhall ann > /dev/null'
  const ran = await onTerminal({
    command: ['bash', '-c', `trap : INT; (${script}) & roomctl room list --watch --interval 1s --columns id,status`],
    cwd: fresh.dir,
    env: {...fresh.env, TERM: 'xterm', ...env},
    steps: [{expect: `${row}RESERVED`}, {expect: `${row}MEETING`, send: '\u0003'}],
  })
  expect(ran).toMatchObject({exit: 130, waiting: null})
  expect(ran.terminal).not.toContain('\u001b')
  expect(ran.terminal.split(row)).toHaveLength(3)
})
