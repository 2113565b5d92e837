import {describe, expect, it} from 'vitest'
import {CHUNK_SENT} from '../../../../src/api/http/wire/transport.js'
import {RateLimit} from '../../../../src/upload/engine/rateLimit.js'

const mebibyte = 2 ** 20
const {signal} = new AbortController()

/** A clock on which sleepers wake in the order of their times, each late by `lateMs`. */
function fakeClock(lateMs = 0) {
  let ms = 0
  const sleepers: {readonly at: number; wake(): void}[] = []
  return {
    now: () => new Date(ms),
    sleep: (wait: number) => new Promise<void>((wake) => void sleepers.push({at: ms + wait + lateMs, wake})),
    /** Lets time pass until `done`. */
    run: async (done: Promise<unknown>) => {
      let isDone = false
      void done.then(() => {
        isDone = true
      })
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        if (isDone) return ms
        sleepers.sort((first, second) => first.at - second.at)
        const next = sleepers.shift()
        if (!next) throw new Error('nobody sleeps, and nothing is done')
        ms = Math.max(ms, next.at)
        next.wake()
      }
    },
  }
}

async function* blocks(count: number, bytes: number): AsyncGenerator<Uint8Array, void, unknown> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(bytes, at)
}

async function drain(body: AsyncGenerator<Uint8Array, void, typeof CHUNK_SENT | undefined>): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let step = await body.next(); !step.done; step = await body.next(CHUNK_SENT)) parts.push(Buffer.from(step.value))
  return Buffer.concat(parts)
}

const uncounted = () => undefined

describe('a rate limit', () => {
  it('bounds all bodies together, exactly, also where timers are late', async () => {
    for (const lateMs of [0, 20]) {
      const clock = fakeClock(lateMs)
      const rate = new RateLimit(5 * mebibyte, clock)
      const bodies = Array.from({length: 4}, () => drain(rate.pace(blocks(5, mebibyte), uncounted, signal)))
      const ms = await clock.run(Promise.all(bodies))
      expect(Math.abs(ms / 4000 - 1)).toBeLessThan(0.02)
    }
  })

  it('saves nothing up over a pause', async () => {
    const clock = fakeClock()
    const rate = new RateLimit(mebibyte, clock)
    await clock.run(drain(rate.pace(blocks(1, mebibyte), uncounted, signal)))
    await clock.run(clock.sleep(60_000))
    const from = clock.now().getTime()
    const to = await clock.run(drain(rate.pace(blocks(10, mebibyte), uncounted, signal)))
    expect(to - from).toBeGreaterThan(9_400)
  })

  it('sends the same bytes, from memory too, in pieces that are small against the rate', async () => {
    const clock = fakeClock()
    const rate = new RateLimit(16 * 1024, clock)
    const whole = Buffer.from(Array.from({length: 10_000}, (_, at) => at % 251))
    const sizes: number[] = []
    const copied = (async () => {
      const parts: Uint8Array[] = []
      const counted: number[] = []
      for await (const piece of rate.pace(whole, ({length}) => counted.push(length), signal)) {
        sizes.push(piece.length)
        parts.push(piece)
        expect(counted).toEqual(sizes)
      }
      return Buffer.concat(parts)
    })()
    await clock.run(copied)
    expect(await copied).toEqual(whole)
    expect(Math.max(...sizes)).toBe(1024)
  })

  it('gives a block back only when all of its pieces were sent', async () => {
    const clock = fakeClock()
    const given: unknown[] = []
    async function* source(): AsyncGenerator<Uint8Array, void, unknown> {
      for (let at = 0; at < 2; at++) given.push(yield Buffer.alloc(150_000))
    }
    const body = new RateLimit(1000 * mebibyte, clock).pace(source(), uncounted, signal)
    const answers: (typeof CHUNK_SENT | undefined)[] = [
      CHUNK_SENT,
      CHUNK_SENT,
      CHUNK_SENT,
      CHUNK_SENT,
      undefined,
      CHUNK_SENT,
    ]
    const all = (async () => {
      for (let step = await body.next(); !step.done; step = await body.next(answers.shift()));
    })()
    await clock.run(all)
    expect(given).toEqual([CHUNK_SENT, undefined])
  })
})
