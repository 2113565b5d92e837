import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {freshHome} from '../../support/cli.js'
import {onTerminal} from '../../support/pty.js'

const shop = new TestCredentials()
const program = path.resolve(import.meta.dirname, '../../../bin/run.cjs')

test('on a terminal the password of a certificate is asked for and not shown', async () => {
  const home = freshHome()
  writeFileSync(path.join(home, 'push.p12'), shop.p12({password: '비밀번호'}))
  const run = await onTerminal({
    command: [process.execPath, program, 'push', 'inspect', 'push.p12'],
    env: {PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'Asia/Seoul'},
    cwd: home,
    columns: 100,
    steps: [{expect: 'Password of the certificate:', send: '비밀번호\r'}],
  })
  expect(run.exit).toBe(0)
  expect(run.text).toContain('com.example.rooms')
  expect(run.text).toContain('2049-12-31 09:00:00 +09:00')
  expect(run.terminal).not.toContain('비밀번호')
})

test('on a terminal a wrong password is reported once', async () => {
  const home = freshHome()
  writeFileSync(path.join(home, 'push.p12'), shop.p12({password: 'right'}))
  const run = await onTerminal({
    command: [process.execPath, program, 'push', 'inspect', 'push.p12'],
    env: {PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8'},
    cwd: home,
    steps: [{expect: 'Password of the certificate:', send: 'wrong\r'}],
  })
  expect(run.exit).toBe(14)
  expect(run.text.match(/error:/gu), run.text).toHaveLength(1)
})
