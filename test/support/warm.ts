import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'

const program = path.resolve(import.meta.dirname, '../../bin/run.cjs')

/** Commands of every kind that tests start as processes often. */
const lines = [
  'help',
  'room list -o json',
  'room show r-standup',
  'room end r-standup r-townhall --dry-run',
  'attendee add r-townhall zoe --dry-run',
  'asset list games',
  'asset info games',
  'push show',
  'push records',
  'push register ann --type ANDROID --dry-run',
  'push ios-cert push.p12',
  'push android',
  'push inspect push.p12',
  'record list r-standup',
  'api room GET /v1/rooms',
  'config list',
  'config path',
  'history',
  'doctor',
  'asset uploads',
]

const folder = () => path.join(tmpdir(), 'warm')

/** Makes the cache of compiled code once for all tests: a place that begins with it starts its first process in half the time. */
export function setup(): void {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder(),
    ROOMCTL_CONFIG_DIR: path.join(folder(), 'config'),
    ROOMCTL_STATE_DIR: path.join(folder(), 'state'),
    ROOMCTL_CACHE_DIR: path.join(folder(), 'cache'),
    ROOMCTL_PROFILE: 'sandbox',
  }
  mkdirSync(folder())
  for (const line of lines) {
    try {
      execFileSync(process.execPath, [program, ...line.split(' ')], {env, stdio: 'ignore'})
    } catch {
      // What a command ends with says nothing here: `doctor` may find something.
    }
  }
}

let compiled: Buffer | undefined

/** Whether these are the bytes of that cache, in which nothing of a test can stand. */
export function isCompiled(bytes: Buffer): boolean {
  compiled ??= readFileSync(compiledFile())
  return compiled.equals(bytes)
}

function compiledFile(): string {
  const made = path.join(folder(), 'cache')
  const name = readdirSync(made).find((one) => one.startsWith('code-') && one.endsWith('.bin'))
  return path.join(made, name ?? '')
}

/** Puts the cache of compiled code into a cache folder, which is made. */
export function warm(cacheFolder: string): void {
  mkdirSync(cacheFolder, {mode: 0o700})
  copyFileSync(compiledFile(), path.join(cacheFolder, path.basename(compiledFile())))
}
