import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, type Running, shell, start} from './place.js'

let place: Place

beforeAll(async () => {
  place = freshPlace()
  await shell(place, 'roomctl sandbox seed')
})

/** Lists that have the list before them four times: to filter within all of them takes hours, and finds nothing. */
const endless = `${'[@, @, @, @] | '.repeat(20)}${'[?'.repeat(20)}\`false\`${']'.repeat(20)}`

/** Waits until a process has used N milliseconds of processor time, several times its start-up. */
async function computed({child}: Running, ms: number): Promise<void> {
  const ticks = () => {
    const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[11])
  }
  while (ticks() * 10 < ms) await pause(20)
}

describe('work that would never end', () => {
  test('in a folder below /proc is refused, and the change is made', async () => {
    const away = {ROOMCTL_STATE_DIR: '/proc/roomctl/state', ROOMCTL_CACHE_DIR: '/proc/roomctl/cache'}
    const ran = await shell(place, 'roomctl room create Standup --created-by ann -p sandbox', {env: away})
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining('created room')})
    expect(ran.stderr).toContain('warning: the change is not in the journal: /proc/roomctl/state/journal.ndjson')
    const set = await shell(place, 'roomctl config set retries 3', {env: {ROOMCTL_CONFIG_DIR: '/proc/roomctl/config'}})
    expect(set).toMatchObject({exit: 3, stdout: ''})
    const kept = await shell(place, 'roomctl sandbox reset --data /proc/roomctl/data')
    expect(kept).toMatchObject({exit: 3, stdout: ''})
  })

  test('in a query is ended by Ctrl-C and by SIGTERM', async () => {
    const exits = {SIGINT: 130, SIGTERM: 143} as const
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const running = start(place, `exec roomctl room list -p sandbox -o json --query '${endless}'`)
      await computed(running, 600)
      const began = performance.now()
      running.child.kill(signal)
      const ran = await running.ended
      expect(ran.stdout).toBe('')
      // By the signal itself, or by its exit code where the query had not started.
      expect(ran.exit ?? ran.signal, ran.stderr).toBe(ran.exit === null ? signal : exits[signal])
      expect(performance.now() - began, signal).toBeLessThan(5_000)
    }
  })

  test('in the patterns of a folder of thousands of files is ended by SIGTERM', async () => {
    const folder = path.join(place.dir, 'build')
    mkdirSync(folder)
    for (let at = 0; at < 3000; at += 1) writeFileSync(path.join(folder, `${'a'.repeat(200)}${at}.x`), '')
    writeFileSync(path.join(folder, '.roomctlignore'), '*a????????b\n'.repeat(5400))
    const running = start(place, `exec roomctl asset sync games/puzzle ${folder} --platform ios --dry-run -p sandbox`)
    await computed(running, 1_000)
    const began = performance.now()
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({exit: 143, stdout: ''})
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
