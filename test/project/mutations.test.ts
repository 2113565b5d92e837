import {existsSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {mutations} from '../../scripts/mutations/list.js'
import {mutated} from '../../scripts/mutations/trial.js'
import {everyCase} from '../support/everyCase.js'
import {readText, root} from '../support/repository.js'

test('every mutation still finds its mechanism, and the tests that are to notice it', () =>
  everyCase(
    mutations.map((mutation) => [mutation.name, mutation] as const),
    (_, mutation) => {
      const original = readText(mutation.file)
      expect(mutated(original, mutation)).not.toBe(original)
      for (const tests of mutation.tests) expect(existsSync(path.join(root, tests)), tests).toBe(true)
    },
  ))

test('no two mutations have the same name', () => {
  const names = mutations.map(({name}) => name)
  expect(new Set(names).size).toBe(names.length)
})
