import {expect, test} from 'vitest'
import {failureJson, fileFailure} from '../../../../src/failure.js'
import {causeWords, failureCodes, outcomeWords, reasonWords} from '../../../../src/view/format/outcome.js'

test('skipped is distinguished by how its reason begins, and the reason does not repeat it', () => {
  const told = [
    ['unchanged: proven by ledger and listing', 'unchanged', 'proven by ledger and listing'],
    ['unfinished 83 %: interrupted', 'unfinished 83 %', 'interrupted'],
    ['not started: another file failed', 'not started', 'another file failed'],
    ['not started', 'not started', ''],
    ['its host is ben now, and was ann', 'skipped', 'its host is ben now, and was ann'],
  ]
  for (const [reason = '', ...words] of told) {
    expect([outcomeWords({outcome: 'skipped', reason}), reasonWords(reason)]).toEqual(words)
  }
  expect(outcomeWords({outcome: 'done', reason: 'not verified: interrupted'})).toBe('done')
})

test('the cause of a file names what the system said: a full disk', () => {
  const full = fileFailure('cannot download c/u-1: out/a.png cannot be written', {why: 'the disk is full'})
  expect(causeWords({error: failureJson(full)}, 'c/u-1')).toBe('out/a.png cannot be written: the disk is full')
  const there = fileFailure('cannot download c/u-1: a.png already exists', {code: 'file-exists', why: 'it does'})
  expect(causeWords({error: failureJson(there)}, 'c/u-1')).toBe('a.png already exists')
})

test('codes are counted where they differ', () => {
  const failed = (code: string) => ({error: {code} as never})
  expect(failureCodes([{}])).toBe('')
  expect(failureCodes([failed('ER001'), {}, failed('ER001')])).toBe(' (ER001)')
  expect(failureCodes([failed('ER001'), failed('CE002'), failed('ER001')])).toBe(' (2 ER001, 1 CE002)')
})
