import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {safeText} from '../../../../src/text/text.js'
import {displayWidth, graphemes, wrap} from '../../../../src/text/width.js'
import type {Column} from '../../../../src/view/format/columns.js'
import {cellText, columnValue} from '../../../../src/view/format/columns.js'
import {drawCsv} from '../../../../src/view/format/output.js'
import {drawTable} from '../../../../src/view/format/table.js'
import {drawn, place} from '../stage.js'
import {nastyText, unsafePoints} from './nasty.js'

/** Letters of living scripts, each with the first and the last of a range. */
const scripts = [
  ['Latin', 0x61, 0x17f],
  ['Cyrillic', 0x410, 0x44f],
  ['Hebrew', 0x5d0, 0x5ea],
  ['Arabic', 0x621, 0x64a],
  ['Devanagari', 0x905, 0x939],
  ['Thai', 0xe01, 0xe2e],
  ['Hangul', 0xac00, 0xd7a3],
  ['Han', 0x4e00, 0x9fff],
] as const
const letters = fc.oneof(...scripts.map(([, min, max]) => fc.integer({min, max})), fc.constant(0x20))
const written = fc
  .array(letters, {maxLength: 40})
  .map((points) => points.filter((point) => /[\p{L} ]/u.test(String.fromCodePoint(point))))
  .map((points) => String.fromCodePoint(...points))

describe('safe text', () => {
  test('loses nothing: written-out characters can be read back', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        fc.pre(!text.includes('\\u{'))
        const read = safeText(text).replace(/\\u\{([\da-f]+)\}/gu, (_, point) =>
          String.fromCodePoint(Number.parseInt(point, 16)),
        )
        expect(Array.from(read, (item) => item.codePointAt(0))).toEqual(pointsOf(text))
      }),
    )
  })
})

/** The code points of a text in which a half stays a half, even beside its other half. */
function pointsOf(text: string): (number | undefined)[] {
  return Array.from(text, (item) => item.codePointAt(0))
}

test('graphemes lose nothing, and none is longer than a letter can be', () => {
  fc.assert(
    fc.property(fc.array(nastyText, {maxLength: 20}), fc.constantFrom('क्', 'ᅡ', '👩\u200d', 'a'), (parts, unit) => {
      const text = parts.join(unit.repeat(30))
      const parsed = [...graphemes(text)]
      expect(parsed.join('')).toBe(text)
      for (const item of parsed) expect(item.length).toBeLessThanOrEqual(48)
    }),
    {numRuns: 50},
  )
})

interface Row {
  readonly id: string
  readonly name: unknown
  readonly count: unknown
  readonly more: unknown
}

const columns: readonly Column<Row>[] = [
  {name: 'id', value: (row) => row.id, id: true},
  {name: 'name', value: (row) => row.name, fit: 'name'},
  {name: 'count', value: (row) => row.count, right: true},
  {name: 'more', value: (row) => row.more},
]
const value = fc.oneof(nastyText, written, fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue({maxDepth: 2}))
const rows = fc.array(
  fc.record({
    id: fc.string({unit: 'grapheme-ascii', minLength: 1, maxLength: 8}).map((text) => text.replaceAll(' ', '_')),
    name: value,
    count: value,
    more: value,
  }),
  {minLength: 1, maxLength: 6},
)

describe('a table', () => {
  // Narrower than an id and a name beside it, it would be a block for each row.
  test('of any rows is safe, and no wider than the terminal', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({min: 28, max: 240}), fc.boolean(), async (sample, width, header) => {
        const text = await drawn(drawTable(sample, columns, header, place({columns: width})))
        expect(unsafePoints(text.replaceAll('\n', ''))).toEqual([])
        const lines = text.split('\n').slice(0, -1)
        expect(lines).toHaveLength(sample.length + (header ? 1 : 0))
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        const shown = lines.slice(header ? 1 : 0)
        for (const [at, {id}] of sample.entries()) expect(shown[at]?.startsWith(safeText(id))).toBe(true)
      }),
      {numRuns: 150},
    )
  })

  test('of any rows has every cell under its heading, on a terminal and off it', async () => {
    const marked = columns.map((column) => ({
      ...column,
      value: (row: Row) => `|${safeText(columnValue(column, row, place()))}`,
    }))
    await fc.assert(
      fc.asyncProperty(rows, fc.option(fc.integer({min: 40, max: 240}), {nil: undefined}), async (sample, width) => {
        // A cell that holds the mark itself would be taken for two.
        fc.pre(!JSON.stringify(sample).includes('|'))
        const left = marked.filter(({right}) => right !== true)
        const texts = sample.flatMap((row) => left.map((column) => cellText(column, row, place())))
        // Off a terminal a wider cell overflows, as the next test has it.
        fc.pre(width !== undefined || texts.every((text) => displayWidth(text) <= 300))
        const text = await drawn(drawTable(sample, left, false, place({columns: width})))
        const starts = text
          .split('\n')
          .slice(0, -1)
          .map((line) => [...line.matchAll(/\|/gu)].map(({index}) => displayWidth(line.slice(0, index))))
        for (const item of starts) expect(item).toEqual(starts[0])
      }),
      {numRuns: 200},
    )
  })

  test('off a terminal fills a column to 300 at most, and a longer cell overflows whole', async () => {
    const names = ['n'.repeat(301), 'short']
    const sample = names.map((name) => ({id: 'r', name, count: 7, more: 'x'}))
    expect(await drawn(drawTable(sample, columns, false, place()))).toBe(
      `r  ${names[0]}  7  x\nr  short${' '.repeat(295)}  7  x\n`,
    )
  })
})

test('wrapped text is no wider than its lines, except for a word to copy', () => {
  fc.assert(
    fc.property(fc.oneof(nastyText, written), fc.integer({min: 4, max: 60}), (nasty, width) => {
      for (const line of wrap(safeText(nasty), width)) {
        if (!/^[\x21-\x7e]*$/u.test(line)) expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }
    }),
  )
})

/** A reader of RFC 4180, written for this test. */
function cellsOf(text: string): string[][] {
  const parsed: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gu)) {
    parsed.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\n') parsed.push([])
  }
  return parsed.slice(0, -1)
}

/** A cell without the `'` that keeps it from being run. */
const withoutGuard = (cell: string) => cell.replace(/^'|(?<=;)'/gu, '')

function expectHarmlessCells(cells: readonly string[], name: string): void {
  expect(cells.map(withoutGuard)).toEqual([...[name, name].map((item) => withoutGuard(safeText(item))), '-7', 'x'])
  for (const cell of cells.slice(0, 2)) expect(cell).not.toMatch(/(?:^|;)[\s"\u3000]*(?!-\))[=+@＝-]/u)
}

describe('a cell', () => {
  const disguised = fc
    .array(
      fc.constantFrom('=', '+', '-', '@', '＝', ' ', '\t', '\r', '\n', '"', "'", ',', ';', 'A1', '1', '가', '\u3000'),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join(''))

  const anyCells = fc.array(fc.oneof(nastyText, disguised), {minLength: 1, maxLength: 5})
  const separated = async (names: readonly string[], separator: ',' | '\t') => {
    const sample = names.map((name) => ({id: name, name, count: -7, more: 'x'}))
    return drawn(drawCsv(sample, columns, {separator, header: false}, place()))
  }

  test('between commas is read back unchanged, and is never a formula', async () => {
    await fc.assert(
      fc.asyncProperty(anyCells, async (names) => {
        const parsed = cellsOf(await separated(names, ','))
        expect(parsed).toHaveLength(names.length)
        for (const [at, cells] of parsed.entries()) expectHarmlessCells(cells, names[at] ?? '')
      }),
      {numRuns: 150},
    )
  })

  test('between tabs is read back unchanged, is never a formula, and begins no quotation', async () => {
    await fc.assert(
      fc.asyncProperty(anyCells, async (names) => {
        const lines = (await separated(names, '\t')).split('\n').slice(0, -1)
        expect(lines).toHaveLength(names.length)
        for (const [at, line] of lines.entries()) expectHarmlessCells(line.split('\t'), names[at] ?? '')
        expect(lines.join('\n')).not.toMatch(/(?:^|\t) *"/mu)
      }),
      {numRuns: 150},
    )
  })
})
