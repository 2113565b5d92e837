import {cpSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {root} from '../support/repository.js'
import {freshPlace, shell, start} from './place.js'

/** A place with the demo and two large files, and the line that uploads them with another file for the thread that computes digests. */
async function placeWith(thread: string | undefined) {
  const place = freshPlace()
  const copy = path.join(place.dir, 'package')
  mkdirSync(copy)
  for (const one of ['bin/run.cjs', 'dist', 'package.json'])
    cpSync(path.join(root, one), path.join(copy, one), {recursive: true})
  const file = path.join(copy, 'dist/cold/digestThread.cjs')
  if (thread === undefined) rmSync(file)
  else writeFileSync(file, thread)
  for (const name of ['a.bundle', 'b.bundle']) writeFileSync(path.join(place.dir, name), Buffer.alloc(5_000_000, name))
  await shell(place, 'roomctl sandbox seed')
  return {
    place,
    line: 'exec node package/bin/run.cjs asset upload games/puzzle a.bundle b.bundle --platform ios -p sandbox',
  }
}

test.each([
  ['is missing', undefined, 'the digest thread failed: ENOENT: no such file or directory'],
  ['ends at once', 'process.exit()', 'the digest thread ended\n'],
])('an upload whose digest thread %s fails with 1 and names it', async (_, thread, message) => {
  const {place, line} = await placeWith(thread)
  const ran = await shell(place, line)
  expect({...ran, stderr: ran.stderr.slice(0, 200)}).toMatchObject({exit: 1, stdout: '', signal: null})
  expect(ran.stderr).toContain(`error: internal error: ${message}`)
})

test('an upload whose digest thread never answers is ended by SIGTERM', async () => {
  const thread = `require('node:worker_threads').parentPort.on('message', () => {
    require('node:fs').writeFileSync('busy', '')
    for (;;);
  })`
  const {place, line} = await placeWith(thread)
  const running = start(place, `${line} --progress line`)
  while (!existsSync(path.join(place.dir, 'busy'))) await pause(10)
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({exit: 143, signal: null})
})

test('a command that waits for what never comes fails with 1', async () => {
  const place = freshPlace()
  for (const one of ['bin', 'dist']) mkdirSync(path.join(place.dir, 'package', one), {recursive: true})
  cpSync(path.join(root, 'bin/run.cjs'), path.join(place.dir, 'package/bin/run.cjs'))
  const bundle =
    '//x\n(module_, require, module) => { module.exports = {main: () => new Promise(() => {}), published: () => ({}), loadedCommands: new Set()} }'
  writeFileSync(path.join(place.dir, 'package/dist/main.cjs'), bundle)
  expect(await shell(place, 'node package/bin/run.cjs room list')).toMatchObject({exit: 1, stdout: ''})
})
