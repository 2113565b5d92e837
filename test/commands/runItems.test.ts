import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type Transport, WireError, type WireRequest, type WireResponse} from '../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {isChange, lost, refusal, reply, sandboxOf} from './answers.js'

/** A line of each command that runs over several targets, with two of them, and what its items are named by. */
const lines: readonly (readonly [line: string, named: string])[] = [
  ...['room end {a} {b}', 'room delete {a} {b}', 'record stop {a} {b}'].map((line) => [line, 'room_id'] as const),
  ...['attendee add - carl', 'attendee block - ben'].map((line) => [line, 'room_id'] as const),
  ['push cancel u-1 u-2 --application-id app-1', 'request_uuid'],
  ['push send ann ben --title Hello --body All --batch 1', 'recipient_id'],
  ['asset upload games/puzzle {home}/build/a.bundle {home}/build/b.bundle --platform ios --description d', 'file'],
  ['asset sync games/puzzle {home}/build --platform ios', 'file'],
  ['asset download games/puzzle/a-logo games/puzzle/a-level1 --dir {home}', 'resource'],
]

async function itemsOf(line: string, answer: (request: WireRequest) => WireResponse | WireError | undefined) {
  const [home, store] = [freshHome(), await demoStore()]
  mkdirSync(join(home, 'build'))
  for (const name of ['a', 'b']) writeFileSync(join(home, 'build', `${name}.bundle`), name.repeat(100))
  const words = line.replaceAll('{home}', home).replace('{a}', 'r-standup').replace('{b}', 'r-support').split(' ')
  const asked = /^(?:room|attendee block|record)/u.test(line) ? ['--as', 'ann'] : []
  const sandbox = sandboxOf(store)
  const transport: Transport = async (request) => {
    const come = answer(request)
    if (come instanceof WireError) throw come
    return come ?? sandbox(request)
  }
  const run = [...asked, ...(/^asset download/u.test(line) ? [] : ['--yes']), '--fail-fast']
  const single = /^push send/u.test(line) ? [] : ['--concurrency', '1']
  const ran = await cli([...words, ...run, ...single, '--retries', '0', '-o', 'json'], {
    home,
    transport,
    env: {ROOMCTL_PROFILE: 'sandbox', ROOMCTL_PUSH_APPLICATION_ID: 'app-1'},
    stdin: 'r-standup\nr-support\n',
    onWait: async () => undefined,
  })
  expect(ran.exit, ran.stderr).toBe(11)
  return JSON.parse(ran.stdout)
}

/** The kind of run: a change, or a download. */
const isOwn = (request: WireRequest) => isChange(request) || request.url.pathname.startsWith('/asset-data/')

test('a refused item has the message of the service, and one that was not tried is marked', () =>
  everyCase(lines, async (line, named) => {
    const refused = (isRoom: boolean) =>
      isRoom ? refusal('CE003', 'no way') : reply('{"message":"no way"}', {status: 403})
    const [first, second] = await itemsOf(line, (request) =>
      isOwn(request) ? refused(request.url.pathname.startsWith('/media')) : undefined,
    )
    // The bytes may come from anywhere, so their errors are not the service's.
    const said = line.startsWith('asset download') ? null : 'no way'
    const error = {outcome: 'none', service_message: said, exit_code: 5}
    expect(first).toMatchObject({[named]: expect.any(String), outcome: 'failed', error})
    expect(second).toMatchObject({[named]: expect.any(String), outcome: 'not-tried'})
    if (!line.startsWith('push send')) expect(second.reason).toMatch(/^not started: another \w+ failed$/u)
  }))

test('an item with a lost answer is unknown, and the run continues', () =>
  everyCase(
    lines.filter(([line]) => !line.startsWith('asset download')),
    async (line, named) => {
      let isLost = false
      const [first] = await itemsOf(line, (request) => {
        isLost ||= isOwn(request)
        return isLost ? lost('reset', 'maybe') : undefined
      })
      expect(first).toMatchObject({[named]: expect.any(String), error: {code: 'reset', outcome: 'unknown'}})
      expect(['failed', 'unknown']).toContain(first.outcome)
    },
  ))
