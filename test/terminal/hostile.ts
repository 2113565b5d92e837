import {expect} from 'vitest'

/** Texts that take over a terminal, or deceive its reader, if they reach it as they are. */
export const attacks: Readonly<Record<string, string>> = {
  'clears the screen': '\u001b[2J\u001b[H',
  'paints in red': '\u001b[31mroom\u001b[0m',
  'turns to another screen': '\u001b[?1049h',
  'resets the terminal': '\u001bc',
  'asks where the cursor is': '\u001b[6n',
  'names the window': '\u001b]0;owned\u0007',
  'writes to the clipboard': '\u001b]52;c;cm0gLXJmIH4=\u0007',
  'makes a link': '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'opens a device string': '\u001bP$q"p\u001b\\',
  'opens a private message': '\u001b^secret\u001b\\',
  'uses the eight-bit introducer': '\u009b31m',
  'uses the eight-bit system command': '\u009d0;owned\u009c',
  'rings and rubs out': 'good\b\b\b\bevil\u0007\u007f',
  'goes back and writes over': 'ENDED\rMEETING',
  'makes lines of its own': 'room\nr-fake  ENDED\u0085r-fake\u2028r-fake\u2029\u000b\f',
  'makes columns of its own': 'a\tb\0c',
  'turns the direction': '\u202efdp.exe\u2066x\u2069\u061c\u200f',
  'hides between letters': 'ad\u200bmin\ufeff\u{e0041}\u00ad\u2060\u3164\u180e',
  'holds half a character': '\ud800x\udc00',
  'stacks its marks': `z${'\u0301\u0489'.repeat(30)}`,
}

const all = Object.values(attacks)

/** All of the attacks in one text, another one first for each number: where a text is cut, each has its turn. */
export function everyAttack(number = 0): string {
  const first = number % all.length
  return `hostile${[...all.slice(first), ...all.slice(0, first)].join(' ')}`
}

/** Characters that a terminal obeys, that it hides, or that turn the text around, written out as code points. */
const harmful: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
]

function isHarmful(character: string): boolean {
  const point = character.codePointAt(0) ?? 0
  return harmful.some(([first, last]) => point >= first && point <= last)
}

const esc = String.fromCharCode(0x1b)
/** The colours and weights that the tool itself uses: bold, dim, red, green, yellow, cyan and their ends. */
const colours = new RegExp(`${esc}\\[(?:1|2|22|31|32|33|36|39)m`, 'g')
/** Moves of the cursor: hides and shows it, moves up, erases to the end of the line and of the screen. */
const moves = new RegExp(`${esc}\\[(?:\\?25[lh]|\\d{0,4}[A]|K|J)|\\r`, 'g')
/** What the questions of @inquirer/prompts do beside it: they go to a column and erase whole lines. */
const questions = new RegExp(`${esc}\\[(?:\\d{0,4}[ABCDGK]|\\?25[lh]|[02]?[JK]|34|90|4|24|27|7)m?`, 'g')

/** What holds an emoji together is hidden in its only right place. */
const dressed =
  /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{So})\ufe0f/gu

/** The harmful characters of a text and, above eight, the marks on one letter. */
export function harmIn(text: string): string[] {
  const shown = text.replace(dressed, '')
  const found = Array.from(shown).filter(isHarmful)
  const stacked = /[\p{Mn}\p{Me}]{9,}/u.exec(shown)?.[0]
  return [...(stacked ? ['stacked marks'] : []), ...found.map((one) => `U+${one.codePointAt(0)?.toString(16)}`)]
}

/** What a program wrote without colours, and asked: nothing of it may steer a terminal. `tabs`: they separate the cells. */
export function expectHarmless(
  {stdout, stderr, asked = []}: {stdout: string; stderr: string; asked?: readonly string[]},
  what: string,
  {tabs = false}: {readonly tabs?: boolean} = {},
): void {
  const texts = [tabs ? stdout.replaceAll('\t', '') : stdout, stderr, ...asked]
  expect(texts.flatMap(harmIn), `${what}\n${stdout}${stderr}${asked.join('\n')}`).toEqual([])
}

/** The same of the bytes that a pseudo-terminal got: beside text and colours only what repaints and asks. */
export function expectHarmlessBytes(terminal: string, how: 'text' | 'repainted' | 'asked' = 'text'): void {
  const own = {text: /(?!)/g, repainted: moves, asked: questions}[how]
  const shown = terminal
    .replace(colours, '')
    .replaceAll('\r\n', '\n')
    .replace(own, '')
    .replaceAll('\r', how === 'text' ? '\r' : '')
  expect(harmIn(shown), terminal).toEqual([])
  for (const [what, attack] of Object.entries(attacks)) expect(terminal.includes(attack), what).toBe(false)
}
