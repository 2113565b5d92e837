import {expect, test} from 'vitest'
import type {FailureFacts} from '../../../../src/failure.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answers, drops, losesAnswer, resetsAfter, says} from './mischief.js'
import {assetService, type Mischief, type ServiceOptions} from './service.js'
import {chunk, file, job, run, sha256, sha256Of} from './stage.js'

const size = 5 * chunk + 1000
const always = 1000

interface Row {
  readonly what: string
  readonly service: ServiceOptions
  readonly exitCode: number
  readonly facts: Partial<FailureFacts>
  /** Bytes that the ledger then knows to be acknowledged. */
  readonly acked: number
  /** How many requests the service saw, where that matters. */
  readonly requests?: number
}

const mischief = (...mischief: Mischief[]): ServiceOptions => ({mischief})
const message = (text: string) => `cannot upload level1.bundle to games/foo: ${text}`

const rows: Row[] = [
  {
    what: 'the credential is refused in the middle',
    service: mischief({to: 'PATCH 3', does: answers(401)}),
    exitCode: 4,
    facts: {
      message: message('the service answered HTTP 401, not authenticated'),
      try: 'roomctl config login asset',
      httpStatus: 401,
    },
    acked: 2 * chunk,
    requests: 4,
  },
  {
    what: 'the service says why it does not permit it',
    service: mischief({to: 'PATCH 3', does: answers(403, {}, '{"message":"the container is closed"}')}),
    exitCode: 5,
    facts: {message: message('the container is closed')},
    acked: 2 * chunk,
  },
  {
    what: 'the service speaks another version of tus',
    service: mischief({to: 'POST', does: answers(412)}),
    exitCode: 7,
    facts: {why: 'the service does not speak tus 1.0.0'},
    acked: 0,
    requests: 1,
  },
  {
    what: 'the file is too large for the service',
    service: mischief({to: 'POST', does: answers(413)}),
    exitCode: 8,
    facts: {
      why: `the file has ${size} bytes, which is more than the service accepts`,
      try: 'make the file smaller, or ask the administrator of the service to raise its limit',
    },
    acked: 0,
    requests: 2,
  },
  {
    what: 'the service answers a file beyond its limit with 400, and names the limit',
    service: mischief({to: 'POST', does: answers(400)}, {to: 'OPTIONS', does: answers(204, {'Tus-Max-Size': '1000'})}),
    exitCode: 8,
    facts: {
      why: `the file has ${size} bytes, which is more than the service accepts: at most 1000 bytes (Tus-Max-Size)`,
    },
    acked: 0,
    requests: 2,
  },
  {
    what: 'the service refuses a value of the creation',
    service: mischief({to: 'POST', does: answers(422, {}, '{"message":"no such platform"}')}),
    exitCode: 8,
    facts: {message: message('no such platform'), try: expect.not.stringMatching(/chunk|description|stamp/u)},
    acked: 0,
  },
  {
    what: 'the service refuses a part with 422',
    service: mischief({to: 'PATCH 2', does: answers(422)}),
    exitCode: 8,
    facts: {why: `the service refuses the chunk of ${chunk} bytes at offset ${chunk}`},
    acked: chunk,
  },
  {
    what: 'no chunk is small enough',
    service: mischief({to: 'PATCH', times: always, does: answers(413)}),
    exitCode: 8,
    facts: {
      httpStatus: 413,
      why: 'the service, or a proxy in front of it, accepts no chunk of 64.0 KiB',
      try: 'ask the administrator of the service to accept larger requests',
    },
    acked: 0,
    requests: 2,
  },
  {
    what: 'a checksum is refused after others were accepted',
    service: mischief({to: 'PATCH 3', does: answers(400)}),
    exitCode: 8,
    facts: {httpStatus: 400},
    acked: 2 * chunk,
  },
  {
    what: 'a chunk is refused with and without its checksum',
    service: mischief({to: 'PATCH', times: 2, does: answers(400)}),
    exitCode: 8,
    facts: {httpStatus: 400},
    acked: 0,
    requests: 4,
  },
  {
    what: 'a chunk arrives changed each time',
    service: mischief({to: 'PATCH', times: always, does: answers(460)}),
    exitCode: 10,
    facts: {code: 'checksum-mismatch', retryable: true},
    acked: 0,
  },
  {
    what: 'the service fails for too long',
    service: mischief({to: 'PATCH 3', does: answers(500)}, {to: 'HEAD', times: always, does: answers(500)}),
    exitCode: 9,
    facts: {retryable: true, try: 'run the same command again to resume'},
    acked: 2 * chunk,
    requests: 4 + 7,
  },
  ...[
    {to: 'POST', acked: 0, requests: 1},
    {to: 'PATCH 2', acked: chunk, requests: 3},
  ].map(({to, ...row}) => ({
    what: `the answer to ${to} is 429 and asks for more time than it has`,
    service: mischief({to, does: answers(429, {'Retry-After': '301'})}),
    exitCode: 9,
    facts: {
      why: 'probably the service limits the request rate; the service asks to wait 301 s',
      retryable: true,
      retryAfterMs: 301_000,
      try: 'run the same command again to resume',
    },
    ...row,
  })),
  {
    what: 'the connection is reset each time',
    service: mischief({to: 'PATCH', times: always, does: resetsAfter(10)}),
    exitCode: 10,
    facts: {code: 'reset', retryable: true},
    acked: 0,
  },
  {
    what: 'the offset never advances',
    service: mischief({to: 'PATCH', times: always, does: drops}),
    exitCode: 10,
    facts: {code: 'broken-answer'},
    acked: 0,
    requests: 1 + 8 + 7,
  },
  {
    what: 'a chunk is acknowledged further than it goes',
    service: mischief({to: 'PATCH 2', does: says({'Upload-Offset': String(2 * chunk + 1)})}),
    exitCode: 10,
    facts: {
      code: 'broken-answer',
      message: message('the service says that it has 131073 bytes when it was sent 131072'),
    },
    acked: chunk,
  },
  {
    what: 'HEAD tells of bytes that were never sent',
    service: mischief(
      {to: 'PATCH 2', does: losesAnswer},
      {to: 'HEAD', does: says({'Upload-Offset': String(3 * chunk)})},
    ),
    exitCode: 10,
    facts: {code: 'broken-answer'},
    acked: chunk,
  },
  {
    what: 'HEAD tells another length',
    service: mischief({to: 'PATCH 2', does: losesAnswer}, {to: 'HEAD', does: says({'Upload-Length': '7'})}),
    exitCode: 10,
    facts: {code: 'broken-answer'},
    acked: chunk,
  },
  {
    what: 'the service does not say where the upload is',
    service: mischief({to: 'POST', does: says({Location: undefined})}),
    exitCode: 10,
    facts: {code: 'broken-answer'},
    acked: 0,
    requests: 1,
  },
  {
    what: 'the service sends the upload away by a redirect',
    service: mischief({to: 'PATCH 2', does: answers(307, {Location: 'http://127.0.0.1:9/u?token=s3cret'})}),
    exitCode: 10,
    facts: {
      code: 'broken-answer',
      message: message('the service answers with a redirect to http://127.0.0.1:9/u (HTTP 307)'),
      why: 'a redirect is not followed with a credential',
    },
    acked: chunk,
  },
  {
    what: 'the upload is gone twice',
    service: mischief({to: 'PATCH', times: 2, does: answers(404)}),
    exitCode: 6,
    facts: {
      httpStatus: 404,
      why: 'it expired there, or another server answers that does not share the uploads of the first one',
    },
    acked: 0,
  },
]

test.each(rows)(
  'an upload that cannot be brought to its end because $what says so, and the next run ends it with the same bytes',
  async (row) => {
    const service = await assetService(row.service)
    const at = file(size)
    const state = freshFolder()
    const first = await run(service.base, {state})
    const failure = await failureOf(first.upload(job(at)))
    expect({exitCode: failure.exitCode, ...failure.facts}).toMatchObject({exitCode: row.exitCode, ...row.facts})
    if (row.requests) expect(service.seen).toHaveLength(row.requests)
    const [entry, ...others] = first.ledger.list()
    expect([entry?.acked.at(-1)?.to ?? 0, others.length]).toEqual([row.acked, 0])
    await first.end()

    // The fault is over, and another run resumes.
    service.behave()
    const second = await run(service.base, {state})
    const result = await second.upload(job(at))
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect(result.sha256).toBe(sha256Of(at))
  },
)
