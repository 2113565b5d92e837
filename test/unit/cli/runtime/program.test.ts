import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import path from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {bundled} from '../../../support/bundled.js'
import {freshHome} from '../../../support/cli.js'

const {platform} = process
const {comspec} = process.env

// cross-spawn asks Node which system this is when it is loaded: the test has one of its own.
const source = new URL('../../../../src/cli/runtime/program.ts', import.meta.url)

afterEach(() => {
  Object.defineProperty(process, 'platform', {value: platform})
  if (comspec === undefined) delete process.env.comspec
  else process.env.comspec = comspec
})

test('a .cmd file on Windows is started by cmd.exe, with its arguments quoted for it', async () => {
  const dir = freshHome()
  const folder = path.join(dir, 'Cloud SDK')
  mkdirSync(folder)
  const gcloud = path.join(folder, 'gcloud.cmd')
  writeFileSync(gcloud, '@echo off')
  const shell = path.join(dir, 'cmd')
  writeFileSync(shell, `#!/bin/sh\nprintf '%s\\n' "$@" > "${dir}/words"\necho token\n`)
  chmodSync(shell, 0o755)
  process.env.comspec = shell
  const own = await bundled(source, 'cjs')
  Object.defineProperty(process, 'platform', {value: 'win32'})
  const {runProgram}: typeof import('../../../../src/cli/runtime/program.js') = createRequire(import.meta.url)(own)
  const run = {ms: 10_000, env: process.env, signal: new AbortController().signal, platform: 'win32'}
  const printed = await runProgram([gcloud, 'auth', 'C:\\keys\\a b&calc.json'], run)
  expect(printed).toBe('token\n')
  const [quoted = '', ...flags] = readFileSync(`${dir}/words`, 'utf8').trimEnd().split('\n').reverse()
  expect(flags.reverse()).toEqual(['/d', '/s', '/c'])
  // A ^ before each sign that cmd.exe would take for its own: the blank, the & and the quotes.
  expect(quoted).toContain('Cloud^ SDK')
  expect(quoted).toContain(' ^"auth^" ^"C:\\keys\\a^ b^&calc.json^""')
})
