import {expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, shell} from './place.js'

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
