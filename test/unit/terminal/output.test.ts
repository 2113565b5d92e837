import {closeSync, openSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {Writable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {OutputWriter} from '../../../src/terminal/output.js'
import {freshFolder} from '../../support/folder.js'

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

  test('takes a terminal without a width for 80 columns', () => {
    expect(new OutputWriter(stream({isTTY: true, columns: 0})).columns).toBe(80)
  })

  test('has no width in a pipe', () => {
    const output = new OutputWriter(stream({}))
    expect([output.isTerminal, output.columns]).toEqual([false, undefined])
  })
})
