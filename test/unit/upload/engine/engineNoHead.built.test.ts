import {utimesSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {LedgerEntry} from '../../../../src/upload/ledger/entry.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, cutsBeyond, losesAnswer, resetsAfter} from './mischief.js'
import {assetService, type Mischief, type ServiceOptions} from './service.js'
import {file, job, run, sha256, sha256Of} from './stage.js'

const mebibyte = 1024 * 1024
const size = 4 * mebibyte
const patch = (mebibytes: number) => `PATCH ${mebibytes * mebibyte}`

interface Stage {
  readonly options: ServiceOptions
  readonly bytes?: number
  readonly chunkBytes?: number
}

/** A service without HEAD, a file, and runs over one ledger that are killed at a request. */
async function stage({options, bytes = size, chunkBytes = mebibyte}: Stage) {
  const [at, state] = [file(bytes), freshFolder()]
  const service = await assetService({head: 405, ...options})
  const settings = {chunkBytes}
  const ledgerOf = (entries: readonly LedgerEntry[]) => entries.map(({acked}) => acked.at(-1)?.to ?? 0)
  /** One run that ends at its first wait, or with what `stop` ends; gives how much the ledger calls acknowledged. */
  const killed = async (stop: {abort?: AbortController} = {}) => {
    const {abort = new AbortController()} = stop
    const onEvent = ({kind}: {kind: string}) => kind === 'waiting' && !stop.abort && abort.abort()
    const client = await run(service.base, {state, abort, settings, onEvent})
    expect((await failureOf(client.upload(job(at)))).exitCode).toBe(130)
    await client.end()
    service.seen.length = 0
    return ledgerOf(client.ledger.list())
  }
  /** A run on another machine, as the file's own times are others there. */
  const resumed = async (changed: Parameters<typeof run>[1] = {}) => {
    utimesSync(at, 1, 1)
    const client = await run(service.base, {state, settings, ...changed})
    const result = await client.upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    return {...client, result}
  }
  return {service, at, state, killed, resumed, settings}
}

/** The run ends with its process, and nothing of the body was stored. */
function dies(abort: AbortController): Mischief['does'] {
  return ({request}) => {
    abort.abort()
    request.socket.resetAndDestroy()
  }
}

describe('a service without HEAD', () => {
  test('that kept a piece of a chunk is sent the file from its beginning, in the same run', async () => {
    const options = {checksum: 'ignores', mischief: [{to: 'PATCH 3', does: resetsAfter(300_000)}]} as const
    const {service, killed, resumed} = await stage({options})
    expect(await killed()).toEqual([2 * mebibyte])
    const {told} = await resumed()
    // Where it was acknowledged, where the lost part ends, and no further.
    expect(service.seen).toEqual(['HEAD', patch(2), patch(3), 'POST', ...[0, 1, 2, 3].map(patch)])
    expect(told('renewed')).toMatchObject([{why: 'the service does not say how much of it arrived'}])
  })

  test.each([
    ['of the piece that it kept', 2 * mebibyte + 300_000, [`PATCH ${2 * mebibyte + 300_000}`]],
    [
      'that it refuses as well',
      2 * mebibyte + 1,
      [`PATCH ${2 * mebibyte + 1}`, patch(3), 'POST', ...[0, 1, 2, 3].map(patch)],
    ],
    ['beyond what was sent', 3 * mebibyte + 1, [patch(3), 'POST', ...[0, 1, 2, 3].map(patch)]],
  ])('with a dataUrl that has a length %s is asked for it once', async (_, stored, next) => {
    const options = {checksum: 'ignores', mischief: [{to: 'PATCH 3', does: resetsAfter(300_000)}]} as const
    const {service, killed, resumed} = await stage({options})
    await killed()
    await resumed({storedBytes: () => stored})
    expect(service.seen.slice(0, 2 + next.length)).toEqual(['HEAD', patch(2), ...next])
  })

  test('that resets the connection in place of refusing another offset is sent the file from its beginning', async () => {
    const mischief = [
      {to: 'PATCH 3', does: resetsAfter(300_000)},
      {to: 'PATCH 5', does: resetsAfter(1)},
    ]
    const {service, killed, resumed, settings} = await stage({options: {checksum: 'ignores', mischief}})
    await killed()
    const {told} = await resumed({settings: {...settings, attempts: 3}})
    expect(service.seen).toEqual(['HEAD', patch(2), patch(3), 'POST', ...[0, 1, 2, 3].map(patch)])
    expect(told('renewed')).toMatchObject([{why: 'the service does not say how much of it arrived'}])
  })

  test('that kept a piece of the last chunk, and lists the upload, is not taken to have the file', async () => {
    const options = {checksum: 'ignores', mischief: [{to: 'PATCH 4', does: resetsAfter(300_000)}]} as const
    const {service, killed, resumed} = await stage({options})
    await killed()
    const {told} = await resumed({listed: [...service.uploads.keys()]})
    expect(told('renewed')).toHaveLength(1)
  })

  test('that refuses to continue a file that it has whole is trusted because of its bytes', async () => {
    const refused = [5, 6, 7].map((nth) => ({to: `PATCH ${nth}`, does: answers(409)}))
    const mischief = [{to: 'PATCH 4', does: losesAnswer}, ...refused]
    const {service, killed, resumed} = await stage({options: {mischief}})
    await killed()
    const [uuid = ''] = service.uploads.keys()
    const {result} = await resumed({listed: [uuid], identities: {[uuid]: 'same'}})
    expect([result.uuid, service.uploads.size]).toEqual([uuid, 1])
  })

  test('takes no offset as acknowledged that is only guessed', async () => {
    const dead = new AbortController()
    const mischief = [
      {to: 'PATCH 3', does: resetsAfter(300_000)},
      {to: 'PATCH 5', does: dies(dead)},
    ]
    const {killed, resumed} = await stage({options: {checksum: 'ignores', mischief}})
    expect(await killed()).toEqual([2 * mebibyte])
    expect(await killed({abort: dead})).toEqual([2 * mebibyte])
    await resumed()
  })

  test('is resumed by the next run if a guess was right before a kill', async () => {
    const dead = new AbortController()
    const mischief = [
      {to: 'PATCH 3', does: losesAnswer},
      {to: 'PATCH 5', does: dies(dead)},
    ]
    const {service, killed, resumed} = await stage({options: {mischief}})
    expect(await killed()).toEqual([2 * mebibyte])
    expect(await killed({abort: dead})).toEqual([2 * mebibyte])
    expect((await resumed()).result).toMatchObject({resumedFrom: 3 * mebibyte, sentBytes: mebibyte})
    expect(service.seen).toEqual(['HEAD', patch(3)])
  })

  test('that has the part of a shorter try is resumed after it', async () => {
    const mischief = [
      {to: 'PATCH 3', does: resetsAfter(10)},
      {to: 'PATCH 4', does: losesAnswer},
    ]
    const {service, at, state} = await stage({options: {mischief}})
    const client = await run(service.base, {state, settings: {chunkBytes: mebibyte}})
    await client.upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect([service.seen.filter((request) => request === 'POST'), client.told('renewed')]).toEqual([['POST'], []])
  })

  test.each([
    ['of one part', 1000, mebibyte, 1],
    ['of several parts', 300_000, 100_000, 2],
    ['of several parts, of which the last is lost', 300_000, 100_000, 3],
  ])(
    'that has all of what a killed run sent of a small file %s is not sent it twice',
    async (_, bytes, chunkBytes, nth) => {
      for (const head of [true, 405] as const) {
        const options = {head, mischief: [{to: `PATCH ${nth}`, does: losesAnswer}]}
        const {service, killed, resumed} = await stage({options, bytes, chunkBytes})
        await killed()
        const {result} = await resumed()
        expect([service.uploads.size, service.seen.includes('POST')], String(head)).toEqual([1, false])
        expect(result.resumedFrom).toBeDefined()
      }
    },
  )

  test('that refuses the first byte is not sent another upload, and the refusal is explained as an offset', async () => {
    const {service, at, state, settings} = await stage({
      options: {mischief: [{to: 'PATCH', times: 99, does: answers(409)}]},
    })
    const {upload} = await run(service.base, {state, settings: {...settings, attempts: 2}})
    // It learns in the first run that there is no HEAD.
    const {exitCode, facts} = await failureOf(upload(job(at)))
    expect(service.seen.filter((request) => request === 'POST')).toHaveLength(1)
    expect({exitCode, outcome: facts.outcome}).toEqual({exitCode: 7, outcome: 'none'})
    expect(facts.why).toBe('the upload is at another offset than the one that was sent')
    expect(JSON.stringify(facts)).not.toContain('exists')
  })

  test('that names another offset each time, and refuses it, is not followed for ever', async () => {
    let said = 0
    const names: Mischief['does'] = (exchange) => {
      said += 1
      return answers(409, {'Upload-Offset': String(said)})(exchange)
    }
    const {service, at, state, settings} = await stage({options: {mischief: [{to: 'PATCH', times: 1000, does: names}]}})
    const {upload} = await run(service.base, {state, settings: {...settings, attempts: 3}})
    await failureOf(upload(job(at)))
    expect(service.seen.length).toBeLessThan(20)
  })
})

describe('without HEAD, behind a proxy that cuts long requests', () => {
  const cut = (most: number) => ({to: 'PATCH', times: 1000, does: cutsBeyond(most)})

  test.each([
    ['300 KiB', 300 * 1024, {}],
    ['8 MiB', 8 * mebibyte, {chunkBytes: 16 * mebibyte}],
  ])(
    'at %s, a file arrives, whether pieces are kept or not, and the next needs no trial',
    async (_, most, settings) => {
      for (const checksum of ['ignores', 'verifies'] as const) {
        const service = await assetService({head: 405, checksum, mischief: [cut(most)]})
        const {upload} = await run(service.base, {chunks: 'usual', settings})
        const at = file(most + 5 * mebibyte)
        await upload(job(at))
        expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
        const before = service.requests.length
        await upload(job(file(5 * mebibyte, 'next.bundle')))
        const lengths = service.requests.slice(before).map(({headers}) => Number(headers['content-length'] ?? 0))
        expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
      }
    },
  )

  test('at less than the least chunk, a chunk size that is set helps', async () => {
    const service = await assetService({head: 405, checksum: 'ignores', mischief: [cut(100 * 1024)]})
    const [at, state] = [file(3 * mebibyte), freshFolder()]
    const client = await run(service.base, {state, chunks: 'usual'})
    const {exitCode} = await failureOf(client.upload(job(at)))
    await client.end()
    expect(exitCode).toBeOneOf([9, 10])
    const again = await run(service.base, {state, settings: {chunkBytes: 64 * 1024}})
    await again.upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
  })
})

test('without HEAD, an answer that names a smaller offset starts the file over, once', async () => {
  for (const times of [1, 99]) {
    let left = times
    const goesBack: Mischief['does'] = ({request, obey}) => {
      const isBack = Number(request.headers['upload-offset']) > 0 && left-- > 0
      return obey(isBack ? {says: {'Upload-Offset': '1000'}} : {})
    }
    const mischief = [
      {to: 'PATCH 1', does: resetsAfter(10)},
      {to: 'PATCH', times: 99, does: goesBack},
    ]
    const service = await assetService({head: 405, mischief})
    const {upload, told} = await run(service.base, {settings: {chunkBytes: mebibyte}})
    const ended = upload(job(file(size)))
    if (times === 1) await ended
    else expect((await failureOf(ended)).exitCode).toBe(10)
    expect([told('renewed').length, service.uploads.size]).toEqual([1, 2])
  }
})

test('a service with HEAD that continues to refuse the offset it names is explained so', async () => {
  const service = await assetService({mischief: [{to: 'PATCH', times: 99, does: answers(409)}]})
  const {upload} = await run(service.base, {settings: {attempts: 2}})
  const {exitCode, facts} = await failureOf(upload(job(file(size))))
  expect(exitCode).toBe(9)
  expect(facts.why).toBe('the upload is at another offset than the one that was sent')
  expect(facts.try).toContain('run the same command again')
})
