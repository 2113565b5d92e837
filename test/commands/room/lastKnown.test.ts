import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {enterSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import {cli, demoStore, freshHome, noon} from '../../support/cli.js'
import {always, success} from '../answers.js'

test('room show names users blocked from this machine, and the presenter of the metadata', async () => {
  const [store, home] = [await demoStore(), freshHome()]
  const run = (line: string) => cli(line, {store, home})
  expect((await run('room show r-standup')).stdout).not.toContain('this machine')
  await run('room presenter r-standup ann')
  await run('room presenter r-standup ben')
  await run('attendee block r-standup ben --yes')
  await run('attendee restore r-standup dora')
  const {stdout} = await run('room show r-standup --tz utc')
  expect(stdout.split('\n').filter((line) => /this machine|^presenter/u.test(line))).toEqual([
    'presenter: ben',
    'ben was blocked from this machine at 2026-12-01T12:00:00Z',
  ])
  expect((await run('room show r-review')).stdout).not.toContain('this machine')
})

test('the metadata that a service shows name the presenter', async () => {
  const home = freshHome()
  await cli('room presenter r-standup ben', {home})
  const shown = async (metadata: string) => {
    const room = {room_id: 'r-standup', room_status: 'MEETING', attendees: [], metadata}
    const {stdout} = await cli('room show r-standup', {home, transport: always(() => success(room))})
    return stdout.split('\n').filter((text) => text.startsWith('presenter'))
  }
  expect(await shown('{"presenter":{"userId":"ann"}}')).toEqual(['presenter: ann'])
  expect(await shown('{}')).toEqual([])
  expect(await shown('no JSON')).toEqual([expect.stringMatching(/^presenter: ben, set from this machine at /u)])
})

test('a present user is not called blocked, whatever the journal says', async () => {
  const [store, home] = [await demoStore(), freshHome()]
  await cli('attendee block r-standup ben --yes', {store, home})
  await cli('attendee restore r-standup ben', {store})
  expect((await cli('room show r-standup', {store, home})).stdout).toContain('ben was blocked from this machine at ')
  await enterSandboxRoom(store, 'r-standup', 'ben', noon)
  expect((await cli('room show r-standup', {store, home})).stdout).not.toContain('was blocked')
})

test('a program gets what the service says, and nothing else', async () => {
  const [store, home] = [await demoStore(), freshHome()]
  const before = await cli('room show r-standup -o json', {store, home})
  await cli('room presenter r-standup ben', {store, home})
  expect((await cli('room show r-standup -o json', {store, home})).stdout).toBe(before.stdout)
})

test('a room is shown also when the journal cannot be read', async () => {
  const home = freshHome()
  mkdirSync(join(home, '.local/state/roomctl/journal.ndjson'), {recursive: true})
  const ran = await cli('room show r-standup', {home})
  expect(ran.exit).toBe(0)
  expect(ran.stdout).toContain('r-standup')
  expect(ran.stderr).toMatch(/^warning: cannot read the journal of this machine: .+\n$/u)
})
