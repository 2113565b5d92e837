import {describe, expect, test} from 'vitest'
import {operations} from '../../../../../src/api/contract/operations.js'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaks, settling, stage} from '../stage.js'

const html = {'content-type': 'text/html'}
const _read = (status: number, text: string) => ({status, headers: html, text})
const _deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const _unshown = operations.filter(
  (operation) => 'responseFormat' in operation && operation.responseFormat === 'unshown',
)

describe('a 2xx whose body denies the change', () => {
  const denials: [string, unknown][] = [
    ['{"status":"FAIL"}', {status: 'FAIL', message: 'no such application'}],
    ['an error', {error: {code: 403, message: 'no such application'}}],
    ['an error code', {error_code: 'X1', message: 'no such application'}],
    ['errors', {errors: [{detail: 'no such application'}]}],
    ['success: false', {success: false, reason: 'no such application'}],
    ['a lone message', {message: 'no such application'}],
    ['a lone detail', {detail: 'no such application'}],
  ]
  const bare = operations.filter(
    ({effect, ...one}) => effect !== 'read' && 'responseFormat' in one && one.responseFormat !== 'headers',
  )
  const documented = ['asset.create', 'push.send'] as const

  test('leaves its outcome unknown, with the message of the body', () =>
    everyCase(denials, async (_, body) => {
      for (const {id} of bare) {
        const steps = [answer(202, body), ...settling(breaks('reset'))]
        const {facts} = await failureOf(calls[id](stage(steps, {retries: 0}).api))
        expect([id, facts.exit, facts.outcome]).toEqual([id, 'network', 'unknown'])
        expect(facts.message).toMatch(/ may have been .*: the answer says otherwise: no such application$/u)
        expect(facts.serviceMessage).toBe('no such application')
      }
    }))

  test('shows the body itself if it has no message', () =>
    everyCase(
      [
        ['success: false', {success: false}],
        ['a code alone', {error: {code: 403}}],
      ],
      async (_, body) => {
        const {facts} = await failureOf(calls['push.send'](stage([answer(202, body)], {retries: 0}).api))
        expect(facts.message).toMatch(/ may have been .*: the answer says otherwise: \{/u)
        expect(facts.message).toContain(JSON.stringify(body))
      },
    ))

  test('is unknown, too, if all documented members are missing, and null or empty errors deny nothing', async () => {
    for (const id of documented) {
      for (const body of [{}, [], 'OK', {uuids: 1}]) {
        const {facts} = await failureOf(calls[id](stage([answer(202, body)], {retries: 0}).api))
        expect([id, facts.outcome]).toEqual([id, 'unknown'])
      }
    }
    for (const {id} of bare) {
      const body = {
        status: 'SUCCESS',
        error: null,
        errors: [],
        success: true,
        message: 'ok',
        uuid: 'u',
        transactions: [],
      }
      await calls[id](stage([answer(202, body)]).api)
    }
  })
})
