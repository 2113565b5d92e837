import {expect, test} from 'vitest'
import {Failure} from '../../../src/failure.js'
import {parseByteCount} from '../../../src/text/quantity.js'
import {everyCase} from '../../support/everyCase.js'

test('numbers of bytes are read with units of 1024', () =>
  everyCase(
    [
      ['65536', 65_536],
      ['64KiB', 65_536],
      ['64mib', 64 * 1024 ** 2],
      ['1.5 GiB', 1.5 * 1024 ** 3],
      [' 1GiB ', 1024 ** 3],
      ['0', 0],
    ],
    (text, bytes) => {
      expect(parseByteCount(text)).toBe(bytes)
    },
  ))

test.each(['', 'KiB', '64MB', '64M', '1e6', '-1', '0x10', '1.5', '1,5MiB', '9'.repeat(40), '64 MiB MiB', '٣KiB'])(
  '%j is refused',
  (text) => {
    expect(() => parseByteCount(text)).toThrow(Failure)
  },
)
