import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal, type TerminalScript} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {freshPlace, type Place, shell} from './place.js'

test('a table on a terminal is shown by the pager that is set, and its end is waited for', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', ROOMCTL_PAGER: 'sed s/^/paged:/'})
  await shell(place, 'roomctl sandbox seed')
  const ran = await onTerminal({
    command: ['sh', '-c', 'roomctl room list --columns room_id; echo "exit $?"'],
    env: {...place.env, TERM: 'xterm-256color', NO_COLOR: '1'},
    cwd: place.dir,
    steps: [{expect: 'exit 0'}],
  })
  const lines = ran.text.trimEnd().split('\r\n')
  expect(lines.slice(0, 2)).toEqual(['paged:ID', 'paged:r-standup'])
  expect(lines.at(-1)).toBe('exit 0')
  expect(lines.slice(0, -1).every((line) => line.startsWith('paged:'))).toBe(true)
})

test('a pager that its reader leaves early ends the command quietly', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', ROOMCTL_PAGER: 'head -n 1'})
  await shell(place, 'roomctl sandbox seed')
  const ran = await onTerminal({
    command: ['sh', '-c', 'roomctl room list; echo "exit $?"'],
    env: {...place.env, TERM: 'xterm-256color', NO_COLOR: '1'},
    cwd: place.dir,
    columns: 200,
    steps: [{expect: 'exit 0'}],
  })
  expect(ran.text.trimEnd().split('\r\n')).toHaveLength(2)
})

/** What stands on a terminal of that size once the command has ended, cell by cell. */
async function screenAfter(
  place: Place,
  line: string,
  [columns, rows]: readonly [columns: number, rows: number],
  steps: TerminalScript['steps'] = [],
): Promise<string[]> {
  const ran = await onTerminal({
    command: ['sh', '-c', `${line}; echo "exit $?"`],
    env: {...place.env, TERM: 'xterm', NO_COLOR: '1', LESS: undefined},
    cwd: place.dir,
    columns,
    rows,
    steps: [...steps, {expect: 'exit '}],
  })
  const screen = new Screen(columns, rows)
  screen.write(ran.terminal)
  return (await screen.cells()).map((cells) => cells.trimEnd()).slice(-rows)
}

describe('a list that is longer than the screen', () => {
  let place: Place
  beforeAll(async () => {
    place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(place, 'roomctl sandbox seed')
  })

  test('is read in less with its heading on every screen, stays when it ends, and is noted after it', async () => {
    const cells = await screenAfter(
      place,
      'roomctl room list',
      [80, 10],
      [
        {expect: ':', send: ' '},
        {expect: '(END)', send: 'q'},
      ],
    )
    expect(cells.filter((line) => line.startsWith('ID  '))).toHaveLength(1)
    expect(cells.at(-3)).toMatch(/^r-retro {5}Sprint retro {7}ENDED/u)
    expect(cells.slice(-2)).toEqual(['hidden columns: public, created_by', 'exit 0'])
  })

  test('scrolls by with --no-pager, with the pager off, and without less', async () => {
    const less = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(less, 'roomctl sandbox seed')
    await Promise.all(
      [
        [place, 'roomctl room list --no-pager'],
        [place, 'ROOMCTL_PAGER=off roomctl room list'],
        [less, `PATH=${path.join(less.dir, 'bin')} roomctl room list`],
      ].map(async ([where, line]) => {
        const cells = await screenAfter(where as Place, line as string, [80, 10])
        expect(cells.slice(-2)).toEqual(['hidden columns: public, created_by', 'exit 0'])
      }),
    )
  })
})
