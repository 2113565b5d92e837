import {symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {JournalEntry} from '../../../../src/storage/journal.js'
import {journalIn} from '../../../../src/storage/journal.js'
import {type ReadOptions, readLog} from '../../../../src/storage/log/read.js'
import {everyCase} from '../../../support/everyCase.js'
import {freshFolder} from '../../../support/folder.js'

const entry: JournalEntry = {
  at: '2026-12-01T12:00:00.000Z',
  profile: 'work',
  operation: 'push.broadcast',
  targets: {request_uuid: 'u-1', application_id: 'app-1'},
  outcome: 'done',
}

/** A state folder whose journal holds exactly this. */
function holding(content: string | Uint8Array): string {
  const folder = freshFolder()
  writeFileSync(join(folder, 'journal.ndjson'), content)
  return folder
}

/** The changes, the oldest first. */
async function read(folder: string): Promise<{entries: JournalEntry[]; damaged: number}> {
  let damaged = 0
  const entries: JournalEntry[] = []
  for await (const change of readLog(journalIn(folder), {damaged: () => (damaged += 1)})) entries.push(change)
  return {entries: entries.reverse(), damaged}
}

test('whole lines of any length are read, with those of rotated files, the newest first', async () => {
  const line = (id: string, fill = '') => `${JSON.stringify({...entry, id, targets: {name: `회의 ${fill}`}})}\n`
  const many = Array.from({length: 3000}, (_, n) => `a${n}`)
  const shapes = [
    ['', []],
    ['\n', []],
    [line('a1').trimEnd(), ['a1']],
    [`\n${line('a1')}\n\nno entry\n${line('a2')}\n`, ['a1', 'a2']],
    [
      line('a1') + line('a2', '가'.repeat(30_000)) + line('a3', 'y'.repeat(300_000)) + line('a4'),
      ['a1', 'a2', 'a3', 'a4'],
    ],
    // Longer than any line may be.
    [`${line('a1')}${'x'.repeat(1024 * 1024 + 1)}\n${line('a2')}`, ['a1', 'a2']],
    [many.map((id) => line(id)).join(''), many],
  ] as const
  await everyCase(shapes, async (content, ids) => {
    const folder = holding(content)
    writeFileSync(join(folder, 'journal.1.ndjson'), line('b1') + line('b2'))
    writeFileSync(join(folder, 'journal.2.ndjson'), line('c1'))
    const read: unknown[] = []
    for await (const {id} of readLog(journalIn(folder))) read.push(id)
    expect(read).toEqual([...ids.toReversed(), 'c1', 'b2', 'b1'])
  })
})

test('a search for a text without damaged lines returns the same records, whatever block they end in', async () => {
  const lengths = fc.array(fc.integer({min: 0, max: 200_000}), {maxLength: 8})
  const rooms = fc.infiniteStream(fc.constantFrom('r-1', 'r-2'))
  const property = fc.asyncProperty(lengths, rooms, fc.constantFrom('', '\n', 'broken'), async (sizes, names, end) => {
    const lines = sizes.map((size, n) => {
      const targets = {roomId: names.next().value ?? '', fill: 'x'.repeat(size)}
      return `${n % 3 === 1 ? 'broken\n' : ''}${line({id: `e${n}`, targets})}`
    })
    const place = journalIn(holding(lines.join('') + end))
    const ids = async (options: ReadOptions) => {
      const read: unknown[] = []
      for await (const {id} of readLog(place, {mentions: 'r-2', ...options})) read.push(id)
      return read
    }
    expect(await ids({})).toEqual(await ids({damaged: () => undefined}))
  })
  await fc.assert(property, {numRuns: 60})
})

const line = (change: object = {}) => `${JSON.stringify({...entry, ...change})}\n`

describe('a line that cannot be read', () => {
  test('is left out and counted, and the others are read', () =>
    everyCase(
      [
        ['cut off by a kill', `${line().slice(0, 40)}\n`],
        ['of another program', 'hello\n'],
        ['of JSON that is no object', '[1]\n'],
        ['null', 'null\n'],
        ['without a time', line({at: undefined})],
        ['with an invalid time', line({at: 'yesterday'})],
        ['without a profile', line({profile: 7})],
        ['without an operation', line({operation: null})],
        ['whose targets are a list', line({targets: ['u-1']})],
        ['without targets', line({targets: null})],
        ['whose outcome is not known', line({outcome: 'maybe'})],
        ['whose requester is no text', line({as: {}})],
        ['whose code is no text', line({code: 7})],
        ['of bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x0a])],
        ['of zeros, as a crashed disk leaves them', Buffer.concat([Buffer.alloc(5000), Buffer.from('\n')])],
        ['that is longer than a line can be', `{"at":"${'x'.repeat(3 * 1024 * 1024)}"}\n`],
        ['of brackets without end', `${'['.repeat(900_000)}\n`],
      ],
      async (_, damage) => {
        const whole = Buffer.concat([Buffer.from(line()), Buffer.from(damage), Buffer.from(line({as: 'ann'}))])
        expect(await read(holding(whole))).toEqual({entries: [entry, {...entry, as: 'ann'}], damaged: 1})
      },
    ))

  test('at the end is counted too', async () => {
    expect(await read(holding(`${line()}{"at":"2026`))).toEqual({entries: [entry], damaged: 1})
  })

  test('is whole if only its line break is missing', async () => {
    expect(await read(holding(line().trimEnd()))).toEqual({entries: [entry], damaged: 0})
  })
})

test('lines are whole wherever the blocks of the file end', async () => {
  const names = Array.from({length: 4000}, (_, n) => `회의-${n}-${'€'.repeat(n % 50)}`)
  const {entries, damaged} = await read(holding(names.map((name) => line({targets: {name}})).join('')))
  expect(damaged).toBe(0)
  expect(entries.map(({targets}) => targets.name)).toEqual(names)
})

test('a damaged byte loses only its lines, and they are counted', async () => {
  const records = Array.from({length: 20}, (_, n) => ({...entry, targets: {name: `회의-${n}`}}))
  const written = records.map((record) => `${JSON.stringify(record)}\n`)
  const ends = written.map((_, n) => Buffer.byteLength(written.slice(0, n + 1).join('')))
  await fc.assert(
    fc.asyncProperty(fc.nat((ends.at(-1) ?? 1) - 1), fc.integer({min: 0, max: 255}), async (at, byte) => {
      const bytes = Buffer.from(written.join(''))
      bytes[at] = byte
      const {entries, damaged} = await read(holding(bytes))
      const hit = ends.findIndex((end) => at < end)
      // A line break that is gone makes one line of two.
      const others = records.filter((_, n) => n !== hit && !(n === hit + 1 && at === (ends[hit] ?? 0) - 1))
      expect(entries).toEqual(expect.arrayContaining(others))
      expect(entries.length - others.length + damaged).toBeGreaterThan(0)
    }),
    {numRuns: 200},
  )
})

test('a journal that is an endless device is refused', async () => {
  const folder = freshFolder()
  symlinkSync('/dev/zero', join(folder, 'journal.ndjson'))
  await expect(read(folder)).rejects.toThrow('it is not a file')
})
