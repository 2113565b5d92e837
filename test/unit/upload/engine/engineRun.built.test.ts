import {truncateSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {ChunkSize} from '../../../../src/upload/engine/chunkSize.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, refusesAtOnce, resetsAfter, says} from './mischief.js'
import {assetService, type Exchange, type Mischief} from './service.js'
import {chunk, defaults, file, job, run, sha256, sha256Of} from './stage.js'

const mebibyte = 1024 * 1024

type Deed = Mischief['does']

describe('the requests of an upload', () => {
  test.each([
    ['on another host', () => 'https://evil.example/asset/games/foo/u'],
    ['on another host without a scheme', () => '//evil.example/asset/games/foo/u'],
    ['of another scheme', (base: URL) => `ftp://${base.host}/asset/games/foo/u`],
    ['with a user name', (base: URL) => `http://user:s3cret@${base.host}/asset/games/foo/u`],
    ['that is not below that of the service', (base: URL) => `${base.origin}/assets/games/foo/u`],
    ['of another port that is not below that of the service', () => 'http://localhost:1/files/u'],
    ['that leaves that of the service by escaped slashes', (base: URL) => `${base.href}/..%2fusers/u`],
    ['that climbs out of that of the service', () => '/asset/../u'],
  ])('do not go to an address %s, and no other upload of the run is begun', async (_, location) => {
    const service = await assetService({mischief: [{to: 'POST', times: 9, does: (...exchange) => does(...exchange)}]})
    const does = says({Location: location(service.base)})
    const {upload} = await run(service.base)
    const others = ['b.bundle', 'c.bundle'].map((name) => file(chunk, name))
    const [{exitCode, facts}, ...skipped] = await Promise.all([
      failureOf(upload(job(file(chunk)))),
      ...others.map((at) => upload(job(at)).catch(({message}: Error) => message)),
    ])
    expect([exitCode, facts.code]).toEqual([10, 'foreign-location'])
    expect(facts.try).toContain('X-Forwarded-Proto and X-Forwarded-Host')
    expect(facts.message).not.toContain('s3cret')
    expect(skipped).toEqual(Array(2).fill('not started: the service gives uploads no usable address'))
    expect(service.seen).toEqual(['POST'])
  })

  test.each([
    ['another port', ({hostname}: URL) => `http://${hostname}:1`],
    ['no port', ({hostname}: URL) => `http://${hostname}`],
    ['https', ({host}: URL) => `https://${host}`],
    ['localhost', ({port}: URL) => `http://localhost:${port}`],
    ['the IPv6 address of this machine', () => 'http://[::1]:8080'],
    ['the address of all interfaces', () => 'http://0.0.0.0:8080'],
  ])('go to the own origin if a proxy hides it: %s, with one note', async (_, originOf) => {
    const service = await assetService({mischief: [{to: 'POST', times: 9, does: (...exchange) => does(...exchange)}]})
    const origin = originOf(service.base)
    const does: Deed = async ({uploads, uuid: _uuid, request, obey}) => {
      const uuid = `u-${uploads.size}`
      uploads.set(uuid, {size: Number(request.headers['upload-length']), headers: {}, bytes: Buffer.alloc(0)})
      await obey({says: {Location: `${origin}/asset/games/foo/${uuid}`}})
    }
    const {upload, told, ledger} = await run(service.base)
    for (const name of ['a.bundle', 'b.bundle']) await upload(job(file(2 * chunk, name)))
    const whole = [...service.uploads.values()].filter(({size, bytes}) => size === bytes.length)
    expect(whole.map(({bytes}) => sha256(bytes))).toEqual([...Array(2)].map(() => sha256Of(file(2 * chunk))))
    expect(told('warned')).toEqual([{kind: 'warned', text: expect.stringContaining('X-Forwarded-Proto')}])
    expect(ledger.list().map(({url = ''}) => new URL(url).origin)).toEqual(Array(2).fill(service.base.origin))
  })
})

describe('the parts of a file', () => {
  const sizes = (service: Awaited<ReturnType<typeof assetService>>) =>
    service.requests.filter(({method}) => method === 'PATCH').map(({headers}) => Number(headers['content-length']))

  test('are 4 MiB or a sixteenth of a larger file, at most 64 MiB, and 16 MiB without HEAD', () => {
    const part = (mebibytes: number, head: 'yes' | 'no') =>
      new ChunkSize(defaults, {head, largest: Number.POSITIVE_INFINITY}, mebibytes * mebibyte).bytes / mebibyte
    expect([9, 96, 272, 2048].map((size) => [part(size, 'yes'), part(size, 'no')])).toEqual([
      [4, 4],
      [6, 6],
      [17, 16],
      [64, 16],
    ])
  })

  test('are half as large after one of over 5 s, never below 256 KiB, and twice as large after one of under a second', async () => {
    const service = await assetService()
    const at = file(0)
    truncateSync(at, 9 * mebibyte)
    let [now, acked] = [0, 0]
    // The first six parts take six seconds each, the others no time.
    const onEvent = ({kind}: {kind: string}) => {
      if (kind === 'sent' && acked < 6) now += 6_000
      if (kind === 'acked') acked += 1
    }
    const {upload} = await run(service.base, {chunks: 'usual', now: () => new Date(now), onEvent})
    await upload(job(at))
    expect(sizes(service)).toEqual([4, 2, 1, 0.5, 0.25, 0.25, 0.25, 0.5, 0.25].map((n) => n * mebibyte))
  })

  test('are cut smaller for the whole run when the service refuses them for their size', async () => {
    const mischief = [{to: 'PATCH', times: 2, does: answers(413)}]
    const service = await assetService({mischief})
    const {upload} = await run(service.base, {settings: {chunkBytes: 4 * mebibyte}})
    await upload(job(file(6 * mebibyte)))
    expect(sizes(service)).toEqual([4, 2, 1, 1, 1, 1, 1, 1].map((n) => n * mebibyte))
    await upload(job(file(2 * mebibyte, 'other.bundle')))
    expect(sizes(service).slice(8)).toEqual([mebibyte, mebibyte])
  })

  test('are cut smaller though the refusal comes before the part was read, and may be lost', async () => {
    const most = ({request, response, obey}: Exchange) =>
      Number(request.headers['content-length']) > mebibyte ? refusesAtOnce(413)({request, response}) : obey()
    const service = await assetService({mischief: [{to: 'PATCH', times: 100, does: most}]})
    const {upload} = await run(service.base, {settings: {chunkBytes: 8 * mebibyte}})
    const at = file(9 * mebibyte)
    await upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
  })

  test('are half as large each time one is lost, and do not grow to the lost size', async () => {
    const mischief = [{to: 'PATCH', times: 2, does: resetsAfter(1000)}]
    const service = await assetService({mischief})
    const {upload} = await run(service.base, {settings: {chunkBytes: 2 * mebibyte}})
    const at = file(3 * mebibyte)
    await upload(job(at))
    expect(sizes(service)).toEqual([2048, 1024, ...Array(6).fill(512)].map((n) => n * 1024))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
  })
})

describe('the files of a run', () => {
  test('arrive several at a time', async () => {
    const service = await assetService()
    const files = [0, 1, chunk, 3 * chunk + 1, mebibyte, mebibyte + 1, 3 * mebibyte].map((size, n) =>
      file(size, `f${n}.bundle`),
    )
    const {upload} = await run(service.base)
    const results = await Promise.all(files.map((at) => upload(job(at))))
    for (const {uuid, sha256: digest, path} of results) {
      expect([sha256(service.uploads.get(uuid)?.bytes ?? Buffer.alloc(1)), digest]).toEqual([
        sha256Of(path),
        sha256Of(path),
      ])
    }
  })

  test('go without checksums once the service has refused the algorithm, which is reported once', async () => {
    const service = await assetService({checksum: 400})
    const {upload, told} = await run(service.base)
    await Promise.all([1, 2, 3].map((n) => upload(job(file(2 * chunk, `f${n}.bundle`)))))
    expect(told('warned')).toEqual([
      {
        kind: 'warned',
        text: 'the service does not support sha1 checksums, so files are sent without: it cannot detect changed bytes',
      },
    ])
    service.seen.length = 0
    await upload(job(file(2 * chunk, 'last.bundle')))
    expect(service.seen).toEqual(['POST', 'PATCH 0', `PATCH ${chunk}`])
  })

  test('are uploaded one after the other if they are the same file', async () => {
    const service = await assetService()
    const at = file(3 * chunk)
    const {upload} = await run(service.base)
    const [first, second] = await Promise.all([upload(job(at)), upload(job(at))])
    expect(first.uuid).not.toBe(second.uuid)
    expect([...service.uploads.values()].map(({bytes}) => sha256(bytes))).toEqual([sha256Of(at), sha256Of(at)])
  })

  test('report acknowledged bytes, not written ones', async () => {
    const service = await assetService({mischief: [{to: 'PATCH 2', does: resetsAfter(1000)}]})
    const {upload, events} = await run(service.base)
    const {sentBytes} = await upload(job(file(2 * chunk)))
    const offsets = events.flatMap((event) => (event.kind === 'acked' ? [event.offset] : []))
    expect(offsets).toEqual([chunk, chunk, 2 * chunk])
    const sent = events.reduce((sum, event) => sum + (event.kind === 'sent' ? event.bytes : 0), 0)
    expect([sent, sentBytes]).toEqual([3 * chunk, 3 * chunk])
  })
})

describe('a run that is interrupted', () => {
  test.each([
    ['while a part is sent', 'PATCH 2'],
    ['before the first part', 'POST'],
  ])('%s ends at once, and the next one continues', async (_, to) => {
    const [abort, state, at] = [new AbortController(), freshFolder(), file(3 * chunk)]
    const service = await assetService({mischief: [{to, does: () => abort.abort()}]})
    const first = await run(service.base, {abort, state})
    const failure = await failureOf(first.upload(job(at)))
    expect([failure.exitCode, failure.message]).toEqual([130, 'cannot upload level1.bundle to games/foo: interrupted'])
    await first.end()
    const second = await run(service.base, {state})
    await second.upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
  })

  test('while it waits ends the wait', async () => {
    const abort = new AbortController()
    const service = await assetService({mischief: [{to: 'PATCH 1', does: answers(503)}]})
    const {upload} = await run(service.base, {abort, onEvent: ({kind}) => kind === 'waiting' && abort.abort()})
    expect((await failureOf(upload(job(file(chunk))))).exitCode).toBe(130)
    expect(service.seen).toEqual(['POST', 'PATCH 0'])
  })

  test('starts nothing', async () => {
    const abort = new AbortController()
    abort.abort()
    const service = await assetService()
    const {upload} = await run(service.base, {abort})
    expect((await failureOf(upload(job(file(chunk))))).exitCode).toBe(130)
    expect(service.seen).toEqual([])
  })
})
