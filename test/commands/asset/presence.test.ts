import {text} from 'node:stream/consumers'
import {describe, expect, test} from 'vitest'
import type {Transport, WireRequest, WireResponse} from '../../../src/api/http/wire/transport.js'
import {freshHome, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {lost, reply, sandboxOf} from '../answers.js'
import {bare, withMeta} from './answer.js'
import {part} from './cutOff.js'
import {begun, rowsOf, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {listingUnfinished} from './unfinished.js'
import {creates, watched} from './uploads.js'

const stamped = [...words, '--stamp', '-o', 'json']
const plain = [...words, '--no-stamp', '-o', 'json']
const elsewhere = () => ({home: freshHome()})

/** The requests of a run, by their kind. */
function asked({sent}: Ran) {
  const count = (is: (method: string, path: string) => boolean) =>
    sent.filter(({method, path: at}) => is(method, at)).length
  return {
    lists: count((method, at) => method === 'GET' && at.endsWith('/')),
    metas: count((_, at) => at.endsWith('?type=meta')),
    heads: count((method) => method === 'HEAD'),
    all: sent.length,
  }
}

/** The sandbox, which answers what `is` picks otherwise. */
function but(own: SyncBench, is: (request: WireRequest) => boolean, answer: () => WireResponse): Transport {
  const sandbox = sandboxOf(own.store)
  return async (request) => (is(request) ? answer() : sandbox(request))
}

const isHead = ({method}: WireRequest) => method === 'HEAD'
const half = bare(200, {'upload-offset': '1', 'upload-length': '3', 'tus-resumable': '1.0.0'})

describe('present resources', () => {
  test('costs a listing and one look at each file: its metadata, and HEAD where the ledger does not know it', async () => {
    for (const first of [stamped, plain]) {
      const own = await syncBench()
      await own.sync(first)
      expect(asked(await own.sync(first))).toEqual({lists: 1, metas: 3, heads: 0, all: 4})
    }
    const own = await syncBench()
    await own.sync(stamped)
    for (const more of [stamped, plain]) {
      const ran = await own.sync(more, elsewhere())
      expect({begun: begun(ran), ...asked(ran)}).toEqual({begun: [], lists: 1, metas: 3, heads: 3, all: 7})
    }
  })

  test('resources in the trash do not count, for ledger and stamp alike', async () => {
    await everyCase([{trashed: true}, {trashedAt: '2026-11-21T10:00:00'}, {dataUrl: null}], async (change) => {
      const own = await syncBench({'a.txt': 'abc'})
      await own.sync([...stamped])
      const transport = withMeta(own, change)
      for (const more of [stamped, plain]) {
        for (const where of [{}, elsewhere()]) {
          const ran = await own.sync([...more, '--dry-run'], {...where, transport})
          expect(JSON.parse(ran.stdout)).toMatchObject([{action: 'upload'}])
        }
      }
      const checked = await own.sync([...stamped, '--check'], {transport})
      expect({exit: checked.exit, rows: JSON.parse(checked.stdout)}).toEqual({
        exit: 15,
        rows: [expect.objectContaining({file: 'a.txt', difference: 'missing'})],
      })
    })
  })
})

test('what this machine sent and the service keeps otherwise is not called unchanged by --check and --dry-run', async () => {
  await everyCase([{platform: 'ANDROID'}, {originalFileName: 'b.txt'}], async (change) => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync(stamped)
    const transport = withMeta(own, change)
    const reason = 'this machine sent it, and the service keeps it otherwise'
    const checked = await own.sync([...stamped, '--check'], {transport})
    expect({exit: checked.exit, rows: JSON.parse(checked.stdout)}).toEqual({
      exit: 15,
      rows: [expect.objectContaining({file: 'a.txt', difference: 'changed', reason})],
    })
    const dry = await own.sync([...stamped, '--dry-run'], {transport})
    expect(JSON.parse(dry.stdout)).toMatchObject([{action: 'skip', reason}])
  })
})

describe('an upload that is not finished, though the service shows data of it', () => {
  test('is sent again, and --check calls it missing; the ledger of the machine that finished it needs no HEAD', async () => {
    const own = await syncBench({'a.txt': 'abc'})
    const uuid = rowsOf(await own.sync([...stamped])).get('a.txt')?.uuid
    const transport = but(own, isHead, half)
    const mine = await own.sync(stamped, {transport})
    expect({begun: begun(mine), heads: asked(mine).heads}).toEqual({begun: [], heads: 0})
    const dry = await own.sync([...stamped, '--dry-run'], {...elsewhere(), transport})
    expect(JSON.parse(dry.stdout)).toMatchObject([{action: 'resume', from: 1}])
    expect((await own.sync([...stamped, '--check'], {transport})).exit).toBe(0)
    const checked = await own.sync([...stamped, '--check'], {...elsewhere(), transport})
    expect(checked).toMatchObject({exit: 15, stderr: ''})
    expect(JSON.parse(checked.stdout)).toMatchObject([{file: 'a.txt', difference: 'missing'}])
    const again = await own.sync(stamped, {...elsewhere(), transport})
    expect({exit: again.exit, begun: begun(again)}).toEqual({exit: 0, begun: ['a.txt']})
    expect(rowsOf(again).get('a.txt')?.uuid).not.toBe(uuid)
  })
})

describe('an unfinished upload that the service lists', () => {
  const content = Buffer.alloc(4 * part, 'abcdefg')
  const noHead = bare(405)

  /** A sync that breaks off after two of four chunks. */
  async function cutSync(more: readonly string[]) {
    const own = await syncBench({'a.txt': content})
    let sent = 0
    const transport = watched(own.store, ({method}) => {
      if (method === 'PATCH') sent += 1
      if (sent > 2) throw lost('reset', 'maybe')
    })
    const chunks = ['--chunk-size', '64KiB', '--retries', '0']
    expect((await own.sync([...more, ...chunks], {transport})).exit).not.toBe(0)
    return own
  }

  test('is resumed by the machine that began it, despite listing, metadata and stamp', () =>
    everyCase(
      [undefined, {dataUrl: null}, {}].flatMap((shown) => [undefined, noHead].map((head) => [shown, head] as const)),
      async (shown, head) => {
        const own = await cutSync(stamped)
        const ran = await own.sync(stamped, {transport: listingUnfinished(own, shown, head)})
        const row = rowsOf(ran).get('a.txt')
        expect({outcome: row?.outcome, from: row?.resumed_from, begun: begun(ran)}).toEqual({
          ...{outcome: 'done', from: 2 * part, begun: []},
        })
        expect(await own.readBack(row?.uuid)).toBe(sha256(content))
      },
    ))

  test('is resumed by another machine where its stamp and length are those of the file, else it is another file', () =>
    everyCase(
      [
        [{}, stamped, [2 * part, 0]],
        [{dataUrl: null}, stamped, [2 * part, 0]],
        [undefined, stamped, [undefined, 1]],
        [{assetResourceFileId: 'a-level1'}, stamped, [undefined, 1]],
        [{}, plain, [undefined, 1]],
      ] as const,
      async (shown, flags, expected) => {
        const own = await cutSync(flags)
        const transport = listingUnfinished(own, shown)
        const dry = await own.sync([...flags, '--dry-run'], {...elsewhere(), transport})
        expect(JSON.parse(dry.stdout)[0].action).toBe(expected[1] === 0 ? 'resume' : 'upload')
        const ran = await own.sync(flags, {...elsewhere(), transport})
        const row = rowsOf(ran).get('a.txt')
        expect([row?.resumed_from, begun(ran).length], ran.stderr).toEqual(expected)
        expect(ran.stderr).not.toContain('nothing proves')
        expect(await own.readBack(row?.uuid)).toBe(sha256(content))
      },
    ))

  test('is sent again by another machine without HEAD if its dataUrl has another length than the file', () =>
    everyCase(
      [
        [
          'a part',
          () => reply(content.toString().slice(0, 2 * part), {headers: {'content-length': String(2 * part)}}),
          false,
        ],
        ['nothing', () => reply('', {headers: {'content-length': '0'}}), false],
        ['no such file', () => reply('', {status: 404}), true],
        ['no length', () => reply(content.toString()), true],
      ] as const,
      async (_, answer, isUnproven) => {
        const own = await cutSync(stamped)
        const listing = listingUnfinished(own, {}, noHead)
        const transport: Transport = (request) =>
          request.url.pathname.startsWith('/asset-data/') ? Promise.resolve(answer()) : listing(request)
        const checked = await own.sync([...stamped, '--check'], {...elsewhere(), transport})
        const ran = await own.sync(stamped, {...elsewhere(), transport})
        expect({checked: checked.exit, exit: ran.exit, begun: begun(ran)}).toEqual({
          checked: 15,
          exit: 0,
          begun: ['a.txt'],
        })
        expect(ran.stderr.includes('nothing proves'), ran.stderr).toBe(isUnproven)
        expect(await own.readBack(rowsOf(ran).get('a.txt')?.uuid)).toBe(sha256(content))
      },
    ))

  test('with the length of another file is another file', async () => {
    const own = await cutSync(stamped)
    own.put({'a.txt': Buffer.alloc(3 * part, 'other')})
    const ran = await own.sync(stamped, {...elsewhere(), transport: listingUnfinished(own, {})})
    expect(begun(ran)).toEqual(['a.txt'])
  })
})

describe('HEAD of an upload', () => {
  const run = async (answer: () => WireResponse) => {
    const own = await syncBench({'a.txt': 'abc'})
    await own.sync([...stamped])
    const where = {...elsewhere(), transport: but(own, isHead, answer)}
    const [ran, checked] = [await own.sync(stamped, where), await own.sync([...stamped, '--check'], where)]
    return {
      exit: ran.exit,
      begun: begun(ran),
      creates: creates(ran.sent).length,
      said: ran.stderr,
      checked: checked.exit,
    }
  }

  test('counts as not offered on 404, 405, 410, 501 and a 2xx without Upload-Offset: the stamp is trusted', () =>
    everyCase([bare(404), bare(405), bare(410), bare(501), bare(200), bare(204)], async (answer) => {
      expect(await run(answer)).toMatchObject({exit: 0, begun: [], checked: 0})
    }))

  test('leaves the file undecided where it fails otherwise, and stops the run before anything is sent', () =>
    everyCase(
      [
        ['400', bare(400), 8],
        ['401', bare(401), 4],
        ['403', bare(403), 5],
        ['409', bare(409), 7],
        ['429', bare(429), 9],
        ['500', bare(500), 9],
        ['503', bare(503), 9],
        ['302', bare(302, {location: '/elsewhere'}), 10],
        [
          'reset',
          () => {
            throw lost('reset', 'maybe')
          },
          10,
        ],
      ],
      async (_, answer, exit) => {
        const ran = await run(answer)
        expect({...ran, said: ''}).toEqual({exit, begun: [], creates: 0, said: '', checked: exit})
        if (exit !== 4) expect(ran.said).toContain('nothing was sent')
      },
    ))

  test('is asked once of a service that has it for no upload', async () => {
    const own = await syncBench()
    await own.sync(stamped)
    const ran = await own.sync([...stamped, '--concurrency', '1'], {
      ...elsewhere(),
      transport: but(own, isHead, bare(405)),
    })
    // Of each file the metadata twice, and the length of its dataUrl.
    expect(asked(ran)).toEqual({lists: 1, metas: 6, heads: 1, all: 11})
  })
})

describe('--verify', () => {
  test('none trusts a listing that shows descriptions, but for what links to another file', async () => {
    const own = await syncBench({'a.bundle': 'a', 'b.bundle': 'b'})
    await own.sync(stamped)
    const none = [...stamped, '--verify', 'none']
    for (const where of [{}, elsewhere()]) {
      const ran = await own.sync(none, where)
      expect({begun: begun(ran), all: asked(ran).all}).toEqual({begun: [], all: 1})
    }
    const linked = await syncBench()
    await linked.sync(stamped)
    const ran = await linked.sync(none, elsewhere())
    expect({begun: begun(ran), ...asked(ran)}).toEqual({begun: [], lists: 1, metas: 2, heads: 0, all: 3})
  })

  test('none reads the metadata of each file where the listing shows no descriptions', async () => {
    const own = await syncBench({'a.bundle': 'a', 'b.bundle': 'b'})
    await own.sync(stamped)
    const sandbox = sandboxOf(own.store)
    const transport: Transport = async (request) => {
      const answer = await sandbox(request)
      if (request.method !== 'GET' || !request.url.pathname.endsWith('/')) return answer
      return reply((await text(answer.body)).replace(/,"description":"[^"]*"/gu, ''))
    }
    const ran = await own.sync([...stamped, '--verify', 'none'], {...elsewhere(), transport})
    expect({begun: begun(ran), ...asked(ran)}).toEqual({begun: [], lists: 1, metas: 2, heads: 0, all: 3})
  })
})
