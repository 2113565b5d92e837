import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {existsSync, mkdirSync, rmdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {terminal} from './answers.js'

test('a command that waits for the lock of another says so after two seconds, on a terminal and off one', async () => {
  const ran = async (where: object) => {
    const home = freshHome()
    const file = join(home, '.config/roomctl/config.json')
    mkdirSync(`${file}.lock`, {recursive: true})
    // The other releases its lock once the wait was said.
    const release = (said: unknown) => {
      if (String(said).includes(file) && existsSync(`${file}.lock`)) rmdirSync(`${file}.lock`)
    }
    subscribe('roomctl:lock-wait', release)
    const end = await cli('config set retries 1 -p default', {home, ...where})
    unsubscribe('roomctl:lock-wait', release)
    return {...end, said: `waiting for another roomctl, which has locked ${file}\n`}
  }
  for (const {exit, stderr, said} of await Promise.all([ran({}), ran(terminal(200))])) {
    expect(exit).toBe(0)
    expect(stderr).toContain(said)
  }
})
