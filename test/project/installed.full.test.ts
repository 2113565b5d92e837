import {execFileSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {installPackage, testInstalled} from './installedPackage.js'

const installed = installPackage()
const majors = [20, 22, 24]

test('its man pages are where man looks for them', () => {
  const pages = path.join(installed.folder, 'prefix/share/man')
  expect(readdirSync(path.join(pages, 'man1'))).toEqual(expect.arrayContaining(['roomctl.1', 'roomctl-room.1']))
  expect(readdirSync(path.join(pages, 'man7'))).toContain('roomctl-flags.7')
  const shown = execFileSync('mandoc', ['-T', 'utf8', path.join(pages, 'man1/roomctl-room.1')], {encoding: 'utf8'})
  expect(shown).toContain('roomctl room list --status meeting')
})

describe.each(majors.filter((major) => !process.versions.node.startsWith(`${major}.`)))(
  'the installed package on Node %i',
  (major) => testInstalled(installed, major),
)

test.each(majors)(
  'on Node %i it asks a question on a terminal, from the code cache that its first start made',
  async (major) => {
    const env = installed.environment(major)
    const words = ['room', 'create', 'planning', '--created-by', 'anna', '-p', 'sandbox', '-q']
    const id = execFileSync(installed.command(), words, {env, encoding: 'utf8'}).trim()
    const seen = await onTerminal({
      command: [installed.command(), 'room', 'delete', id, '-p', 'sandbox'],
      env,
      columns: 120,
      steps: [{expect: 'Delete room', send: 'planning\r'}],
    })
    expect(seen).toMatchObject({exit: 0, waiting: null})
  },
)
