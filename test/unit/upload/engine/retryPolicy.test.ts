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
