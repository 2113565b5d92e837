import {existsSync, readdirSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {readText, root} from '../support/repository.js'

const rows = readText('docs/reliability.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/u)
      .map((cell) => cell.trim()),
  )
  .filter(([first = '']) => first !== 'Promise' && !/^-+$/u.test(first))

const named = rows.flatMap((cells) => (cells.at(-1) ?? '').match(/(?:test|bench)\/[\w./-]+/gu) ?? [])

test('every promise has one row with its tests, and no test is named twice in it', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(new Set(rows.map(([promise]) => promise)).size).toBe(rows.length)
  for (const cells of rows) {
    expect(cells, cells[0]).toHaveLength(3)
    expect(cells.at(-1), cells[0]).toMatch(/^(?:`(?:test|bench)\/[\w./-]+`(?:, |$))+$/u)
  }
})

test('every test that it names is there', () =>
  everyCase([...new Set(named)], (file) => {
    expect(existsSync(path.join(root, file))).toBe(true)
  }))

test.each(['canary', 'terminal', 'hostile', 'elsewhere', 'disk', 'signals', 'people'])(
  'it names the tests of test/%s',
  (folder) => {
    const files = readdirSync(path.join(root, 'test', folder)).filter((file) => file.endsWith('.test.ts'))
    expect(files.filter((file) => !named.includes(`test/${folder}/${file}`))).toEqual([])
  },
)
