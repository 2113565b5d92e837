import fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {safeText} from '../../../src/text/text.js'
import {cut, cutMiddle, displayWidth, fitTo, pad, wrap} from '../../../src/text/width.js'
import {nastyText} from '../view/format/nasty.js'

const texts = ['', 'room', '주간 회의', '日本語カナ', 'Zoë – Straße…', '👩🏽‍💻 x', '👩‍👩‍👧‍👦', '🇰🇷', 'é', 'ｶﾞ', '각']

/** The letters whose widths are known without tables, from the ranges that the code names. */
const plainText = fc
  .array(
    fc.oneof(
      fc.integer({min: 0x20, max: 0x7e}),
      fc.integer({min: 0xa1, max: 0xac}),
      fc.integer({min: 0xae, max: 0x2ff}),
      fc.integer({min: 0x3041, max: 0x3096}),
      fc.integer({min: 0x30a1, max: 0x30fa}),
      fc.integer({min: 0x4e00, max: 0x9fff}),
      fc.integer({min: 0xac00, max: 0xd7a3}),
      ...(
        [
          [0x2010, 0x2015],
          [0x2018, 0x201f],
          [0x2190, 0x2193],
          [0x2500, 0x259f],
        ] as const
      ).map(([min, max]) => fc.integer({min, max})),
      fc.constantFrom(0x2022, 0x2026, 0x2713, 0x2717),
    ),
  )
  .map((units) => String.fromCharCode(...units))

describe('the width of a text', () => {
  test.each(texts)('is what string-width says of %s', (text) => {
    expect(displayWidth(text)).toBe(stringWidth(text))
  })

  test.each([
    ['น้ำ', 2],
    ['नमस्ते', 4],
    ['ക്ഷ', 2],
    ['ខ្មែរ', 4],
    ['각', 2],
    ['👩🏽‍💻', 2],
    ['😀🏽🏽🏽', 8],
  ])('of %s is %i: a column for each separate letter, one for letters drawn as one', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  test.each([
    ['☝ ✌ 🏋', 5],
    ['⛹🕴🕵🖐✍', 5],
    ['☝\ufe0f ✌\ufe0f 🏋\ufe0f', 8],
    ['☝🏻✌🏽🏋🏿', 6],
    ['❤ ☀ ⚠ ℹ', 7],
    ['❤\ufe0f', 2],
    ['🇰', 1],
    ['a🇰b', 3],
    ['🇰🇷', 2],
    ['🇰🇷🇯', 3],
    ['🇰🇷🇯🇵', 4],
    ['🇰 🇷', 3],
    ['🏋\u200d♀', 2],
    ['🏋\ufe0f\u200d♀\ufe0f', 2],
    ['🏋🏻\u200d♀', 2],
    ['🏳\u200d🌈', 2],
    ['👨\u200d👩\u200d👧', 2],
  ])('of %s is %i: a symbol of text presentation and half a flag take one column', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  test('is of no character less than string-width says', () => {
    // Beyond the first two planes all letters are Han.
    const characters = Array.from({length: 0x20000 - 0x20}, (_, at) => String.fromCodePoint(at + 0x20)).filter((item) =>
      /[^\p{Cn}\p{Co}\p{Cs}]/u.test(item),
    )
    const narrow = characters.filter((item) => displayWidth(item) < 2)
    expect(narrow.filter((item) => displayWidth(item) < stringWidth(item))).toEqual([])
  })

  test('leaves colours out', () => {
    expect(displayWidth('\u001b[31m회의\u001b[39m')).toBe(4)
  })

  test('is the same by the short way and by the tables', () => {
    fc.assert(
      fc.property(plainText, (text) => {
        expect(displayWidth(text)).toBe(stringWidth(text))
      }),
    )
  })

  test('is never more than asked for after a cut, and exactly that after a cut and a filling', () => {
    fc.assert(
      fc.property(nastyText, fc.integer({min: 1, max: 20}), (nasty, width) => {
        const text = safeText(nasty)
        expect(displayWidth(cut(text, width))).toBeLessThanOrEqual(width)
        if (displayWidth(text) <= width) expect(cut(text, width)).toBe(text)
        expect(fitTo(text, width)).toBe(pad(cut(text, width), width))
      }),
    )
  })

  test.each([
    ['a long room name', 8, 'a long…'],
    ['주간 기획 회의', 8, '주간 기…'],
    ['주간 기획 회의', 9, '주간 기…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
    ['room', 4, 'room'],
    ['room', 1, '…'],
    ['room', 0, ''],
  ])('%s is cut to %i columns', (text, width, shown) => {
    expect(cut(text, width)).toBe(shown)
  })

  test.each([
    ['builds/2026/report.pdf', 22, 'builds/2026/report.pdf'],
    ['builds/2026/report.pdf', 13, 'builds…rt.pdf'],
    ['빌드/야간/보고서.pdf', 13, '빌드/…서.pdf'],
    ['👩‍👩‍👧‍👦/👩‍👩‍👧‍👦/a', 6, '👩‍👩‍👧‍👦…/a'],
    ['builds', 2, 'b…'],
  ])('%s is cut in its middle to %i columns', (text, width, shown) => {
    expect(cutMiddle(text, width)).toBe(shown)
    expect(displayWidth(shown)).toBeLessThanOrEqual(width)
  })

  test('is filled on the right, or on the left for what belongs to the right', () => {
    expect(pad('가', 4)).toBe('가  ')
    expect(pad('가', 4, true)).toBe('  가')
    expect(pad('회의', 3)).toBe('회의')
  })
})

describe('a text of 200,000 characters', () => {
  const many = 200_000

  test.each(['م', 'क्', '😀', '👩‍💻', 'e\u0301', 'ᅡ', 'กำ'])(
    'of %s is cut at once, whatever joins its letters',
    (unit) => {
      const text = unit.repeat(many / unit.length)
      expect(displayWidth(cut(text, 80))).toBeLessThanOrEqual(80)
      expect(cut(text, 80).length).toBeLessThan(800)
      expect(displayWidth(fitTo(text, 80))).toBe(80)
    },
  )

  test('is wrapped to its first 4,096 characters', () => {
    const lines = wrap('क्'.repeat(100_000), 60)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60)
    expect(lines.join('')).toBe(`${'क्'.repeat(2048)}…`)
  })
})

describe('wrapping', () => {
  test('breaks at spaces', () => {
    expect(wrap('the launch of the week', 10)).toEqual(['the launch', 'of the', 'week'])
    expect(wrap('누구나 들어올 수 있습니다', 12)).toEqual(['누구나', '들어올 수', '있습니다'])
  })

  test('leaves an address whole, so that it can be copied', () => {
    const address = 'https://example.com/a/long/way'
    expect(wrap(`see ${address} soon`, 10)).toEqual(['see', address, 'soon'])
  })

  test('breaks other long words between their characters', () => {
    expect(wrap('来週の会議👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 6)).toEqual(['来週の', '会議👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'])
  })

  test('loses nothing', () => {
    fc.assert(
      fc.property(nastyText, fc.integer({min: 4, max: 30}), (nasty, width) => {
        const text = safeText(nasty)
        expect(wrap(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })
})
