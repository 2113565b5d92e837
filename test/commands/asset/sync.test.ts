import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {WireRequest} from '../../../src/api/http/wire/transport.js'
import {recordsIn} from '../../support/logText.js'
import {reply, sandboxOf} from '../answers.js'
import {ledgerText} from './cutOff.js'
import {begun, files, outcomes, rowsOf, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {creates, header, watched} from './uploads.js'

const json = [...words, '-o', 'json']

describe('a folder', () => {
  test('is uploaded, and what links to a file after it, with the uuid that the service gave', async () => {
    const own = await syncBench()
    const ran = await own.sync(json)
    expect(ran).toMatchObject({exit: 0, stderr: 'uploaded 3 files, 31 B in 0ms\n'})
    const rows = rowsOf(ran)
    expect(rows.get('level.unity')).toEqual({
      file: 'level.unity',
      role: 'asset',
      uuid: expect.stringMatching(/^[\w-]+$/u),
      bytes: 9,
      sha256: sha256('the asset'),
      outcome: 'done',
    })
    expect(creates(ran.sent).map(({path: to}) => to)).toEqual(Array(3).fill('/asset/games/archive'))
    expect(begun(ran)).toEqual(['level.unity', 'level.bundle', 'catalog.json'])
    expect(creates(ran.sent)[1]?.headers).toMatchObject({
      Platform: 'ios',
      Description: expect.stringMatching(/^Build 42 \[sha256:/u),
      Asset_Resource_File_Id: rows.get('level.unity')?.uuid,
    })
    for (const [name, content] of Object.entries(files)) {
      expect(await own.readBack(rows.get(name)?.uuid)).toBe(sha256(content))
    }
  })

  test('is shown as a table, and as uuids alone', async () => {
    const own = await syncBench()
    const {stdout} = await own.sync()
    const [heading = '', ...lines] = stdout.trimEnd().split('\n')
    expect(heading.split(/ +/u)).toEqual(['FILE', 'KIND', 'UUID', 'SIZE', 'OUTCOME', 'SHA256', 'REASON'])
    expect(lines.map((line) => line.split(/ +/u)[1])).toEqual(['asset', 'bundle', 'catalog'])
    const again = await own.sync([...words, '-q'])
    expect(again.stdout.trim().split('\n')).toEqual(lines.map((line) => line.split(/ +/u)[2]))
  })

  test('names files that it leaves out or does not link', async () => {
    const own = await syncBench({'a.bundle': 'x', '.hidden': 'x'})
    const {stderr, exit} = await own.sync()
    expect(exit).toBe(0)
    expect(stderr).toContain('ignored hidden entries: .hidden\n')
    expect(stderr).toContain('has no asset link; set it in the manifest')
  })

  test('does not hold the ledger that is in it', async () => {
    const own = await syncBench()
    const state = ['--state-dir', path.join(own.folder, 'state')]
    await own.sync([...words, ...state])
    expect(
      outcomes(await own.sync([...json, ...state]))
        .map(([file]) => file)
        .sort(),
    ).toEqual(Object.keys(files).sort())
  })
})

describe('a manifest', () => {
  const text = `version: 1
container: games/archive
description: Build 42
files:
  - {path: ios/catalog.json, role: catalog, platform: ios}
  - {path: android/catalog.json, role: catalog, platform: android}
  - {path: a.bundle, role: bundle, platform: ios, link: ios/catalog.json, description: own, name: A.bundle}
  - {path: b.bundle, role: bundle, platform: ios, link: uuid:a-level1}
`
  const content = {'ios/catalog.json': '{"a":1}', 'android/catalog.json': '{"a":2}', 'a.bundle': 'a', 'b.bundle': 'b'}

  test('decides names, platforms, descriptions and links, where it is named and where its folder is', async () => {
    const own = await syncBench({...content, 'other.txt': 'x', 'roomctl.assets.yaml': text})
    const ran = await own.sync(['--verify', 'catalog', '-o', 'json'])
    expect(ran).toMatchObject({exit: 0})
    const posts = creates(ran.sent)
    const bundle = posts.find((post) => header(post, 'Original_File_Name') === 'A.bundle')
    expect(bundle?.headers).toMatchObject({
      Description: expect.stringMatching(/^own \[sha256:/u),
      Asset_Resource_File_Id: rowsOf(ran).get('ios/catalog.json')?.uuid,
    })
    const other = posts.find((post) => header(post, 'Original_File_Name') === 'b.bundle')
    expect(other?.headers).toMatchObject({
      Description: expect.stringMatching(/^Build 42 \[sha256:/u),
      Asset_Resource_File_Id: 'a-level1',
    })
    expect(posts.map((post) => header(post, 'Platform')).sort()).toEqual(['android', 'ios', 'ios', 'ios'])

    const manifest = path.join(own.folder, 'roomctl.assets.yaml')
    const again = await own.cli(['asset', 'sync', '/asset/games/archive/', manifest, '-o', 'json'])
    expect(creates(again.sent)).toEqual([])
    expect(again.exit).toBe(0)
  })

  test('is not sent to a container that it is not meant for', async () => {
    const own = await syncBench({...content, 'roomctl.assets.yaml': text})
    const ran = await own.cli(['asset', 'sync', 'games/puzzle', own.folder])
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain('is for games/archive, not games/puzzle; nothing was sent')
  })

  test('that is wrong is reported with its line before anything is sent', async () => {
    const own = await syncBench({...content, 'roomctl.assets.yaml': text.replace('role: bundle', 'role: level')})
    const ran = await own.sync(['-o', 'json'])
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'manifest',
      message: expect.stringContaining('line 7: files[2].role: it must be asset, catalog or bundle'),
    })
  })

  test('can say what a file must be: another one is not sent', async () => {
    const demand = (digest: string) =>
      `version: 1\nplatform: ios\ndescription: d\nfiles: [{path: a.bundle, role: bundle, sha256: ${digest}}]\n`
    const own = await syncBench({...content, 'roomctl.assets.yaml': demand(sha256('b'))})
    const ran = await own.sync([])
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.sent.map(({method}) => method)).toEqual(['GET'])
    expect(ran.stderr).toContain('a.bundle is not the file that the manifest names; nothing was sent')
    own.put({'roomctl.assets.yaml': demand(sha256('a').toUpperCase())})
    expect((await own.sync([])).exit).toBe(0)
  })
})

describe('what fails', () => {
  /** The sandbox, which refuses to begin uploads of this file. */
  function refusing(own: SyncBench, name: string, status: number) {
    const sandbox = sandboxOf(own.store)
    return async (request: WireRequest) =>
      request.method === 'POST' && request.headers.Original_File_Name === name ? reply('', {status}) : sandbox(request)
  }

  test('leaves the others done and its bundles untried; the same line does the rest', async () => {
    const own = await syncBench({...files, 'notes.txt': 'some notes'})
    const ran = await own.sync(json, {transport: refusing(own, 'level.unity', 403)})
    expect(ran.exit).toBe(11)
    const rows = rowsOf(ran)
    expect(outcomes(ran)).toEqual([
      ['level.unity', 'failed'],
      ['notes.txt', 'done'],
      ['level.bundle', 'not-tried'],
      ['catalog.json', 'not-tried'],
    ])
    expect(rows.get('level.unity')).toMatchObject({uuid: null, error: {exit_code: 5}})
    expect(rows.get('level.bundle')?.reason).toBe('not started: it belongs to level.unity, which is not done')
    expect(ran.stderr).toContain('uploaded 1 file, 10 B in 0ms, 1 failed (forbidden), 2 not finished\n')
    expect(ran.stderr).toMatch(/to resume the rest, run the same command again\n$/u)
    const rest = await own.sync(json)
    expect(rest.exit).toBe(0)
    expect(begun(rest)).toEqual(['level.unity', 'level.bundle', 'catalog.json'])
  })

  test('a missing container names --create, before anything is sent', async () => {
    const own = await syncBench()
    const advice = '  try: add --create, which creates it\n'
    for (const name of ['games/no such', 'gmaes/puzzle']) {
      const ran = await own.cli(['asset', 'sync', name, own.folder, ...words])
      expect({exit: ran.exit, stdout: ran.stdout}).toEqual({exit: 6, stdout: ''})
      expect(ran.sent.map(({method}) => method)).toEqual(['GET'])
      expect(ran.stderr).toBe(`error: container ${name} does not exist; nothing was sent\n${advice}`)
    }
  })

  test('a service that loses the headers with underscores is found out, in a later run too', async () => {
    const own = await syncBench()
    const sandbox = sandboxOf(own.store)
    const transport = (request: WireRequest) => {
      const {Asset_Resource_File_Id: _, ...headers} = request.headers
      return sandbox({...request, headers})
    }
    const ran = await own.sync(json, {transport})
    expect(ran.exit).toBe(11)
    expect(rowsOf(ran).get('level.bundle')).toMatchObject({
      outcome: 'failed',
      uuid: expect.stringMatching(/./u),
      error: {code: 'stored-otherwise', outcome: 'applied', why: expect.stringContaining('Asset_Resource_File_Id')},
    })
    const again = await own.sync(json, {transport})
    expect(again.exit).toBe(11)
    expect(creates(again.sent)).toEqual([])
    expect(rowsOf(again).get('level.bundle')).toMatchObject({outcome: 'failed', error: {code: 'stored-otherwise'}})
    expect((await own.sync([...words, '--verify', 'none'], {transport})).exit).toBe(0)
  })

  test('bytes that come back otherwise are found out with --verify download', async () => {
    const own = await syncBench({'a.txt': 'right'})
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) =>
      request.url.pathname.startsWith('/asset-data/') ? reply('wrong') : sandbox(request)
    expect((await own.sync([...words, '--verify', 'download'])).exit).toBe(0)
    const ran = await own.sync([...json, '--verify', 'download'], {transport})
    const {id} = recordsIn(ledgerText(own)).at(-1) ?? {}
    const error = {
      message: 'a.txt: changed at the service since it was uploaded',
      why: 'its bytes there differ, and this run sent nothing',
      try: `before you upload it again: roomctl asset forget ${String(id)}`,
      outcome: 'none',
    }
    expect([ran.exit, JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{')))]).toMatchObject([14, {error}])
    const isByte = ({path: at}: {readonly path: string}) => at.startsWith('/asset-data/')
    expect(ran.sent.filter(isByte)).toHaveLength(1)
    expect((await own.cli(['asset', 'forget', String(id)])).exit).toBe(0)
    const again = await own.sync([...json, '--verify', 'download', '--dry-run'], {transport})
    expect(JSON.parse(again.stdout)).toMatchObject([{action: 'upload'}])
  })

  test('a file that vanishes before its turn fails, and the others are done', async () => {
    const own = await syncBench({'a.txt': 'aa', 'b.txt': 'b'})
    const transport = watched(own.store, ({method}) => {
      if (method === 'POST') own.drop('b.txt')
    })
    const ran = await own.sync([...json, '--concurrency', '1'], {transport})
    expect(ran.exit).toBe(11)
    expect(outcomes(ran)).toEqual([
      ['a.txt', 'done'],
      ['b.txt', 'failed'],
    ])
  })
})
