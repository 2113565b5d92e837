import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import type http from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import zlib from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {download} from '../../../../src/upload/download/download.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {resource} from './context.js'
import {type Circumstances, contextFor, type Handler, serveAssets, sha256} from './stage.js'

const bytes = randomBytes(300_000)
const half = bytes.subarray(0, 150_000)

/** Downloads from a service that answers each request for the bytes by the next of `steps`, the last one repeatedly. */
async function downloadBy(steps: Handler[], circumstances: Circumstances = {}) {
  let asked = 0
  const own = await serveAssets(
    () => ({dataUrl: '/data', originalFileName: 'a.bundle'}),
    (request, response) => steps[Math.min(asked++, steps.length - 1)]?.(request, response),
  )
  const folder = freshFolder()
  const context = await contextFor(own.url, circumstances)
  const downloaded = download(context, resource, {folder, overwrite: false, claimed: new Set()})
  return {folder, downloaded, own, waits: context.waits}
}

const whole: Handler = (_, response) => response.writeHead(200, {'content-length': bytes.length}).end(bytes)

/** Announces all, sends half, and hangs up. */
const cut =
  (headers: http.OutgoingHttpHeaders = {}): Handler =>
  (_, response) => {
    response.writeHead(200, {'content-length': bytes.length, ...headers})
    response.write(half, () => setTimeout(() => response.destroy(), 50))
  }

const adapters = ['direct', 'pooled']

describe.each(adapters)('bytes over the %s transport', (adapter) => {
  test('come whole, with their size and digest', async () => {
    const {folder, downloaded} = await downloadBy([whole], {adapter})
    const {file, ...facts} = await downloaded
    expect(facts).toEqual({bytes: bytes.length, sha256: sha256(bytes)})
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })

  test('are asked for again from the beginning after the connection broke', async () => {
    const {downloaded, own, waits} = await downloadBy([cut(), cut(), whole], {adapter})
    expect((await downloaded).sha256).toBe(sha256(bytes))
    expect(own.seen.slice(1).map(({headers}) => headers.range)).toEqual([undefined, undefined, undefined])
    expect(waits).toHaveLength(2)
  })

  test('that always break off leave no file', async () => {
    const {folder, downloaded, own} = await downloadBy([cut()], {adapter})
    const {facts, exitCode} = await failureOf(downloaded)
    expect([exitCode, facts.code, facts.retryable]).toEqual([10, 'broken', true])
    expect(facts.message).toMatch(/^cannot download games\/foo\/u-1: the answer of \S+ is incomplete/)
    expect(own.seen).toHaveLength(1 + 5)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that stop coming are given up after the silence that a connection may keep', async () => {
    const stalls: Handler = (_, response) => {
      response.writeHead(200, {'content-length': bytes.length})
      response.write(half)
    }
    const {folder, downloaded} = await downloadBy([stalls], {adapter, silenceMs: 100})
    expect((await failureOf(downloaded)).facts.message).toContain('is incomplete: no more data arrived')
    expect(readdirSync(folder)).toEqual([])
  })

  test('that come slowly are waited for, longer than a call may take', async () => {
    const drips: Handler = async (_, response) => {
      response.writeHead(200, {'content-length': 20})
      for (let n = 0; n < 20; n++) {
        response.write('x')
        await delay(30)
      }
      response.end()
    }
    const {downloaded} = await downloadBy([drips], {adapter, silenceMs: 2_000, timeoutMs: 300})
    expect((await downloaded).sha256).toBe(sha256('x'.repeat(20)))
  })
})

describe('bytes that can be distinguished by a strong entity tag', () => {
  const etag = '"v1"'
  const rest: Handler = (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
    response.writeHead(206, {'content-range': range, 'content-length': bytes.length - from, etag})
    response.end(bytes.subarray(from))
  }

  test('resume where the connection broke', async () => {
    const {downloaded, own} = await downloadBy([cut({etag}), rest])
    expect(await downloaded).toMatchObject({bytes: bytes.length, sha256: sha256(bytes)})
    const [, , second] = own.seen
    expect(second?.headers['if-range']).toBe(etag)
    expect(Number(/\d+/.exec(String(second?.headers.range))?.[0])).toBeGreaterThan(0)
  })

  test('arrive however often the connection breaks, if each attempt brings some', async () => {
    const some: Handler = (request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
      const status = request.headers.range ? 206 : 200
      response.writeHead(status, {'content-range': range, 'content-length': bytes.length - from, etag})
      const chunk = bytes.subarray(from, from + 30_000)
      response.write(chunk, () =>
        from + chunk.length === bytes.length ? response.end() : setTimeout(() => response.destroy(), 20),
      )
    }
    const {downloaded, own} = await downloadBy([some])
    expect(await downloaded).toMatchObject({bytes: bytes.length, sha256: sha256(bytes)})
    expect(own.seen.length).toBeGreaterThan(6)
  })
})

describe('bytes in another coding than identity', () => {
  test.each([
    ['gzip', zlib.gzipSync(bytes)],
    ['br', zlib.brotliCompressSync(bytes)],
  ])('are decompressed (%s), though identity was asked for', async (coding, packed) => {
    const answer: Handler = (_, response) =>
      response.writeHead(200, {'content-encoding': coding, 'content-length': packed.length}).end(packed)
    const {downloaded, own} = await downloadBy([answer])
    expect(await downloaded).toMatchObject({bytes: bytes.length, sha256: sha256(bytes)})
    expect(own.seen.at(-1)?.headers['accept-encoding']).toBe('identity')
  })

  test('and are damaged leave no file', async () => {
    const packed = zlib.gzipSync(bytes)
    const answer: Handler = (_, response) =>
      response.writeHead(200, {'content-encoding': 'gzip'}).end(packed.subarray(0, packed.length - 20))
    const {folder, downloaded} = await downloadBy([answer])
    expect((await failureOf(downloaded)).facts.message).toContain('cannot be decompressed')
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a service that is busy is asked again after the time it names', async () => {
  const busy: Handler = (_, response) => response.writeHead(503, {'retry-after': '7'}).end()
  const {downloaded, waits} = await downloadBy([busy, whole])
  expect((await downloaded).sha256).toBe(sha256(bytes))
  expect(waits).toEqual([7000])
})

test('a service that stays busy ends the download as temporary', async () => {
  const busy: Handler = (_, response) => response.writeHead(429).end()
  const {downloaded} = await downloadBy([busy])
  const {exitCode, facts} = await failureOf(downloaded)
  expect([exitCode, facts.retryable, facts.httpStatus]).toEqual([9, true, 429])
})

test('Ctrl-C ends a download and leaves nothing of it', async () => {
  const abort = new AbortController()
  const stalls: Handler = (_, response) => {
    response.writeHead(200, {'content-length': bytes.length})
    response.write(half, () => setTimeout(() => abort.abort(), 50))
  }
  const {folder, downloaded} = await downloadBy([stalls], {signal: abort.signal})
  expect((await failureOf(downloaded)).exitCode).toBe(130)
  expect(readdirSync(folder)).toEqual([])
})
