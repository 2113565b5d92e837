import fc from 'fast-check'
import {expect, test} from 'vitest'
import {jsonFault} from '../../../../src/storage/profile/repair.js'
import {everyCase} from '../../../support/everyCase.js'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('the first fault of a text is found', () =>
  everyCase(
    [
      ['{"a": x}', {line: 1, column: 7, atEnd: false}],
      ['{\n  "a": 1,\n  "b": [1, 2,]\n}', {line: 3, column: 14, atEnd: false}],
      ['{"a": 1', {line: 1, column: 8, atEnd: true}],
      ['{"a": "cut of', {line: 1, column: 14, atEnd: true}],
      ['{"a": 1} {', {line: 1, column: 10, atEnd: false}],
      ['{"a" 1}', {line: 1, column: 6, atEnd: false}],
      ["{'a': 1}", {line: 1, column: 2, atEnd: false}],
      ['{"a": 01}', {line: 1, column: 8, atEnd: false}],
      ['{"a": [1}', {line: 1, column: 9, atEnd: false}],
      ['', {line: 1, column: 1, atEnd: true}],
    ],
    (text, fault) => {
      expect(jsonFault(text)).toEqual(fault)
    },
  ))

test('every JSON text is without fault, however it is laid out', () => {
  fc.assert(
    fc.property(fc.jsonValue({noUnicodeString: false}), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      expect(jsonFault(JSON.stringify(value, null, space))).toBeUndefined()
    }),
  )
})

test('a text has a fault exactly when JSON.parse refuses it', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'a',
    '0',
    '-',
    '.',
    'e',
    'true',
    ' ',
    '\n',
    '\u{1}',
  )
  const change = fc.record({at: fc.nat(200), remove: fc.nat(3), insert: fc.string({unit: piece, maxLength: 3})})
  fc.assert(
    fc.property(fc.json(), change, (json, {at, remove, insert}) => {
      const text = json.slice(0, at) + insert + json.slice(at + remove)
      expect(jsonFault(text) === undefined).toBe(isJson(text))
    }),
    {numRuns: 700},
  )
})
