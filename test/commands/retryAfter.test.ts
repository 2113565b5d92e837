import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome, noon} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {instead, isChange, reply} from './answers.js'

const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000).toUTCString()

/** What the service asks for, and the seconds of it. */
const asked: readonly (readonly [Record<string, string>, number])[] = [
  [{'retry-after': '0'}, 0],
  [{'retry-after': later(-60)}, 0],
  [{'retry-after': later(3607), date: later(3600)}, 7],
  [{'retry-after': 'soon 1'}, 0],
  [{'retry-after': '-5'}, 0],
  [{'retry-after': '1000000000000'}, 1e12],
]

const busy = JSON.stringify({status: 'FAIL', error_code: 'CE101', message: 'busy'})
const file = path.join(freshHome(), 'a.bundle')
writeFileSync(file, 'bytes')

const commands = [
  ['a read', 'room list', busy],
  ['a change', 'room end r-standup --yes', busy],
  ['an upload', `asset upload games/puzzle ${file} --platform ios --description d`, '{}'],
] as const

test.each(commands)('%s waits as long as it is asked to, unless it has no time for that', (_, line, body) =>
  everyCase(asked, async (headers, seconds) => {
    const waits: number[] = []
    const status = body === busy ? 200 : 429
    const isRead = line === 'room list'
    const transport = await instead((request) => isRead || isChange(request), [() => reply(body, {status, headers})])
    const ran = await cli(`${line} -o json --retries 2`, {transport, onWait: async (ms) => void waits.push(ms)})
    const requests = ran.sent.filter((request) => isRead || request.method !== 'GET')
    const {error} = JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{"error')))
    const isTooLong = seconds > 1000
    expect({ask: seconds, requests: requests.length, exit: ran.exit}).toEqual({
      ask: seconds,
      requests: isTooLong ? 1 : 3,
      exit: 9,
    })
    if (isTooLong) expect([waits.filter((ms) => ms > 10_000), error.retry_after_seconds]).toEqual([[], seconds])
    else expect(waits.filter((ms) => ms >= seconds * 1000).length).toBeGreaterThanOrEqual(2)
    if (isTooLong) expect(error.why).toContain('the service asks to wait 1000000000000 s')
  }),
)
