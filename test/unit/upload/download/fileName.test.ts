import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {safeFileName} from '../../../../src/upload/download/fileName.js'
import {anyText} from '../../../support/anyText.js'
import {everyCase} from '../../../support/everyCase.js'

describe('a file name of a service', () => {
  test('is made safe for every system', () =>
    everyCase(
      [
        ['level1.bundle', 'level1.bundle'],
        ['텍스처 1.bundle', '텍스처 1.bundle'],
        ['../../etc/passwd', 'passwd'],
        ['..\\..\\windows\\win.ini', 'win.ini'],
        ['C:\\x', 'x'],
        ['C:x', 'C_x'],
        ['/etc/cron.d/x', 'x'],
        ['a/b', 'b'],
        ['a/b/', 'b'],
        ['a/../', 'unnamed'],
        ['.', 'unnamed'],
        ['..', 'unnamed'],
        ['...', 'unnamed'],
        ['. .. .', 'unnamed'],
        ['', 'unnamed'],
        ['/', 'unnamed'],
        ['   ', 'unnamed'],
        ['.npmrc', 'npmrc'],
        ['-rf', '_rf'],
        ['a.bundle. .', 'a.bundle'],
        [' a ', 'a'],
        ['NUL', '_NUL'],
        ['nul.txt', '_nul.txt'],
        ['CON .txt', '_CON .txt'],
        ['LPT1', '_LPT1'],
        ['com¹.bundle', '_com¹.bundle'],
        ['console.log', 'console.log'],
        ['a\0b.txt', 'a_b.txt'],
        ['a\r\nb.txt', 'a_b.txt'],
        ['\u001b[2Ja.txt', '_[2Ja.txt'],
        ['gpj.\u202etxt.exe', 'gpj._txt.exe'],
        ['a\u200bb.txt', 'a_b.txt'],
        ['\ud800.txt', '_.txt'],
        ['a<b>|?*".txt', 'a_b_.txt'],
        ['file.txt:stream', 'file.txt_stream'],
        ['e\u0301.txt', '\u00e9.txt'],
      ],
      (input, name) => {
        expect(safeFileName(input)).toBe(name)
      },
    ))

  test('is cut to 200 bytes between characters, and keeps its extension', () => {
    const name = safeFileName(`${'텍'.repeat(10_000)}.bundle`)
    expect(name).toBe(`${'텍'.repeat(64)}.bundle`)
    expect(safeFileName(`${'😀'.repeat(10_000)}`)).toBe('😀'.repeat(50))
    expect(safeFileName(`a.${'x'.repeat(10_000)}`)).toBe(`a.${'x'.repeat(198)}`)
  })

  const nasty = fc.constantFrom(
    ...'/\\.: -_<>|?*"\0\u202e\u200b\u0301텍😀aA1',
    'con',
    'NUL',
    'lpt1',
    '..',
    '.txt',
    '\ud800',
    '\u2028',
  )
  const text = fc.oneof(
    anyText({maxLength: 400}),
    fc.array(nasty, {maxLength: 300}).map((parts) => parts.join('')),
  )

  test('always names a file in its folder, on every system', () => {
    fc.assert(
      fc.property(text, (input) => {
        const name = safeFileName(input)
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/u)
        expect(name).not.toMatch(/^[-.\s]|[.\s]$/u)
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/iu)
        expect(name).not.toBe('')
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      }),
      {numRuns: 300},
    )
  })

  test('is left as it is when it is safe', () => {
    fc.assert(
      fc.property(text, (input) => {
        const name = safeFileName(input)
        expect(safeFileName(name)).toBe(name)
      }),
      {numRuns: 300},
    )
  })

  test('takes no longer for 100,000 repetitions', () => {
    for (const part of ['. ', '/', '\\a', '.', ' ', 'con', '\u0301', '\u202e', '😀', 'a.']) {
      expect(Buffer.byteLength(safeFileName(part.repeat(100_000)))).toBeLessThanOrEqual(200)
    }
  })
})
