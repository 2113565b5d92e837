import zlib from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {readBody} from '../../../../../src/api/http/wire/message.js'
import {WireError} from '../../../../../src/api/http/wire/transport.js'
import {adapters, answerWith, get, listenHttp, wireError} from '../support.js'

const MIB = 1024 * 1024
const never = new AbortController().signal
const limits = {maxBytes: 64 * MIB, signal: never}

/** A body that announces how much of it was asked for. */
function endless(chunk: Uint8Array): {body: AsyncIterable<Uint8Array>; taken: () => number} {
  let taken = 0
  const body = (async function* () {
    for (;;) {
      taken += chunk.length
      yield chunk
    }
  })()
  return {body, taken: () => taken}
}

describe('an answer that is read whole', () => {
  test.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['GZIP', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['gzip, br', (bytes: Uint8Array) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
    ['gzip,identity', zlib.gzipSync],
    ['Identity', (bytes: Uint8Array) => bytes],
    ['none', (bytes: Uint8Array) => bytes],
  ])('is decompressed (%s)', async (coding, compress) => {
    const text = '{"name":"방"}'.repeat(1000)
    const answer = answerWith(compress(Buffer.from(text)), {'content-encoding': coding})
    expect((await readBody(answer, limits)).toString()).toBe(text)
  })

  test.each([{}, {'content-length': '4'}])('comes as its bytes with the headers %j', async (headers) => {
    expect((await readBody(answerWith(Buffer.from([0, 255, 10, 13]), headers), limits)).toJSON().data).toEqual([
      0, 255, 10, 13,
    ])
    expect((await readBody(answerWith(''), limits)).length).toBe(0)
  })

  test('may be shorter than its length, as after HEAD', async () => {
    expect((await readBody(answerWith('', {'content-length': '1000'}), limits)).length).toBe(0)
  })

  test('is not started when it announces more than the cap', async () => {
    const {body, taken} = endless(Buffer.alloc(1024))
    const answer = answerWith(body, {'content-length': String(65 * MIB)})
    const error = await wireError(readBody(answer, limits))
    expect([error.problem, error.message, taken()]).toEqual(['too-large', 'the answer is larger than 64 MiB', 0])
    expect(answer.discarded()).toBe(true)
  })

  test('is cut off at the cap if it does not end', async () => {
    const {body, taken} = endless(Buffer.alloc(MIB))
    const answer = answerWith(body)
    const error = await wireError(readBody(answer, {maxBytes: 2 * MIB, signal: never}))
    expect([error.problem, taken(), answer.discarded()]).toEqual(['too-large', 3 * MIB, true])
  })

  test.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(96 * MIB))],
    ['br', zlib.brotliCompressSync(Buffer.alloc(96 * MIB), {params: {[zlib.constants.BROTLI_PARAM_QUALITY]: 4}})],
  ])('stays small when it is a %s bomb', async (coding, bomb) => {
    const before = process.memoryUsage.rss()
    const answer = answerWith(bomb, {'content-encoding': coding})
    const error = await wireError(readBody(answer, {maxBytes: 2 * MIB, signal: never}))
    expect(error.problem).toBe('too-large')
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB)
  })

  test.each([
    ['gzip', zlib.gzipSync('x'.repeat(10_000)).subarray(0, -9)],
    ['br', zlib.brotliCompressSync('x'.repeat(10_000)).subarray(0, -3)],
  ])('refuses %s bytes that end too early', async (coding, bytes) => {
    const error = await wireError(readBody(answerWith(bytes, {'content-encoding': coding}), limits))
    expect([error.problem, error.message]).toEqual(['broken', 'the answer cannot be decompressed: it is incomplete'])
  })

  test.each(['gzip', 'deflate', 'br'])('refuses bytes that are not %s, as their header says', async (coding) => {
    const page = Buffer.from('<html>not compressed</html>')
    const error = await wireError(readBody(answerWith(page, {'content-encoding': coding}), limits))
    const message = `the answer is damaged, or not in its Content-Encoding: ${coding}`
    expect([error.problem, error.message]).toEqual(['encoding', message])
  })

  test.each(['zstd', 'UTF-8', 'gzip, zstd', 'gzip, gzip, gzip, gzip', 'constructor', '__proto__'])(
    'refuses the coding %s by its name',
    async (coding) => {
      const answer = answerWith('x', {'content-encoding': coding})
      const error = await wireError(readBody(answer, limits))
      const message = `the answer has a Content-Encoding that cannot be decoded: ${coding.toLowerCase()}`
      expect([error.problem, error.message, answer.discarded()]).toEqual(['encoding', message, true])
    },
  )

  test.each(['gzip', 'br', 'zstd', 'x'])('has no coding where it is empty (%s)', async (coding) => {
    expect((await readBody(answerWith('', {'content-encoding': coding}), limits)).length).toBe(0)
  })

  test('passes on the failure of a compressed body', async () => {
    const cut = new WireError('broken', 'maybe', 'cut')
    const body = (async function* () {
      yield zlib.gzipSync('x'.repeat(1000)).subarray(0, 10)
      throw cut
    })()
    expect(await wireError(readBody(answerWith(body, {'content-encoding': 'gzip'}), limits))).toBe(cut)
  })

  test.each([
    ['a timeout', () => AbortSignal.timeout(50), 'deadline', 'the answer did not complete in time'],
    ['a caller', () => AbortSignal.abort(), 'aborted', 'reading the answer was cancelled'],
  ])('is ended by %s even if nothing comes', async (_, signal, problem, message) => {
    const stuck = answerWith({[Symbol.asyncIterator]: () => ({next: () => new Promise(() => {})})})
    // Something has to keep the process waiting while the only timer is that of the signal.
    const awake = setInterval(() => {}, 1000)
    const error = await wireError(readBody(stuck, {maxBytes: MIB, signal: signal()}))
    clearInterval(awake)
    expect([error.problem, error.message, stuck.discarded()]).toEqual([problem, message, true])
  })
})

describe.each(adapters)('an answer over the %s adapter', (_, transport) => {
  test('that drips is ended by the deadline though it is never silent', async () => {
    let closed: () => void = () => {}
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await listenHttp((_, response) => {
      response.writeHead(200, {'content-length': '1000'})
      const drip = setInterval(() => response.write('.'), 50)
      response.on('close', () => {
        clearInterval(drip)
        closed()
      })
    })
    const answer = await (await transport({headersMs: 5_000}))(get(url))
    const error = await wireError(readBody(answer, {maxBytes: MIB, signal: AbortSignal.timeout(400)}))
    expect(error.problem).toBe('deadline')
    await hungUp
  })

  test('that never ends is cut off at the cap and its connection closed', async () => {
    let closed: () => void = () => {}
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await listenHttp((_, response) => {
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', pour).on('close', closed)
      pour()
    })
    const error = await wireError(readBody(await (await transport())(get(url)), {maxBytes: MIB, signal: never}))
    expect(error.problem).toBe('too-large')
    await hungUp
  })

  test('of 5 MB comes whole, with its length known and without', async () => {
    const whole = Buffer.alloc(5_000_000, 'room')
    const url = await listenHttp((request, response) => {
      if (request.url === '/length') response.setHeader('content-length', whole.length)
      response.write(whole.subarray(0, 1000))
      response.end(whole.subarray(1000))
    })
    const send = await transport({headersMs: 10_000})
    for (const path of ['/length', '/chunked']) {
      expect((await readBody(await send(get(new URL(path, url))), limits)).equals(whole)).toBe(true)
    }
  })
})
