import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import * as z from 'zod/mini'
import {
  DamagedDocument,
  ForeignDocument,
  parseDocument,
  readDocument,
  writeDocument,
} from '../../../src/storage/document.js'
import {jsonFault} from '../../../src/text/json.js'
import {everyCase} from '../../support/everyCase.js'
import {freshFolder} from '../../support/folder.js'

const shape = z.strictObject({version: z.literal(1), names: z.record(z.string(), z.array(z.string()))})
const form = {shape, maxBytes: 100_000}

function newFile(): string {
  const folder = freshFolder()
  return join(folder, 'kept', 'document.json')
}

test('a written document is read back, and is for its user alone', () => {
  const file = newFile()
  expect(readDocument(file, form)).toBeUndefined()
  const value = {version: 1, names: {회의: ['가', '\u0000']}}
  writeDocument(file, value)
  expect(readDocument(file, form)).toEqual(value)
  expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700])
})

test('damage is reported by its place, without the content', () =>
  everyCase(
    [
      ['', 'is empty'],
      ['\0\0', 'is not JSON at line 1, column 1'],
      ['\xff', 'is not UTF-8 text'],
      ['{"version": 1,\n "names": {"s3cr3t": [s3cr3t]}}', 'is not JSON at line 2, column 23'],
      ['{"version": 1, "names": {"a": ["s3cr', 'is truncated at line 1, column 37'],
      ['{"version": 1, "names": {"a": tru', 'is truncated at line 1, column 34'],
      ['{"version": 1,}', 'is not JSON at line 1, column 15'],
      ['{"version": 1} {', 'is not JSON at line 1, column 16'],
      ['['.repeat(100_000), 'is not JSON at line 1, column 502'],
      ['[]', 'is not an object'],
      ['{"version": 1, "names": {"a": "s3cr3t"}}', 'has a wrong value for names.a'],
      ['{"version": 1, "names": {}, "more": "s3cr3t"}', 'has an unknown key: more'],
    ],
    (text, message) => {
      const bytes = Buffer.from(text, 'latin1')
      const isForeign = message.startsWith('has ')
      expect(() => parseDocument(bytes, {shape})).toThrow(new (isForeign ? ForeignDocument : DamagedDocument)(message))
    },
  ))

test('a later version is refused by its number, whatever its content', () => {
  const bytes = Buffer.from('{"version": 2, "names": 7}')
  const message = 'has version 2, and this roomctl reads 1'
  expect(() => parseDocument(bytes, {shape, version: 1})).toThrow(new ForeignDocument(message))
})

test('damage in any byte is found or leaves a valid value', () => {
  const whole = Buffer.from(JSON.stringify({version: 1, names: {ann: ['가', 'b'], ben: []}}, null, 2))
  const file = newFile()
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({min: 0, max: 255}), (at, byte) => {
      const bytes = Buffer.from(whole)
      bytes[at] = byte
      writeDocument(file, {})
      writeFileSync(file, bytes)
      try {
        expect(shape.safeParse(readDocument(file, form)).success).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedDocument)
      }
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }),
    {numRuns: 300},
  )
})

test('a refused text has the place of what does not fit', () =>
  everyCase(
    [
      ['{"a": x}', {line: 1, column: 7, atEnd: false}],
      ['{\n  "a": 1,\n  "b": [1, 2,]\n}', {line: 3, column: 14, atEnd: false}],
      ['{"a": 1', {line: 1, column: 8, atEnd: true}],
      ['{"a": "cut of', {line: 1, column: 14, atEnd: true}],
      ['{"a": "cut \\u12', {line: 1, column: 16, atEnd: true}],
      ['[tru', {line: 1, column: 5, atEnd: true}],
      ['[1.', {line: 1, column: 4, atEnd: true}],
      ['{"a": 1} {', {line: 1, column: 10, atEnd: false}],
      ['{"a" 1}', {line: 1, column: 6, atEnd: false}],
      ["{'a': 1}", {line: 1, column: 2, atEnd: false}],
      ['{"a": 01}', {line: 1, column: 8, atEnd: false}],
      ['{"a": trux}', {line: 1, column: 7, atEnd: false}],
      ['{"a": "\t"}', {line: 1, column: 8, atEnd: false}],
      ['{"a": "\\x"}', {line: 1, column: 8, atEnd: false}],
      ['{"a": [1}', {line: 1, column: 9, atEnd: false}],
    ],
    (text, fault) => {
      expect(jsonFault(text)).toEqual(fault)
    },
  ))

test('a text that breaks off anywhere is called truncated', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, nat) => {
      const text = JSON.stringify(value, null, 2)
      const cut = text.slice(0, nat % text.length)
      expect(jsonFault(cut)).toMatchObject({atEnd: true, line: cut.split('\n').length})
    }),
  )
})
