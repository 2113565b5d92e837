import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {type Circumstances, cli, demoStore, freshHome} from '../support/cli.js'
import {Screen} from '../support/screen.js'
import {sandboxOf} from './answers.js'

const applications = path.join(freshHome(), 'applications.txt')
writeFileSync(applications, 'app-1\napp-2\napp-3\n')

/** A service that needs `ms` for each answer; Ctrl-C is pressed before the answer of that number. */
async function slow(ms: number, interruptedAt?: number): Promise<Circumstances> {
  const sandbox = sandboxOf(await demoStore())
  const looks = new Set<() => void>()
  const controller = new AbortController()
  let now = 0
  let asked = 0
  let step: Promise<void> | undefined
  async function pass(): Promise<void> {
    await nextTurn()
    now += 100
    for (const look of looks) look()
    step = undefined
  }
  const transport: Transport = async (request) => {
    for (const due = now + ms; now < due; ) {
      // Calls that are under way together take the same time.
      step ??= pass()
      await step
    }
    asked += 1
    if (asked === interruptedAt) controller.abort()
    return sandbox(request)
  }
  return {
    transport,
    signal: controller.signal,
    elapsed: () => now,
    every: (_, look) => {
      looks.add(look)
      return () => looks.delete(look)
    },
  }
}

const downloads = freshHome()

// The line is loaded before it is needed: the clock of these tests does not wait for it.
beforeAll(async () => {
  await cli(`asset download games/puzzle --recursive --dir ${downloads}`)
  await Promise.all([import('../../src/terminal/live.js'), import('../../src/text/width.js')])
})

const reads = [
  ['the counts of a list', 'room list --with-counts', /reading rooms: \d+ of 13/u, 2],
  ['recordings', 'record list r-retro r-kickoff r-standup', /reading rooms: \d of 3/u, 2],
  ['an audit', `push audit --applications-from ${applications}`, /reading applications: \d of 3/u, 2],
  ['a tree', 'asset list games --tree', /reading containers: \d of 2/u, 2],
  ['the rooms of a user', 'attendee find ben', /\d+ of 13|reading rooms: \d+ of 13/u, 2],
  [
    'downloads that are there',
    `asset download games/puzzle --recursive --dir ${downloads}`,
    /reading files: \d of \d/u,
    2,
  ],
  ['one slow answer', 'room list', /waiting for sandbox\.localhost: 2 s/u, 1],
] as const

describe.each(reads)('%s', (_, line, said, interruptedAt) => {
  const terminal = {columns: 80, rows: 24, env: {NO_COLOR: '1', TERM: 'xterm'}, answers: ['r-standup']}

  test('says how far it is after two silent seconds, in one line that is gone at the end', async () => {
    const {stderr, exit} = await cli(line, {...terminal, ...(await slow(2500))})
    expect(exit).not.toBe(1)
    expect(stderr).toMatch(said)
    const screen = new Screen(80)
    await screen.output.write(stderr)
    expect((await screen.lines()).filter((one) => /^(?:waiting for|reading \w+: )/u.test(one))).toEqual([])
  })

  test('says it as lines in a log, seldom, and nothing in JSON', async () => {
    const {stderr} = await cli(line, await slow(2500))
    expect(stderr).toMatch(/^(?:waiting for sandbox\.localhost|reading \w+): \d/mu)
    expect(stderr).not.toContain('\u001b')
    expect((await cli(`${line} -o json`, await slow(2500))).stderr).not.toMatch(/waiting|reading \w+:/u)
  })

  test('says nothing before', async () => {
    expect((await cli(line, {...terminal, ...(await slow(100))})).stderr).not.toMatch(/waiting for|reading \w+: /u)
  })

  test('ends at Ctrl-C and says that nothing was sent', async () => {
    const ran = await cli(line, {...terminal, ...(await slow(0, interruptedAt))})
    expect(ran).toMatchObject({exit: 130, stdout: ''})
    expect(ran.stderr.trim().split('\n').at(-1)).toBe('interrupted; nothing was sent')
  })
})

test('a download counts bytes and files', async () => {
  const line = `asset download games/puzzle/a-level1 games/puzzle/a-logo --dir ${freshHome()}`
  expect((await cli(line, await slow(2500))).stderr).toMatch(
    /^downloaded 0 B, 0 of 2 files\n[\s\S]*downloaded 2 files/u,
  )
})

test('the read after a change that was made does not claim that nothing was sent', async () => {
  const circumstances = await slow(0, 2)
  const ran = await cli('room create X --created-by ann --check', circumstances)
  expect(ran.sent.map(({method}) => method)).toContain('POST')
  expect(ran.stderr).not.toContain('nothing was sent')
})
