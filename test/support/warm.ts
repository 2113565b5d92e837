import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, readdirSync} from 'node:fs'
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

/** Puts the cache of compiled code into a cache folder, which is made. */
export function warm(cacheFolder: string): void {
  mkdirSync(cacheFolder, {mode: 0o700})
  const made = path.join(folder(), 'cache')
  for (const name of readdirSync(made).filter((one) => one.endsWith('.bin'))) {
    copyFileSync(path.join(made, name), path.join(cacheFolder, name))
  }
}
