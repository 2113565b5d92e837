import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport, WireRequest} from '../../../src/api/http/wire/transport.js'
import {esc, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {withMeta} from './answer.js'
import {begun, outcomes, rowsOf, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {creates, patches, watched} from './uploads.js'

const stamped = [...words, '--stamp', '-o', 'json']
const unstamped = [...words, '--no-stamp']
const elsewhere = () => ({home: freshHome()})
const stampOfText = (text: string) => `[sha256:${sha256(text)}]`

describe('a run with --stamp', () => {
  test('ends each description with the sha256 of its file, and has no line for it in a pipe', async () => {
    const own = await syncBench({'a.txt': 'a', 'b.txt': ''})
    const ran = await own.sync(stamped)
    expect(ran).toMatchObject({exit: 0, stderr: expect.not.stringContaining('adding sha256 to descriptions')})
    const descriptions = creates(ran.sent).map(({headers}) => headers.Description)
    expect(descriptions).toEqual([`Build 42 ${stampOfText('a')}`, `Build 42 ${stampOfText('')}`])
    expect([...rowsOf(ran).values()].map((row) => row.sha256)).toEqual([sha256('a'), sha256('')])
  })

  test('sends nothing from another machine, by a listing and metadata and HEAD of each resource of a matching name', async () => {
    const own = await syncBench()
    const first = rowsOf(await own.sync(stamped))
    const ran = await own.sync(stamped, elsewhere())
    expect(ran.exit).toBe(0)
    const asked = ran.sent.map(({method, path: asked}) => `${method} ${asked.replace(/^[^?]*/u, '')}`)
    const metas = Array.from({length: 3}, () => 'GET ?type=meta')
    expect(asked.sort()).toEqual(['GET ', ...metas, ...Array.from({length: 3}, () => 'HEAD ')])
    for (const [file, row] of rowsOf(ran)) {
      expect(row).toEqual({...first.get(file), outcome: 'skipped', reason: 'unchanged', proven_by: 'stamp'})
    }
  })

  test('sends nothing under another description, with its own ledger and with none', async () => {
    const own = await syncBench()
    await own.sync(stamped)
    const other = ['--platform', 'ios', '--description', 'Build 43', '--stamp', '-o', 'json']
    for (const where of [{}, elsewhere()]) expect(creates((await own.sync(other, where)).sent)).toEqual([])
  })

  test('trusts no resource of another name, platform, link or digest', async () => {
    const changes: Readonly<Record<string, unknown>>[] = [
      {originalFileName: 'b.txt'},
      {platform: 'ANDROID'},
      {assetResourceFileId: 'a-1'},
      {description: 'Build 42'},
      {description: `Build 42 ${stampOfText('b')}`},
      {description: `${stampOfText('a')} Build 42`},
    ]
    await everyCase(changes, async (change) => {
      const own = await syncBench({'a.txt': 'a'})
      await own.sync(stamped)
      const ran = await own.sync(stamped, {...elsewhere(), transport: withMeta(own, change)})
      expect(creates(ran.sent)).toHaveLength(1)
    })
  })

  test('links the bundles to the asset that is there', async () => {
    const own = await syncBench()
    const uuid = rowsOf(await own.sync(stamped)).get('level.unity')?.uuid
    own.put({'level.bundle': 'another bundle'})
    const ran = await own.sync(stamped, elsewhere())
    expect(creates(ran.sent).map(({headers}) => headers.Asset_Resource_File_Id)).toEqual([uuid])
  })

  test('proves resources without a stamp by content with --verify download, and not those with a wrong one', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await own.sync(unstamped)
    const download = [...stamped, '--verify', 'download']
    const there = {outcome: 'skipped', reason: 'unchanged', proven_by: 'content'}
    for (const more of [[], ['--no-stamp']]) {
      const ran = await own.sync([...download, ...more], elsewhere())
      expect(rowsOf(ran).get('a.txt')).toMatchObject(there)
      expect(ran.stderr).not.toContain('already has')
    }
    own.put({'a.txt': 'b'})
    const transport = withMeta(own, {description: stampOfText('b')})
    const ran = await own.sync(download, {...elsewhere(), transport})
    expect({creates: creates(ran.sent).length, isWarned: ran.stderr.includes('already has')}).toEqual({
      ...{creates: 1, isWarned: false},
    })
  })

  test('does not send stamped files again if a later run stamps nothing', async () => {
    const own = await syncBench()
    await own.sync(stamped)
    expect(begun(await own.sync([...words, '-o', 'json']))).toEqual([])
  })

  test('is what asset sync does and asset upload does not, but where the setting or a flag says otherwise', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const [plain, by] = [[...words, '--fresh'], {env: {ROOMCTL_ASSET_STAMP: 'true'}}]
    const stampsOf = async (more: readonly string[], where = {}) =>
      creates((await own.sync([...plain, ...more], where)).sent).map(({headers}) => headers.Description)
    const [stampedText, text] = [`Build 42 ${stampOfText('a')}`, 'Build 42']
    expect(await stampsOf([])).toEqual([stampedText])
    expect(await stampsOf(['--no-stamp'])).toEqual([text])
    expect(await stampsOf([], by)).toEqual([stampedText])
    expect(await stampsOf(['--no-stamp'], by)).toEqual([text])
    const not = {env: {ROOMCTL_ASSET_STAMP: 'false'}}
    expect(await stampsOf([], not)).toEqual([text])
    expect(await stampsOf(['--stamp'], not)).toEqual([stampedText])
    const upload = ['asset', 'upload', 'games/archive', path.join(own.folder, 'a.txt'), ...plain]
    const uploaded = async (where = {}) => creates((await own.cli(upload, where)).sent)[0]?.headers.Description
    expect([await uploaded(), await uploaded(by), await uploaded(not)]).toEqual([text, stampedText, text])
  })

  test('works for asset upload, whose preview shows the stamp', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const line = ['asset', 'upload', 'games/archive', path.join(own.folder, 'a.txt'), ...words, '--stamp', '-o', 'json']
    const preview = await own.cli([...line, '--dry-run'])
    expect(JSON.parse(preview.stdout)[0].headers.Description).toBe(`Build 42 ${stampOfText('a')}`)
    expect(preview.sent.map(({method}) => method)).toEqual(['GET'])
    const [uuid] = JSON.parse((await own.cli(line)).stdout).map((row: {uuid: string}) => row.uuid)
    const again = await own.cli(line, elsewhere())
    expect(again.sent.map(({method}) => method)).toEqual(['GET', 'GET', 'HEAD'])
    expect(JSON.parse(again.stdout)).toMatchObject([{uuid, outcome: 'skipped'}])
  })
})

describe('a stamp', () => {
  test('that a user types is refused by any run, which sends nothing', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const text = `mine [sha256:${'a'.repeat(64)}]`
    const file = path.join(own.folder, 'a.txt')
    const upload = ['asset', 'upload', 'games/archive', file, '--platform', 'ios', '--description', text]
    const sync = ['asset', 'sync', 'games/archive', own.folder, '--platform', 'ios', '--description', text]
    const lines = [upload, sync, [...upload, '--stamp'], [...sync, '--stamp'], [...sync, '--dry-run']]
    await everyCase(
      lines.map((line) => ({line})),
      async ({line}) => {
        expect(await own.cli(line)).toMatchObject({exit: 2, sent: [], stderr: expect.stringContaining('--stamp')})
      },
    )
    own.put({
      'roomctl.assets.yaml': `version: 1\nplatform: ios\nfiles: [{path: a.txt, role: asset, description: "${text}"}]`,
    })
    expect(await own.sync([])).toMatchObject({exit: 2, sent: []})
  })

  test('is named in a refusal that a shorter description can help, and in no other', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const long = [...words.slice(0, 3), 'x'.repeat(200)]
    const cases = [
      ...[400, 413, 414, 422].map((status) => ({status, flags: [...words], names: false})),
      ...[400, 422, 431].map((status) => ({status, flags: long, names: true})),
      {status: 413, flags: long, names: false},
    ]
    await everyCase(cases, async ({status, flags, names}) => {
      const sandbox = sandboxOf(own.store)
      const transport: Transport = async (request) =>
        request.method === 'POST' ? reply('{}', {status}) : sandbox(request)
      const ran = await own.sync([...flags, '--stamp'], {...elsewhere(), transport})
      const exit = status === 414 || status === 431 ? 10 : 8
      expect({exit: ran.exit, names: ran.stderr.includes('add --no-stamp')}).toEqual({exit, names})
      const plain = await own.sync([...flags, '--no-stamp'], {...elsewhere(), transport})
      expect(plain.stderr).not.toContain('stamp')
    })
  })

  /** The sandbox, with something done when this request comes. */
  const when = (own: SyncBench, is: (request: WireRequest) => boolean, then: () => void) =>
    watched(own.store, (request) => {
      if (is(request)) then()
    })

  test('of a file that changes before its turn is never completed, and the next run sends what the file then is', async () => {
    for (const size of [1000, 1_500_000]) {
      const own = await syncBench({'a.txt': 'a'.repeat(2_000_000), 'b.txt': 'b'.repeat(size)})
      const changed = `${'b'.repeat(size - 500)}c${'b'.repeat(499)}`
      const transport = when(
        own,
        ({method}) => method === 'PATCH',
        () => writeFileSync(path.join(own.folder, 'b.txt'), changed),
      )
      const ran = await own.sync([...stamped, '--concurrency', '1'], {transport})
      expect(ran.exit).toBe(11)
      expect(rowsOf(ran).get('b.txt')).toMatchObject({outcome: 'failed', error: {code: 'file-changed'}})
      expect(ran.stderr).toContain('to resume the rest, run the same command again\n')
      expect(JSON.parse((await own.cli(['asset', 'list', 'games/archive', '-o', 'json'])).stdout)).toHaveLength(1)
      const again = await own.sync(stamped, elsewhere())
      expect(outcomes(again).sort()).toEqual([
        ['a.txt', 'skipped'],
        ['b.txt', 'done'],
      ])
      expect(await own.readBack(rowsOf(again).get('b.txt')?.uuid)).toBe(sha256(changed))
    }
  })

  test('of an upload that was cut off in the middle is trusted by no run, and the ledger resumes it', async () => {
    const content = 'x'.repeat(1_500_000)
    const own = await syncBench({'a.txt': content})
    const controller = new AbortController()
    let parts = 0
    const transport = when(
      own,
      ({method}) => method === 'PATCH',
      () => ++parts === 4 && controller.abort(),
    )
    const chunks = [...stamped, '--chunk-size', '64KiB']
    expect((await own.sync(chunks, {transport, signal: controller.signal})).exit).toBe(130)
    const stranger = await own.sync([...stamped, '--dry-run'], elsewhere())
    expect(JSON.parse(stranger.stdout)).toMatchObject([{action: 'upload', from: 0}])
    const ran = await own.sync(chunks)
    expect(rowsOf(ran).get('a.txt')).toMatchObject({outcome: 'done', sha256: sha256(content), resumed_from: 196_608})
    expect(creates(ran.sent)).toEqual([])
    // The last 256 KiB wait for the digest of all that went before.
    expect(patches(ran.sent).length).toBeGreaterThan(5)
    expect(await own.readBack(rowsOf(ran).get('a.txt')?.uuid)).toBe(sha256(content))
  })

  test('of a file that was changed after the sent part keeps its last part back', async () => {
    const content = 'x'.repeat(1_500_000)
    const own = await syncBench({'a.txt': content})
    const controller = new AbortController()
    let parts = 0
    const cut = when(
      own,
      ({method}) => method === 'PATCH',
      () => ++parts === 4 && controller.abort(),
    )
    await own.sync([...stamped, '--chunk-size', '64KiB'], {transport: cut, signal: controller.signal})
    // Where no sample looks, after the sent part: the ledger takes it for the same file.
    const file = path.join(own.folder, 'a.txt')
    writeFileSync(file, `${content.slice(0, 300_000)}y${content.slice(300_001)}`)
    const ran = await own.cli(['asset', 'resume', '-o', 'json'])
    expect({exit: ran.exit, error: ran.stderr}).toEqual({exit: 14, error: expect.stringContaining('file-changed')})
    expect(readFileSync(file)).toHaveLength(content.length)
    const listed = await own.cli(['asset', 'list', 'games/archive', '-o', 'json'])
    expect(JSON.parse(listed.stdout)).toEqual([])
  })
})

describe('a file of a listed name without proof that it is the same', () => {
  test('is sent again with a warning that names it and --verify download, off a terminal', async () => {
    const lines = [['sync'], ['sync', '--no-stamp'], ['sync', '--stamp'], ['upload'], ['upload', '--stamp']]
    await everyCase(
      lines.map(([command, ...more]) => ({command, more})),
      async ({command, more}) => {
        const own = await syncBench({'a.txt': 'a', 'b.txt': 'b'})
        await own.sync([...words, '--no-stamp'])
        const from = command === 'sync' ? own.folder : path.join(own.folder, 'a.txt')
        const ran = await own.cli(['asset', command ?? '', 'games/archive', from, ...words, ...more], elsewhere())
        expect(ran.exit).toBe(0)
        expect(ran.stderr).toMatch(/^warning: games\/archive already has a\.txt.*add --verify download$/mu)
        expect(creates(ran.sent)).not.toEqual([])
      },
    )
  })

  test('is not reported where its stamp is of other content', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await own.sync([...words, '--stamp'])
    own.put({'a.txt': 'b'})
    for (const more of ['--stamp', '--no-stamp']) {
      expect((await own.sync([...words, more], elsewhere())).stderr).not.toContain('already has')
    }
  })

  test('is asked about once on a terminal, and --yes answers', async () => {
    const own = await syncBench({'a.txt': 'a', 'b.txt': 'b'})
    await own.sync(unstamped)
    const no = await own.sync(unstamped, {...elsewhere(), columns: 80, answers: [false]})
    expect({exit: no.exit, asked: no.asked.length, creates: creates(no.sent)}).toEqual({
      exit: 13,
      asked: 1,
      creates: [],
    })
    expect(no.asked[0]).toMatch(/Upload 2 more copies/u)
    expect((await own.sync(unstamped, {...elsewhere(), columns: 80, answers: [esc]})).exit).toBe(13)
    const yes = await own.sync(unstamped, {...elsewhere(), columns: 80, answers: [true]})
    expect({exit: yes.exit, creates: creates(yes.sent).length}).toEqual({exit: 0, creates: 2})
    const flag = await own.sync([...unstamped, '--yes'], {...elsewhere(), columns: 80, answers: []})
    expect({exit: flag.exit, asked: flag.asked}).toEqual({exit: 0, asked: []})
  })
})
