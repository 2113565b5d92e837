import {expect, test} from 'vitest'
import {journalEntryId} from '../../../src/storage/journal.js'

test('ids are short, and sort as they were given, also within one millisecond', () => {
  const at = new Date('2026-12-01T12:00:00Z')
  const ids = Array.from({length: 50_000}, (_, n) => journalEntryId(new Date(at.getTime() + Math.floor(n / 20_000))))
  expect(new Set(ids).size).toBe(50_000)
  expect([...ids].sort().join()).toBe(ids.join())
  expect(ids.filter((id) => !/^[0-9a-hjkmnp-tv-z]{12}$/.test(id))).toEqual([])
})

test('a clock that is set back gives no id twice, and keeps their order', () => {
  const later = journalEntryId(new Date('2027-01-01T00:00:00Z'))
  const earlier = journalEntryId(new Date('2026-12-31T23:00:00Z'))
  expect(earlier > later).toBe(true)
})
