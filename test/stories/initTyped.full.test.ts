import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace} from './place.js'
import {sendJson, serve, success} from './service.js'

test('a token that is typed while the one before is checked is never on the screen', async () => {
  const place = freshPlace()
  const asked = path.join(place.dir, 'asked')
  const service = await serve((_, response) => {
    writeFileSync(asked, '')
    setTimeout(() => sendJson(response, success([])), 2500)
  })
  const ran = await onTerminal({
    command: ['roomctl', 'config', 'init'],
    env: {...place.env, TERM: 'xterm', NO_COLOR: '1'},
    cwd: place.dir,
    steps: [
      {expect: 'Profile file from a colleague', send: '\r'},
      {expect: 'Name of the profile', send: 'slow\r'},
      {expect: 'Address of the room service', send: `${service.url}\r`},
      {expect: 'Token of the room service', send: 'tok-first-1\r'},
      {file: asked, send: 'tok-second-2'},
      {expect: 'Address of the asset service', send: 'http://127.0.0.1:1\r'},
      {expect: 'Token of the asset service', kill: 'SIGINT'},
    ],
  })
  expect(ran.terminal).not.toContain('tok-')
  expect({exit: ran.exit, said: ran.text}).toEqual({exit: 130, said: expect.stringContaining('nothing was saved')})
})
