import {describe, expect, test} from 'vitest'
import {serve} from '../../src/api/http/server/serve.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {jsonLines} from '../support/logText.js'
import {always, page, refusal, success} from './answers.js'

const many = (count: number) => Array.from({length: count}, (_, at) => `r-${at}`)
const piped = (count: number) => ({stdin: many(count).join('\n')})

/** A service whose changes wait until `width` of them run at once, and the most that ever did. */
function crowd(width: number) {
  const seen = {now: 0, most: 0}
  let open: (() => void)[] = []
  const transport: Transport = async () => {
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    const go = new Promise<void>((resolve) => open.push(resolve))
    if (seen.now === width) {
      for (const pass of open) pass()
      open = []
    }
    await go
    seen.now -= 1
    return success()
  }
  return {seen, transport}
}

describe('--concurrency', () => {
  test.each([
    ['eight where nothing sets it', [], {}, 8],
    ['as many as the flag says', ['--concurrency', '5'], {}, 5],
    ['as many as the environment says', [], {ROOMCTL_CONCURRENCY: '2'}, 2],
  ] as const)('%s are under way at once', async (_, flags, env, width) => {
    const {seen, transport} = crowd(width)
    const ran = await cli(['room', 'end', '-', '--as', 'ann', '--yes', '-q', ...flags], {
      transport,
      env,
      ...piped(width * 3),
    })
    expect(ran).toMatchObject({
      exit: 0,
      stdout: many(width * 3)
        .map((id) => `${id}\n`)
        .join(''),
    })
    expect(seen).toEqual({now: 0, most: width})
  })

  test('Node does not warn at the highest concurrency', async () => {
    const warnings: string[] = []
    const heard = ({message}: Error) => warnings.push(message)
    process.on('warning', heard)
    const {seen, transport} = crowd(64)
    await cli('room end - --as ann --yes --concurrency 64', {transport, ...piped(64)})
    process.off('warning', heard)
    expect({most: seen.most, warnings}).toEqual({most: 64, warnings: []})
  })

  test('results are in the order of the targets, whatever is answered first', async () => {
    const ids = many(6)
    const waiting = new Map<string, () => void>()
    const transport: Transport = async ({url}) => {
      await new Promise<void>((resolve) => {
        waiting.set(url.pathname, resolve)
        if (waiting.size === ids.length) for (const pass of [...waiting.values()].toReversed()) setImmediate(pass)
      })
      return success()
    }
    const ran = await cli(`room end ${ids.join(' ')} --as ann --yes -q`, {transport})
    expect(ran.stdout.trim().split('\n')).toEqual(ids)
  })
})

test('one command is advised for all rooms that it is about', async () => {
  const store = await demoStore()
  const ran = await cli('room delete r-standup r-support r-party --yes -p sandbox', {store})
  expect(ran.stderr).toMatch(/^ {2}try: roomctl room end -p sandbox r-standup r-support r-party$/mu)
})

test('advice of a run names the profile of the line, and the variable if the token is from it', async () => {
  const home = freshHome()
  const line = 'room end r-kickoff r-retro --yes --concurrency 1'
  const named = await cli(`${line} -p sandbox`, {home})
  expect(named.stderr).toContain('try: roomctl room show -p sandbox r-kickoff')
  const {url, close} = await serve(
    always(() => refusal('CE200')),
    {port: 0},
  )
  const env = {ROOMCTL_PROFILE: 'live', ROOMCTL_ROOM_TOKEN: 'old', ROOMCTL_ROOM_URL: `${url.origin}/media`}
  const refused = await cli(`${line} --as ann`, {home, env})
  await close()
  expect(refused.stderr).toContain('try: export ROOMCTL_ROOM_TOKEN again, with a new token')
})

describe('a run that stops early', () => {
  test('--fail-fast lets running changes end, and starts no other', async () => {
    const transport = always(({url}) => (url.pathname.includes('/r-1/') ? refusal('CE003') : success()))
    const line = 'room end - --as ann --yes --fail-fast --concurrency 2 -o json'
    const ran = await cli(line, {transport, ...piped(6)})
    expect(ran.exit).toBe(11)
    const results = JSON.parse(ran.stdout)
    expect(results.slice(0, 2)).toMatchObject([{outcome: 'done'}, {outcome: 'failed'}])
    expect(results.at(-1)).toEqual({
      room_id: 'r-5',
      outcome: 'not-tried',
      requester_id: null,
      reason: 'not started: another target failed',
    })
    expect(ran.sent.length).toBeLessThan(6)
  })

  test.each([
    ['CE200', () => refusal('CE200')],
    ['401', () => page(401)],
  ])('a token that is refused (%s) is refused for all: the rest is not tried', async (_, answer) => {
    const transport = always(answer)
    const ran = await cli('room end - --as ann --yes --concurrency 3 -o json', {transport, ...piped(20)})
    expect(ran.exit).toBe(11)
    expect(ran.sent.filter(({method}) => method !== 'GET')).toHaveLength(3)
    const results = JSON.parse(ran.stdout)
    expect(results.filter(({outcome}: {outcome: string}) => outcome === 'failed')).toHaveLength(3)
    expect(results[19]).toMatchObject({outcome: 'not-tried', reason: 'not started: the token was refused'})
  })

  test('a refusal of one room does not stop the others', async () => {
    const transport = always(() => refusal('CE003'))
    const ran = await cli('room end - --as ann --yes --concurrency 3 -q', {transport, ...piped(10)})
    expect(ran.sent).toHaveLength(10)
  })

  test('a service without an address is the failure of the command', async () => {
    const env = {ROOMCTL_PROFILE: 'nowhere'}
    const ran = await cli('room end r-1 r-2 --as ann --yes -o json', {env})
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({exit_code: 3})
  })
})

describe('messages of a run', () => {
  test('with --progress json is one object for each target, and one for all', async () => {
    const ran = await cli('room end r-standup r-review --yes --concurrency 1 --progress json -q')
    expect(ran.stdout).toBe('r-standup\n')
    const events = jsonLines(ran.stderr)
    expect(events).toMatchObject([
      {event: 'settled', id: 'r-standup', outcome: 'done'},
      {event: 'settled', id: 'r-review', outcome: 'failed', error: {code: 'ER001'}},
      {event: 'finished', done: 1, failed: 1, skipped: 0},
    ])
  })
})
