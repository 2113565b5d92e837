import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text as textOf} from 'node:stream/consumers'
import {describe, expect, test} from 'vitest'
import {WireError, type WireRequest} from '../../../src/api/http/wire/transport.js'
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
  const lock = path.join(own.home, 'out.lock')
  const line = ['asset', 'download', 'games/archive', '--recursive', '--dir', out, '-o', 'json']
  const run = (more: readonly string[] = [], where = {}) => own.cli([...line, ...more], where)
  return {...own, out, lock, run}
}

const nested: readonly Kept[] = [
  {uuid: 'u-1', name: 'a.txt'},
  {uuid: 'u-2', name: 'b.txt', container: 'games/archive/old'},
  {uuid: 'u-3', name: 'a.txt', container: 'games/archive/old/deep'},
]
const folders = ['games/archive/old', 'games/archive/old/deep', 'games/archive/none']

/** Three bytes of a body, and then the connection breaks. */
async function* cutOff() {
  yield Buffer.from('cur')
  throw new WireError('broken', 'maybe', 'the answer is incomplete')
}

function lockedPaths(lock: string): string[] {
  const [, ...lines] = readFileSync(lock, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t')[0] ?? '')
}

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
  test('makes folders of the children, and writes a lock', async () => {
    const {run, out, lock} = await tree(nested, folders)
    const ran = await run(['--lock', lock])
    expect(ran.exit).toBe(0)
    expect(content(out)).toEqual({'a.txt': 'u-1', 'old/b.txt': 'u-2', 'old/deep/a.txt': 'u-3'})
    expect(existsSync(path.join(out, 'none'))).toBe(true)
    const line = (key: string, uuid: string) => `${key}\t${uuid}\t${sha256(uuid)}\t3\n`
    expect(readFileSync(lock, 'utf8')).toBe(
      `# roomctl lock 1 games/archive\n${line('a.txt', 'u-1')}${line('old/b.txt', 'u-2')}${line('old/deep/a.txt', 'u-3')}`,
    )
    expect(JSON.parse(ran.stdout)).toContainEqual({
      resource: 'games/archive/old/u-2',
      file: path.join(out, 'old/b.txt'),
      bytes: 3,
      sha256: sha256('u-2'),
      outcome: 'done',
    })
  })

  test('calls the second of two files with one name after its uuid, also where only their case differs', async () => {
    const kept = [
      {uuid: '11111111-aaaa', name: 'a.txt'},
      {uuid: '22222222-bbbb', name: 'a.txt'},
      {uuid: '22222222-cccc', name: 'A.TXT'},
      {uuid: '44444444-dddd', name: 'Makefile'},
      {uuid: '55555555-eeee', name: 'Makefile'},
      {uuid: '66666666-ffff', name: 'old'},
    ]
    const {run, out} = await tree(kept, ['games/archive/old'])
    expect((await run()).exit).toBe(0)
    expect(content(out)).toEqual({
      'A~22222222-cccc.TXT': '22222222-cccc',
      Makefile: '44444444-dddd',
      'Makefile~55555555': '55555555-eeee',
      'a.txt': '11111111-aaaa',
      'a~22222222.txt': '22222222-bbbb',
      'old~66666666': '66666666-ffff',
    })
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

  test('overwrites nothing: a file of other content fails, and no lock is written', async () => {
    const {run, out, lock} = await tree(nested, folders)
    mkdirSync(out)
    writeFileSync(path.join(out, 'a.txt'), 'mine')
    const ran = await run(['--lock', lock])
    expect(ran.exit).toBe(11)
    expect(content(out)).toEqual({'a.txt': 'mine', 'old/b.txt': 'u-2', 'old/deep/a.txt': 'u-3'})
    expect(existsSync(lock)).toBe(false)
    expect((await run(['--lock', lock, '--overwrite'])).exit).toBe(0)
    expect(content(out)).toMatchObject({'a.txt': 'u-1'})
  })

  test('skips what its stamp or the lock proves to be there, and downloads the rest', async () => {
    const stamped = {uuid: 'u-4', name: 'c.txt', stamped: true}
    const {run, out, lock} = await tree([...nested, stamped], folders)
    await run(['--lock', lock])
    const text = readFileSync(lock, 'utf8')
    const bytesRead = ({sent}: {readonly sent: readonly {readonly path: string}[]}) =>
      sent.filter(({path: to}) => to.startsWith('/asset-data/')).length
    const again = await run(['--lock', lock])
    expect(again.exit).toBe(0)
    expect(bytesRead(again)).toBe(0)
    expect(JSON.parse(again.stdout).map(({outcome}: {readonly outcome: string}) => outcome)).toEqual(
      Array(4).fill('skipped'),
    )
    expect(readFileSync(lock, 'utf8')).toBe(text)
    // Without the lock only the stamp proves.
    const rows: {file: string | null; reason?: string}[] = JSON.parse((await run()).stdout)
    expect(rows.filter(({file}) => file !== null)).toMatchObject([
      {file: path.join(out, 'c.txt'), reason: 'unchanged: proven by its stamp'},
    ])
  })

  test('resumes by the digest of the lock, and mixes no two contents', async () => {
    const {run, out, lock, store} = await tree([{uuid: 'u-1', name: 'a.txt', content: 'current'}])
    await run(['--lock', lock])
    const sandbox = sandboxOf(store)
    const wanted = async (rest: string) => {
      rmSync(out, {recursive: true})
      const ranges: (string | undefined)[] = []
      const transport = async (request: WireRequest) => {
        if (!request.url.pathname.startsWith('/asset-data/')) return sandbox(request)
        const {range} = request.headers
        if (ranges.push(range) === 1) return {...reply(''), body: cutOff()}
        return range ? reply(rest, {status: 206, headers: {'content-range': 'bytes 3-6/7'}}) : reply('current')
      }
      expect((await run(['--lock', lock], {transport})).exit).toBe(0)
      expect(content(out)).toEqual({'a.txt': 'current'})
      return ranges
    }
    expect(await wanted('rent')).toEqual([undefined, 'bytes=3-'])
    expect(await wanted('RENT')).toEqual([undefined, 'bytes=3-', undefined])
    rmSync(lock)
    expect(await wanted('rent')).toEqual([undefined, undefined])
  })

  test('leaves out and counts resources in the trash, names them with --trashed, and locks none of them', async () => {
    const own = await tree([
      {uuid: 'u-1', name: 'a.txt'},
      {uuid: 'u-2', name: 'b.txt', stamped: true},
    ])
    const transport = withMeta(own, {trashed: true}, 'u-2')
    const left = await own.run(['--lock', own.lock], {transport})
    expect(left).toMatchObject({exit: 0, stderr: 'note: left out 1 resource in the trash; to name them: --trashed\n'})
    expect(JSON.parse(left.stdout)).toMatchObject([{file: path.join(own.out, 'a.txt'), outcome: 'done'}])
    expect([content(own.out), lockedPaths(own.lock)]).toEqual([{'a.txt': 'u-1'}, ['a.txt']])
    // The file of an earlier run, and its line in the lock, prove nothing.
    expect((await own.run(['--lock', own.lock, '--overwrite'])).exit).toBe(0)
    const named = await own.run(['--lock', own.lock, '--trashed'], {transport})
    expect({exit: named.exit, stderr: named.stderr}).toEqual({exit: 0, stderr: ''})
    const skipped = {file: null, outcome: 'skipped', reason: 'in the trash'}
    expect(JSON.parse(named.stdout)).toMatchObject([
      {outcome: 'skipped', reason: expect.stringContaining('lock')},
      skipped,
    ])
    expect(lockedPaths(own.lock)).toEqual(['a.txt'])

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
      const {exit, stdout} = await own.run(['--lock', own.lock], {transport})
      expect({exit, kept: content(own.out), lock: existsSync(own.lock)}).toEqual({
        exit: 11,
        kept: {'a.txt': 'u-1'},
        lock: false,
      })
      const why = 'half.bin: 4000 of its 9000 bytes are there'
      const error = {exit_code: 14, code: 'unfinished', message: `cannot download games/archive/u-2: ${why}`}
      expect(JSON.parse(stdout)).toMatchObject([{outcome: 'done'}, {outcome: 'failed', error}])
      const piped = await own.cli(['asset', 'download', 'games/archive/u-2', '--to', '-'], {transport})
      expect({exit: piped.exit, stderr: piped.stderr}).toEqual({exit: 14, stderr: expect.stringContaining(why)})
    }))

  test('tells a container that cannot be listed, and writes no lock', async () => {
    const {run, out, lock, store} = await tree(nested, folders)
    const sandbox = sandboxOf(store)
    const transport = async (request: WireRequest) =>
      request.url.pathname.endsWith('/old/') ? reply('', {status: 403}) : sandbox(request)
    const ran = await run(['--lock', lock], {transport})
    expect(ran.exit).toBe(11)
    expect(content(out)).toEqual({'a.txt': 'u-1'})
    expect(existsSync(lock)).toBe(false)
  })

  test('takes one container, and a lock only together with it', async () => {
    const {cli} = await tree([])
    await everyCase(
      [
        ['--recursive'],
        ['games', 'games/archive', '--recursive'],
        ['-', '--recursive'],
        ['games/archive', '--recursive', '--to', 'x'],
        ['games/archive/u-1', '--lock', 'x'],
      ],
      async (...words: string[]) => {
        expect(await cli(['asset', 'download', ...words])).toMatchObject({exit: 2, stdout: '', sent: []})
      },
    )
    expect(await cli(['asset', 'download', 'games/none', '--recursive'])).toMatchObject({exit: 6, stdout: ''})
  })
})
