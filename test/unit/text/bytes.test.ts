import {expect, test} from 'vitest'
import {fileSize} from '../../../src/text/text.js'
import {nanoseconds} from '../../../src/text/time.js'

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [12_897_485, '12.3 MiB'],
  [1_048_575, '1.0 MiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
  [-2048, '-2.0 KiB'],
  [Number.MAX_SAFE_INTEGER, '8.0 PiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text)
})

test.each([
  [0, '0ms'],
  [350e6, '350ms'],
  [999_999_999, '999ms'],
  [1e9, '1s'],
  [59e9, '59s'],
  [123e9, '2m 03s'],
  [3723e9, '1h 02m 03s'],
  [100 * 3600e9, '100h 00m 00s'],
  [-123e9, '-2m 03s'],
])('%i nanoseconds are %s', (duration, text) => {
  expect(nanoseconds(duration)).toBe(text)
})
