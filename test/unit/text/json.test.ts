import {describe, expect, test} from 'vitest'
import {exactJson, parseExactJson} from '../../../src/text/json.js'
import {everyCase} from '../../support/everyCase.js'

/** JSON that comes out as it went in, byte for byte. */
const kept = [
  '9007199254740993',
  '-9007199254740993',
  '{"n":9007199254740993}',
  '[1,9007199254740993,-18446744073709551615,"9007199254740993"]',
  '{"a\\"9007199254740993":["x, 9007199254740993 ]",9007199254740993]}',
  `{"n":${'9'.repeat(400)}}`,
  '{"n":1,"s":"\\\\","m":12345678901234567890}',
]

describe('JSON', () => {
  test('keeps every digit of whole numbers, and texts unchanged', () =>
    everyCase(kept, (text) => {
      expect(exactJson(parseExactJson(text))).toBe(text)
    }))

  test('has a bigint only where a number would be rounded', () =>
    everyCase(
      [
        ['9007199254740992', 9007199254740992],
        ['1234567890123456', 1234567890123456],
        ['9007199254740993', 9007199254740993n],
        ['9007199254740993.0', 9007199254740992],
        ['9007199254740993e2', 900719925474099300],
        ['0.12345678901234567890', 0.12345678901234568],
        ['"9007199254740993"', '9007199254740993'],
      ] as const,
      (text, value) => expect(parseExactJson(text)).toBe(value),
    ))

  test('is refused where JSON.parse refuses it', () =>
    everyCase(['09007199254740993', '9007199254740993x', '--9007199254740993', '{"n":9007199254740993', ''], (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError)
    }))

  test('is indented as JSON.stringify does it, and refuses a circle', () => {
    const value = {n: 9007199254740993n, list: [1, 2n ** 64n]}
    expect(exactJson(value, 2)).toBe(
      '{\n  "n": 9007199254740993,\n  "list": [\n    1,\n    18446744073709551616\n  ]\n}',
    )
    const circle: {self?: object} = {}
    circle.self = circle
    expect(() => exactJson(circle)).toThrow(TypeError)
  })

  test('takes a number of too many digits as the nearest double', () => {
    expect(parseExactJson('9'.repeat(100_000))).toBe(Number.POSITIVE_INFINITY)
  })
})
