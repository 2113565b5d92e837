import {openSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {PassThrough, Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {lines, readAll} from '../../../src/terminal/input.js'
import {Interrupted} from '../../../src/terminal/questions.js'

const limits = {maxBytes: 1000, idleMs: 5000}

function pieces(...parts: (string | Uint8Array)[]): Readable {
  return Readable.from(parts.map((part) => Buffer.from(part)))
}

async function all(stream: Readable): Promise<string[]> {
  const match: string[] = []
  for await (const line of lines(stream)) match.push(line)
  return match
}

/** A Korean letter is three bytes; here it comes in two pieces. */
const letter = Buffer.from('방')
const split = [letter.subarray(0, 2), letter.subarray(2)]

describe('reading all of stdin', () => {
  test('joins the pieces, and letters that were split between them', async () => {
    expect(await readAll(pieces('room ', ...split, '\n'), limits)).toBe('room 방\n')
  })

  test('leaves out a byte order mark', async () => {
    expect(await readAll(pieces('\ufeffr-1'), limits)).toBe('r-1')
  })

  test('is empty for an empty stdin', async () => {
    expect(await readAll(pieces(), limits)).toBe('')
  })

  test('refuses more than the limit', async () => {
    await expect(readAll(pieces('x'.repeat(999), 'yy'), limits)).rejects.toThrow('stdin has more than 1000 bytes')
  })

  test('refuses bytes that are not text', async () => {
    await expect(readAll(pieces(Uint8Array.of(0xff, 0xfe)), limits)).rejects.toThrow('stdin is not UTF-8 text')
    await expect(readAll(pieces(letter.subarray(0, 2)), limits)).rejects.toThrow('stdin is not UTF-8 text')
  })

  test('gives up on a pipe that stays silent', async () => {
    const silent = new PassThrough()
    silent.write('begun')
    await expect(readAll(silent, {maxBytes: 1000, idleMs: 50})).rejects.toThrow('no data on stdin for 0.05 s')
  })

  test('waits for a user who types at a terminal', async () => {
    const typed = Object.assign(new PassThrough(), {isTTY: true})
    const reading = readAll(typed, {maxBytes: 1000, idleMs: 10})
    setTimeout(() => typed.end('at last'), 100)
    expect(await reading).toBe('at last')
  })
})

describe('reading stdin line by line', () => {
  test('gives each line without its break, also the last one without a break', async () => {
    expect(await all(pieces('r-1\r\nr', '-2\n\n', 'r-3'))).toEqual(['r-1', 'r-2', '', 'r-3'])
  })

  test('joins letters that were split between pieces', async () => {
    expect(await all(pieces(...split, '\n', ...split))).toEqual(['방', '방'])
  })

  test('gives a line before the next one has come', async () => {
    const typed = new PassThrough()
    typed.write('first\nsec')
    const reader = lines(typed)
    expect((await reader.next()).value).toBe('first')
    typed.end('ond')
    expect((await reader.next()).value).toBe('second')
    expect((await reader.next()).done).toBe(true)
  })

  test('refuses a line without end', async () => {
    await expect(all(pieces('x'.repeat(600_000), 'x'.repeat(600_000)))).rejects.toThrow(
      'a line of stdin is longer than 1048576 characters',
    )
  })

  test('refuses bytes that are not text', async () => {
    await expect(all(pieces(Uint8Array.of(0xc3, 0x28)))).rejects.toThrow('stdin is not UTF-8 text')
  })
})

describe('stdin into which nothing comes', () => {
  test('ends when the signal comes, before or during the wait', async () => {
    const controller = new AbortController()
    const reading = readAll(new PassThrough(), {...limits, signal: controller.signal})
    const stream = new PassThrough()
    const first = lines(stream, controller.signal).next()
    controller.abort()
    await expect(reading).rejects.toBeInstanceOf(Interrupted)
    await expect(first).rejects.toBeInstanceOf(Interrupted)
    await expect(readAll(new PassThrough(), {...limits, signal: controller.signal})).rejects.toBeInstanceOf(Interrupted)
  })

  test('is released at its end', async () => {
    const controller = new AbortController()
    const stream = pieces('ann')
    expect(await readAll(stream, {...limits, signal: controller.signal})).toBe('ann')
    controller.abort()
    expect(stream.errored).toBeNull()
  })
})

test('a folder as stdin is a usage error, by bytes and by lines', async () => {
  // As Node opens it for process.stdin.
  const folder = () => Object.assign(pieces(), {fd: openSync(tmpdir(), 'r')})
  for (const reading of [readAll(folder(), limits), all(folder())]) {
    await expect(reading).rejects.toMatchObject({
      facts: {exit: 'usage', message: 'stdin is a folder; nothing was sent'},
    })
  }
})
