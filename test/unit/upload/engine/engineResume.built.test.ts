import {readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {UploadSettings} from '../../../../src/upload/model/job.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {losesAnswer, resetsAfter} from './mischief.js'
import {type AssetService, assetService, type Mischief, type ServiceOptions} from './service.js'
import {bytes, file, job, run, sha256, sha256Of} from './stage.js'

const mebibyte = 1024 * 1024
const size = 4 * mebibyte
const settings = {chunkBytes: mebibyte}

/** A run that ends in its third part, as one does that is killed: nothing after it is recorded. */
async function endedRun(options: ServiceOptions = {}, changed: Partial<UploadSettings> = {}) {
  const [at, state, abort] = [file(size), freshFolder(), new AbortController()]
  const does: Mischief['does'] = ({request}) => {
    abort.abort()
    request.socket.resetAndDestroy()
  }
  const service = await assetService({...options, mischief: [{to: 'PATCH 3', does}, ...(options.mischief ?? [])]})
  const first = await run(service.base, {state, abort, settings: {...settings, ...changed}})
  const failure = await failureOf(first.upload(job(at)))
  await first.end()
  expect([failure.exitCode, first.ledger.list()[0]?.acked.at(-1)?.to]).toEqual([130, 2 * mebibyte])
  service.seen.length = 0
  return {at, state, service, entry: first.ledger.list()[0]}
}

/** A run that is ended while it waits to try its third part again. */
async function endedWaiting(options: ServiceOptions) {
  const [at, state, abort] = [file(size), freshFolder(), new AbortController()]
  const service = await assetService(options)
  const onEvent = ({kind}: {readonly kind: string}) => kind === 'waiting' && abort.abort()
  const first = await run(service.base, {state, abort, settings, onEvent})
  await failureOf(first.upload(job(at)))
  await first.end()
  service.seen.length = 0
  return {at, state, service}
}

function arrived(service: AssetService, at: string): void {
  expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
}

describe('an upload that was interrupted', () => {
  test('resumes where the service is, and sends nothing twice', async () => {
    const {at, state, service} = await endedRun()
    const {upload, told} = await run(service.base, {state, settings})
    const result = await upload(job(at))
    arrived(service, at)
    expect(service.seen).toEqual(['HEAD', `PATCH ${2 * mebibyte}`, `PATCH ${3 * mebibyte}`])
    expect(result).toMatchObject({resumedFrom: 2 * mebibyte, sentBytes: 2 * mebibyte, sha256: sha256Of(at)})
    expect(told('begun')).toEqual([{kind: 'begun', key: 'level1.bundle', size, from: 2 * mebibyte}])
    expect(told('renewed')).toEqual([])
  })

  test('resumes where the ledger is when the service answers no HEAD', async () => {
    const {at, state, service} = await endedRun({head: 404})
    const {upload} = await run(service.base, {state, settings})
    expect(await upload(job(at))).toMatchObject({resumedFrom: 2 * mebibyte, sentBytes: 2 * mebibyte})
    arrived(service, at)
    expect(service.seen).toEqual(['HEAD', `PATCH ${2 * mebibyte}`, `PATCH ${3 * mebibyte}`])
  })

  test('resumes after the part whose answer a killed run never saw, without HEAD', async () => {
    const {at, state, service} = await endedWaiting({head: 405, mischief: [{to: 'PATCH 3', does: losesAnswer}]})
    const {upload} = await run(service.base, {state, settings})
    await upload(job(at))
    arrived(service, at)
    expect(service.seen).toEqual(['HEAD', `PATCH ${2 * mebibyte}`, `PATCH ${3 * mebibyte}`])
  })

  test('resumes in the middle of a part that the service kept a piece of, on another machine too', async () => {
    const options = {checksum: 'ignores', mischief: [{to: 'PATCH 3', does: resetsAfter(300_000)}]} as const
    const {at, state, service} = await endedWaiting(options)
    utimesSync(at, 1, 1)
    const {upload} = await run(service.base, {state, settings})
    expect(await upload(job(at))).toMatchObject({resumedFrom: 2 * mebibyte + 300_000})
    arrived(service, at)
  })

  test('starts over, and says so, when the file has changed where no sample is taken', async () => {
    const {at, state, service, entry} = await endedRun()
    const changed = readFileSync(at)
    changed.writeUInt8(changed.readUInt8(300_000) ^ 1, 300_000)
    writeFileSync(at, changed)
    const {upload, told} = await run(service.base, {state, settings})
    await upload(job(at))
    arrived(service, at)
    expect(told('renewed')).toMatchObject([{why: `the file has changed since ${entry?.begunAt}`}])
  })

  test('starts over, and says so, when the file has become another', async () => {
    const {at, state, service, entry} = await endedRun()
    writeFileSync(at, bytes(size + 5, 'b'))
    const {upload, told, ledger} = await run(service.base, {state, settings})
    await upload(job(at))
    arrived(service, at)
    expect(told('renewed')).toMatchObject([{why: `the file has changed since ${entry?.begunAt}`}])
    expect(ledger.list()).toHaveLength(1)
  })

  test('without digests continues only with an untouched file', async () => {
    const {at, state, service} = await endedRun({}, {checksum: 'none'})
    const again = {...settings, checksum: 'none'} as const
    const stopping = new AbortController()
    const untouched = await run(service.base, {
      state,
      abort: stopping,
      settings: again,
      onEvent: ({kind}) => kind === 'acked' && stopping.abort(),
    })
    await failureOf(untouched.upload(job(at)))
    expect([untouched.told('renewed'), service.seen]).toEqual([[], ['HEAD']])
    await untouched.end()
    utimesSync(at, 1, 1)
    const {upload, told} = await run(service.base, {state, settings: again})
    await upload(job(at))
    arrived(service, at)
    expect(told('renewed')).toMatchObject([
      {why: expect.stringMatching(/^nothing proves that level1.bundle is unchanged/)},
    ])
  })

  test('starts over when the service has more than can be proven', async () => {
    const {at, state, service} = await endedRun()
    const [held] = service.uploads.values()
    if (held) held.bytes = readFileSync(at).subarray(0, 3 * mebibyte + 7)
    utimesSync(at, 1, 1)
    const {upload, told} = await run(service.base, {state, settings})
    await upload(job(at))
    arrived(service, at)
    expect(told('renewed')).toMatchObject([{why: 'the service has more of it than can be proven to be of this file'}])
  })
})
