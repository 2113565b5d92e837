import {execFileSync, spawnSync} from 'node:child_process'
import {cpSync, symlinkSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {freshFolder} from '../support/folder.js'
import {readText, root} from '../support/repository.js'
import {linesOf} from './readme.js'

const contributing = readText('CONTRIBUTING.md')

test('the first change of CONTRIBUTING is seen by who types its lines, within ten minutes', {timeout: 600_000}, () => {
  const [, first = ''] = contributing.split(/^## /mu)
  expect(first).toMatch(/^A first change in ten minutes\n/u)
  const lines = linesOf(first)
  expect(lines.slice(0, 3).map(({line}) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'git clone',
    'cd roomctl',
    'npm ci',
  ])

  const clone = freshFolder()
  const files = execFileSync('git', ['ls-files', '-z'], {cwd: root, encoding: 'utf8'}).split('\0')
  for (const file of files.filter((one) => one !== '')) cpSync(path.join(root, file), path.join(clone, file))
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  const {PATH = '', TMPDIR} = process.env
  const env = {PATH, TMPDIR, HOME: clone, NO_COLOR: '1'}
  const ran = lines.slice(3).map(({line, exit}) => {
    const {status, stdout, stderr} = spawnSync('sh', ['-c', line], {cwd: clone, env, encoding: 'utf8'})
    return {line, exit, status, text: `${stdout}${stderr}`}
  })
  expect(ran.filter(({exit, status}) => status !== exit)).toEqual([])
  const [before = '', after = ''] = ran.filter(({line}) => line.includes('room show')).map(({text}) => text)
  expect(before).toContain('Host  ')
  expect(after).toContain('Hosted by')
  expect(ran.find(({exit}) => exit === 1)?.text).toContain('Hosted by')
})
