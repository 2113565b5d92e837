import {describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {type Transport, WireError, type WireResponse} from '../../src/api/http/wire/transport.js'
import {always, reply} from '../commands/answers.js'
import {cli, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {everyAttack, expectHarmless} from './hostile.js'

const nasty = everyAttack()
/** As it can be in a header: only Latin letters of eight bits. */
const latin = Array.from(nasty)
  .filter((character) => character <= '\u00ff' && !'\r\n\0'.includes(character))
  .join('')
/** Bytes that are no UTF-8: C1 controls alone, half of an escape, an encoded surrogate. */
const raw = Buffer.from([0x9b, 0x33, 0x31, 0x6d, 0xff, 0xed, 0xa0, 0x80, 0xc2, 0x1b, 0x5b, 0x32, 0x4a, 0xf0, 0x9f])
const json = (body: unknown, status: number) => () => reply(JSON.stringify(body), {status})

/** Answers of a service, or of a proxy before it, in place of the expected one. */
const refusals: Readonly<Record<string, () => WireResponse>> = {
  'FAIL with a code and a message': json({status: 'FAIL', error_code: nasty, message: nasty}, 200),
  'FAIL with a known code': json({status: 'FAIL', error_code: 'CE002', message: nasty}, 404),
  'a status and a message': json({message: nasty, error: nasty}, 400),
  'a status and a line of text': () => reply(nasty.replace(/\n/gu, ''), {status: 403}),
  'a page': () => reply(`<html>${nasty}</html>`, {status: 502, headers: {'content-type': `text/html; ${latin}`}}),
  'no JSON': () => reply(nasty, {headers: {'content-type': `application/${latin}`, 'retry-after': latin}}),
  'a redirect': () => reply('', {status: 302, headers: {location: `https://evil.example/${latin}`}}),
  'a busy sign': () => reply(JSON.stringify(nasty), {status: 429, headers: {'retry-after': latin, server: latin}}),
  'another envelope': json({status: nasty, [nasty]: nasty}, 200),
  'other types': json({status: 'SUCCESS', data: {[nasty]: nasty, room_id: {}, token: 1}}, 200),
  'bytes that are no text': () => ({...reply('', {status: 400}), body: bytes(raw)}),
  'bytes in JSON that are no text': () => ({
    ...reply('', {status: 409}),
    body: bytes(Buffer.concat([Buffer.from('{"status":"FAIL","message":"'), raw.subarray(0, 8), Buffer.from('"}')])),
  }),
  'a broken line': () => {
    throw new WireError('broken', 'maybe', `the answer is no HTTP: ${nasty}`)
  },
}

async function* bytes(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content
}

const subjects = operations.map(({id}) => [id, lines[id]] as const)

/** Two answers are tried on all operations, the others, which are read in one place, on one of each kind. */
const ofServices = new Set(['FAIL with a code and a message', 'other types'])
const samples = new Set(['room.get', 'room.end', 'asset.info', 'asset.head', 'asset.upload', 'push.show', 'push.send'])

describe.each(Object.entries(refusals))('a service that answers with %s', (what, refusal) => {
  const transport: Transport = always(refusal)

  const tried = subjects.filter(([id]) => ofServices.has(what) || samples.has(id))
  test('cannot say more than words through any operation', () =>
    everyCase(tried, async (_, line) => {
      const run = (more: string, columns?: number) =>
        cli(`${line}${more}`, {
          transport,
          env: {...lineEnvironment, NO_COLOR: '1'},
          home: freshHome(),
          ...(columns === undefined ? {} : {columns, answers: [true, true]}),
        })
      const [seen, traced] = [await run('', 80), await run(' -o json --debug')]
      expectHarmless(seen, `${line} refused with ${what}`)
      expectHarmless(traced, `${line} refused with ${what}, as JSON with a trace`)
      expect(seen.stderr.split('\n').every((text) => text.length < 3000)).toBe(true)
    }))
})

describe('a refusal of 100,000 characters', () => {
  const long = 'n'.repeat(100_000)

  test('does not flood the screen of any operation', () =>
    everyCase(subjects.entries(), async (row, [, line]) => {
      const refusal =
        row % 2 === 0 ? json({status: 'FAIL', error_code: long, message: long}, 200) : json({message: long}, 400)
      const where = {transport: always(refusal), env: lineEnvironment, home: freshHome()}
      expect((await cli(row % 4 < 2 ? line : `${line} -o json`, where)).stderr.length).toBeLessThan(5000)
    }))
})
