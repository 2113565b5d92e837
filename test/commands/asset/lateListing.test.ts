import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport, WireResponse} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {bare, bodyOf} from './answer.js'
import {begun, remove, type SyncBench, syncBench, words} from './syncs.js'

const emptyList = {type: 'BasicContainer', name: 'archive', resources: {assetResources: [], commonResources: []}}
const said = 'warning: the listing does not show 1 file that is there\n'

/** The sandbox, whose listing is late; `instead`: other answers, by method and search. */
function late(own: SyncBench, instead: Readonly<Record<string, (answer: WireResponse) => Promise<WireResponse>>> = {}) {
  const sandbox = sandboxOf(own.store)
  const transport: Transport = async (request) => {
    const {method, url} = request
    if (method === 'GET' && url.pathname.endsWith('/') && url.search === '') return reply(JSON.stringify(emptyList))
    const answer = await sandbox(request)
    const other = instead[url.pathname.includes('asset-data') ? 'data' : `${method}${url.search}`]
    return other ? other(answer) : answer
  }
  return transport
}

const metaWith = (change: object) => ({
  'GET?type=meta': async (answer: WireResponse) =>
    reply(JSON.stringify({...JSON.parse(await bodyOf(answer)), ...change})),
})

const head = (offset: number, length = 3) => ({
  HEAD: async () => bare(200, {'upload-offset': `${offset}`, 'upload-length': `${length}`})(),
})

describe('a file that the ledger has and the listing does not show', () => {
  test('is looked up by its uuid: no command sends it again, at any level of --verify, and all say so', async () => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync()
    const upload = ['asset', 'upload', 'games/archive', path.join(own.folder, 'a.txt'), ...words]
    const sync = ['asset', 'sync', 'games/archive', own.folder, ...words]
    await everyCase(
      [upload, [...upload, '--dry-run'], sync, [...sync, '--dry-run'], [...sync, '--check']].flatMap((line) =>
        ['none', 'meta', 'catalog', 'download'].map((level) => [[...line, '--verify', level]] as const),
      ),
      async (line) => {
        const ran = await own.cli(line, {transport: late(own)})
        expect({exit: ran.exit, begun: begun(ran)}).toEqual({exit: 0, begun: []})
        expect(ran.stderr).toContain(said)
        expect(`${ran.stdout}${ran.stderr}`).toMatch(/unchanged|no differences/u)
      },
    )
  })

  test('is sent again, without that warning, if it is not there as it was sent', async () => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync()
    const noHead = {HEAD: async () => bare(405)()}
    await everyCase<readonly [string, Parameters<typeof late>[1]]>(
      [
        ['is gone', {'GET?type=meta': async () => reply('{}', {status: 404})}],
        ['is gone for good', {'GET?type=meta': async () => reply('{}', {status: 410})}],
        ['is in the trash', metaWith({trashed: true})],
        ['has no bytes', metaWith({dataUrl: null})],
        ['has another name', metaWith({originalFileName: 'b.txt'})],
        ['has another platform', metaWith({platform: 'ANDROID'})],
        ['has the stamp of another file', metaWith({description: `x [sha256:${'a'.repeat(64)}]`})],
        ['is in another container', metaWith({parents: '/games/other/'})],
        ['is half there by HEAD', head(1)],
        ['is longer by HEAD', head(4, 4)],
        ['is half there by its dataUrl', {...noHead, data: async () => reply('a', {headers: {'content-length': '1'}})}],
      ],
      async (_, instead) => {
        for (const level of ['none', 'meta']) {
          const ran = await own.sync([...words, '--dry-run', '-o', 'json', '--verify', level], {
            transport: late(own, instead),
          })
          expect(JSON.parse(ran.stdout)).toMatchObject([{action: 'upload'}])
          expect(ran.stderr).not.toContain('does not show')
        }
      },
    )
  })

  test('is there where HEAD or dataUrl says nothing, and however its container is written', async () => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync()
    const silent = {HEAD: async () => bare(405)(), data: async () => bare(403)()}
    const parents = ['games/archive', '/asset/games/archive/', 'http://sandbox.localhost/asset/games/archive', '/', '7']
    await everyCase([silent, head(3), ...parents.map((text) => metaWith({parents: text}))], async (instead) => {
      expect((await own.sync(words, {transport: late(own, instead)})).stderr).toContain(said)
    })
  })

  test('stops the run if its metadata cannot be read', async () => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync()
    await everyCase([400, 403, 500], async (status) => {
      const instead = {'GET?type=meta': async () => reply('{}', {status})}
      const ran = await own.sync(words, {transport: late(own, instead)})
      expect(begun(ran)).toEqual([])
      expect(ran.stderr).toContain('nothing was sent')
    })
  })

  test('is counted with the others', async () => {
    const own = await syncBench()
    await own.sync()
    const ran = await own.sync(words, {transport: late(own)})
    expect(ran.stderr).toContain('warning: the listing does not show 3 files that are there\n')
    await remove(
      own.store,
      JSON.parse((await own.cli(['asset', 'list', 'games/archive', '-o', 'json'])).stdout)[0].uuid,
    )
    expect(begun(await own.sync(words, {transport: late(own)}))).toHaveLength(1)
  })
})

test('a listing that says that it is a part is called partial by every command that reads it', async () => {
  const own = await syncBench({'a.txt': 'abc'})
  const sandbox = sandboxOf(own.store)
  const entry = {name: 'b.txt', platform: 'ios', uri: '/asset/games/archive/b-1?type=asset'}
  const whole = {...emptyList, resources: {assetResources: [entry], commonResources: []}}
  const run = (line: readonly string[], more: object, link?: string) =>
    own.cli(line, {
      transport: async (request) =>
        request.url.pathname.endsWith('/') && request.method === 'GET'
          ? reply(JSON.stringify({...whole, ...more}), {headers: link === undefined ? {} : {link}})
          : sandbox(request),
    })
  const list = ['asset', 'list', 'games/archive']
  const warning = 'warning: the listing is partial (list container games/archive): the service says that it has more\n'
  await everyCase<readonly [object, string?]>(
    [
      [{}, '<?page=2>; rel="next"'],
      [{}, '<?page=0>; rel=prev, <?page=2>;rel=next'],
      [{}, '<?page=2>; title="x"; rel="last next"'],
      [{next: '?page=2'}],
      [{nextPageToken: 'x'}],
      [{next_cursor: 7}],
      [{hasMore: true}],
      [{has_next: true}],
      [{isTruncated: true}],
      [{total: 2}],
      [{total_count: '12'}],
      [{last: false}],
      [{_links: {self: {}, next: {href: '?page=2'}}}],
      [{page: {totalElements: 40}}],
      [{resources: {...whole.resources, continuationToken: 'x'}}],
    ],
    async (more, link) => expect((await run(list, more, link)).stderr).toContain(warning),
  )
  await everyCase<readonly [object, string?]>(
    [
      [{}, '<?page=1>; rel="prev"'],
      [{}, '<style.css>; rel=nextstyle'],
      [{next: null, hasMore: false, total: 1, last: true, _links: {next: null}}],
      [{description: 'next', owners: [], total: 'all'}],
    ],
    async (more, link) => expect((await run(list, more, link)).stderr).not.toContain('partial'),
  )
  const sync = ['asset', 'sync', 'games/archive', own.folder, ...words]
  const dir = path.join(own.home, 'out')
  const upload = ['asset', 'upload', 'games/archive', path.join(own.folder, 'a.txt'), ...words]
  const recursive = ['asset', 'download', 'games/archive', '--recursive', '--dir', dir]
  await everyCase(
    [[...list, '--tree'], [...sync, '--dry-run'], [...sync, '--check'], sync, upload, recursive].map((line) => [line]),
    async (line) => expect((await run(line, {hasMore: true})).stderr).toContain(warning),
  )
})
