import {expect, test} from 'vitest'
import {answers, drops, forgetsFrom, losesAnswer, resetsAfter, says, stalls, vanishes} from './mischief.js'
import {assetService, type Mischief, type ServiceOptions} from './service.js'
import {chunk, file, job, run, sha256, sha256Of} from './stage.js'

const size = 5 * chunk + 1000

interface Row {
  readonly what: string
  readonly service: ServiceOptions
  /** What the service is asked for, in its order; where it is not given, anything. */
  readonly asked?: readonly string[]
  /** How long the run wants to wait, in milliseconds. */
  readonly slept?: readonly number[]
  /** Milliseconds of silence that count as stalled. */
  readonly stallMs?: number
}

const mischief = (...mischief: Mischief[]): ServiceOptions => ({mischief})
const whole = ['PATCH 0', 'PATCH 65536', 'PATCH 131072', 'PATCH 196608', 'PATCH 262144', 'PATCH 327680']

const rows: Row[] = [
  {what: 'nothing goes wrong', service: {}, asked: ['POST', ...whole], slept: []},
  {
    what: 'the connection is reset in the middle of a chunk',
    service: mischief({to: 'PATCH 3', does: resetsAfter(1000)}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the connection is reset in the middle of a chunk that the service keeps a part of',
    service: {checksum: 'ignores', mischief: [{to: 'PATCH 3', does: resetsAfter(1000)}]},
  },
  {
    what: 'it is reset in the middle and there is no HEAD',
    service: {head: 404, mischief: [{to: 'PATCH 3', does: resetsAfter(1000)}]},
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the answer to a chunk is lost',
    service: mischief({to: 'PATCH 3', does: losesAnswer}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(3)],
  },
  {
    what: 'the answer to a chunk is lost and there is no HEAD',
    service: {head: 405, mischief: [{to: 'PATCH 3', does: losesAnswer}]},
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', 'PATCH 131072', ...whole.slice(3)],
  },
  {
    what: 'the answer to the last chunk is lost and there is no HEAD',
    service: {head: 501, mischief: [{to: 'PATCH 6', does: losesAnswer}]},
    asked: ['POST', ...whole, 'HEAD', 'PATCH 327680', 'PATCH 328680'],
  },
  {
    what: 'the service says 409 though it is where it should be',
    service: mischief({to: 'PATCH 3', does: answers(409)}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the service has lost a part of what it had',
    service: mischief({to: 'PATCH 4', does: forgetsFrom(chunk)}),
    asked: ['POST', ...whole.slice(0, 4), 'HEAD', ...whole.slice(1)],
  },
  {
    what: 'a service without HEAD has lost a part and says in its 409 how far it is',
    service: {
      head: 404,
      mischief: [
        {to: 'PATCH 3', does: resetsAfter(1)},
        {to: 'PATCH 4', does: forgetsFrom(chunk)},
        {to: 'PATCH 5', does: answers(409, {'Upload-Offset': String(chunk)})},
      ],
    },
  },
  {
    what: 'the upload is locked twice',
    service: mischief({to: 'PATCH 2', does: answers(423)}, {to: 'HEAD 1', does: answers(423)}),
    asked: ['POST', 'PATCH 0', 'PATCH 65536', 'HEAD', 'HEAD', ...whole.slice(1)],
  },
  {
    what: 'a chunk arrives changed twice',
    service: mischief({to: 'PATCH 2', does: answers(460)}, {to: 'PATCH 3', does: answers(460)}),
    asked: ['POST', 'PATCH 0', 'PATCH 65536', 'HEAD', 'PATCH 65536', 'HEAD', ...whole.slice(1)],
  },
  {
    what: 'the service asks by 503 to wait',
    service: mischief({to: 'PATCH 2', does: answers(503, {'Retry-After': '7'})}),
    slept: [7000],
  },
  {
    what: 'the service fails five times in a row',
    service: mischief({to: 'PATCH 2', does: answers(500)}, {to: 'HEAD', times: 4, does: answers(502)}),
    slept: [250, 500, 1000, 2000, 4000],
  },
  {
    what: 'HEAD has no offset',
    service: mischief({to: 'PATCH 3', does: resetsAfter(10)}, {to: 'HEAD 1', does: says({'Upload-Offset': undefined})}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the service answers a chunk without storing it',
    service: mischief({to: 'PATCH 3', does: drops}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the service does not say how far it is after a chunk',
    service: mischief({to: 'PATCH 3', does: says({'Upload-Offset': undefined})}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(3)],
  },
  {
    what: 'the upload is gone in the middle',
    service: mischief({to: 'PATCH 3', does: vanishes}),
    asked: ['POST', ...whole.slice(0, 3), 'POST', ...whole],
  },
  {
    what: 'the service stops reading',
    stallMs: 300,
    service: mischief({to: 'PATCH 3', does: stalls}),
    asked: ['POST', ...whole.slice(0, 3), 'HEAD', ...whole.slice(2)],
  },
  {
    what: 'the service refuses the algorithm of the checksum',
    service: {checksum: 400},
    asked: ['POST', 'PATCH 0', 'HEAD', ...whole],
    slept: [],
  },
]

test.each(rows)(
  'an upload ends with the same bytes at the service when $what',
  async ({service: options, asked, slept, stallMs = 20_000}) => {
    const service = await assetService(options)
    const at = file(size)
    const {upload, slept: waited} = await run(service.base, {settings: {stallMs}})
    const result = await upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect(result).toMatchObject({bytes: size, sha256: sha256Of(at), path: at, key: 'level1.bundle'})
    expect(service.uploads.get(result.uuid)).toBe(service.whole())
    if (asked) expect(service.seen).toEqual(asked)
    if (slept) expect(waited).toEqual(slept)
  },
)
