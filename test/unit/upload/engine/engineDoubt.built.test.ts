import {describe, expect, test} from 'vitest'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, losesAnswer, vanishes} from './mischief.js'
import {assetService, type Mischief} from './service.js'
import {chunk, file, job, run} from './stage.js'

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

  test.each([0, chunk])('is not created again while the container lists its name (%i bytes)', async (size) => {
    const {service, at, state, uuid} = await unanswered(size)
    const again = await run(service.base, {state, listed: [uuid]})
    const {exitCode, facts} = await failureOf(again.upload(job(at)))
    expect({exitCode, creates: creates(service)}).toEqual({exitCode: 7, creates: 1})
    expect(facts).toMatchObject({code: 'perhaps-stored', outcome: 'unknown'})
    expect(facts.try).toContain(`roomctl asset show games/foo/${uuid}`)
    expect(again.slept[0]).toBeGreaterThan(2000)
    await again.end()
    const fresh = await run(service.base, {state, listed: [uuid], settings: {fresh: true}})
    expect(await fresh.upload(job(at))).toMatchObject({bytes: size})
  })

  test('is done where the container lists it with the same bytes', async () => {
    const {service, at, state, uuid} = await unanswered(0)
    const again = await run(service.base, {state, listed: ['other', uuid], same: uuid})
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

  test('is not begun again where the container lists another one of its name', async () => {
    const service = await lastLost()
    const one = await run(service.base, {listed: ['other']})
    expect((await failureOf(one.upload(job(file(size))))).facts).toMatchObject({
      code: 'perhaps-stored',
      outcome: 'unknown',
    })
    expect(creates(service)).toBe(1)
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
