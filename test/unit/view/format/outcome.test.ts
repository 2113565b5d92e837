import {expect, test} from 'vitest'
import {failureJson, fileFailure} from '../../../../src/failure.js'
import {causeWords, failureCodes, outcomeWords, reasonWords} from '../../../../src/view/format/outcome.js'

test('a skipped row names its code as the outcome, and its proof as the reason', () => {
  const rows = [
    [{reason: 'unchanged', proven_by: 'metadata'}, 'unchanged', 'proven by ledger and metadata'],
    [{reason: 'unfinished', percent: 83}, 'unfinished 83 %', 'interrupted'],
    [{outcome: 'not-tried', reason: 'not started: another file failed'}, 'not started', 'another file failed'],
    [{outcome: 'not-tried', reason: 'not started'}, 'not started', ''],
    [{reason: 'unchanged: its host is ben'}, 'skipped', 'unchanged: its host is ben'],
    [{outcome: 'done', reason: 'not verified: interrupted'}, 'done', 'not verified: interrupted'],
  ] as const
  for (const [item, ...columns] of rows) {
    const row = {outcome: 'skipped', ...item} as const
    expect([outcomeWords(row), reasonWords(row)]).toEqual(columns)
  }
})

test('the cause of a file names what the system said: a full disk', () => {
  const full = fileFailure('out/a.png cannot be written', {why: 'the disk is full'})
  expect(causeWords({error: failureJson(full)})).toBe('out/a.png cannot be written: the disk is full')
  const there = fileFailure('a.png already exists', {code: 'file-exists', why: 'it does'})
  expect(causeWords({error: failureJson(there)})).toBe('a.png already exists')
})

test('codes are counted where they differ', () => {
  const failed = (code: string) => ({error: {code} as never})
  expect(failureCodes([{}])).toBe('')
  expect(failureCodes([failed('ER001'), {}, failed('ER001')])).toBe(' (ER001)')
  expect(failureCodes([failed('ER001'), failed('CE002'), failed('ER001')])).toBe(' (2 ER001, 1 CE002)')
})
