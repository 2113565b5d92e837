import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {step} from '../../../support/step.js'
import {answers, meanwhile} from './mischief.js'
import {assetService} from './service.js'
import {chunk, file, job, run, sha256, sha256Of} from './stage.js'

const mebibyte = 1024 * 1024
const creates = ({seen}: {readonly seen: readonly string[]}) => seen.filter((request) => request === 'POST').length

describe('of two runs over one ledger', () => {
  test('the second waits for the first, reports it after 2 s, and sends nothing of the same file', async () => {
    const [at, state] = [file(2 * chunk), freshFolder()]
    const said = step()
    const onEvent = ({kind}: {readonly kind: string}) => (kind === 'waiting' ? said.go() : undefined)
    const service = await assetService({mischief: [{to: 'PATCH 1', does: meanwhile(() => said.until)}]})
    const [first, second] = [await run(service.base, {state, onEvent}), await run(service.base, {state, onEvent})]
    const results = await Promise.all([first.upload(job(at)), second.upload(job(at))])
    const [sender, waiter] = results.sort((a, b) => b.sentBytes - a.sentBytes)
    expect(creates(service)).toBe(1)
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect(waiter).toEqual({...sender, sentBytes: 0, uploadedByOtherProcess: true})
    const waits = [...first.told('waiting'), ...second.told('waiting')]
    const wait = {why: expect.stringMatching(/^process \d+ on \S+ is uploading it$/u), isSaid: true}
    expect(waits).toMatchObject([wait])
  })

  test('the second sends nothing that the first has finished before its turn', async () => {
    const [at, state, service] = [file(chunk), freshFolder(), await assetService()]
    const [first, second] = [await run(service.base, {state}), await run(service.base, {state})]
    const {uuid} = await first.upload(job(at))
    expect(await second.upload(job(at))).toMatchObject({uuid, uploadedByOtherProcess: true, sha256: sha256Of(at)})
    expect(creates(service)).toBe(1)
  })

  test('the second resumes what the first had to give up', async () => {
    const [at, state] = [file(3 * chunk), freshFolder()]
    const service = await assetService({mischief: [{to: 'PATCH 2', does: answers(403)}]})
    const [first, second] = [await run(service.base, {state}), await run(service.base, {state})]
    const [failure, result] = await Promise.all([failureOf(first.upload(job(at))), second.upload(job(at))])
    expect([failure.exitCode, result.resumedFrom]).toEqual([5, chunk])
    expect(creates(service)).toBe(1)
  })

  test('the second sends files that are no longer in the container, as they were finished before either began', async () => {
    const [at, state, service] = [file(chunk), freshFolder(), await assetService()]
    const before = await run(service.base, {state})
    await before.upload(job(at))
    await before.end()
    const second = await run(service.base, {state})
    expect(await second.upload(job(at))).not.toHaveProperty('uploadedByOtherProcess')
    expect(creates(service)).toBe(2)
  })

  test('the second sends a file that differs where no sample is taken', async () => {
    const [at, state, service] = [file(4 * mebibyte), freshFolder(), await assetService()]
    const [first, second] = [await run(service.base, {state}), await run(service.base, {state})]
    await first.upload(job(at))
    const changed = readFileSync(at)
    changed.writeUInt8(changed.readUInt8(300_000) ^ 1, 300_000)
    writeFileSync(at, changed)
    const {uuid} = await second.upload(job(at))
    expect(sha256(service.uploads.get(uuid)?.bytes ?? Buffer.alloc(0))).toBe(sha256(changed))
  })

  test('the second sends all of it when it starts over on request', async () => {
    const [at, state, service] = [file(chunk), freshFolder(), await assetService()]
    const [first, second] = [
      await run(service.base, {state}),
      await run(service.base, {state, settings: {fresh: true}}),
    ]
    await first.upload(job(at))
    expect(await second.upload(job(at))).toMatchObject({sentBytes: chunk})
  })

  test('the second ends at once when it is interrupted while it waits', async () => {
    const [at, state, abort] = [file(chunk), freshFolder(), new AbortController()]
    const [begun, ended] = [step(), step()]
    const hold = () => {
      begun.go()
      return ended.until
    }
    const service = await assetService({mischief: [{to: 'PATCH 1', does: meanwhile(hold)}]})
    const first = await run(service.base, {state})
    const sending = first.upload(job(at))
    await begun.until
    const second = await run(service.base, {state, abort})
    setTimeout(() => abort.abort(), 100)
    expect((await failureOf(second.upload(job(at)))).exitCode).toBe(130)
    ended.go()
    await sending
    expect(creates(service)).toBe(1)
  })
})
