import {describe, expect, test} from 'vitest'
import {stampedDescription} from '../../../../src/upload/model/job.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, losesAnswer, vanishes} from './mischief.js'
import {assetService, type Mischief} from './service.js'
import {chunk, file, job, run, sha256, sha256Of} from './stage.js'

const creates = ({seen}: {readonly seen: readonly string[]}) => seen.filter((request) => request === 'POST').length
const mischief = (...all: Mischief[]) => assetService({mischief: all})

describe('an upload whose creation was not answered', () => {
  async function unanswered(size: number) {
    const service = await mischief({to: 'POST 1', does: losesAnswer})
    const [at, state] = [file(size), freshFolder()]
    const first = await run(service.base, {state})
    expect((await failureOf(first.upload(job(at)))).facts).toMatchObject({outcome: 'unknown'})
    await first.end()
    const [uuid = ''] = service.uploads.keys()
    return {service, at, state, uuid}
  }

  test('is resumed where the container lists an upload of it, which has nothing yet', async () => {
    const {service, at, state, uuid} = await unanswered(chunk)
    const again = await run(service.base, {state, listed: ['other', uuid], identities: {[uuid]: {resumesAt: 0}}})
    expect(await again.upload(job(at))).toMatchObject({uuid, resumedFrom: 0, sentBytes: chunk})
    expect([creates(service), again.slept[0]]).toEqual([1, expect.closeTo(3000, -3)])
  })

  test('is created again where that upload gets bytes from another process meanwhile', async () => {
    const {service, at, state, uuid} = await unanswered(chunk)
    const held = service.uploads.get(uuid)
    const onEvent = ({kind}: {kind: string}) => {
      if (kind === 'begun' && held) held.bytes = Buffer.alloc(10)
    }
    const again = await run(service.base, {state, listed: [uuid], identities: {[uuid]: {resumesAt: 0}}, onEvent})
    expect((await again.upload(job(at))).uuid).not.toBe(uuid)
    expect([held?.bytes.length, again.told('renewed').length]).toEqual([10, 1])
  })

  test.each([
    ['with a warning where nothing tells whether what is listed is it', 'unknown', 1],
    ['without a word where it is another file', 'other', 0],
  ] as const)('is created again %s', async (_, identity, warnings) => {
    for (const size of [0, chunk]) {
      const {service, at, state, uuid} = await unanswered(size)
      const again = await run(service.base, {state, listed: [uuid], identities: {[uuid]: identity}})
      expect(await again.upload(job(at))).toMatchObject({bytes: size})
      const text = expect.stringContaining(`games/foo/${uuid} may be it, whole or in part`)
      expect(again.told('warned')).toMatchObject(Array(warnings).fill({text}))
      expect(creates(service)).toBe(2)
    }
  })

  test('is done where the container lists it with the same bytes', async () => {
    const {service, at, state, uuid} = await unanswered(0)
    const again = await run(service.base, {state, listed: ['other', uuid], identities: {[uuid]: 'same'}})
    expect(await again.upload(job(at))).toMatchObject({uuid, bytes: 0, sentBytes: 0})
    expect(again.ledger.list()).toMatchObject([{done: {uuid}, url: `${service.base}/games/foo/${uuid}`}])
    expect(creates(service)).toBe(1)
  })

  test('is created where the container lists nothing of its name', async () => {
    const {service, at, state} = await unanswered(chunk)
    const again = await run(service.base, {state})
    expect(await again.upload(job(at))).toMatchObject({bytes: chunk})
    expect(creates(service)).toBe(2)
  })

  test('is not looked for where the service has refused it', async () => {
    const service = await mischief({to: 'POST', times: 2, does: answers(403)})
    const [at, state] = [file(chunk), freshFolder()]
    const first = await run(service.base, {state})
    expect((await failureOf(first.upload(job(at)))).facts.outcome).toBe('none')
    await first.end()
    const again = await run(service.base, {state, listed: ['older']})
    expect((await failureOf(again.upload(job(at)))).facts.httpStatus).toBe(403)
    expect(again.slept).toEqual([])
  })
})

describe('an upload whose last bytes were not answered, and that the service forgets', () => {
  const size = 2 * chunk
  const lastLost = () => mischief({to: 'PATCH 2', does: losesAnswer}, {to: 'HEAD', times: 9, does: vanishes})

  test('is done where the container lists it', async () => {
    const service = await lastLost()
    const uuids: string[] = []
    const one = await run(service.base, {listed: uuids, onEvent: () => uuids.push(...service.uploads.keys())})
    expect(await one.upload(job(file(size)))).toMatchObject({uuid: uuids[0], bytes: size})
    expect(creates(service)).toBe(1)
  })

  test('is started again where the container lists another one of its name', async () => {
    const service = await lastLost()
    const one = await run(service.base, {listed: ['other'], identities: {other: 'unknown'}})
    await one.upload(job(file(size)))
    expect([creates(service), one.told('warned').length]).toEqual([2, 1])
  })
})

describe('an unfinished upload in the container with the stamp of the file, unknown to the ledger', () => {
  async function cutElsewhere() {
    const at = file(3 * chunk)
    const stamped = job(at, {description: stampedDescription('d', sha256Of(at))})
    const service = await mischief({to: 'PATCH 2', does: answers(403)})
    const other = await run(service.base)
    await failureOf(other.upload(stamped))
    await other.end()
    const [uuid = ''] = service.uploads.keys()
    return {at, service, uuid, adopting: {...stamped, adopts: uuid}}
  }

  test('is resumed, and from then on known to the ledger', async () => {
    const {at, service, uuid, adopting} = await cutElsewhere()
    const one = await run(service.base, {identities: {[uuid]: {resumesAt: chunk}}})
    expect(await one.upload(adopting)).toMatchObject({uuid, resumedFrom: chunk, sentBytes: 2 * chunk})
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect(one.ledger.list()).toMatchObject([
      {done: {uuid}, acked: expect.arrayContaining([{from: 0, to: chunk, digest: expect.any(String)}])},
    ])
  })

  test('is left alone while it grows, since another machine is sending it', async () => {
    const {service, uuid, adopting} = await cutElsewhere()
    const grown = {resumesAt: chunk}
    const onEvent = ({kind}: {kind: string}) => {
      if (kind === 'waiting') grown.resumesAt += 1
    }
    const one = await run(service.base, {identities: {[uuid]: grown}, onEvent})
    expect((await one.upload(adopting)).uuid).not.toBe(uuid)
    expect(service.uploads.get(uuid)?.bytes).toHaveLength(chunk)
  })
})

test('an upload whose last bytes are never answered ends as unknown, and the same command tells', async () => {
  const service = await mischief(
    {to: 'PATCH', times: 99, does: losesAnswer},
    {to: 'HEAD', times: 99, does: answers(500)},
  )
  const one = await run(service.base)
  expect((await failureOf(one.upload(job(file(chunk))))).facts).toMatchObject({
    outcome: 'unknown',
    try: expect.stringContaining('run the same command again'),
  })
})
