import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type Transport, WireError, type WireResponse} from '../../src/api/http/wire/transport.js'
import {page, sandboxOf} from '../commands/answers.js'
import {bench} from '../commands/asset/uploads.js'
import {everyCase} from '../support/everyCase.js'

const size = 6 * 1024 * 1024
/** Behind the first record of what a part of a download is proven by. */
const cutAt = 5 * 1024 * 1024
const [before, now] = [Buffer.alloc(size, 'content before; '), Buffer.alloc(size, 'other content; ')]

/** The defect of a 206 that is otherwise the correct rest. */
const wrongParts: readonly (readonly [string, PartFacts])[] = [
  ['another tag', {etag: '"2"'}],
  ['a weak tag', {etag: 'W/"1"'}],
  ['another total', {total: size + 1}],
  ['an unknown total', {total: '*'}],
  ['an earlier start', {from: 0}],
  ['a later start', {from: size - 10}],
  ['an end before the last byte', {to: size - 2}],
  ['a coded body', {coding: 'gzip'}],
  ['a body that is too short', {bytes: 10}],
]

interface PartFacts {
  readonly etag?: string
  readonly total?: number | '*'
  readonly from?: number
  readonly to?: number
  readonly coding?: string
  readonly bytes?: number
}

function bytesOf(content: Buffer, status: number, headers: Record<string, string>, breaks = false): WireResponse {
  const body = async function* () {
    yield content
    if (breaks) throw new WireError('broken', 'maybe', 'the answer is incomplete')
  }
  return {status, headers: {'content-type': 'application/octet-stream', ...headers}, body: body(), discard: () => {}}
}

/** The rest from there on, with the defect. */
function wrongPart(asked: number, facts: PartFacts): WireResponse {
  const {etag = '"1"', total = size, from = asked, to = size - 1, coding, bytes = size} = facts
  const headers = {etag, 'content-range': `bytes ${from}-${to}/${total}`}
  const rest = now.subarray(from, Math.min(to + 1, from + bytes))
  return bytesOf(rest, 206, coding === undefined ? headers : {...headers, 'content-encoding': coding})
}

test('a download that breaks off is continued by no wrong 206: its file has one content, or there is no file', () =>
  everyCase(
    wrongParts.flatMap(([name, facts]) => [true, false].map((recovers) => [name, recovers, facts] as const)),
    async (_, recovers, facts) => {
      const own = await bench()
      const {stdout} = await own.upload([own.file('a.bin', 10)], ['-o', 'ids'])
      const uuid = stdout.trim()
      const sandbox = sandboxOf(own.store)
      let asked = 0
      const whole = {etag: '"1"', 'content-length': String(size)}
      const data = (range: string | undefined) => {
        asked += 1
        if (asked === 1) return bytesOf(before.subarray(0, cutAt), 200, whole, true)
        if (range !== undefined) return wrongPart(Number.parseInt(range.replace('bytes=', ''), 10), facts)
        return recovers ? bytesOf(now, 200, {...whole, etag: '"2"'}) : page(503)
      }
      const transport: Transport = async (request) => {
        const {method, url, headers} = request
        const isData = method === 'GET' && url.pathname.includes(uuid) && url.search === ''
        return isData ? data(headers.range ?? headers.Range) : sandbox(request)
      }
      const to = join(own.home, 'read')
      const ran = await own.cli(['asset', 'download', `games/puzzle/${uuid}`, '--to', to], {transport})
      expect(asked).toBeGreaterThan(2)
      expect({exit: ran.exit === 0, isNow: existsSync(to) && readFileSync(to).equals(now)}).toEqual({
        exit: recovers,
        isNow: recovers,
      })
      expect(existsSync(to)).toBe(recovers)
    },
  ))
