import {describe, expect, test} from 'vitest'
import {WireError, type WireProblem} from '../../../../src/api/http/wire/transport.js'
import {Failure} from '../../../../src/failure.js'
import {ChunkSize} from '../../../../src/upload/engine/chunkSize.js'
import {FailureRecovery} from '../../../../src/upload/engine/failureRecovery.js'
import type {Step, UploadFailure} from '../../../../src/upload/engine/failures.js'
import {restartWords} from '../../../../src/upload/engine/requests.js'
import {ServerCapabilities, type Transfer, UploadState} from '../../../../src/upload/engine/uploadState.js'
import {defaults, job} from './stage.js'

interface Stage {
  readonly head?: 'yes' | 'no'
  /** How often the upload failed before. */
  readonly failures?: number
  readonly random?: number
  readonly canRestart?: boolean
  readonly chunkBytes?: number
}

const mebibyte = 1024 * 1024

/** What is done about the last of several equal failures of an upload, in words. */
async function after(step: Step, failure: UploadFailure, stage: Stage = {}): Promise<string> {
  const {head = 'yes', failures = 0, random = 0.5, canRestart = true, chunkBytes = 8 * mebibyte} = stage
  const said: string[] = []
  const service = new ServerCapabilities()
  service.head = head
  const settings = {...defaults, chunkBytes}
  const context = {
    settings,
    access: {base: new URL('http://127.0.0.1/asset'), route: () => ({method: 'POST', path: '/{container}'})},
    now: () => new Date('2026-12-01T12:00:00Z'),
    random: () => random,
    sleep: async (ms: number) => said.push(`waits ${ms}`),
    signal: new AbortController().signal,
    emit: () => undefined,
    listedAs: async () => [],
    storedBytes: async () => undefined,
  }
  const source = {size: 64 * mebibyte}
  const state = new UploadState(undefined, 0)
  state.sending({to: chunkBytes, size: chunkBytes, checksummed: false})
  const chunkSize = new ChunkSize(settings, service, source.size)
  const item = {job: job('/a.bundle'), source, content: {reread: () => said.push('reads again')}}
  const recovery = new FailureRecovery(
    {run: {context, service}, item, state, chunkSize} as unknown as Transfer,
    canRestart,
  )
  try {
    for (let left = failures; left > 0; left -= 1) await recovery.recover({kind: 'failed', step, failure})
    said.length = 0
    const before = chunkSize.bytes
    const restart = await recovery.recover({kind: 'failed', step, failure})
    if (chunkSize.bytes < before) said.push('smaller')
    if (service.head !== head) said.push(`HEAD ${service.head}`)
    return [...said, ...(restart === undefined ? [] : [`starts over: ${restartWords[restart]}`])].join(', ')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.facts.exit === 'temporary' || error.facts.retryable ? 'gives up' : 'stops'
  }
}

const at = (step: Step, status: number, stage?: Stage, retryAfter?: string) =>
  after(step, {kind: 'answered', status, retryAfter}, stage)

const lost = (step: Step, problem: WireProblem, sent: 'no' | 'maybe', stage?: Stage) =>
  after(step, {kind: 'lost', error: new WireError(problem, sent, 'it broke')}, stage)

describe('a service that asks for time', () => {
  test.each([
    ['7', 7_000],
    ['Tue, 01 Dec 2026 12:01:30 GMT', 90_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 250],
    ['0', 250],
    ['300', 300_000],
    ['soon', 250],
    [undefined, 250],
  ])('by Retry-After: %s is given %i ms', async (retryAfter, ms) => {
    for (const step of ['create', 'head', 'patch'] as const) {
      expect(await at(step, 429, {}, retryAfter)).toBe(`waits ${ms}`)
      // The service may have made the upload before it answered 503.
      expect(await at(step, 503, {}, retryAfter)).toBe(step === 'create' ? 'gives up' : `waits ${ms}`)
    }
  })

  test('for too often, or for too long, is given up', async () => {
    expect(await at('patch', 429, {}, '301')).toBe('gives up')
    expect(await at('patch', 503, {failures: 7}, '1')).toBe('gives up')
  })
})

test.each([425, 500, 507])('%i is waited for, longer each time, up to 30 s', async (status) => {
  const waits = [499, 999, 1998, 3996, 7992, 15_984, 29_970]
  for (const [failures, ms] of waits.entries()) {
    expect(await at('patch', status, {failures, random: 0.999})).toBe(`waits ${ms}`)
  }
  expect(await at('patch', status, {failures: 7})).toBe('gives up')
})

test.each([408, 502, 504])('%i is waited for, and the next chunk is smaller', async (status) => {
  expect(await at('patch', status)).toBe('waits 250, smaller')
  expect(await at('head', status)).toBe('waits 250')
  expect(await at('patch', status, {failures: 7})).toBe('gives up')
})

test.each([400, 401, 402, 406, 411, 412, 415, 416, 422, 301, 307])('%i ends the upload', async (status) => {
  for (const step of ['create', 'head', 'patch'] as const) expect(await at(step, status)).toBe('stops')
})

test('waiting for a lock has its own time limit', async () => {
  expect(await at('patch', 423, {failures: 119})).toBe('waits 1000')
  expect(await at('head', 423, {failures: 120})).toBe('gives up')
})

test.each(['dns', 'refused', 'connect-timeout', 'headers-timeout', 'deadline', 'reset', 'broken', 'proxy'] as const)(
  'a connection that fails is tried again (%s)',
  async (problem) => {
    expect(await lost('create', problem, 'no')).toBe('waits 250')
    expect(await lost('patch', problem, 'maybe')).toBe('waits 250, smaller')
    expect(await lost('patch', problem, 'maybe', {chunkBytes: mebibyte / 4})).toBe('waits 250')
    // Neither says anything of the size of the chunk.
    expect(await lost('patch', problem, 'no')).toBe('waits 250')
    expect(await lost('head', problem, 'maybe')).toBe('waits 250')
    expect(await lost('head', problem, 'maybe', {failures: 7})).toBe('gives up')
  },
)

test('a creation whose answer is lost or uncertain is not repeated', async () => {
  for (const status of [408, 423, 425, 500, 502, 503, 504]) expect(await at('create', status)).not.toMatch(/waits/u)
  for (const problem of ['reset', 'headers-timeout', 'broken'] as const)
    expect(await lost('create', problem, 'maybe')).toBe('stops')
})

test('what will not pass by itself is not tried again', async () => {
  expect(await lost('create', 'tls', 'no')).toBe('stops')
  expect(await lost('patch', 'aborted', 'no')).toBe('stops')
  expect(await lost('head', 'too-large', 'maybe')).toBe('stops')
  expect(await lost('patch', 'tls', 'maybe')).toBe('waits 250, smaller')
})

test('an upload that vanished starts over once, and says nothing of HEAD', async () => {
  const gone = 'starts over: the service no longer knows the upload'
  for (const status of [404, 410]) {
    expect(await at('patch', status)).toBe(gone)
    expect(await at('patch', status, {head: 'no'})).toBe(`HEAD unknown, ${gone}`)
    expect(await at('patch', status, {canRestart: false})).toBe('stops')
  }
  for (const status of [403, 404, 410]) expect(await at('head', status)).toBe(gone)
  expect(await at('head', 404, {head: 'no'})).toBe('')
  expect(await at('head', 405)).toBe('HEAD no')
  expect(await at('head', 501)).toBe('HEAD no')
})

test('bytes that arrive changed are read again, and a chunk that is too large is cut', async () => {
  expect(await at('patch', 460)).toBe('reads again, waits 250')
  expect(await at('patch', 413)).toBe('smaller')
  expect(await at('patch', 413, {chunkBytes: mebibyte / 4})).toBe('stops')
})

test('an answer with fewer bytes than before starts over without HEAD alone', async () => {
  const behind = {kind: 'stuck', isBehind: true} as const
  expect(await after('patch', behind)).toBe('waits 250')
  expect(await after('patch', behind, {head: 'no'})).toBe(
    'starts over: the service has less of it than it acknowledged',
  )
})
