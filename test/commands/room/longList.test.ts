import {describe, expect, test} from 'vitest'
import type {WireResponse} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {always} from '../answers.js'

const count = 5_000
const room = (at: number) => ({
  room_id: `r-${at}`,
  name: `room ${at}`,
  room_status: at % 2 === 0 ? 'MEETING' : 'ENDED',
  start_time: '2026-12-01T09:00:00Z',
  description: 'x'.repeat(2000),
  order: BigInt('9007199254740993'),
})
const text = (at: number) =>
  JSON.stringify(room(at), (_, value) => (typeof value === 'bigint' ? Number(value) : value)).replace(
    '9007199254740992',
    '9007199254740993',
  )

const texts = Array.from({length: count}, (_, at) => text(at))
/** The rooms a hundred at a time, with a comma before all but the first. */
const pieces = Array.from({length: count / 100}, (_, at) =>
  Buffer.from(`${at === 0 ? '' : ','}${texts.slice(100 * at, 100 * at + 100).join(',')}`),
)

/** An answer of unannounced length, above the held part. */
function long({begin = '{"status":"SUCCESS","data":[', end = ']}', odd = ''} = {}): WireResponse {
  async function* body(): AsyncIterable<Uint8Array> {
    yield Buffer.from(begin)
    yield* pieces
    yield Buffer.from(`${odd}${end}`)
  }
  return {status: 200, headers: {'content-type': 'application/json'}, body: body(), discard: () => undefined}
}

const ids = Array.from({length: count}, (_, at) => `r-${at}`)

describe('a list that is too long to be held', () => {
  test('comes out in every format as it came', async () => {
    const ndjson = await cli('room list -o ndjson', {transport: always(() => long())})
    expect(ndjson).toMatchObject({exit: 0, stderr: ''})
    expect(ndjson.stdout).toBe(texts.map((line) => `${line}\n`).join(''))

    const csv = await cli('room list -o csv --columns room_id,name', {transport: always(() => long())})
    expect(csv.stdout).toBe(`room_id,name\n${ids.map((id, at) => `${id},room ${at}\n`).join('')}`)

    const json = await cli('room list -o json', {transport: always(() => long())})
    expect(JSON.parse(json.stdout)).toHaveLength(count)
    const table = await cli('room list --columns room_id', {transport: always(() => long())})
    expect(table.stdout).toBe(`ID\n${ids.join('\n')}\n`)
  })

  test('is chosen from, limited, sorted and counted as a short one', async () => {
    const where = await cli('room list --status meeting -q', {transport: always(() => long())})
    expect(where.stdout).toBe(
      ids
        .filter((_, at) => at % 2 === 0)
        .join('\n')
        .concat('\n'),
    )
    const limited = await cli('room list --limit 2 --columns room_id', {
      transport: always(() => long()),
      columns: 80,
      env: {NO_COLOR: '1'},
    })
    expect(limited.stdout).toBe('ID\nr-0\nr-1\n')
    expect(limited.stderr).toContain(`2 of ${count}`)
    const sorted = await cli('room list --sort -room_id --limit 1000 -q', {transport: always(() => long())})
    expect(sorted.stdout.split('\n')[0]).toBe('r-999')
    const found = await cli(['room', 'list', '--query', 'length(@)'], {transport: always(() => long())})
    expect(found.stdout).toBe(`${count}\n`)
  })

  test('that ends with a refusal, or does not end, or holds an element that is not a room, is a failure', async () => {
    const refused = await cli('room list -q', {
      transport: always(() => long({begin: '{"data":[', end: '],"status":"FAIL","error_code":"AA002"}'})),
    })
    expect(refused).toMatchObject({exit: 7})
    expect(refused.stderr).toContain('AA002')

    const cut = await cli('room list -q', {transport: always(() => long({end: ''}))})
    expect(cut.exit).toBe(10)
    expect(cut.stderr).toMatch(/truncated|incomplete/)

    const broken = await cli('room list -q', {transport: always(() => long({odd: ',{"room_id":'}))})
    expect(broken.exit).toBe(10)
    expect(broken.stderr).toMatch(/not JSON|truncated/)

    const other = await cli('room list -q', {transport: always(() => long({odd: ',{"room_id":5}'}))})
    expect(other.exit).toBe(10)
    expect(other.stderr).toContain(`data.${count}.room_id`)
  })
})
