import {describe, expect, test} from 'vitest'
import {WireError, type WireProblem} from '../../../../src/api/http/wire/transport.js'
import type {Step} from '../../../../src/upload/engine/failures.js'
import {type Circumstances, type Decision, retryPolicy} from '../../../../src/upload/engine/retryPolicy.js'

const usual: Circumstances = {
  failures: 1,
  attempts: 8,
  corrupted: 0,
  locks: 0,
  lockedMs: 0,
  head: 'yes',
  checksumInDoubt: false,
  canShrink: true,
  canRestart: true,
  random: () => 0.5,
  now: new Date('2026-12-01T12:00:00Z'),
}

function at(step: Step, status: number, changed: Partial<Circumstances> = {}, retryAfter?: string): Decision {
  return retryPolicy(step, {kind: 'answered', status, retryAfter}, {...usual, ...changed})
}

function lost(step: Step, problem: WireProblem, sent: 'no' | 'maybe', changed: Partial<Circumstances> = {}): Decision {
  return retryPolicy(step, {kind: 'lost', error: new WireError(problem, sent, 'it broke')}, {...usual, ...changed})
}

const stop: Decision = {do: 'stop', exhausted: false}
const exhausted: Decision = {do: 'stop', exhausted: true}

describe('a service that asks for time', () => {
  test.each([
    ['7', 7_000],
    ['Tue, 01 Dec 2026 12:01:30 GMT', 90_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 250],
    ['0', 250],
    ['300', 300_000],
    ['soon', 250],
    [undefined, 250],
  ])('by Retry-After: %s is given %i ms, by all files', (retryAfter, ms) => {
    for (const step of ['create', 'head', 'patch'] as const) {
      for (const status of [429, 503]) {
        // The service may have made the upload before it answered 503.
        const isRepeated = step !== 'create' || status === 429
        expect(at(step, status, {}, retryAfter)).toEqual(isRepeated ? {do: 'retry', ms, all: true} : stop)
      }
    }
  })

  test('for too often, or for too long, is given up', () => {
    expect(at('patch', 429, {}, '301')).toEqual(exhausted)
    expect(at('patch', 503, {failures: 8}, '1')).toEqual(exhausted)
  })
})

test.each([408, 425, 500, 502, 504, 507])('%i is waited for, longer each time, up to 30 s', (status) => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => at('patch', status, {failures, random: () => 0.999}))
  expect(waits.map((decision) => decision.do === 'retry' && decision.ms)).toEqual([
    499, 999, 1998, 3996, 7992, 15984, 29970,
  ])
  expect(at('patch', status, {failures: 8})).toEqual(exhausted)
})

test.each([400, 401, 402, 406, 411, 412, 415, 416, 422, 301, 307])('%i ends the upload', (status) => {
  for (const step of ['create', 'head', 'patch'] as const) expect(at(step, status)).toEqual(stop)
})

test('waiting for a lock has its own time limit', () => {
  expect(at('patch', 423, {failures: 8, locks: 1})).toEqual({do: 'retry', ms: 500, locked: true})
  expect(at('head', 423, {locks: 6, lockedMs: 119_999, random: () => 0})).toMatchObject({ms: 500})
  expect(at('patch', 423, {locks: 20, lockedMs: 120_000})).toEqual(exhausted)
})

test('a chunk that arrives changed is read and sent again three times', () => {
  expect(at('patch', 460, {corrupted: 3})).toEqual({do: 'retry', ms: 250, reread: true})
  expect(at('patch', 460, {corrupted: 4})).toEqual(stop)
})

test('400 to the first checksum of a run is taken for the algorithm, and only then', () => {
  expect(at('patch', 400, {checksumInDoubt: true})).toEqual({do: 'dropChecksums'})
  expect(at('patch', 400)).toEqual(stop)
  expect(at('create', 400, {checksumInDoubt: true})).toEqual(stop)
})

test('413 makes the chunks smaller as long as they can be, and tells of the file when it is to the creation', () => {
  expect(at('patch', 413)).toEqual({do: 'shrink'})
  expect(at('patch', 413, {canShrink: false})).toEqual(stop)
  expect(at('create', 413)).toEqual(stop)
})

describe('an upload that is not where it should be', () => {
  test('is asked about by HEAD, or guessed without it', () => {
    expect(at('patch', 409)).toEqual({do: 'retry', ms: 250})
    expect(at('patch', 409, {head: 'no'})).toEqual({do: 'guess'})
    expect(at('patch', 409, {failures: 8})).toEqual(exhausted)
  })

  test.each([404, 410])('is started again if it is gone (%i), once', (status) => {
    expect(at('patch', status)).toMatchObject({do: 'restart'})
    expect(at('head', status)).toMatchObject({do: 'restart'})
    expect(at('patch', status, {canRestart: false})).toEqual(stop)
    expect(at('create', status)).toEqual(stop)
  })

  test('is started again after 403 to HEAD, once, if the container can be read', () => {
    expect(at('head', 403)).toMatchObject({do: 'restart', ifReadable: true})
    expect(at('head', 403, {canRestart: false})).toEqual(stop)
    for (const step of ['create', 'patch'] as const) expect(at(step, 403)).toEqual(stop)
  })

  test.each([404, 405, 501])('is known from the ledger when HEAD is not offered (%i)', (status) => {
    expect(at('head', status, {head: 'unknown'})).toEqual({do: 'useLedger'})
    expect(at('head', 410, {head: 'unknown'})).toMatchObject({do: 'restart'})
  })
})

test.each(['dns', 'refused', 'connect-timeout', 'headers-timeout', 'deadline', 'reset', 'broken', 'proxy'] as const)(
  'a connection that fails is tried again (%s)',
  (problem) => {
    expect(lost('create', problem, 'no')).toEqual({do: 'retry', ms: 250})
    expect(lost('patch', problem, 'maybe')).toEqual({do: 'retry', ms: 250, smaller: true})
    expect(lost('patch', problem, 'maybe', {canShrink: false})).toEqual({do: 'retry', ms: 250})
    // Neither says anything of the size of the chunk.
    expect(lost('patch', problem, 'no')).toEqual({do: 'retry', ms: 250})
    expect(lost('head', problem, 'maybe')).toEqual({do: 'retry', ms: 250})
    expect(lost('head', problem, 'maybe', {failures: 8})).toEqual(exhausted)
  },
)

test('a creation whose answer is lost or uncertain is not repeated', () => {
  for (const status of [408, 423, 425, 500, 502, 503, 504]) expect(at('create', status)).toEqual(stop)
  for (const problem of ['reset', 'headers-timeout', 'broken'] as const)
    expect(lost('create', problem, 'maybe')).toEqual(stop)
})

test('what will not pass by itself is not tried again', () => {
  expect(lost('create', 'tls', 'no')).toEqual(stop)
  expect(lost('patch', 'aborted', 'no')).toEqual(stop)
  expect(lost('head', 'too-large', 'maybe')).toEqual(stop)
  expect(lost('patch', 'tls', 'maybe')).toEqual({do: 'retry', ms: 250, smaller: true})
})

test('bytes that are taken and never acknowledged are sent again for a while', () => {
  const stuck = {kind: 'stuck', isBehind: false} as const
  expect(retryPolicy('patch', stuck, usual)).toEqual({do: 'retry', ms: 250})
  expect(retryPolicy('patch', stuck, {...usual, failures: 8})).toEqual(exhausted)
})

test('an answer that names a smaller offset is followed by HEAD, and without HEAD by another upload, once', () => {
  const behind = {kind: 'stuck', isBehind: true} as const
  expect(retryPolicy('patch', behind, usual)).toEqual({do: 'retry', ms: 250})
  expect(retryPolicy('patch', behind, {...usual, head: 'no'})).toMatchObject({do: 'restart'})
  expect(retryPolicy('patch', behind, {...usual, head: 'no', canRestart: false})).toEqual(stop)
})
