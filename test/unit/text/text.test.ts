import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {revealInJson, safeLines, safeText, styleOf} from '../../../src/text/text.js'
import {nastyText, unsafePoints} from '../view/format/nasty.js'

const pictographic = /\p{Extended_Pictographic}/u
const dressed = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0e|\ufe0f/u

/** A joiner is safe only between emoji. */
function hasStrayJoiner(text: string): boolean {
  const characters = Array.from(text)
  return characters.some(
    (character, i) =>
      character === '\u200d' && !(dressed.test(characters[i - 1] ?? '') && pictographic.test(characters[i + 1] ?? '')),
  )
}

describe('safe text', () => {
  test.each([
    ['a colour', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a cursor that moves up', 'x\u001b[1A\u001b[2K', 'x\\u{1b}[1A\\u{1b}[2K'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', null],
    ['a write to the clipboard', '\u001b]52;c;cm0gLXJmIH4=\u0007', '\\u{1b}]52;c;cm0gLXJmIH4=\\u{7}'],
    ['a window title', '\u001b]0;title\u0007', '\\u{1b}]0;title\\u{7}'],
    ['a C1 control sequence', '\u009b31m', '\\u{9b}31m'],
    ['a C1 string', '\u0090q\u009c', '\\u{90}q\\u{9c}'],
    ['a bell', 'ding\u0007', 'ding\\u{7}'],
    ['backspaces', 'r-1\b\b2', 'r-1\\u{8}\\u{8}2'],
    ['an overwritten line', 'MEETING\rENDED', 'MEETING\\u{d}ENDED'],
    ['a second line', 'one\ntwo', 'one\\u{a}two'],
    ['a tab', 'a\tb', 'a\\u{9}b'],
    ['a zero byte', 'a\0b', 'a\\u{0}b'],
    ['DEL', 'a\u007f', 'a\\u{7f}'],
    ['a right-to-left override', 'cod\u202efdp.exe', 'cod\\u{202e}fdp.exe'],
    ['isolates', '\u2067abc\u2069', '\\u{2067}abc\\u{2069}'],
    ['bidi marks', 'a\u200e\u200f\u061c', 'a\\u{200e}\\u{200f}\\u{61c}'],
    ['a zero-width space', 'ad\u200bmin', 'ad\\u{200b}min'],
    ['a zero-width non-joiner', 'ad\u200cmin', 'ad\\u{200c}min'],
    ['a joiner between letters', 'ad\u200dmin', 'ad\\u{200d}min'],
    ['a word joiner', 'ad\u2060min', 'ad\\u{2060}min'],
    ['a byte order mark', '\ufeffadmin', '\\u{feff}admin'],
    ['tags', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['a selector without an emoji', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a hidden message in selectors', '😀\ufe0f\u{e0101}\u{e0102}', '😀\ufe0f\\u{e0101}\\u{e0102}'],
    ['a lone high surrogate', 'a\ud83d', 'a\\u{d83d}'],
    ['a lone low surrogate', '\ude00a', '\\u{de00}a'],
    ['a line separator', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['a soft hyphen', 'ad\u00admin', 'ad\\u{ad}min'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a grapheme joiner', 'a\u034fb', 'a\\u{34f}b'],
    ['a non-character', 'a\uffffb', 'a\\u{ffff}b'],
  ])('shows %s', (_, text, shown) => {
    const safe = safeText(text)
    if (shown !== null) expect(safe).toBe(shown)
    expect(unsafePoints(safe)).toEqual([])
  })

  test.each([
    '주간 기획 회의',
    'ㄱㄴㄷ 각각',
    '日本語の会議、カタカナ',
    'Zoë naïve — „Straße“ …',
    'שלום مرحبا नमस्ते',
    '👩‍👩‍👧‍👦 가족',
    '👩🏽‍💻 👍🏿 ✊🏻',
    '🏳️‍🌈 🏴‍☠️ ❤️‍🔥 ⛹🏻‍♀️ 👁️‍🗨️',
    '🇰🇷🇩🇪',
    '1️⃣ #️⃣ ☎︎',
    '葛\u{e0100}城',
    'e\u0301\u0323',
    'C:\\users\\kim \\u{1b}',
  ])('does not change %s', (text) => {
    expect(safeText(text)).toBe(text)
  })

  test('keeps eight marks on a letter and shows the rest', () => {
    expect(safeText(`z${'\u0301'.repeat(8)}o`)).toBe(`z${'\u0301'.repeat(8)}o`)
    expect(safeText(`z${'\u0301'.repeat(10)}o`)).toBe(`z${'\u0301'.repeat(8)}\\u{301}\\u{301}o`)
  })

  test('ends a chain of joined emoji after eight', () => {
    expect(safeText('👩\u200d'.repeat(9).concat('👩'))).toBe(`${'👩\u200d'.repeat(7)}👩\\u{200d}👩\u200d👩`)
  })

  test.each([
    [undefined, ''],
    [null, ''],
    [42, '42'],
    [true, 'true'],
    [{a: '\u001b'}, '{"a":"\\u001b"}'],
    [['\u202e'], '["\\u{202e}"]'],
    [{toJSON: () => undefined}, ''],
    [{big: 1n}, '{"big":1}'],
  ])('makes text of %o', (value, text) => {
    expect(safeText(value)).toBe(text)
  })

  test('never lets an unsafe character through, and leaves its own output alone', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const safe = safeText(text)
        expect(unsafePoints(safe)).toEqual([])
        expect(hasStrayJoiner(safe)).toBe(false)
        expect(safe).not.toMatch(/\p{Mn}{9}/u)
        expect(safeText(safe)).toBe(safe)
      }),
      {numRuns: 300},
    )
  })

  test('takes time in proportion to the text, not to its square', () => {
    for (const unit of ['\u001b', '👩\u200d', 'e\u0301', '\u0301', '1\ufe0f', '葛\u{e0100}', '가', '\ud83d']) {
      expect(safeText(unit.repeat(50_000)).length).toBeGreaterThanOrEqual(50_000)
    }
  })
})

test('drawn text keeps its lines and the colours of the tool, and nothing else that steers a terminal', async () => {
  const {red, dim} = await styleOf(true)
  expect(safeLines(`${red('error:')} a\u001b[2Jb\n  ${dim('why:')} c\r`)).toBe(
    `${red('error:')} a\\u{1b}[2Jb\n  ${dim('why:')} c\\u{d}`,
  )
})

test('JSON in which nothing is hidden has visible characters alone, and the same value', () => {
  fc.assert(
    fc.property(nastyText, (text) => {
      const json = revealInJson(JSON.stringify({[text]: text}))
      expect(unsafePoints(json)).toEqual([])
      expect(json).not.toContain('\u200d')
      expect(json).not.toMatch(/[\p{Mn}\p{Me}]{9}/u)
      expect(JSON.parse(json)).toEqual({[text]: text})
    }),
    {numRuns: 300},
  )
})
