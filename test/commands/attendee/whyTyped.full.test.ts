import {expect, test} from 'vitest'
import {freshPlace, shell} from '../../stories/place.js'
import {onTerminal} from '../../support/pty.js'

test('a user who is typed and not on the list is asked about without being typed again', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', TERM: 'xterm-256color'})
  await shell(place, 'roomctl sandbox seed -q')
  const run = await onTerminal({
    command: ['roomctl', 'attendee', 'why'],
    env: place.env,
    cwd: place.dir,
    columns: 80,
    steps: [
      {expect: 'Which room', send: 'standup\r'},
      {expect: 'Which user', send: 'zoe\r'},
      {expect: 'User (id)', send: '\r'},
    ],
  })
  expect(run).toMatchObject({timed_out: false, waiting: null})
  expect(run.text).toMatch(/zoe .*r-standup/u)
})
