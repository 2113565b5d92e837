import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {expect, test} from 'vitest'
import {currentUser, keepPrivateFolder} from '../../../../src/storage/disk/privateFile.js'
import {DamagedDocument} from '../../../../src/storage/document.js'
import {readProfileFile} from '../../../../src/storage/profile/file.js'
import {openProfileFile} from '../../../../src/storage/profile/resolve.js'
import {unusableProfile} from '../../../../src/storage/profile/unusable.js'
import {everyCase} from '../../../support/everyCase.js'
import {newConfigDir, problemOf, rejectionOf} from './folder.js'

const whole = {version: 1, current: 'prod', profiles: {prod: {'room.url': 'https://a.example', retries: 3}}}

/** A config folder with this profile file in it, both only for their user. */
function folderWith(content: string | Uint8Array): string {
  const configDir = newConfigDir()
  mkdirSync(configDir, {mode: 0o700})
  writeFileSync(join(configDir, 'config.json'), content, {mode: 0o600})
  return configDir
}

test('a missing folder or file is an empty profile file, and reading makes neither', () => {
  const configDir = newConfigDir()
  expect(readProfileFile(configDir)).toEqual({version: 2, profiles: {}})
  expect(existsSync(configDir)).toBe(false)
  mkdirSync(configDir)
  expect(readProfileFile(configDir)).toEqual({version: 2, profiles: {}})
  expect(existsSync(join(configDir, 'config.json'))).toBe(false)
})

test('a file is read as it was written, with or without a byte order mark', () => {
  expect(readProfileFile(folderWith(JSON.stringify(whole)))).toEqual(whole)
  expect(readProfileFile(folderWith(`\u{feff}${JSON.stringify(whole)}`))).toEqual(whole)
})

test('a file of another user is refused, and the error says what to do', () => {
  const configDir = folderWith(JSON.stringify(whole))
  const somebodyElse = (currentUser() ?? 0) + 1
  const problem = problemOf(() => {
    try {
      keepPrivateFolder(configDir, {owner: somebodyElse})
    } catch (error) {
      throw unusableProfile(configDir, error)
    }
  })
  expect(problem.facts.exit).toBe('configuration')
  expect(problem.message).toContain('belongs to another user')
  expect(problem.facts.try).toContain('chown')
})

test('a file that is not whole JSON is damaged, and the error repeats none of it', () =>
  everyCase(
    [
      ['is empty', ''],
      ['is zero bytes', '\0\0\0\0'],
      ['is truncated', '{"version": 1, "profiles": {"prod": {"credentials": {"room": {"token": "hunter2'],
      ['is not JSON', '{"version": 1, hunter2}'],
      ['is not UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d])],
      ['is not an object', '["hunter2"]'],
    ],
    (_, content) => {
      const configDir = folderWith(content)
      expect(() => readProfileFile(configDir)).toThrow(DamagedDocument)
      expect(() => readProfileFile(configDir)).not.toThrow(/hunter2/u)
    },
  ))

test('a file of another version is not changed, and the error names file, key and version', () =>
  everyCase(
    [
      ['has version 3, and this roomctl reads 2', '{"version": 3, "things": ["hunter2"]}'],
      ['has an unknown key: extra', JSON.stringify({...whole, extra: 'hunter2'})],
      ['has an unknown key: profiles.prod.protectd', '{"version": 1, "profiles": {"prod": {"protectd": true}}}'],
      ['has a wrong value for profiles.prod.retries', '{"version": 1, "profiles": {"prod": {"retries": "hunter2"}}}'],
      ['has a wrong value for', '{"version": 1, "profiles": {"prod": {"routes": {"push.show": 1}}}}'],
      ['has a wrong value for', '{"version": 1, "profiles": {"prod": {"routes": {"push.show": ["PUT /v2"]}}}}'],
      ['has an invalid key: profiles.constructor', '{"version": 1, "profiles": {"constructor": {}}}'],
      ['has an invalid key: profiles.sandbox', '{"version": 1, "profiles": {"sandbox": {}}}'],
    ],
    async (words, content) => {
      const configDir = folderWith(content)
      const problem = await rejectionOf(openProfileFile(configDir))
      expect(problem.facts.exit).toBe('configuration')
      expect(`${problem.stack}${JSON.stringify(problem)}`).not.toContain('hunter2')
      expect(problem.message).toMatch(/^the profile file \S+config\.json has /u)
      expect(problem.message).toContain(words)
      expect(problem.facts.why).toContain('this one writes version 2')
      expect(readFileSync(join(configDir, 'config.json'), 'utf8')).toBe(content)
      expect(readdirSync(configDir)).toEqual(['config.json'])
    },
  ))

test('reading the file loads no code that writes it', async () => {
  const {metafile} = await build({
    entryPoints: [fileURLToPath(new URL('../../../../src/storage/profile/resolve.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: 'never-written',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const entry = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint?.endsWith('resolve.ts'))
  const loaded = new Set<string>()
  const follow = (path: string) => {
    const output = metafile.outputs[path]
    for (const input of Object.keys(output?.inputs ?? {})) loaded.add(input)
    for (const used of output?.imports ?? []) if (used.kind === 'import-statement') follow(used.path)
  }
  follow(entry?.[0] ?? '')
  expect([...loaded].some((path) => path.endsWith('src/storage/profile/file.ts'))).toBe(true)
  const heavy = /node_modules\/(conf|proper-lockfile|ajv|atomically)\/|profile\/(unusable|write)\.ts/
  expect([...loaded].filter((path) => heavy.test(path))).toEqual([])
})
