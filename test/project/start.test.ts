import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {freshFolder} from '../support/folder.js'
import {root} from '../support/repository.js'

const trap = `const {get} = Object.getOwnPropertyDescriptor(process, 'stdin')
Object.defineProperty(process, 'stdin', {get() { require('node:fs').writeSync(2, 'stdin'); return get.call(process) }})`

test('a read does not open stdin off a terminal, which takes milliseconds', () => {
  const home = freshFolder()
  const preload = path.join(home, 'trap.cjs')
  writeFileSync(preload, trap)
  const run = (line: string, ...flags: string[]) => {
    const words = [...flags, path.join(root, 'bin/run.cjs'), ...line.split(' '), '-p', 'sandbox']
    const env = {PATH: process.env.PATH, HOME: home}
    return spawnSync(process.execPath, words, {encoding: 'utf8', env})
  }
  run('sandbox seed')
  for (const line of ['room list', 'room show r-standup', 'room list -o json', 'attendee list r-standup']) {
    const {stdout, stderr, status} = run(line, '-r', preload)
    expect([line, status, stderr]).toEqual([line, 0, expect.not.stringContaining('stdin')])
    expect(stdout).toContain('ann')
  }
})
