import {mkdirSync, rmdirSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {terminal} from './answers.js'

test('a command that waits for the lock of another says so after two seconds, on a terminal and off one', async () => {
  const ran = async (where: object) => {
    const home = freshHome()
    const folder = join(home, '.config/roomctl')
    const lock = join(folder, 'config.json.lock')
    mkdirSync(lock, {recursive: true})
    const running = cli('config set retries 1 -p default', {home, ...where})
    await pause(3_000)
    rmdirSync(lock)
    return {...(await running), said: `waiting for another roomctl, which has locked ${join(folder, 'config.json')}\n`}
  }
  for (const {exit, stderr, said} of await Promise.all([ran({}), ran(terminal(200))])) {
    expect(exit).toBe(0)
    expect(stderr).toContain(said)
  }
})
