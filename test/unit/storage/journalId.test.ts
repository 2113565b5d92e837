import {expect, test} from 'vitest'
import {journalEntryId, journalStart} from '../../../src/storage/journal.js'

test('ids are short and unique, and a journal begins with one', () => {
  const ids = Array.from({length: 50_000}, () => journalEntryId())
  expect(new Set(ids).size).toBe(50_000)
  expect(ids.filter((id) => !journalStart.test(`{"id":"${id}","at":"2026-`))).toEqual([])
})
