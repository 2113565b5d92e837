import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import type {JournalEntry} from '../../../src/storage/journal.js'
import {runJournal, singleJournal} from '../../../src/storage/journal.js'

const entry = (roomId: string): JournalEntry => ({
  at: '2026-12-01T12:00:00.000Z',
  profile: 'live',
  operation: 'room.end',
  targets: {roomId},
  outcome: 'done',
})

function keeper(fails = false) {
  const written: string[][] = []
  const notes: string[] = []
  const keep = (entries: readonly JournalEntry[]) => {
    if (fails) throw new Error('the disk is full')
    written.push(entries.map(({targets}) => String(targets.roomId)))
  }
  return {written, notes, keep, note: (text: string) => notes.push(text)}
}

const {signal: calm} = new AbortController()

describe('the lines of a run', () => {
  test('are written together a moment later, in their order, each once', async () => {
    const {written, keep, note} = keeper()
    const journal = runJournal(keep, note, calm)
    for (const id of ['a', 'b']) journal.append(entry(id))
    expect(written).toEqual([])
    await pause(50)
    expect(written).toEqual([['a', 'b']])
    journal.append(entry('c'))
    journal.flush()
    await pause(50)
    expect(written).toEqual([['a', 'b'], ['c']])
  })

  test('are written at once when the command is interrupted, and each one after that', () => {
    const {written, keep, note} = keeper()
    const controller = new AbortController()
    const journal = runJournal(keep, note, controller.signal)
    journal.append(entry('a'))
    controller.abort()
    expect(written).toEqual([['a']])
    journal.append(entry('b'))
    expect(written).toEqual([['a'], ['b']])
  })

  test('that cannot be written are reported', () => {
    const {notes, keep, note} = keeper(true)
    const journal = runJournal(keep, note, calm)
    for (const id of ['a', 'b']) journal.append(entry(id))
    journal.flush()
    expect(notes).toEqual(['warning: the change is not in the journal: the disk is full'])
  })
})

test('the line of a single change is written at once', () => {
  const {written, keep, note} = keeper()
  singleJournal(keep, note).append(entry('a'))
  expect(written).toEqual([['a']])
})
