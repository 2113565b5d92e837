import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import {type Column, sortKeys} from '../../../../src/view/format/columns.js'
import {applyQuery, checkQuery, sortRows} from '../../../../src/view/format/query.js'
import {everyCase} from '../../../support/everyCase.js'
import {place} from '../stage.js'

const require = createRequire(import.meta.url)

interface Group {
  readonly given: unknown
  readonly cases: readonly {readonly expression: string; readonly result?: unknown; readonly error?: string}[]
}

interface Row {
  readonly name?: unknown
  readonly size?: unknown
}

const columns: readonly Column<Row>[] = [
  {name: 'name', label: 'Title', value: (row) => row.name},
  {name: 'size', value: (row) => row.size},
]

const sorted = (rows: readonly Row[], order: string) => sortRows(rows, sortKeys(columns, order), place())
const names = (values: readonly unknown[], order = 'name') =>
  sorted(
    values.map((name) => ({name})),
    order,
  ).map((row) => row.name)

describe('sorting', () => {
  test('puts numbers in the order of numbers', () => {
    expect(names([10, 9, -1, 100])).toEqual([-1, 9, 10, 100])
    expect(names([10, 9, -1, 100], '-name')).toEqual([100, 10, 9, -1])
  })

  test('puts times in the order of moments, whatever their zone', () => {
    const times = ['2026-12-01T09:00:00+09:00', '2026-12-01T00:30:00Z', '2026-11-30T23:00:00.5Z']
    expect(names(times)).toEqual([times[2], times[0], times[1]])
  })

  test('puts text in the order of code points', () => {
    expect(names(['b', 'a', 'B', '가', 'ab', '😀', '\uff21'])).toEqual(['B', 'a', 'ab', 'b', '가', '\uff21', '😀'])
  })

  test('puts false before true', () => {
    expect(names([true, false, true])).toEqual([false, true, true])
  })

  test('puts missing values last in both directions', () => {
    expect(names([null, 2, undefined, 1, ''])).toEqual([1, 2, null, undefined, ''])
    expect(names([null, 2, undefined, 1, ''], '-name')).toEqual([2, 1, null, undefined, ''])
  })

  test('compares as text where the values are of several kinds', () => {
    expect(names(['b', 10, 9, {a: 1}])).toEqual([10, 9, 'b', {a: 1}])
    expect(names(['2026-12-01T00:00:00Z', 'soon', '2026-11-01T00:00:00+09:00'])).toEqual([
      '2026-11-01T00:00:00+09:00',
      '2026-12-01T00:00:00Z',
      'soon',
    ])
  })

  test('continues to the next column for equal rows, and else keeps their order', () => {
    const rows = [
      {name: 'b', size: 1},
      {name: 'a', size: 2},
      {name: 'a', size: 1, at: 'first'},
      {name: 'a', size: 1, at: 'second'},
    ]
    expect(sorted(rows, 'name, -size')).toEqual([rows[1], rows[2], rows[3], rows[0]])
  })

  test('takes a label for a name, and any case', () => {
    expect(names([2, 1], 'TITLE')).toEqual([1, 2])
  })

  test('does not change the rows', () => {
    const rows = [{name: 2}, {name: 1}]
    sorted(rows, 'name')
    expect(rows).toEqual([{name: 2}, {name: 1}])
  })

  test.each(['age', '-age', 'name,', '', 'name,\u001b'])('refuses %o and lists what there is', (order) => {
    expect(() => sortKeys(columns, order)).toThrow(Failure)
    expect(() => sortKeys(columns, order)).toThrow(
      expect.objectContaining({facts: expect.objectContaining({try: 'columns: name, size'})}),
    )
  })
})

describe('a query', () => {
  test('that is nested too deeply is refused', async () => {
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
      ['!', ''],
    ] as const) {
      const deep = `${open.repeat(20_000)}a${close.repeat(20_000)}`
      for (const asked of [checkQuery(deep), applyQuery({a: 1}, deep)]) {
        await expect(asked).rejects.toThrow('--query cannot be used: it is nested too deeply')
      }
    }
  })

  test('that is wrong is refused with the reason', () =>
    everyCase(
      [
        ['[1,2', 'it is not JMESPath; a quote, a bracket or a name may be missing'],
        ['`{`', 'it is not JMESPath; a quote, a bracket or a name may be missing'],
        ['nosuch(a)', 'there is no function nosuch()'],
        ['length()', 'there are too few or too many arguments for length()'],
        ['length(a)', 'a value is of a type that does not fit length()'],
        ['[a][0:1:0]', 'it is not JMESPath; a quote, a bracket or a name may be missing'],
        ['sort(keys(@)) | max(a)', 'a value is of a type that does not fit max() or sort() or keys()'],
      ] as const,
      async (query, words) => {
        await expect(applyQuery({a: 1}, query)).rejects.toMatchObject({message: `--query cannot be used: ${words}`})
      },
    ))

  test('passes the compliance suite of jmespath.org', () => {
    const folder = path.join(path.dirname(require.resolve('jmespath')), 'test', 'compliance')
    const groups = readdirSync(folder).flatMap((file): Group[] =>
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
    )
    const all = groups.flatMap(({given, cases}) =>
      cases.map((expected) => [expected.expression, given, expected] as const),
    )
    expect(all).toHaveLength(851)
    return everyCase(all, async (query, given, {result, error}) => {
      const answer = applyQuery(given, query)
      if (error === undefined) expect(await answer).toEqual(result)
      else await expect(answer).rejects.toThrow('--query cannot be used')
    })
  })

  test('reads raw strings as the specification does', () =>
    everyCase(
      [
        ["'='", '='],
        ["'it\\'s \\'so\\''", "it's 'so'"],
        ["'a\\\\\\\\b'", 'a\\\\\\\\b'],
        ["slash == 'a\\\\b'", true],
        ["'\\n'", '\\n'],
        ["'a`b\"c'", 'a`b"c'],
        ["'\n'", '\n'],
        ['let', null],
      ] as const,
      async (query, result) => {
        await checkQuery(query)
        expect(await applyQuery({slash: 'a\\\\b'}, query)).toEqual(result)
      },
    ))
})
