import {describe, expect, test} from 'vitest'
import {readBareResponse} from '../../../../../src/api/client/response/response.js'
import {operations} from '../../../../../src/api/contract/operations.js'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaks, settling, stage} from '../stage.js'

const html = {'content-type': 'text/html'}
const read = (status: number, text: string) => ({status, headers: html, text})
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const unshown = operations.filter(
  (operation) => 'responseFormat' in operation && operation.responseFormat === 'unshown',
)

describe('an answer whose body the document does not show', () => {
  test('is the JSON of the service, of any shape', () => {
    const texts = ['{"request_uuid":"q-1"}', '"q-1"', '[]', 'null', '0', '\ufeff{"a":1}', deep(500)]
    expect(texts.map((text) => readBareResponse(read(200, text), 'unshown'))).toEqual(
      texts.map((text) => ({kind: 'success', data: JSON.parse(text.replace('\ufeff', '')), status: 200})),
    )
  })

  test.each([
    ['nothing', ''],
    ['white space', ' \r\n'],
    ['a text', 'OK'],
    ['JSON that breaks off', '{"request_uuid":"q-'],
    ['JSON that is too deep to be shown', deep(501)],
    ['bytes', '\u0000\ufffd'],
  ])('says nothing where it is %s, and the change was made all the same', (_, text) => {
    for (const status of [200, 201, 202, 204]) {
      expect(readBareResponse(read(status, text), 'unshown')).toEqual({kind: 'success', data: null, status})
    }
  })

  test.each(['<html>Sign in', '<!DOCTYPE html>\n<p>', ' \n<HTML>', '<?xml version="1.0"?>'])(
    'is no answer of the service where it is the page %j',
    (text) => {
      expect(readBareResponse(read(200, text), 'unshown')).toEqual({
        kind: 'broken',
        what: 'is an HTML page, not JSON: check for a proxy or a wrong address',
        status: 200,
      })
    },
  )

  test('belongs to the operations without a documented body', () => {
    expect(unshown.map(({id}) => id)).toEqual([
      'push.register',
      'push.modify',
      'push.broadcast',
      'push.cancel',
      'push.iosKey',
      'push.iosCertificate',
      'push.android',
    ])
  })

  test('goes to the caller as it came, or as null', async () => {
    for (const {id} of unshown) {
      const body = {anything: [1], at: {all: null}}
      expect(await calls[id](stage([answer(200, body)]).api)).toEqual(body)
      expect(await calls[id](stage([answer(204)]).api)).toBeNull()
      expect(await calls[id](stage([answer(200, 'done')]).api)).toBeNull()
    }
  })
})

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

  test('leaves its outcome unknown, in the words of the body', () =>
    everyCase(denials, async (_, body) => {
      for (const {id} of bare) {
        const steps = [answer(202, body), ...settling(breaks('reset'))]
        const {facts} = await failureOf(calls[id](stage(steps, {retries: 0}).api))
        expect([id, facts.exit, facts.outcome]).toEqual([id, 'network', 'unknown'])
        expect(facts.message).toMatch(/ may have been .*: the answer says otherwise: no such application$/u)
        expect(facts.serviceMessage).toBe('no such application')
      }
    }))

  test('and as the body is if it has no words', () =>
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

  test('so do all documented members missing, and no error beside them is one', async () => {
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

describe('a success with a status that the document does not show', () => {
  test('is not remarked upon where it is documented, nor where the document shows none', async () => {
    for (const operation of operations) {
      const [status = 200] = 'successes' in operation ? operation.successes : []
      const {api, warned} = stage([answer(status, {transactions: []})])
      await calls[operation.id](api).catch(() => undefined)
      expect([operation.id, warned]).toEqual([operation.id, []])
    }
  })
})
