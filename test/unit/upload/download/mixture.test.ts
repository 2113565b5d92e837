import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {type Transport, WireError, type WireResponse} from '../../../../src/api/http/wire/transport.js'
import {type DownloadOptions, download} from '../../../../src/upload/download/download.js'
import {digestOfResource} from '../../../../src/upload/download/presence.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answerWith} from '../../api/http/support.js'
import {contextOf, resource} from './context.js'
import {sha256} from './stage.js'

const mebibyte = 1024 * 1024
const size = 6 * mebibyte
/** Where the first answer breaks off: behind the first record of a proof. */
const cutAt = 5 * mebibyte
const old = randomBytes(size)
const current = randomBytes(size)

type Headers = Readonly<Record<string, string>>
type Step = (from: number) => WireResponse

/** An answer of the old content that breaks off. */
const broken =
  (headers: Headers = {}): Step =>
  () => {
    const body = async function* () {
      yield old.subarray(0, cutAt)
      throw new WireError('broken', 'maybe', 'the answer is incomplete')
    }
    return answerWith(body(), {'content-length': String(size), ...headers})
  }

const whole =
  (headers: Headers = {}): Step =>
  () =>
    answerWith(current, {'content-length': String(size), ...headers})

interface Part {
  readonly first?: number
  readonly last?: number
  readonly total?: number | '*'
  readonly length?: number
  readonly of?: Buffer
}

/** The rest from the offset that was asked for, or what its facts say. */
const part =
  (headers: Headers = {}, {first, last = size - 1, total = size, length, of = current}: Part = {}): Step =>
  (from) => {
    const start = first ?? from
    const bytes = Buffer.concat([of, of]).subarray(start, start + (length ?? last + 1 - start))
    return {...answerWith(bytes, {'content-range': `bytes ${start}-${last}/${total}`, ...headers}), status: 206}
  }

/** A service that answers each request for the bytes by the next of the steps, and no further ones. */
function service(description = 'd') {
  const steps: Step[] = []
  const ranges: (string | undefined)[] = []
  const open: Transport = async ({url, headers}) => {
    if (url.search === '?type=meta') return answerWith(JSON.stringify({uuid: 'u-1', dataUrl: '/data', description}))
    const step = steps.shift()
    if (!step) throw new WireError('refused', 'no', 'the connection was refused')
    ranges.push(headers.range)
    return step(Number(/\d+/u.exec(headers.range ?? String(cutAt))?.[0]))
  }
  const context = () =>
    contextOf({base: new URL('https://assets.test'), open, signal: new AbortController().signal, timeoutMs: 5_000})
  return {steps, ranges, context}
}

/** A download of which the first answer breaks off. */
async function downloadOver(steps: readonly Step[], more: Partial<DownloadOptions> = {}, text = 'd') {
  const {steps: left, ranges, context} = service(text)
  const folder = freshFolder()
  left.push(...steps)
  const {file} = await download(context(), resource, {folder, overwrite: false, claimed: new Set(), ...more})
  expect(readdirSync(folder)).toEqual(['u-1'])
  const bytes = readFileSync(file)
  const content = bytes.equals(current) ? 'current' : bytes.equals(old) ? 'old' : 'a mixture'
  return {content, ranges: ranges.map((range) => (range === undefined ? 'all' : 'rest')), left: left.length}
}

const [tag, other] = [{etag: '"1"'}, {etag: '"2"'}]
const stamped = `d [sha256:${sha256(current)}]`

describe('a download that broke off', () => {
  test('comes again from the beginning after a 206 that is not exactly the rest of the same content', () =>
    everyCase(
      [
        ['another tag', part(other)],
        ['no tag', part()],
        ['a weak tag', part({etag: 'W/"1"'})],
        ['another total', part(tag, {last: size, total: size + 1})],
        ['an unknown total', part(tag, {total: '*'})],
        ['an earlier start', part(tag, {first: 0})],
        ['a later start', part(tag, {first: size - 10})],
        ['an end before the last byte', part(tag, {last: size - 2})],
        ['no Content-Range', part({...tag, 'content-range': ''})],
        [
          'parts of several ranges',
          part({...tag, 'content-range': '', 'content-type': 'multipart/byteranges; boundary=x'}),
        ],
        ['a body that is longer than its range', part(tag, {length: mebibyte * 2 + 1})],
        ['a body that is shorter than its range', part(tag, {length: 10})],
        ['another Content-Length', part({...tag, 'content-length': '10'})],
        ['a coded body', part({...tag, 'content-encoding': 'gzip'})],
        ['416', (from: number) => ({...part(tag)(from), status: 416})],
      ],
      async (_, rest) => {
        expect(await downloadOver([broken(tag), rest, whole(other)])).toEqual({
          content: 'current',
          ranges: ['all', 'rest', 'all'],
          left: 0,
        })
      },
    ))

  test('comes from the beginning by a 200 in place of a 206', async () => {
    const ranges = ['all', 'rest']
    expect(await downloadOver([broken(tag), whole(other)])).toEqual({content: 'current', ranges, left: 0})
  })

  test('is continued by a 206 with the same strong tag, total and range', async () => {
    const steps = [broken(tag), part(tag, {of: old})]
    expect(await downloadOver(steps)).toEqual({content: 'old', ranges: ['all', 'rest'], left: 0})
  })

  test('never asks for the rest where its tag is weak, and no digest is known', async () => {
    const weak = {etag: 'W/"1"'}
    const {steps, ranges, context} = service()
    const folder = freshFolder()
    steps.push(broken(weak))
    const run = () => download(context(), resource, {folder, overwrite: false, claimed: new Set()})
    steps.push(part(weak), whole(weak))
    expect(readFileSync((await run()).file).equals(current)).toBe(true)
    expect(ranges).toEqual([undefined, undefined, undefined])
  })

  test('is continued without a tag where the digest of the whole is known, which is checked at the end', () =>
    everyCase(
      [
        ['the stamp', {}, stamped],
        ['--expect', {expect: sha256(current)}, 'd'],
      ] as const,
      async (_, more, text) => {
        const ranges = ['all', 'rest', 'all']
        const mixed = await downloadOver([broken(), part(), whole()], more, text)
        expect(mixed).toEqual({content: 'current', ranges, left: 0})
        const another = await downloadOver([broken(), part({}, {last: size, total: size + 1}), whole()], more, text)
        expect(another).toEqual({content: 'current', ranges, left: 0})
      },
    ))

  test('is checked by its digest also where the tag says that it is of one content', async () => {
    const steps = [broken(tag), part(tag), whole(tag)]
    const ranges = ['all', 'rest', 'all']
    expect(await downloadOver(steps, {}, stamped)).toEqual({content: 'current', ranges, left: 0})
  })
})

test('bytes that are read to compare them are no mixture either', async () => {
  const {steps, context} = service()
  steps.push(broken(tag), part(other), whole(other))
  expect(await digestOfResource(context(), resource)).toEqual({bytes: size, sha256: sha256(current)})
})

test('a download is given up if the content changes after every break', async () => {
  const {steps, ranges, context} = service()
  const more: Step = (from) => {
    const body = async function* () {
      yield old.subarray(from, from + 10)
      throw new WireError('broken', 'maybe', 'the answer is incomplete')
    }
    return {...part(tag)(from), body: body()}
  }
  for (let n = 0; n < 20; n += 1) steps.push(broken(tag), more, part(other))
  const options = {folder: freshFolder(), overwrite: false, claimed: new Set<string>()}
  expect((await failureOf(download(context(), resource, options))).facts.exit).toBe('network')
  expect(ranges).toHaveLength(6)
})
