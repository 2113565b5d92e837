import fc from 'fast-check'
import {anyText} from '../../../support/anyText.js'

const attacks = [
  '\u001b[31m',
  '\u009b',
  '\u0007',
  '\b',
  '\r',
  '\n',
  '\t',
  '\0',
  '\u007f',
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2066',
  '\ufeff',
  '\ufe0e',
  '\ufe0f',
  '\u{e0041}',
  '\u{e0100}',
  '\ud83d',
  '\ude00',
  '\u0301',
  '\u0301\u0489'.repeat(9),
  '\u20e3',
]
const letters = ['a', ' ', '1', '"', '\\', ',', '=', "'", '가', '日', 'é', '👩', '🏽', '💻', '❤', '🇰', '葛', 'ᄀ', 'ᅡ']

/** Texts of ordinary letters, emoji and everything that is dangerous to show, in any order, broken surrogates included. */
export const nastyText = fc.oneof(
  fc.array(fc.constantFrom(...attacks, ...letters), {maxLength: 24}).map((parts) => parts.join('')),
  fc.array(fc.integer({min: 0, max: 0xffff}), {maxLength: 12}).map((units) => String.fromCharCode(...units)),
  anyText({maxLength: 12}),
)

/** Characters that must never reach a terminal, written out as code points and not as the properties that the code uses. */
function isUnsafe(point: number): boolean {
  const ranges = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x61c, 0x61c],
    [0x180e, 0x180e],
    [0x200b, 0x200c],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
    [0xe0000, 0xe007f],
  ] as const
  return ranges.some(([from, to]) => point >= from && point <= to)
}

/** The code points of a text that must never reach a terminal. */
export function unsafePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).filter(isUnsafe)
}
