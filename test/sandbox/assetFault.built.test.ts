import {randomBytes} from 'node:crypto'
import http from 'node:http'
import {describe, expect, test} from 'vitest'
import {WireError} from '../../src/api/http/wire/transport.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {type AssetStage, assetStage, begin, checksumOf, noon, offsetOf, patchHeaders, sha256} from './assetStage.js'

const bytes = randomBytes(300_000)
const patchAll = (on: AssetStage, location: string, from: number, checksum?: string) =>
  on.ask(`PATCH ${location}`, patchHeaders(from, checksum), bytes.subarray(from))
const isWhole = async (on: AssetStage, location: string) =>
  sha256((await on.ask(`GET ${location}?type=asset`)).body) === sha256(bytes)

describe('faults of uploads on demand', () => {
  test('the connection breaks after a number of bytes, once for each upload, and just those are kept', async () => {
    const on = await assetStage({cutAfter: 100_000})
    for (const location of [await begin(on, bytes.length), await begin(on, bytes.length)]) {
      await expect(patchAll(on, location, 0)).rejects.toThrow()
      expect(await offsetOf(on, location)).toBe(100_000)
      expect((await patchAll(on, location, 100_000)).status).toBe(204)
      expect(await isWhole(on, location)).toBe(true)
    }
  })

  test('the connection breaks in a chunk with a checksum, and nothing of it is kept', async () => {
    const on = await assetStage({cutAfter: 100_000})
    const location = await begin(on, bytes.length)

    await expect(patchAll(on, location, 0, checksumOf(bytes))).rejects.toThrow()
    expect(await offsetOf(on, location)).toBe(0)
    expect((await patchAll(on, location, 0, checksumOf(bytes))).status).toBe(204)
    expect(await isWhole(on, location)).toBe(true)
  })

  test('a chunk that is no longer than that is not cut', async () => {
    const on = await assetStage({cutAfter: 300_000})
    expect((await patchAll(on, await begin(on, bytes.length), 0)).status).toBe(204)
  })

  test('the service stops reading in the middle, once for each upload', async () => {
    const on = await assetStage({stall: true})
    const location = await begin(on, bytes.length)

    const stalled = http.request(location, {
      method: 'PATCH',
      headers: {...patchHeaders(0), 'Content-Length': bytes.length},
      timeout: 400,
    })
    const answer = new Promise((resolve, reject) => stalled.on('response', resolve).on('error', reject))
    stalled.on('timeout', () => stalled.destroy(new Error('nothing was heard')))
    stalled.end(bytes)
    await expect(answer).rejects.toThrow('nothing was heard')

    expect(await offsetOf(on, location)).toBe(150_000)
    expect((await patchAll(on, location, 150_000)).status).toBe(204)
    expect(await isWhole(on, location)).toBe(true)
  })

  test('larger chunks than allowed are 413, before any byte is taken', async () => {
    const on = await assetStage({maxChunk: 200_000})
    const location = await begin(on, bytes.length)

    const refused = await patchAll(on, location, 0)
    expect([refused.status, refused.json.message]).toEqual([413, 'a chunk may have at most 200000 bytes'])
    expect(await offsetOf(on, location)).toBe(0)
    await on.ask(`PATCH ${location}`, patchHeaders(0), bytes.subarray(0, 200_000))
    expect((await patchAll(on, location, 200_000)).status).toBe(204)
    expect(await isWhole(on, location)).toBe(true)
  })
})

describe('within the process', () => {
  const patch = async (on: AssetStage, location: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) => {
    const sandbox = createSandbox({store: on.store, now: () => noon, files: on.files})
    const headers = {...patchHeaders(0), 'Content-Length': String(bytes.length)}
    return sandbox({method: 'PATCH', url: new URL(location), headers, body, ...(signal ? {signal} : {})})
  }

  test('a sender may use the same block again for the next bytes', async () => {
    const on = await assetStage()
    const location = await begin(on, bytes.length)
    async function* recycled() {
      const block = Buffer.alloc(10_000)
      for (let at = 0; at < bytes.length; at += block.length) {
        bytes.copy(block, 0, at)
        yield block
        block.fill(0)
      }
    }

    expect((await patch(on, location, recycled())).status).toBe(204)
    expect(await isWhole(on, location)).toBe(true)
  })

  test('a caller that gives up gets a WireError, and the received bytes are kept', async () => {
    const on = await assetStage()
    const location = await begin(on, bytes.length)
    const abort = new AbortController()
    let ended = false
    async function* silent() {
      try {
        yield bytes.subarray(0, 1000)
        abort.abort()
        yield bytes.subarray(1000, 2000)
      } finally {
        ended = true
      }
    }

    await expect(patch(on, location, silent(), abort.signal)).rejects.toMatchObject({problem: 'aborted', sent: 'maybe'})
    expect(await offsetOf(on, location)).toBe(1000)
    expect(ended).toBe(true)
  })

  test.each([
    ['fails', 'the connection broke in the middle of the request'],
    ['ends early', 'the request body ended early'],
  ])('a body that %s breaks the connection', async (how, message) => {
    const on = await assetStage()
    const location = await begin(on, bytes.length)
    async function* body() {
      yield bytes.subarray(0, 1000)
      if (how === 'fails') throw new Error('the file is gone')
    }

    const patched = patch(on, location, body())
    await expect(patched).rejects.toBeInstanceOf(WireError)
    await expect(patched).rejects.toMatchObject({problem: 'reset', message})
    expect(await offsetOf(on, location)).toBe(1000)
  })
})
