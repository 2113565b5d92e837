import {createHash} from 'node:crypto'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {CHUNK_SENT} from '../../../../../src/api/http/wire/transport.js'
import {adapters, get, listenHttp, text, wireError} from '../support.js'

const blockBytes = 100_000
const blocks = 40

/** A body made in as few blocks as its reader allows: one that was told to have left is written again. */
async function* frugal(used: Set<Buffer>): AsyncGenerator<Uint8Array, void, typeof CHUNK_SENT | undefined> {
  let block: Buffer | undefined
  for (let n = 0; n < blocks; n++) {
    const current = block ?? Buffer.alloc(blockBytes)
    used.add(current)
    current.fill(n)
    block = (yield current) === CHUNK_SENT ? current : undefined
  }
}

function expected(): string {
  const hash = createHash('sha1')
  for (let n = 0; n < blocks; n++) hash.update(Buffer.alloc(blockBytes, n))
  return hash.digest('hex')
}

describe.each(adapters)('a streamed body over the %s adapter', (name, transport) => {
  test('arrives unchanged, though its blocks are reused and the reader is slow', async () => {
    const url = await listenHttp(async (request, response) => {
      const hash = createHash('sha1')
      for await (const chunk of request) {
        hash.update(chunk)
        if (Math.random() < 0.1) await pause(2)
      }
      response.end(hash.digest('hex'))
    })
    const used = new Set<Buffer>()
    const headers = {'Content-Length': String(blocks * blockBytes)}
    const send = await transport()
    expect(await text(await send(get(url, {method: 'PATCH', body: frugal(used), headers})))).toBe(expected())
    // undici does not tell when bytes have left, so there nothing is used again.
    expect(used.size).toBe(name === 'direct' ? 1 : blocks)
  })

  test('ends if its reader disconnects', async () => {
    const url = await listenHttp((request) => {
      request.once('data', () => request.socket.destroy())
    })
    let ended = false
    const endless = (async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536)
      } finally {
        ended = true
      }
    })()
    const send = await transport()
    expect((await wireError(send(get(url, {method: 'PATCH', body: endless})))).problem).toBe('reset')
    await expect.poll(() => ended, {timeout: 5_000}).toBe(true)
  })
})

test.each(adapters)('each exchange over the %s adapter has its own time limit of silence', async (_, transport) => {
  const url = await listenHttp(() => undefined)
  const send = await transport({headersMs: 60_000})
  const error = await wireError(send(get(url, {silenceMs: 200})))
  expect([error.problem, error.message]).toEqual(['headers-timeout', `no answer from ${url.host} within 0.2 s`])
})
