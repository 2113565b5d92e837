import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {appendToJournal, journalIn} from '../../../../src/storage/journal.js'
import {logLine} from '../../../../src/storage/log/line.js'
import {entry, mode, newFolder, write} from './journals.js'

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

  test('stays one line whatever the names hold', () => {
    const folder = newFolder()
    const targets = {roomId: 'r-1\n{"at":1}\r\u2028\u0000\u001b[31m', name: '회의 🎉 \ud800'}
    appendToJournal(journalIn(folder), {...entry, targets})
    expect(text(folder).match(/\n/g)).toHaveLength(1)
    expect(JSON.parse(text(folder)).targets.roomId).toBe(targets.roomId)
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

describe('who may read it', () => {
  test.each(['umask 0', 'umask 077', 'umask 0777'])('its user only, under %s', async (umask) => {
    const folder = newFolder()
    // The folder's own parents are made here: under umask 0777 only root could enter new ones.
    if (umask === 'umask 0777') mkdirSync(folder, {recursive: true})
    expect(await write(umask, journalIn(folder), 'work', 1)).toEqual({code: 0, stderr: ''})
    expect(mode(join(folder, 'journal.ndjson'))).toBe(0o600)
    if (umask !== 'umask 0777') expect([mode(folder), mode(join(folder, '..'))]).toEqual([0o700, 0o700])
  })

  test('its user only, where it was open to all before', () => {
    const folder = newFolder()
    appendToJournal(journalIn(folder), entry)
    chmodSync(join(folder, 'journal.ndjson'), 0o666)
    appendToJournal(journalIn(folder), entry)
    expect(mode(join(folder, 'journal.ndjson'))).toBe(0o600)
  })
})

describe('a journal that cannot be written', () => {
  test('is an error when a file stands where the folder should be', () => {
    const folder = newFolder()
    mkdirSync(join(folder, '..'), {recursive: true})
    writeFileSync(folder, '')
    expect(() => appendToJournal(journalIn(folder), entry)).toThrow(
      `${join(folder, 'journal.ndjson')} cannot be written: a part of this path is not a folder; fix that, or set ROOMCTL_STATE_DIR`,
    )
  })

  test('is an error when a folder stands where the file should be', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'journal.ndjson'), {recursive: true})
    expect(() => appendToJournal(journalIn(folder), entry)).toThrow('cannot be written: it is a folder; ')
  })

  test('is an error when the disk is full, and costs no line but the cut one', async () => {
    const folder = newFolder()
    const {code, stderr} = await write('ulimit -f 8', journalIn(folder), 'full', 100, 200)
    expect(code).toBe(1)
    expect(stderr).toMatch(/a limit on the size of files was reached|the disk is full or a size limit was reached/)
    const before = lines(folder)
    appendToJournal(journalIn(folder), entry)
    const whole = lines(folder).flatMap(parsed)
    expect(whole.at(-1)).toMatchObject(entry)
    expect(whole.length).toBeGreaterThanOrEqual(before.length)
  })
})

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
