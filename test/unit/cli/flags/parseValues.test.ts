import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseChoice, parseWholeNumber} from '../../../../src/cli/flags/parseValues.js'
import {Failure} from '../../../../src/failure.js'
import {failing} from '../../../support/failures.js'

describe('a whole number', () => {
  test.each([
    ['0', 0],
    ['30', 30],
    ['007', 7],
    ['1000000000', 1_000_000_000],
  ])('%s', (text, value) => {
    expect(parseWholeNumber('--max', text)).toBe(value)
  })

  test.each([
    '',
    ' ',
    '1e3x',
    '1e3',
    '-1',
    '+1',
    '1.5',
    '0x10',
    '1_000',
    ' 7',
    '٣',
    'Infinity',
    '1000000001',
    '9'.repeat(30),
  ])('is not %j, and the failure names the flag', (text) => {
    const {exit, message} = failing(() => parseWholeNumber('--max', text))
    expect(exit).toBe('usage')
    expect(message).toMatch(/^invalid --max ".*": expected a number$/su)
  })

  test('keeps to its bounds, and says them', () => {
    expect(parseWholeNumber('--max', '1', {min: 1, max: 9})).toBe(1)
    expect(parseWholeNumber('--max', '9', {min: 1, max: 9})).toBe(9)
    for (const text of ['0', '10'])
      expect(failing(() => parseWholeNumber('--max', text, {min: 1, max: 9})).why).toMatch(/1 to 9/)
  })

  test('is either read as written or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String)), (text) => {
        try {
          expect(parseWholeNumber('--max', text)).toBe(Number.parseInt(text, 10))
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })
})

describe('a choice', () => {
  const words = ['SPEAKER', 'SINGLE_SPEAKER', 'GRID'] as const

  test.each([
    ['grid', 'GRID'],
    ['single-speaker', 'SINGLE_SPEAKER'],
    ['Single_Speaker', 'SINGLE_SPEAKER'],
  ])('%s is %s', (text, word) => {
    expect(parseChoice('--layout', text, words)).toBe(word)
  })
})
