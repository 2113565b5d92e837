import {expect, test} from 'vitest'
import {readYaml} from '../../../src/text/yaml.js'

test.each([
  ['a: 1\nb: 2\na: 3', 'line 3, column 1: this name is given twice; remove one'],
  ['- {x: 1, "x": 2}', 'line 1, column 10: this name is given twice; remove one'],
  ['a:\n  b: {c: 1}\n  "b": 2', 'line 3, column 3: this name is given twice; remove one'],
  ['a: *b', 'line 1, column 4: the alias *b has no anchor &b before it; add one, or quote the text'],
  ['a: &a {b: *a}', 'line 1, column 11: the alias *a is inside the value that it repeats; write the value out'],
])('%j is refused where its fault is', async (text, message) => {
  await expect(readYaml(text)).rejects.toMatchObject({message})
})

test('an anchor of a mapping is known to its aliases', async () => {
  expect((await readYaml('a: &a {x: 1}\nb: *a')).value).toEqual({a: {x: 1}, b: {x: 1}})
})

test('a mapping of 50,000 names is read at once, and one of them that comes again is found', async () => {
  const names = Array.from({length: 50_000}, (_, n) => `k${n}: 1\n`).join('')
  expect((await readYaml(names)).value).toMatchObject({k0: 1, k49999: 1})
  await expect(readYaml(`${names}k7: 2\n`)).rejects.toMatchObject({
    message: 'line 50001, column 1: this name is given twice; remove one',
  })
})

test('a text of more than 4 MiB is not read', async () => {
  await expect(readYaml('- a\n'.repeat(1_100_000))).rejects.toMatchObject({
    message: 'it is larger than 4 MiB; split it',
  })
})
