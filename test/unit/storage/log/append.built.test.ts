import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {appendToJournal, journalIn} from '../../../../src/storage/journal.js'
import {logLine} from '../../../../src/storage/log/line.js'
import {entry, newFolder} from './journals.js'

const text = (folder: string) => readFileSync(join(folder, 'journal.ndjson'), 'utf8')
const lines = (folder: string) => text(folder).trimEnd().split('\n')

describe('a line', () => {
  test('is the entry as JSON with version and checksum, and the next one follows it', () => {
    const folder = newFolder()
    appendToJournal(journalIn(folder), entry)
    appendToJournal(journalIn(folder), {...entry, as: undefined, outcome: 'unknown', code: 'reset'})
    expect(text(folder)).toBe(
      '{"v":2,"crc":"bdb5fb84","at":"2026-12-01T12:00:00.000Z","profile":"work","operation":"attendee.block",' +
        '"targets":{"roomId":"r-1","attendees":["ben"]},"as":"ann","outcome":"done"}\n' +
        '{"v":2,"crc":"0b24bba8","at":"2026-12-01T12:00:00.000Z","profile":"work","operation":"attendee.block","targets":{"roomId":"r-1",' +
        '"attendees":["ben"]},"outcome":"unknown","code":"reset"}\n',
    )
  })

  test.each(['', '{"at":"2026-12-01T', '{"at":"x"}'])('is not swallowed by one that was cut off: %j', (cut) => {
    const folder = newFolder()
    appendToJournal(journalIn(folder), entry)
    writeFileSync(join(folder, 'journal.ndjson'), cut, {flag: 'a'})
    appendToJournal(journalIn(folder), entry)
    expect(lines(folder).filter((line) => `${line}\n` === logLine(entry))).toHaveLength(2)
    expect(lines(folder)).toHaveLength(cut === '' ? 2 : 3)
  })
})
