import {expect, test} from 'vitest'
import {readYaml} from '../../../src/text/yaml.js'

test.each([
  ['a: 1\nb: 2\na: 3', 'line 3, column 1: this name is given twice; remove one'],
  ['- {x: 1, "x": 2}', 'line 1, column 10: this name is given twice; remove one'],
  ['a:\n  b: {c: 1}\n  "b": 2', 'line 3, column 3: this name is given twice; remove one'],
])('%j is refused with the place of its fault', async (text, message) => {
  await expect(readYaml(text)).rejects.toMatchObject({message})
})

test('an anchor of a mapping is known to its aliases', async () => {
  expect((await readYaml('a: &a {x: 1}\nb: *a')).value).toEqual({a: {x: 1}, b: {x: 1}})
})

test('a mapping of 5,000 names is read, and a repeated name is found', async () => {
  const names = Array.from({length: 5000}, (_, n) => `k${n}: 1\n`).join('')
  expect((await readYaml(names)).value).toMatchObject({k0: 1, k4999: 1})
  await expect(readYaml(`${names}k7: 2\n`)).rejects.toMatchObject({
    message: 'line 5001, column 1: this name is given twice; remove one',
  })
})

test('a text of more than 4 MiB is not read', async () => {
  await expect(readYaml('- a\n'.repeat(1_100_000))).rejects.toMatchObject({
    message: 'it is larger than 4 MiB; split it',
  })
})

const fold = (levels: number, name: (level: number) => string) =>
  Array.from({length: levels}, (_, at) => name(at)).join('')

test.each([
  ['brackets', '['.repeat(4_000_000)],
  ['braces', '{a: '.repeat(1_000_000)],
  ['lists in a line', '- '.repeat(50_000)],
  ['indentation', fold(2500, (level) => `${' '.repeat(level)}a:\n`)],
])('a text nested too deeply is refused: %s', async (_, text) => {
  await expect(readYaml(text)).rejects.toMatchObject({
    message: expect.stringMatching(/(?:^|: )it is nested too deeply; write it with fewer levels$/),
  })
})

test.each([
  ['lines', '- a\n'.repeat(250_000)],
  ['commas', `[${','.repeat(4_000_000)}`],
  ['aliases', Array.from({length: 1000}, (_, n) => `- &a${n} 1\n- *a${n}\n`).join('')],
])('too many values are refused: %s', async (_, text) => {
  await expect(readYaml(text)).rejects.toMatchObject({message: 'it has too many values; split it'})
})

test('an alias without anchor before it is refused', async () => {
  await expect(readYaml('a: *b\nb: &b 1')).rejects.toMatchObject({
    message: expect.stringContaining('an alias (*name) has no anchor (&name) before it'),
  })
})

test('brackets, dashes and columns within a text do not count as levels', async () => {
  const deep = '[{- '.repeat(200)
  const text = `a:\n  b: |\n    ${deep}\n      ${deep}\n  c: "${deep}\n    ${deep}"\n  d: x - - [\n  # ${deep}\nf: [[]]\n`
  expect((await readYaml(text)).value).toMatchObject({a: {d: 'x - - ['}, f: [[]]})
  expect((await readYaml(`${'['.repeat(99)}${']'.repeat(99)}`)).value).toHaveLength(1)
})
