import {describe, expect, test} from 'vitest'
import {stampedDescription} from '../../../../src/upload/model/job.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, losesAnswer, vanishes} from './mischief.js'
import {assetService, type Mischief} from './service.js'
import {chunk, file, job, run, sha256Of} from './stage.js'

const creates = ({seen}: {readonly seen: readonly string[]}) => seen.filter((request) => request === 'POST').length
const mischief = (...all: Mischief[]) => assetService({mischief: all})

test('an unanswered upload that gets bytes from another process meanwhile is created again', async () => {
  const service = await mischief({to: 'POST 1', does: losesAnswer})
  const [at, state] = [file(chunk), freshFolder()]
  const first = await run(service.base, {state})
  expect((await failureOf(first.upload(job(at)))).facts).toMatchObject({outcome: 'unknown'})
  await first.end()
  const [[uuid, held] = ['', undefined]] = service.uploads
  const onEvent = ({kind}: {kind: string}) => {
    if (kind === 'begun' && held) held.bytes = Buffer.alloc(10)
  }
  const again = await run(service.base, {state, listed: [uuid], identities: {[uuid]: {resumesAt: 0}}, onEvent})
  expect((await again.upload(job(at))).uuid).not.toBe(uuid)
  expect([held?.bytes.length, again.told('renewed').length]).toEqual([10, 1])
  // The container may list it late.
  expect(again.slept[0]).toBeCloseTo(3000, -3)
})

describe('an upload whose last bytes were not answered, and that the service forgets', () => {
  const size = 2 * chunk
  const lastLost = () => mischief({to: 'PATCH 2', does: losesAnswer}, {to: 'HEAD', times: 9, does: vanishes})

  test('is done where the container lists it', async () => {
    const service = await lastLost()
    const uuids: string[] = []
    const {upload} = await run(service.base, {listed: uuids, onEvent: () => uuids.push(...service.uploads.keys())})
    expect(await upload(job(file(size)))).toMatchObject({uuid: uuids[0], bytes: size})
    expect(creates(service)).toBe(1)
  })

  test('is started again where the container lists another one of its name', async () => {
    const service = await lastLost()
    const {upload, told} = await run(service.base, {listed: ['other'], identities: {other: 'unknown'}})
    await upload(job(file(size)))
    expect([creates(service), told('warned').length]).toEqual([2, 1])
  })
})

test('an unfinished upload with the stamp of the file is left alone while another machine is sending it', async () => {
  const at = file(3 * chunk)
  const stamped = job(at, {description: stampedDescription('d', sha256Of(at))})
  const service = await mischief({to: 'PATCH 2', does: answers(403)})
  const other = await run(service.base)
  await failureOf(other.upload(stamped))
  await other.end()
  const [uuid = ''] = service.uploads.keys()
  const grown = {resumesAt: chunk}
  const onEvent = ({kind}: {kind: string}) => {
    if (kind === 'waiting') grown.resumesAt += 1
  }
  const {upload} = await run(service.base, {identities: {[uuid]: grown}, onEvent})
  expect((await upload({...stamped, adopts: uuid})).uuid).not.toBe(uuid)
  expect(service.uploads.get(uuid)?.bytes).toHaveLength(chunk)
})

test('an upload whose last bytes are never answered ends as unknown, and the same command tells', async () => {
  const service = await mischief(
    {to: 'PATCH', times: 99, does: losesAnswer},
    {to: 'HEAD', times: 99, does: answers(500)},
  )
  const {upload} = await run(service.base)
  expect((await failureOf(upload(job(file(chunk))))).facts).toMatchObject({
    outcome: 'unknown',
    try: expect.stringContaining('run the same command again'),
  })
})
