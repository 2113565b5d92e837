import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import type {JournalEntry} from '../../../../src/storage/journal.js'
import {appendToJournal, journalIn} from '../../../../src/storage/journal.js'
import {logLine} from '../../../../src/storage/log/line.js'
import {readLog} from '../../../../src/storage/log/read.js'
import {entry, linesOf, mode, newFolder, write} from './journals.js'

/** The size at which the journal is put aside. */
const sizeOfFile = 5 * 1024 * 1024

/** A journal in a folder that is there. */
function newJournal() {
  const place = journalIn(newFolder())
  mkdirSync(dirname(place.path), {recursive: true})
  return place
}

const line = (targets: object) => `${JSON.stringify({...entry, targets})}\n`
const full = (name: string) => `${line({name})}${'x'.repeat(sizeOfFile)}\n`
const names = (path: string) => readdirSync(dirname(path)).sort()
const numbered = (...numbers: number[]) => numbers.map((number) => `journal.${number}.ndjson`).concat('journal.ndjson')

async function read(path: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const change of readLog(journalIn(dirname(path)))) entries.push(change)
  return entries.reverse()
}

test('eight processes that write 200 lines each tear, lose and double none while the journal is rotated', async () => {
  const place = newJournal()
  const writers = Array.from({length: 8}, (_, n) => `writer-${n}`)
  let isDone = false
  const ends = Promise.all(writers.map((name) => write('true', place, name, 200, 12_000))).finally(() => {
    isDone = true
  })
  // A reader meanwhile gets the lines of each writer so far, without a gap.
  while (!isDone) {
    for (const own of byWriter(await read(place.path), writers)) expect(own).toEqual(upTo(own.length))
    // Reading waits for nothing, so the ends of the writers are heard only in between.
    await setImmediate()
  }
  expect((await ends).map(({code}) => code)).toEqual(writers.map(() => 0))
  expect(names(place.path)).toEqual(numbered(1, 2, 3))
  const written = linesOf(place.path).filter((text) => text !== '')
  expect(
    byWriter(
      written.map((text) => JSON.parse(text)),
      writers,
    ),
  ).toEqual(writers.map(() => upTo(200)))
  expect(byWriter(await read(place.path), writers)).toEqual(writers.map(() => upTo(200)))
})

function byWriter(entries: readonly JournalEntry[], writers: readonly string[]): unknown[][] {
  return writers.map((name) => entries.filter(({profile}) => profile === name).map(({targets}) => targets.roomId))
}

function upTo(count: number): string[] {
  return Array.from({length: count}, (_, n) => `r-${n}`)
}

describe('a journal that has grown long', () => {
  test('is rotated, and a new one begins', () => {
    const place = newJournal()
    writeFileSync(place.path, full('old'))
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered(1))
    expect(readFileSync(place.path, 'utf8')).toBe(logLine(entry))
    expect(mode(place.path)).toBe(0o600)
  })

  test('is not rotated while it is one byte shorter', () => {
    const place = newJournal()
    const first = line({})
    writeFileSync(place.path, `${first}${'x'.repeat(sizeOfFile - first.length - 2)}\n`)
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered())
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered(1))
  })

  test('keeps every file of a large run until its time is over', () => {
    const place = newJournal()
    const day = 86_400
    const old = (number: number, days: number) => {
      const file = join(dirname(place.path), `journal.${number}.ndjson`)
      writeFileSync(file, line({}))
      utimesSync(file, Date.now() / 1000 - days * day, Date.now() / 1000 - days * day)
    }
    for (let number = 1; number <= 20; number++) old(number, number <= 2 ? 91 : 89)
    writeFileSync(place.path, full('old'))
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered(...Array.from({length: 19}, (_, at) => at + 3)).sort())
  })

  test('keeps five older files, and leaves alone what only looks like one', () => {
    const place = newJournal()
    const others = ['journal.07.ndjson', 'journal.1.ndjson.gz', 'journal.x.ndjson', 'other.1.ndjson']
    for (const name of [...numbered(3, 4, 5, 6, 9), ...others]) {
      writeFileSync(join(dirname(place.path), name), line({}))
      utimesSync(join(dirname(place.path), name), 1, 1)
    }
    writeFileSync(place.path, full('old'))
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual([...numbered(4, 5, 6, 9, 10), ...others].sort())
  })

  test('never removes a file of its name that is no journal, whether it holds something or not', () => {
    const place = newJournal()
    const theirs = ['CREATE TABLE rooms;\n', '', '{"id":"x"}\n', '\n', `${'x'.repeat(3_000_000)}`]
    for (const [at, text] of theirs.entries()) {
      const file = join(dirname(place.path), `journal.${at + 1}.ndjson`)
      writeFileSync(file, text)
      utimesSync(file, 1, 1)
    }
    for (const number of [11, 12, 13, 14, 15]) {
      writeFileSync(join(dirname(place.path), `journal.${number}.ndjson`), line({}))
      utimesSync(join(dirname(place.path), `journal.${number}.ndjson`), 1, 1)
    }
    writeFileSync(place.path, full('old'))
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered(1, 2, 3, 4, 5, 12, 13, 14, 15, 16).sort())
    expect(theirs.map((_, at) => readFileSync(join(dirname(place.path), `journal.${at + 1}.ndjson`), 'utf8'))).toEqual(
      theirs,
    )
  })

  test('keeps a line of a user who had it open before', async () => {
    const place = newJournal()
    writeFileSync(place.path, full('old'))
    const slow = openSync(place.path, 'a')
    appendToJournal(place, entry)
    writeSync(slow, line({name: 'slow'}))
    closeSync(slow)
    expect((await read(place.path)).map(({targets}) => targets.name)).toEqual(['old', 'slow', undefined])
  })

  test('waits for a process that is about to rotate it, and continues without a killed one', () => {
    const place = newJournal()
    const begun = join(dirname(place.path), 'journal.1.ndjson')
    writeFileSync(place.path, full('old'))
    writeFileSync(begun, '')
    appendToJournal(place, entry)
    expect(readFileSync(begun, 'utf8')).toBe('')
    expect(`${linesOf(place.path).at(-1)}\n`).toBe(logLine(entry))
    const minuteAgo = new Date(Date.now() - 60_000)
    utimesSync(begun, minuteAgo, minuteAgo)
    appendToJournal(place, entry)
    expect(names(place.path)).toEqual(numbered(1, 2))
  })

  test('only grows if it cannot be rotated', () => {
    const place = newJournal()
    writeFileSync(place.path, full('old'))
    // Its number is the last that there is.
    mkdirSync(join(dirname(place.path), 'journal.999999999.ndjson'))
    mkdirSync(join(dirname(place.path), 'journal.1000000000.ndjson'))
    appendToJournal(place, entry)
    expect(readFileSync(place.path, 'utf8')).toBe(`${full('old')}${logLine(entry)}`)
  })
})

describe('reading', () => {
  test('begins with the oldest file, also with ten of them', async () => {
    const place = newJournal()
    for (const number of [10, 9, 11]) {
      writeFileSync(join(dirname(place.path), `journal.${number}.ndjson`), line({name: number}))
    }
    writeFileSync(place.path, line({name: 'now'}))
    expect((await read(place.path)).map(({targets}) => targets.name)).toEqual([9, 10, 11, 'now'])
  })

  test('misses and doubles nothing when the journal is rotated meanwhile', async () => {
    const place = newJournal()
    writeFileSync(join(dirname(place.path), 'journal.1.ndjson'), line({name: 1}))
    writeFileSync(place.path, line({name: 2}))
    const seen: unknown[] = []
    for await (const {targets} of readLog(place)) {
      if (seen.length === 0) renameSync(place.path, join(dirname(place.path), 'journal.2.ndjson'))
      seen.push(targets.name)
    }
    expect(seen).toEqual([2, 1])
    // There is no new one yet.
    expect((await read(place.path)).map(({targets}) => targets.name)).toEqual([1, 2])
  })

  test('leaves out what was rotated after the file that it opened', async () => {
    const place = newJournal()
    const rotated = (number: number) => join(dirname(place.path), `journal.${number}.ndjson`)
    writeFileSync(rotated(1), line({name: 1}))
    writeFileSync(rotated(2), line({name: 2}))
    // As if it was rotated twice between its opening and the listing of the folder.
    linkSync(rotated(1), place.path)
    expect((await read(place.path)).map(({targets}) => targets.name)).toEqual([1])
  })

  test('gives only lines that mention a text, as JSON writes it, and counts those that were cut off', async () => {
    const place = newJournal()
    writeFileSync(place.path, ['회의"\n', 'other', '회의"\n'].map((roomId) => line({roomId})).join('broken\n'))
    const rooms: unknown[] = []
    let damaged = 0
    const options = {mentions: '회의"\n', damaged: () => (damaged += 1)}
    for await (const {targets} of readLog(place, options)) rooms.push(targets.roomId)
    expect({rooms, damaged}).toEqual({rooms: ['회의"\n', '회의"\n'], damaged: 2})
  })
})
