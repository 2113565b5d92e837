import {execFileSync} from 'node:child_process'
import {cpSync, linkSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {TestProject} from 'vitest/node'
import {needsBuild} from './builtTests.js'
import {readText} from './repository.js'

/** Commands of every kind that tests start as processes often. */
const used = [
  'room list',
  'room list -o csv',
  'room list -o yaml',
  'room list --match t* --query [].name',
  'room show r-standup',
  'room end r-standup r-townhall --dry-run',
  'room watch r-townhall --timeout 1ms',
  'attendee add r-townhall zoe --dry-run',
  'attendee list r-standup',
  'asset list games',
  'asset info games',
  'asset upload games build/catalog.json --platform IOS',
  'asset sync games/build build --platform IOS --create --yes',
  'asset uploads',
  'push show --application-id app-1',
  'push records --application-id app-1',
  'push audit --application-id app-1',
  'push inspect push.p12 --password-file push.password',
  'push ios AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --bundle-id com.example.game --application-id app-1 --dry-run',
  'record list r-standup',
  'api room GET /v1/rooms',
  'config list',
  'history',
  'doctor',
]

const folder = () => path.join(tmpdir(), 'warm')
const cache = () => path.join(folder(), 'cache')

/** Makes the cache of compiled code once for all tests: a place that begins with it starts its first process in half the time. */
export function setup(project: TestProject): void {
  if (!needsBuild(project)) return
  mkdirSync(folder())
  const made = process.env.TESTS_COMPILED
  process.env.TESTS_COMPILED = cache()
  // Another project of the run has it already, on another disk.
  if (made === undefined) compile()
  else cpSync(made, cache(), {recursive: true})
}

function compile(): void {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder(),
    ROOMCTL_CONFIG_DIR: path.join(folder(), 'config'),
    ROOMCTL_STATE_DIR: path.join(folder(), 'state'),
    ROOMCTL_CACHE_DIR: cache(),
    ROOMCTL_PROFILE: 'sandbox',
  }
  const {commands} = JSON.parse(readText('dist/oclif.manifest.json'))
  // A command that was loaded once, no later process adds to the cache.
  const loaded = Object.keys(commands).map((id) => `${id.replaceAll(':', ' ')} --no-such-flag`)
  const lines = ['help', 'room list --help', 'sandbox seed --files .', ...used, ...loaded, '@', ...used]
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'compile.cjs'), JSON.stringify(lines)], {
    ...{env, cwd: folder(), stdio: 'ignore', timeout: 60_000},
  })
}

let compiled: Buffer[] | undefined

/** Whether these are bytes of that cache, in which nothing of a test can stand. */
export function isCompiled(bytes: Buffer): boolean {
  compiled ??= compiledFiles().map((name) => readFileSync(path.join(cache(), name)))
  return compiled.some((one) => one.equals(bytes))
}

function compiledFiles(): string[] {
  return readdirSync(cache()).filter((name) => name.startsWith('code-') && name.endsWith('.bin'))
}

/** Puts the cache of compiled code into a cache folder, which is made. Links will do: a cache is replaced, never changed. */
export function warm(cacheFolder: string): void {
  mkdirSync(cacheFolder, {mode: 0o700, recursive: true})
  for (const name of compiledFiles()) {
    // Processes with flags of Node have a cache of their own; those that tests give change no code.
    const flagged = name.replace(`-${process.arch}-`, `-${process.arch}-flags-`)
    for (const to of [name, flagged]) linkSync(path.join(cache(), name), path.join(cacheFolder, to))
  }
}
