import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text as textOf} from 'node:stream/consumers'
import {describe, expect, test} from 'vitest'
import type {WireRequest} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {files, remove, rowsOf, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {watched} from './uploads.js'

const lockOf = (own: SyncBench, name = 'assets.lock') => path.join(own.home, name)

/** A bench whose folder was synced, with its lock. */
async function locked(content: Readonly<Record<string, string>> = files) {
  const own = await syncBench(content)
  const lock = lockOf(own)
  const ran = await own.sync([...words, '-o', 'json', '--lock', lock])
  expect(ran.exit).toBe(0)
  return {...own, lock, rows: rowsOf(ran), text: readFileSync(lock, 'utf8')}
}

const frozen = (own: SyncBench, more: readonly string[], where = {}) =>
  own.cli(['asset', 'sync', 'games/archive', own.folder, '--frozen', '-o', 'json', ...more], where)

test('--frozen reads a lock whose lines end with CR LF, as git may check it out', async () => {
  const own = await locked()
  writeFileSync(own.lock, own.text.replaceAll('\n', '\r\n'))
  expect(await frozen(own, ['--lock', own.lock])).toMatchObject({exit: 0, stdout: '[]\n'})
})

describe('--lock', () => {
  test('holds path, uuid, sha256 and size of every file, by path', async () => {
    const {rows, text, lock} = await locked({...files, 'a\\b/c.txt': 'x'})
    const line = (name: string, content: string, escaped = name) =>
      `${escaped}\t${rows.get(name)?.uuid}\t${sha256(content)}\t${content.length}\n`
    expect(text).toBe(
      `# roomctl lock 1 games/archive\n${line('a\\b/c.txt', 'x', 'a\\\\b/c.txt')}${line('catalog.json', files['catalog.json'])}` +
        `${line('level.bundle', files['level.bundle'])}${line('level.unity', files['level.unity'])}`,
    )
    // It is committed and handed on: others may read it.
    expect(statSync(lock).mode & 0o444).toBe(0o444 & ~process.umask())
  })

  test('is the same of a run that skips everything, and replaced whole by the next', async () => {
    const own = await locked()
    await own.sync([...words, '--lock', own.lock])
    expect(readFileSync(own.lock, 'utf8')).toBe(own.text)
    own.put({'catalog.json': '{"level": 2}'})
    await own.sync([...words, '--lock', own.lock])
    const [changed] = readFileSync(own.lock, 'utf8').split('\n').slice(1)
    expect(changed).toContain(sha256('{"level": 2}'))
    expect(own.text).not.toContain(changed)
  })

  test('is written after success only', async () => {
    const own = await locked()
    own.put({'level.unity': 'new', 'new.txt': 'n'})
    const sandbox = sandboxOf(own.store)
    const refusing = async (request: WireRequest) =>
      request.method === 'POST' && request.headers.Original_File_Name === 'new.txt'
        ? reply('', {status: 403})
        : sandbox(request)
    const ran = await own.sync([...words, '--lock', own.lock], {transport: refusing})
    expect(ran.exit).toBe(11)
    expect(readFileSync(own.lock, 'utf8')).toBe(own.text)
    await own.sync([...words, '--lock', lockOf(own, 'dry.lock'), '--dry-run'])
    expect(existsSync(lockOf(own, 'dry.lock'))).toBe(false)
  })

  test('is not written by a run that was interrupted before it had looked at the last file', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const stop = new AbortController()
    const transport = watched(own.store, ({method, url}) => {
      if (method === 'GET' && url.search === '?type=meta') stop.abort()
    })
    const lock = lockOf(own)
    const ran = await own.sync([...words, '--lock', lock], {transport, signal: stop.signal})
    expect(ran.exit).toBe(130)
    expect(ran.stderr).toContain('1 not verified')
    expect(existsSync(lock)).toBe(false)
  })

  test('is one, and has a name', async () => {
    const own = await syncBench()
    await everyCase(
      [
        ['--lock', 'a', '--lock', 'b'],
        ['--lock', ''],
      ],
      async (...more) => {
        expect(await own.sync([...words, ...more])).toMatchObject({exit: 2, stdout: '', sent: []})
      },
    )
  })
})

describe('--frozen', () => {
  test('ends with 0 and no rows where lock, folder and container agree, by one look at each file', async () => {
    const own = await locked()
    const ran = await frozen(own, ['--lock', own.lock])
    expect(ran).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
    expect(new Set(ran.sent.map(({method}) => method))).toEqual(new Set(['GET']))
    expect(ran.sent).toHaveLength(1 + own.rows.size)
  })

  test('lists missing, changed and new files, by path, with 15', async () => {
    const own = await locked({...files, 'here.txt': 'h', 'there.txt': 't', 'zero.txt': ''})
    own.put({'catalog.json': '{"level": 2}', 'another.txt': 'a'})
    own.drop('here.txt')
    await remove(own.store, own.rows.get('there.txt')?.uuid ?? '')
    const ran = await frozen(own, ['--lock', own.lock])
    expect(ran.exit).toBe(15)
    expect(JSON.parse(ran.stdout)).toEqual([
      {path: 'another.txt', difference: 'new'},
      {path: 'catalog.json', difference: 'changed'},
      {path: 'here.txt', difference: 'missing'},
      {path: 'there.txt', difference: 'missing'},
    ])
    expect(new Set(ran.sent.map(({method}) => method))).toEqual(new Set(['GET']))
    const table = await own.cli(['asset', 'sync', 'games/archive', own.folder, '--frozen', '--lock', own.lock])
    expect(table.exit).toBe(15)
    expect(table.stdout).toMatch(/there\.txt +missing +in the lock, and not in the container/u)
  })

  test('tells a stamp in the container that is of other content', async () => {
    const own = await locked()
    const uuid = own.rows.get('catalog.json')?.uuid
    const stamped = async (digest: string) => {
      await own.store.change((world) => {
        const resource = world.resources.find((one) => one.uuid === uuid)
        if (resource) Object.assign(resource, {description: `Build 42 [sha256:${digest}]`})
      })
      return frozen(own, ['--lock', own.lock])
    }
    expect(await stamped(sha256(files['catalog.json']))).toMatchObject({exit: 0, stdout: '[]\n'})
    const ran = await stamped(sha256('other'))
    expect(ran.exit).toBe(15)
    expect(JSON.parse(ran.stdout)).toEqual([{path: 'catalog.json', difference: 'stamp'}])
  })

  test('tells a resource that is in the trash, renamed, or linked to another asset', async () => {
    const own = await locked()
    const sandbox = sandboxOf(own.store)
    const uuidOf = (file: string) => `/asset/games/archive/${own.rows.get(file)?.uuid}`
    const told = async (file: string, other: Readonly<Record<string, unknown>>) => {
      const ran = await frozen(own, ['--lock', own.lock], {
        transport: async (request: WireRequest) => {
          const answer = await sandbox(request)
          if (request.method !== 'GET' || request.url.pathname !== uuidOf(file)) return answer
          return reply(JSON.stringify({...JSON.parse(await textOf(answer.body)), ...other}))
        },
      })
      return {exit: ran.exit, rows: JSON.parse(ran.stdout)}
    }
    await everyCase(
      [
        ['catalog.json', {trashed: true}, 'missing'],
        ['catalog.json', {dataUrl: null}, 'missing'],
        ['catalog.json', {originalFileName: 'other.json'}, 'changed'],
        ['level.bundle', {assetResourceFileId: 'a-level1'}, 'changed'],
      ] as const,
      async (file, other, difference) => {
        expect(await told(file, other)).toEqual({exit: 15, rows: [{path: file, difference}]})
      },
    )
  })

  test('compares the platform that --platform names, of files that no manifest gives one', async () => {
    const own = await locked()
    expect((await frozen(own, ['--lock', own.lock, '--platform', 'ios'])).exit).toBe(0)
    const ran = await frozen(own, ['--lock', own.lock, '--platform', 'android'])
    expect(ran.exit).toBe(15)
    const rows = [...own.rows.keys()].sort().map((file) => ({path: file, difference: 'changed'}))
    expect(JSON.parse(ran.stdout)).toEqual(rows)
  })

  test('reads the content with --verify download', async () => {
    const own = await locked()
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) =>
      request.url.pathname.startsWith('/asset-data/') && request.url.pathname.endsWith('catalog.json')
        ? reply('wrong')
        : sandbox(request)
    expect((await frozen(own, ['--lock', own.lock], {transport})).exit).toBe(0)
    const ran = await frozen(own, ['--lock', own.lock, '--verify', 'download'], {transport})
    expect(ran.exit).toBe(15)
    expect(JSON.parse(ran.stdout)).toEqual([{path: 'catalog.json', difference: 'changed'}])
  })

  test('takes several locks together, as of shards', async () => {
    const own = await locked()
    const [header = '', ...rows] = own.text.trimEnd().split('\n')
    const parts = [rows.slice(0, 1), rows.slice(1)].map((part, at) => {
      const file = lockOf(own, `part${at}.lock`)
      writeFileSync(file, `${[header, ...part].join('\n')}\n`)
      return ['--lock', file]
    })
    expect(await frozen(own, parts.flat())).toMatchObject({exit: 0, stdout: '[]\n'})
    expect((await frozen(own, parts[0] ?? [])).exit).toBe(15)
  })

  test('compares one shard with its own lock, and with the locks of all', async () => {
    const own = await syncBench(Object.fromEntries(Array.from({length: 8}, (_, at) => [`f${at}.txt`, `${at}`])))
    const shards = ['1/2', '2/2'].map((shard, at) => ({
      shard: ['--shard', shard],
      lock: ['--lock', lockOf(own, `${at}`)],
    }))
    for (const {shard, lock} of shards) expect((await own.sync([...words, ...shard, ...lock])).exit).toBe(0)
    const counts = [0, 1].map(
      (at) =>
        readFileSync(lockOf(own, `${at}`), 'utf8')
          .trimEnd()
          .split('\n').length - 1,
    )
    expect(counts).not.toContain(0)
    expect(counts.reduce((sum, count) => sum + count)).toBe(8)
    const locks = shards.flatMap(({lock}) => lock)
    expect(await frozen(own, locks)).toMatchObject({exit: 0, stdout: '[]\n'})
    for (const {shard, lock} of shards) {
      expect(await frozen(own, [...shard, ...lock])).toMatchObject({exit: 0, stdout: '[]\n'})
      expect(await frozen(own, [...shard, ...locks])).toMatchObject({exit: 0, stdout: '[]\n'})
    }
  })

  test('needs a lock: 2', async () => {
    const own = await syncBench()
    expect(await frozen(own, [])).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(await frozen(own, ['--lock', 'x', '--create'])).toMatchObject({exit: 2, stdout: '', sent: []})
  })

  test('refuses a lock of another container, a damaged one and one that is not there: 14', async () => {
    const own = await locked()
    await everyCase(
      [
        own.text.replace('games/archive', 'games/puzzle'),
        own.text.slice(0, -1),
        own.text.slice(40),
        own.text.replace(/[\da-f]{64}/u, 'x'),
        '\0',
        undefined,
      ],
      async (text) => {
        const file = lockOf(own, text === undefined ? 'none.lock' : 'bad.lock')
        if (text !== undefined) writeFileSync(file, text)
        expect(await frozen(own, ['--lock', file])).toMatchObject({exit: 14, stdout: '', sent: []})
      },
    )
  })

  test('of a container that does not exist is 6', async () => {
    const own = await locked()
    writeFileSync(own.lock, own.text.replace('games/archive', 'games/none'))
    const ran = await own.cli(['asset', 'sync', 'games/none', own.folder, '--frozen', '--lock', own.lock])
    expect(ran).toMatchObject({exit: 6, stdout: ''})
  })
})
