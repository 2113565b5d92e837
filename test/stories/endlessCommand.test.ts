import {cpSync, mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {root} from '../support/repository.js'
import {freshPlace, shell} from './place.js'

test('a command that waits for what never comes fails with 1', async () => {
  const place = freshPlace()
  for (const one of ['bin', 'dist']) mkdirSync(path.join(place.dir, 'package', one), {recursive: true})
  cpSync(path.join(root, 'bin/run.cjs'), path.join(place.dir, 'package/bin/run.cjs'))
  const bundle =
    '//x\n(module_, require, module) => { module.exports = {main: () => new Promise(() => {}), published: () => ({}), loadedCommands: new Set()} }'
  writeFileSync(path.join(place.dir, 'package/dist/main.cjs'), bundle)
  expect(await shell(place, 'node package/bin/run.cjs room list')).toMatchObject({exit: 1, stdout: ''})
})
