import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {homedir} from 'node:os'
import path from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {userPaths} from '../../src/storage/profile/resolve.js'
import {freshFolder} from '../support/folder.js'

const loader = path.resolve(import.meta.dirname, '../../bin/run.cjs')
const {cacheFolder} = createRequire(import.meta.url)(loader)

let home: string
let cache: string

beforeEach(() => {
  home = freshFolder()
  cache = path.join(home, 'cache')
})

interface Run {
  /** What the bundle says: one letter. */
  readonly says?: string
  readonly build?: string
  /** The command that the bundle loads. */
  readonly command?: string
  readonly folder?: string
  /** Flags of node. */
  readonly flags?: readonly string[]
  /** JavaScript that runs before the bundle is loaded. */
  readonly before?: string
  /** JavaScript that runs after it. */
  readonly after?: string
}

/**
 * Loads a bundle through the cache in a process of its own. V8 takes cached code for a source of the same length, so two
 * bundles that differ in one letter show the origin of the code: one that prints the other's letter ran from the cache.
 */
function load({
  says = 'A',
  build = '1',
  command = 'room:list',
  folder = cache,
  flags = [],
  before = '',
  after = '',
}: Run = {}) {
  const dist = path.join(home, says)
  const texts = {
    'main.cjs': `exports.loadedCommands = new Set([process.argv[2]]); exports.says = () => '${says}'; exports.part = () => require('./part.cjs').says()`,
    'part.cjs': `exports.says = () => '${says.toLowerCase()}'`,
  }
  mkdirSync(dist, {recursive: true})
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(
      path.join(dist, name),
      `//${build.padStart(16, '0')}\n(function (exports, require, module) {${text}\n})`,
    )
  }
  const script = `${before};
    const {filesBelow, loadBundle} = require(${JSON.stringify(loader)})
    const app = loadBundle('main.cjs', filesBelow(${JSON.stringify(dist)}), ${JSON.stringify(folder)})
    process.stdout.write(app.says()); ${after}`
  const main = path.join(home, 'main.cjs')
  writeFileSync(main, script)
  const {stdout, stderr, signal} = spawnSync(process.execPath, [...flags, main, command], {encoding: 'utf8'})
  return {stdout, stderr, signal}
}

const quiet = (stdout: string) => ({stdout, stderr: '', signal: null})
const caches = () => readdirSync(cache).filter((file) => file.endsWith('.bin'))
const onlyCache = () => path.join(cache, caches()[0] ?? 'there is none')

describe('the code cache', () => {
  test('gives the second run the code that the first run compiled', () => {
    load({says: 'A'})
    expect(load({says: 'B'})).toEqual(quiet('A'))
  })

  test('of runs with flags of V8 is kept beside the one without, and neither replaces the other', () => {
    const flags = ['--no-opt']
    load({says: 'A'})
    expect(load({says: 'B', flags})).toEqual(quiet('B'))
    expect(load({says: 'C', flags})).toEqual(quiet('B'))
    expect(load({says: 'D'})).toEqual(quiet('A'))
  })

  test('holds a file that the bundle requires apart from it', () => {
    const after = 'process.stdout.write(app.part())'
    load({says: 'A', after})
    expect(caches().map((name) => name.replace(/.*-/, ''))).toEqual(['main.bin', 'part.bin'])
    expect(load({says: 'B', after})).toEqual(quiet('Aa'))
    expect(load({says: 'B', build: '2', after})).toEqual(quiet('Bb'))
    expect(caches()).toHaveLength(2)
  })

  test('is readable for its owner alone', () => {
    load()
    const modes = spawnSync('ls', ['-ln', onlyCache()], {encoding: 'utf8'}).stdout
    expect(modes).toMatch(/^-rw-------/)
    expect(spawnSync('ls', ['-ldn', cache], {encoding: 'utf8'}).stdout).toMatch(/^drwx------/)
  })

  test('learns a new command, and keeps the others', () => {
    load({command: 'room:list'})
    const before = readFileSync(onlyCache())
    load({command: 'room:list'})
    expect(readFileSync(onlyCache()).equals(before)).toBe(true)
    load({command: 'room:show'})
    expect(readFileSync(onlyCache(), 'latin1')).toContain('["room:list","room:show"]')
  })

  test.each([
    ['one changed byte', (bytes: Buffer) => bytes.fill(bytes.readUInt8(9000) ^ 0x55, 9000, 9001)],
    ['a missing end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['nothing in it', () => Buffer.alloc(0)],
  ])('is not used with %s, and is written again', (_, damage) => {
    load({says: 'A'})
    writeFileSync(onlyCache(), damage(readFileSync(onlyCache())))
    expect(load({says: 'B'})).toEqual(quiet('B'))
    expect(load({says: 'A'})).toEqual(quiet('B'))
  })

  test('is not used when others could have written to the file', () => {
    load({says: 'A'})
    chmodSync(onlyCache(), 0o620)
    expect(load({says: 'B'})).toEqual(quiet('B'))
  })

  test('is not used when others could have written to the folder', () => {
    load({says: 'A'})
    chmodSync(cache, 0o777)
    expect(load({says: 'B'})).toEqual(quiet('B'))
    expect(load({says: 'A'})).toEqual(quiet('A'))
  })

  test('is neither used nor written when it belongs to another user', () => {
    load({says: 'A'})
    const before = 'process.getuid = () => 12345'
    expect(load({says: 'B', before})).toEqual(quiet('B'))
    expect(load({says: 'B'})).toEqual(quiet('A'))
  })

  test('is not made below a folder of another user', () => {
    expect(load({before: 'process.getuid = () => 12345'})).toEqual(quiet('A'))
    expect(readdirSync(home)).toEqual(['A', 'main.cjs'])
  })

  test('is silent about a folder that cannot be made or written to', () => {
    writeFileSync(path.join(home, 'file'), '')
    expect(load({folder: path.join(home, 'file', 'cache')})).toEqual(quiet('A'))
    mkdirSync(cache, {mode: 0o500})
    expect(load()).toEqual(quiet('A'))
    expect(load({folder: '/proc/self'})).toEqual(quiet('A'))
  })

  test('is not there after a first run that was killed', () => {
    expect(load({after: "process.kill(process.pid, 'SIGKILL')"}).signal).toBe('SIGKILL')
    expect(readdirSync(home)).toEqual(['A', 'main.cjs'])
  })

  test('is not there after a run that was killed while it wrote, and the next one cleans up', () => {
    const before = "require('node:fs').renameSync = () => process.kill(process.pid, 'SIGKILL')"
    expect(load({before}).signal).toBe('SIGKILL')
    expect(caches()).toEqual([])
    expect(load()).toEqual(quiet('A'))
    expect(readdirSync(cache)).toEqual(caches())
  })

  test('of another build is not used, and goes; another version of Node keeps its own', () => {
    load({says: 'A', build: '1'})
    renameSync(onlyCache(), onlyCache().replace(process.version, 'v99.0.0'))
    load({says: 'A', build: '1'})
    expect(caches()).toHaveLength(2)
    expect(load({says: 'B', build: '2'})).toEqual(quiet('B'))
    expect(caches()).toEqual([expect.stringContaining(`2-${process.version}`)])
  })

  test('is not written by a run that changed the flags of V8: the next start would reject it', () => {
    load({after: "require('node:v8').setFlagsFromString('--liftoff-only')"})
    expect(caches()).toEqual([])
    expect(load({says: 'B'})).toEqual(quiet('B'))
  })
})

describe('the folder of the code cache', () => {
  test.each([
    [{HOME: homedir()}],
    [{HOME: homedir(), XDG_CACHE_HOME: '/var/cache/anna'}],
    [{HOME: homedir(), XDG_CACHE_HOME: 'relative'}],
    [{HOME: homedir(), XDG_CACHE_HOME: ''}],
    [{HOME: homedir(), XDG_CACHE_HOME: '/var/cache/anna', ROOMCTL_CACHE_DIR: '/var/cache/roomctl'}],
  ])('is the cache folder of the tool: %o', (env: Record<string, string>) => {
    expect(cacheFolder(env, 'linux')).toBe(userPaths(env, homedir(), 'linux').cache)
  })

  test('is not looked for where one happens to stand', () => {
    expect(cacheFolder({HOME: homedir(), ROOMCTL_CACHE_DIR: 'cache'}, 'linux')).toBeUndefined()
    expect(cacheFolder({LOCALAPPDATA: 'local'}, 'win32')).toBeUndefined()
    const script = `console.log(require(${JSON.stringify(loader)}).cacheFolder({}, 'linux'))`
    for (const HOME of ['', '.', 'home']) {
      expect(spawnSync(process.execPath, ['-e', script], {encoding: 'utf8', env: {HOME}}).stdout).toBe('undefined\n')
    }
  })

  test('is nowhere for a user without a home', () => {
    const script = `require('node:os').homedir = () => { throw new Error('no such user') }
      console.log(require(${JSON.stringify(loader)}).cacheFolder({}, 'linux'))`
    expect(spawnSync(process.execPath, ['-e', script], {encoding: 'utf8'}).stdout).toBe('undefined\n')
  })
})
