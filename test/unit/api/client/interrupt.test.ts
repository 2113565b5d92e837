import {describe, expect, test} from 'vitest'
import {operations} from '../../../../src/api/contract/operations.js'
import {failureOf} from '../../../support/failures.js'
import {calls, withEffect} from './calls.js'
import {breaks, hangs, refusal, stage} from './stage.js'

describe('Ctrl-C', () => {
  test.each([
    ['before it was sent', 'no', 'none'],
    ['while it is under way', 'maybe', 'unknown'],
  ] as const)('%s ends a change as interrupted, and the room is not read', async (_, wire, outcome) => {
    for (const id of [...withEffect(operations, 'state'), ...withEffect(operations, 'create')]) {
      const abort = new AbortController()
      const {api, sent} = stage([hangs(wire, () => abort.abort())], {abort})
      const {facts} = await failureOf(calls[id](api))
      expect([id, facts.exit, facts.outcome, sent.length]).toEqual([id, 'interrupted', outcome, 1])
      if (outcome === 'unknown') expect(facts.try).toMatch(/\S/)
    }
  })

  test('between two attempts ends the call without another one, and nothing was done', async () => {
    const abort = new AbortController()
    const {api, sent} = stage([refusal('CE101')], {abort, onSleep: () => abort.abort()})
    const {facts} = await failureOf(calls['room.end'](api))
    expect([facts.exit, facts.outcome, sent.length]).toEqual(['interrupted', 'none', 1])
  })

  test('while the room is read to settle a change leaves it unknown', async () => {
    const abort = new AbortController()
    const {api} = stage([breaks('reset'), hangs('maybe', () => abort.abort())], {abort})
    expect((await failureOf(calls['room.end'](api))).facts.outcome).toBe('unknown')
  })

  test('before anything began sends nothing', async () => {
    const abort = new AbortController()
    abort.abort()
    const {api} = stage([hangs('no')], {abort})
    const {facts} = await failureOf(calls['room.create'](api))
    expect([facts.exit, facts.outcome]).toEqual(['interrupted', 'none'])
  })
})
