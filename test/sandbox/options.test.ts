import {describe, expect, test} from 'vitest'
import {Failure} from '../../src/failure.js'
import {parseFail} from '../../src/features/sandbox/flags.js'
import {everyCase} from '../support/everyCase.js'

describe('parseFail', () => {
  test('reads a status or a code, with and without a percentage', () =>
    everyCase(
      [
        ['503', {kind: 'status', status: 503, percent: 100}],
        ['503:10%', {kind: 'status', status: 503, percent: 10}],
        ['429:2.5', {kind: 'status', status: 429, percent: 2.5}],
        ['CE100', {kind: 'code', code: 'CE100', percent: 100}],
        ['CE101:50%', {kind: 'code', code: 'CE101', percent: 50}],
      ],
      (text, rule) => {
        expect(parseFail(text)).toEqual(rule)
      },
    ))

  test('refuses any other text', () =>
    everyCase(
      ['', '200', '600', '5033', 'CE999', 'ce100', '503:', '503:101%', '503:-1', '503:1e1', '503:10%:1', '503 '],
      (text) => {
        expect(() => parseFail(text)).toThrow(Failure)
      },
    ))
})
