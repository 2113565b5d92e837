import {spawn} from 'node:child_process'
import {closeSync, openSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {Writable} from 'node:stream'
import {text} from 'node:stream/consumers'
import {beforeAll, describe, expect, test} from 'vitest'
import {OutputWriter} from '../../../src/terminal/output.js'
import {bundled} from '../../support/bundled.js'
import {freshFolder} from '../../support/folder.js'

let writer: string
beforeAll(async () => {
  writer = `'${process.execPath}' '${await bundled(new URL('writer.ts', import.meta.url))}'`
})

/** A reader that takes what one read gives it and then sleeps for 300 ms. */
const sleepyReader = `'${process.execPath}' -e "
  const fs = require('node:fs')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const block = Buffer.alloc(1 << 16)
  for (let size; (size = fs.readSync(0, block)) > 0; Atomics.wait(pause, 0, 0, 300)) fs.writeSync(1, block, 0, size)
"`

async function shell(script: string): Promise<{stdout: string; stderr: string}> {
  const child = spawn('sh', ['-c', script])
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return {stdout, stderr}
}

/** A stream that fails every write. */
function failing(code: string): Writable {
  return new Writable({
    write: (_text, _encoding, done) => done(Object.assign(new Error(`write ${code}`), {code})),
  })
}

test('bytes that are no text are written unchanged to a file and a pipe', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 0xed, 0xa0, 0x80])
  const folder = freshFolder()
  const file = path.join(folder, 'bytes')
  const descriptor = openSync(file, 'w')
  const taken: Buffer[] = []
  const pipe = new Writable({
    write: (piece, _encoding, done) => {
      taken.push(piece)
      done()
    },
  })
  await new OutputWriter(Object.assign(new Writable(), {fd: descriptor})).write(bytes)
  await new OutputWriter(pipe).write(bytes)
  closeSync(descriptor)
  expect([readFileSync(file), Buffer.concat(taken)]).toEqual([bytes, bytes])
})

describe('output to a pipe', () => {
  test('ends quietly when the reader closes it', async () => {
    const {stdout, stderr} = await shell(`{ ${writer} 1000000; echo " exit $?" >&2; } | head -1`)
    expect(stdout).toBe('row 1\n')
    const [said = '', exit] = stderr.split(' exit ')
    expect(exit).toBe('0\n')
    const {written, closed} = JSON.parse(said)
    expect(closed).toBe(true)
    expect(written).toBeLessThan(1_000_000)
  })

  test('gives a reader that sleeps all 20,000 rows, whole and in order', async () => {
    const {stdout, stderr} = await shell(`${writer} 20000 | ${sleepyReader}`)
    expect(stdout).toBe(Array.from({length: 20_000}, (_, i) => `row ${i + 1}\n`).join(''))
    expect(JSON.parse(stderr)).toEqual({written: 20_000, closed: false})
  })

  test('waits until a slow stream has taken the text', async () => {
    let taken = ''
    const slow = new Writable({
      write: (piece, _encoding, done) => {
        setTimeout(() => {
          taken += piece
          done()
        }, 20)
      },
    })
    await new OutputWriter(slow).write('hello')
    expect(taken).toBe('hello')
  })

  test('takes a closed pipe for the end, whatever its error, and drops later output', async () => {
    for (const code of ['EPIPE', 'EOF', 'ECONNRESET']) {
      const output = new OutputWriter(failing(code))
      await output.write('first')
      expect(output.closed).toBe(true)
      await output.write('second')
    }
  })

  test('takes a stream that was destroyed for closed', async () => {
    const stream = new Writable()
    stream.destroy()
    const output = new OutputWriter(stream)
    await output.write('first')
    expect(output.closed).toBe(true)
  })

  test('throws any other error of a write', async () => {
    const output = new OutputWriter(failing('ENOSPC'))
    await expect(output.write('first')).rejects.toThrow('cannot write the output: the disk is full')
    expect(output.closed).toBe(false)
  })
})

describe('output to a terminal', () => {
  const stream = (about: {isTTY?: boolean; columns?: number}) => Object.assign(new Writable(), about)

  test('knows the width of the terminal, and its changes', () => {
    const terminal = stream({isTTY: true, columns: 120})
    const output = new OutputWriter(terminal)
    expect([output.isTerminal, output.columns]).toEqual([true, 120])
    Object.assign(terminal, {columns: 60})
    expect(output.columns).toBe(60)
  })

  test('takes a terminal that tells no width for 80 columns', () => {
    expect(new OutputWriter(stream({isTTY: true, columns: 0})).columns).toBe(80)
  })

  test('has no width off a terminal', () => {
    const output = new OutputWriter(stream({}))
    expect([output.isTerminal, output.columns]).toEqual([false, undefined])
  })
})
