import {expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {freshPlace, shell} from './place.js'

const [title, heading] = ['Administer rooms, assets and push notifications from a terminal', 'FIRST STEPS']

test.each([
  [80, 24],
  [120, 40],
])('roomctl alone fits a terminal of %i by %i with the prompt, and nothing scrolls away', async (columns, rows) => {
  const place = freshPlace()
  const ran = await onTerminal({
    command: ['sh', '-c', 'roomctl; echo "exit $?"'],
    env: {...place.env, TERM: 'xterm', NO_COLOR: '1'},
    cwd: place.dir,
    columns,
    rows,
    steps: [{expect: 'exit 0'}],
  })
  const screen = new Screen(columns, rows)
  screen.write(ran.terminal)
  const cells = (await screen.cells()).map((line) => line.trimEnd())
  expect(cells.slice(0, 3)).toEqual([title, '', heading])
  expect(cells.length).toBeLessThanOrEqual(23)
  expect(cells.at(-1)).toBe('exit 0')
  // The same cells as in a file: no line is wrapped.
  const {stdout} = await shell(place, 'roomctl')
  expect(cells.slice(0, -1)).toEqual(stdout.trimEnd().split('\n'))
})
