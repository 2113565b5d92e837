import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text as textOf} from 'node:stream/consumers'
import {describe, expect, test} from 'vitest'
import type {WireRequest} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {bare, withMeta} from './answer.js'
import {sha256} from './syncs.js'
import {bench} from './uploads.js'

interface Kept {
  readonly container?: string
  readonly uuid: string
  readonly name: string
  readonly content?: string
  readonly stamped?: boolean
}

/** A sandbox with these resources, in `games/archive` unless they say otherwise, and the folder to download to. */
async function tree(kept: readonly Kept[], containers: readonly string[] = []) {
  const own = await bench()
  await own.store.change((world) => {
    const [resource] = world.resources
    const [around] = world.containers
    if (!resource || !around) throw new Error('the demo is empty')
    for (const at of containers) world.containers.push({...around, path: at, name: path.posix.basename(at), uuid: at})
    const {link: _, ...bare} = resource
    for (const {container = 'games/archive', uuid, name, content = uuid, stamped = false} of kept) {
      const description = stamped ? `d [sha256:${sha256(content)}]` : 'd'
      const bytes = {size: content.length, content: Buffer.from(content).toString('base64')}
      world.resources.push({...bare, ...bytes, id: uuid, uuid, name, container, description})
    }
  })
  const out = path.join(own.home, 'out')
  const line = ['asset', 'download', 'games/archive', '--recursive', '--dir', out, '-o', 'json']
  const run = (more: readonly string[] = [], where = {}) => own.cli([...line, ...more], where)
  return {...own, out, run}
}

const nested: readonly Kept[] = [
  {uuid: 'u-1', name: 'a.txt'},
  {uuid: 'u-2', name: 'b.txt', container: 'games/archive/old'},
  {uuid: 'u-3', name: 'a.txt', container: 'games/archive/old/deep'},
]
const folders = ['games/archive/old', 'games/archive/old/deep', 'games/archive/none']

/** The files below a folder with their content. */
function content(folder: string): Record<string, string> {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
  const pairs = entries.map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    return [path.relative(folder, file), readFileSync(file, 'utf8')] as const
  })
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)))
}

describe('asset download --recursive', () => {
  test('makes folders of the children', async () => {
    const {run, out} = await tree(nested, folders)
    const ran = await run()
    expect(ran.exit).toBe(0)
    expect(content(out)).toEqual({'a.txt': 'u-1', 'old/b.txt': 'u-2', 'old/deep/a.txt': 'u-3'})
    expect(existsSync(path.join(out, 'none'))).toBe(true)
    expect(JSON.parse(ran.stdout)).toContainEqual({
      resource: 'games/archive/old/u-2',
      file: path.join(out, 'old/b.txt'),
      bytes: 3,
      sha256: sha256('u-2'),
      outcome: 'done',
    })
  })

  test('gives the newest of several files with one name the plain name, and says so', async () => {
    const kept = [
      {uuid: '11111111-aaaa', name: 'a.txt', createdAt: '2026-11-01T10:00:00'},
      {uuid: '22222222-bbbb', name: 'a.txt', createdAt: '2026-11-03T10:00:00.5'},
      {uuid: '22222222-cccc', name: 'A.TXT', createdAt: '2026-11-03T09:00:00Z'},
      {uuid: '22222222-dddd', name: 'a.txt', createdAt: '2026-11-04T09:00:00', trashed: true},
      {uuid: '44444444-dddd', name: 'Makefile', createdAt: '2026-11-01T10:00:00'},
      {uuid: '55555555-eeee', name: 'Makefile', createdAt: undefined},
      {uuid: '66666666-ffff', name: 'old'},
      {uuid: '77777777-aaaa', name: 'Makefile~55555555'},
      {uuid: '88888888-aaaa', name: 'x:y.txt', createdAt: '2026-11-01T10:00:00'},
      {uuid: '99999999-aaaa', name: 'x?y.txt', createdAt: '2026-11-02T10:00:00'},
    ]
    const own = await tree(kept, ['games/archive/old'])
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) => {
      const answer = await sandbox(request)
      const {createdAt, trashed} = kept.find(({uuid}) => request.url.pathname.endsWith(uuid)) ?? {}
      if (request.method !== 'GET' || !request.url.search.includes('meta')) return answer
      return reply(JSON.stringify({...JSON.parse(await textOf(answer.body)), createdAt, trashed}))
    }
    const ran = await own.run([], {transport})
    expect(ran.exit).toBe(0)
    expect(content(own.out)).toEqual({
      'A~22222222.TXT': '22222222-cccc',
      Makefile: '44444444-dddd',
      'Makefile~55555555': '77777777-aaaa',
      'Makefile~55555555-eeee': '55555555-eeee',
      'a.txt': '22222222-bbbb',
      'a~11111111.txt': '11111111-aaaa',
      'old~66666666': '66666666-ffff',
      'x_y.txt': '99999999-aaaa',
      'x_y~88888888.txt': '88888888-aaaa',
    })
    for (const note of [
      'note: a.txt is the newest of 3 files of that name; also saved: A~22222222.TXT, a~11111111.txt\n',
      'note: Makefile is the newest of 2 files of that name; also saved: Makefile~55555555-eeee\n',
      'note: old is saved as old~66666666\n',
      'note: x?y.txt is saved as x_y.txt\n',
      'note: x_y.txt is the newest of 2 files of that name; also saved: x_y~88888888.txt\n',
    ]) {
      expect(ran.stderr).toContain(note)
    }
  })

  test('says no more than 20 other names', async () => {
    const own = await tree(Array.from({length: 30}, (_, at) => ({uuid: `u-${at}`, name: `a:${at}.txt`})))
    const {stderr} = await own.run()
    expect(stderr.match(/ is saved as /gu)).toHaveLength(20)
    expect(stderr).toContain('note: 10 other names changed; -o json has all files\n')
  })

  test('stays in its folder, whatever names the service gives', async () => {
    const kept = ['u-1', 'u-2', 'u-3', 'u-4'].map((uuid) => ({uuid, name: `${uuid}.txt`}))
    const {run, out, home, store} = await tree(kept)
    const sandbox = sandboxOf(store)
    const evil = ['../../escape.txt', '..', '..\\\\escape.txt', '.bashrc']
    const transport = async (request: WireRequest) => {
      const answer = await sandbox(request)
      if (!request.url.pathname.endsWith('/archive/')) return answer
      return reply((await textOf(answer.body)).replaceAll(/u-(\d)\.txt/gu, (_, at) => evil[Number(at) - 1] ?? ''))
    }
    expect((await run([], {transport})).exit).toBe(0)
    expect(Object.values(content(out)).sort()).toEqual(['u-1', 'u-2', 'u-3', 'u-4'])
    expect(existsSync(path.join(home, 'escape.txt'))).toBe(false)
  })

  test('overwrites nothing: a file of other content fails', async () => {
    const {run, out} = await tree(nested, folders)
    mkdirSync(out)
    writeFileSync(path.join(out, 'a.txt'), 'mine')
    const ran = await run()
    expect(ran.exit).toBe(11)
    expect(content(out)).toEqual({'a.txt': 'mine', 'old/b.txt': 'u-2', 'old/deep/a.txt': 'u-3'})
    expect((await run(['--overwrite'])).exit).toBe(0)
    expect(content(out)).toMatchObject({'a.txt': 'u-1'})
  })

  test('skips what its stamp proves to be there, and downloads the rest', async () => {
    const {run, out} = await tree([{uuid: 'u-4', name: 'c.txt', stamped: true}])
    await run()
    const again = await run()
    expect(again.exit).toBe(0)
    expect(again.sent.filter(({path: to}) => to.startsWith('/asset-data/'))).toEqual([])
    expect(JSON.parse(again.stdout)).toMatchObject([
      {file: path.join(out, 'c.txt'), outcome: 'skipped', reason: 'unchanged', proven_by: 'stamp'},
    ])
  })

  test('leaves out and names resources in the trash', async () => {
    const own = await tree([
      {uuid: 'u-1', name: 'a.txt', stamped: true},
      {uuid: 'u-2', name: 'b.txt', stamped: true},
    ])
    const transport = withMeta(own, {trashed: true}, 'u-2')
    const left = await own.run([], {transport})
    expect(left).toMatchObject({exit: 0, stderr: 'note: left out 1 resource in the trash: games/archive/u-2\n'})
    expect(JSON.parse(left.stdout)).toMatchObject([{file: path.join(own.out, 'a.txt'), outcome: 'done'}])
    expect(content(own.out)).toEqual({'a.txt': 'u-1'})
    // The file of an earlier run proves nothing.
    expect((await own.run(['--overwrite'])).exit).toBe(0)
    const again = await own.run([], {transport})
    expect({exit: again.exit, stderr: again.stderr}).toEqual({exit: 0, stderr: left.stderr})
    expect(JSON.parse(again.stdout)).toMatchObject([{outcome: 'skipped', reason: 'unchanged', proven_by: 'stamp'}])
    const skipped = {file: null, outcome: 'skipped', reason: 'in the trash'}

    const alone = ['asset', 'download', 'games/archive/u-2', '--dir', own.out, '--overwrite']
    const one = await own.cli(alone, {transport})
    expect(one).toMatchObject({exit: 6, stderr: 'error: cannot download games/archive/u-2: it is in the trash\n'})
    const two = await own.cli([...alone, 'games/archive/u-1', '-o', 'json'], {transport})
    expect({exit: two.exit, rows: JSON.parse(two.stdout)}).toMatchObject({exit: 11, rows: [skipped, {outcome: 'done'}]})
  })

  test('fails of an unfinished upload, stamped or not, and downloads the others', () =>
    everyCase([false, true], async (stamped) => {
      const own = await tree([
        {uuid: 'u-1', name: 'a.txt'},
        {uuid: 'u-2', name: 'half.bin', stamped, content: 'half'},
      ])
      const sandbox = sandboxOf(own.store)
      const transport = async (request: WireRequest) => {
        if (!request.url.pathname.includes('/u-2')) return sandbox(request)
        if (request.method === 'HEAD') return bare(200, {'upload-offset': '4000', 'upload-length': '9000'})()
        return request.url.pathname.endsWith('/half.bin') ? reply('hal') : sandbox(request)
      }
      const {exit, stdout} = await own.run([], {transport})
      expect({exit, kept: content(own.out)}).toEqual({exit: 11, kept: {'a.txt': 'u-1'}})
      const why = 'half.bin: 4000 of its 9000 bytes are there'
      const error = {exit_code: 14, code: 'unfinished', message: `cannot download games/archive/u-2: ${why}`}
      expect(JSON.parse(stdout)).toMatchObject([{outcome: 'done'}, {outcome: 'failed', error}])
      const piped = await own.cli(['asset', 'download', 'games/archive/u-2', '--to', '-'], {transport})
      expect({exit: piped.exit, stderr: piped.stderr}).toEqual({exit: 14, stderr: expect.stringContaining(why)})
    }))

  test('fails in part if a container cannot be listed', async () => {
    const {run, out, store} = await tree(nested, folders)
    const sandbox = sandboxOf(store)
    const transport = async (request: WireRequest) =>
      request.url.pathname.endsWith('/old/') ? reply('', {status: 403}) : sandbox(request)
    const ran = await run([], {transport})
    expect(ran.exit).toBe(11)
    expect(content(out)).toEqual({'a.txt': 'u-1'})
  })

  test('takes one container', async () => {
    const {cli} = await tree([])
    await everyCase(
      [
        ['--recursive'],
        ['games', 'games/archive', '--recursive'],
        ['-', '--recursive'],
        ['games/archive', '--recursive', '--to', 'x'],
      ],
      async (...words: string[]) => {
        expect(await cli(['asset', 'download', ...words])).toMatchObject({exit: 2, stdout: '', sent: []})
      },
    )
    expect(await cli(['asset', 'download', 'games/none', '--recursive'])).toMatchObject({exit: 6, stdout: ''})
  })
})
