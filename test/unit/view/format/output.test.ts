import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parse as parseYaml} from 'yaml'
import {Failure} from '../../../../src/failure.js'
import type {CardView, ListView} from '../../../../src/view/format/columns.js'
import {
  checkOutput,
  drawList,
  drawOne,
  type Format,
  type OutputOptions,
  yamlList,
  yamlWriter,
} from '../../../../src/view/format/output.js'
import {drawn, place} from '../stage.js'
import {nastyText, unsafePoints} from './nasty.js'

interface Row {
  readonly room_id: string
  readonly name?: unknown
  readonly size?: unknown
}

const view: ListView<Row> = {
  columns: [
    {name: 'room_id', label: 'ID', value: (row) => row.room_id, id: true},
    {name: 'name', value: (row) => row.name},
    {name: 'size', value: (row) => row.size, show: (row) => `${row.size} bytes`, right: true, extra: true},
  ],
  id: (row) => row.room_id,
  empty: 'no rooms',
}
const card: CardView<Row> = {...view, title: (row) => row.room_id}

const rows: readonly Row[] = [
  {room_id: 'r-1', name: '주간 회의', size: 2},
  {room_id: 'r-2', name: null, size: 10},
]

const list = (format: Format, options: Partial<OutputOptions> = {}, input: readonly Row[] = rows) =>
  drawn(drawList(input, view, {format, header: true, ...options}, place()))
const shown = (format: Format, options: Partial<OutputOptions> = {}, input: Row | undefined = rows[0]) =>
  drawn(drawOne(input, card as CardView<Row | undefined>, {format, header: true, ...options}, place()))

/** Rows with nasty keys and values of every kind. */
const anyRows = fc.array(fc.dictionary(nastyText, fc.oneof(nastyText, fc.jsonValue(), fc.double({noNaN: true}))), {
  maxLength: 6,
})
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('JSON', () => {
  test('is the same text in pieces as in one', async () => {
    const many = Array.from({length: 1201}, (_, i) => ({room_id: `r-${i}`, name: ['a', {b: null}]}))
    const pieces: string[] = []
    for await (const piece of drawList(many, view, {format: 'json', header: true}, place())) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(`${JSON.stringify(many, null, 2)}\n`)
  })

  test('holds the same values for any rows, with everything hidden written out', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (input) => {
        const text = await drawn(drawList(input as never[], view, {format: 'json', header: true}, place()))
        expect(JSON.parse(text)).toEqual(throughJson(input))
        expect(unsafePoints(text.replaceAll('\n', ''))).toEqual([])
      }),
    )
  })
})

describe('NDJSON', () => {
  test('breaks no line and hides nothing', async () => {
    expect(await list('ndjson', {}, [{room_id: 'a\n\u2028\u0085\u200b'}])).toBe(
      '{"room_id":"a\\n\\u2028\\u0085\\u200b"}\n',
    )
  })
})

describe('YAML', () => {
  test('quotes hidden characters and writes them out', async () => {
    expect(await list('yaml', {}, [{room_id: 'a\u202eb\u0085c\u{e0041}\u001b'}])).toBe(
      '- room_id: "a\\u202eb\\u0085c\\U000e0041\\u001b"\n',
    )
  })

  test('writes marks that are stacked too high as escapes, as JSON does', async () => {
    const row = {room_id: `z${'\u0301'.repeat(9)}`}
    expect(await list('yaml', {}, [row])).toBe(`- room_id: "z${'\u0301'.repeat(8)}\\u0301"\n`)
    expect(await list('ndjson', {}, [row])).toBe(`{"room_id":"z${'\u0301'.repeat(8)}\\u0301"}\n`)
  })

  test('quotes what an older parser would take for a boolean, a number or a date', async () => {
    const row = {room_id: 'no', name: '2026-12-01T00:00:00Z', size: '1_000'}
    const text = await list('yaml', {}, [row])
    expect(text).toBe('- room_id: "no"\n  name: "2026-12-01T00:00:00Z"\n  size: "1_000"\n')
    expect(parseYaml(text, {version: '1.1'})).toEqual([row])
    const words =
      '= :a 1,000 1:30 << .5 ~ +.inf .NaN on Off y N 012 08 0o7 0b1 0x1F 1_000 1e3 -2E+05 2001-01-01 5. - ? --- ...'
    for (const word of [...words.split(' '), '', '- a', '? a', 'a: b', 'a #b', ' a', 'a ', '2001-1-1 10:00:00']) {
      expect(await list('yaml', {}, [{room_id: word}])).toBe(`- room_id: ${JSON.stringify(word)}\n`)
    }
    expect(await list('yaml', {query: '[0].name'}, [{room_id: 'r-1', name: 'a\nb'}])).toBe('"a\\nb"\n')
  })

  test.each([' \n', '\n  \n', '  \n\n'])('keeps the spaces of a blank text: %j', async (name) => {
    expect(parseYaml(await list('yaml', {}, [{room_id: 'r-1', name}]))).toEqual([{room_id: 'r-1', name}])
  })

  test('writes plain rows as the yaml library does', async () => {
    const letters = [...'abdeExXyYnNoOtTrRuUlLfFZ013 .,-+/()@_:#é한\u3164']
    const text = fc.oneof(
      fc.string({unit: fc.constantFrom(...letters), maxLength: 8}),
      fc.constantFrom('yes', 'No', 'null', 'e3', 'Infinity', '2026-12-01T11:36:00Z', '한글 방', 'a ', '- b'),
      fc.constantFrom('5f3c9a1e-0001', '0x1f', '0b1', '0o7', '5e-3', '1_0a', '1-b', '2026-12-01', '12:30:45', '1d'),
      fc.stringMatching(/^[0-9][0-9a-fxo_-]{0,9}$/),
    )
    const value = fc.oneof(text, fc.constantFrom(null, true, 0, -0, 1.5, 1e21), fc.constant([]))
    const name = fc.constantFrom('room_id', 'name', 'y', 'is_public', 'a-b', 'x1')
    const write = await yamlWriter()
    const rows = fc.array(fc.dictionary(name, value, {noNullPrototype: true}), {minLength: 1, maxLength: 3})
    await fc.assert(
      fc.asyncProperty(rows, async (input) => {
        expect(await drawn(yamlList(input))).toBe(write(input))
      }),
      {numRuns: 200},
    )
  })

  test('does not fold long lines', async () => {
    const long = 'word '.repeat(60).trim()
    // A line of a block that a CI system would take for a command.
    expect(await list('yaml', {}, [{room_id: 'a\n  ::add-mask::b'}])).toBe('- room_id: "a\\n  ::add-mask::b"\n')
    expect(await list('yaml', {}, [{room_id: long}])).toBe(`- room_id: ${long}\n`)
  })

  test('holds the same values for any rows, with everything hidden written out', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (input) => {
        const text = await drawn(drawList(input as never[], view, {format: 'yaml', header: true}, place()))
        expect(unsafePoints(text.replaceAll('\n', ''))).toEqual([])
        expect(throughJson(parseYaml(text, {version: '1.2'}))).toEqual(throughJson(input))
      }),
    )
  })
})

describe('CSV', () => {
  test('keeps its heading without rows, unless it is asked to leave it out', async () => {
    expect(await list('csv', {}, [])).toBe('room_id,name\n')
    expect(await list('csv', {header: false}, [])).toBe('')
    expect(await list('csv', {header: false})).toBe('r-1,주간 회의\nr-2,\n')
  })

  test.each([
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['a line break, which becomes visible', 'a\nb', 'a\\u{a}b'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with a comma', '=SUM(A1,A2)', '"\'=SUM(A1,A2)"'],
    ['a plus', '+82 10', "'+82 10"],
    ['an at', '@sum', "'@sum"],
    ['a minus', '-1+1', "'-1+1"],
    ['a tab before a formula', '\t=1', '\\u{9}=1'],
    ['a full-width equals sign', '＝1+1', "'＝1+1"],
    ['a formula behind a space', ' =1+1', "' =1+1"],
    ['a formula behind an ideographic space', '\u3000=1+1', "'\u3000=1+1"],
    ['a formula in quotes', '"=1+1"', `"'""=1+1"""`],
    ['a formula behind a semicolon', 'x;=1+1', "x;'=1+1"],
    ['a formula behind a semicolon and a space', 'x; @a', "x;' @a"],
    ['a smiley', 'Thanks ;-)', 'Thanks ;-)'],
    ['the beginning of another format', 'ID;PWXL', "'ID;PWXL"],
    ['an id', 'ID-17', 'ID-17'],
    ['no number', Number.NEGATIVE_INFINITY, "'-Infinity"],
    ['a negative number', -5, '-5'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['null', null, ''],
    ['an object', {a: 1}, '"{""a"":1}"'],
    ['an escape', '\u001b[2J', '\\u{1b}[2J'],
  ])('holds %s safely', async (_, value, cell) => {
    expect(await list('csv', {header: false, columns: ['name']}, [{room_id: 'r', name: value}])).toBe(`${cell}\n`)
  })
})

describe('TSV', () => {
  test('is separated by tabs, quotes nothing, and no cell holds a tab or a line break', async () => {
    expect(await list('tsv', {}, [{room_id: 'r-1', name: 'say "hi", then\tgo\r\n'}])).toBe(
      'room_id\tname\nr-1\tsay "hi", then\\u{9}go\\u{d}\\u{a}\n',
    )
    expect(await list('tsv', {}, [])).toBe('room_id\tname\n')
  })

  test.each([
    ['"=1+1"', `'"=1+1"`],
    ['"half', `'"half`],
    [' "half', `' "half`],
    ['a "b"', 'a "b"'],
    [' =1+1', "' =1+1"],
  ])('shows a cell like %j so that no reader unquotes or runs it', async (name, cell) => {
    expect(await list('tsv', {header: false, columns: ['name']}, [{room_id: 'r', name}])).toBe(`${cell}\n`)
  })
})

test('ids are one safe line each, and nothing for no rows', async () => {
  expect(await list('ids')).toBe('r-1\nr-2\n')
  expect(await list('ids', {}, [{room_id: 'r\n-1'}])).toBe('r\\u{a}-1\n')
  expect(await list('ids', {}, [])).toBe('')
  expect(await shown('ids')).toBe('r-1\n')
})

test.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'] as const)(
  'sorting a list works for %s',
  async (format) => {
    const text = await list(format, {sort: '-size'})
    expect(text.indexOf('r-2')).toBeGreaterThan(-1)
    expect(text.indexOf('r-2')).toBeLessThan(text.indexOf('r-1'))
  },
)

describe('a query', () => {
  test('sees the rows in the order asked for', async () => {
    expect(await list('json', {sort: '-size', query: '[0].room_id'})).toBe('"r-2"\n')
  })
})

describe('an impossible output is refused before anything is drawn', () => {
  test.each([
    [{format: 'table', columns: ['id', 'age']}, 'unknown column age', 'columns: room_id, name, size'],
    [{format: 'csv', columns: ['\u001b']}, 'unknown column \\u{1b}', 'columns: room_id, name, size'],
    [{format: 'ids', sort: 'age'}, 'unknown column age', 'columns: room_id, name, size'],
    [{format: 'json', columns: ['id']}, '--columns cannot be used with -o json', '--query'],
    [{format: 'ndjson', columns: ['id']}, '--columns cannot be used with -o ndjson', '-o table'],
    [{format: 'ids', columns: ['id']}, '--columns cannot be used with -o ids', '-o table'],
    [{format: 'table', query: '[0]'}, '--query cannot be used with -o table', '-o json'],
    [{format: 'ndjson', query: '[0]'}, '--query cannot be used with -o ndjson', '-o json'],
    [{format: 'json', query: '[?bad'}, '--query cannot be used: ', 'quote it'],
    [{format: 'yaml', query: ''}, '--query cannot be used: ', 'quote it'],
  ] as const)('%o', async (options, message, advice) => {
    const check = checkOutput(view.columns, {header: true, ...options})
    await expect(check).rejects.toBeInstanceOf(Failure)
    await expect(check).rejects.toThrow(message)
    await expect(check).rejects.toMatchObject({facts: {try: expect.stringContaining(advice)}})
    await expect(list(options.format, options)).rejects.toThrow(message)
  })

  test('a query that does not fit the result', async () => {
    await expect(list('json', {query: "sum('text')"})).rejects.toThrow(Failure)
  })

  test('an unknown column to sort one object by', async () => {
    await expect(shown('ids', {sort: 'age'})).rejects.toThrow('unknown column age')
    expect(await shown('ids', {sort: 'size'})).toBe('r-1\n')
  })

  test('and the nearest column comes before the others', async () => {
    const check = checkOutput(view.columns, {format: 'table', header: true, columns: ['Nmae']})
    await expect(check).rejects.toMatchObject({facts: {try: 'use name; columns: room_id, name, size'}})
  })
})
