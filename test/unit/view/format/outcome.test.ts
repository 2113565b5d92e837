import {expect, test} from 'vitest'
import {failureCodes, outcomeWords, reasonWords} from '../../../../src/view/format/outcome.js'

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

test('codes are counted where they differ', () => {
  const failed = (code: string) => ({error: {code} as never})
  expect(failureCodes([{}])).toBe('')
  expect(failureCodes([failed('ER001'), {}, failed('ER001')])).toBe(' (ER001)')
  expect(failureCodes([failed('ER001'), failed('CE002'), failed('ER001')])).toBe(' (2 ER001, 1 CE002)')
})
