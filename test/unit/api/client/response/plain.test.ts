import {describe, expect, test} from 'vitest'
import {readBareResponse} from '../../../../../src/api/client/response/response.js'
import {describe as describeContainer, info, listContainer} from '../../../../../src/api/contract/asset.js'
import {failureOf} from '../../../../support/failures.js'
import {calls, plain, withEffect} from '../calls.js'
import {answer, breaks, breaksInBody, type Step, settling, stage} from '../stage.js'

const path = {container: 'games/foo'}
const describing = {path, body: {description: 'New words'}}
const json = {'content-type': 'application/json'}
const read = (status: number, text: string, headers: Record<string, string> = json) => ({status, headers, text})

describe('an answer without an envelope', () => {
  test.each([200, 201, 203, 206, 299])('with HTTP %i is the JSON of its body', (status) => {
    expect(readBareResponse(read(status, '{"a":[1]}'), 'json')).toEqual({kind: 'success', data: {a: [1]}, status})
  })

  test('may hold any JSON, also one that looks like a refusal of another service', () => {
    const texts = ['null', '[]', '"x"', '0', '\ufeff{"status":"FAIL","error_code":"CE002"}']
    const data = [null, [], 'x', 0, {status: 'FAIL', error_code: 'CE002'}]
    expect(texts.map((text) => readBareResponse(read(200, text), 'json'))).toEqual(
      data.map((one) => ({kind: 'success', data: one, status: 200})),
    )
  })

  test.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['<!doctype html><p>Sign in S3CRET', 'is an HTML page, not JSON: check for a proxy or a wrong address'],
    ['{"token":"S3CRET', 'is truncated or invalid JSON'],
    ['S3CRET', 'is not JSON (content type application/json)'],
  ])('%j is broken where JSON should be, and is not repeated', (text, what) => {
    expect(readBareResponse(read(200, text), 'json')).toEqual({kind: 'broken', what, status: 200})
  })

  test.each([200, 201, 202, 204])('with HTTP %i is enough where nothing is to come', (status) => {
    for (const text of ['', '{}', 'OK', '{"uuid":"u-1"}']) {
      expect(readBareResponse(read(status, text), 'nothing')).toEqual({kind: 'success', data: undefined, status})
    }
  })

  test('of a page with 200 does not say that a change was made', () => {
    expect(readBareResponse(read(200, '<html>Sign in'), 'nothing')).toMatchObject({kind: 'broken', status: 200})
  })

  test('gives its headers where they are the result, and a body beside them', () => {
    const headers = {allow: 'GET, POST', link: '</x/?type=meta>', 'content-type': 'text/html'}
    for (const [text, body] of [
      ['', {}],
      ['<html>', {body: '<html>'}],
      ['{"a":1}', {body: {a: 1}}],
    ] as const) {
      expect(readBareResponse(read(200, text, headers), 'headers')).toEqual({
        kind: 'success',
        data: {...headers, ...body},
        status: 200,
      })
    }
  })

  test.each([100, 101, 199])('with HTTP %i is broken', (status) => {
    expect(readBareResponse(read(status, ''), 'json')).toEqual({
      kind: 'broken',
      what: `has the status ${status}`,
      status,
    })
  })
})

describe('the message of a refusal', () => {
  test('is in the failure, with the HTTP status and advice', async () => {
    const {api} = stage([answer(404, {message: 'no container games/foo'})])
    expect((await failureOf(api.call(listContainer, {path}))).facts).toEqual({
      exit: 'missing',
      message: 'cannot list container games/foo: no container games/foo',
      cause: 'no container games/foo',
      serviceMessage: 'no container games/foo',
      body: '{"message":"no container games/foo"}',
      httpStatus: 404,
      outcome: 'none',
      retryable: false,
      why: 'probably nothing exists at this path, or the token cannot see it',
      try: 'check the path with asset list',
    })
  })

  test('may be missing from a 404: the path may be wrong', async () => {
    const {api} = stage([answer(404, '<html>')])
    expect((await failureOf(api.call(listContainer, {path}))).facts).toEqual({
      exit: 'missing',
      message: 'cannot list container games/foo: the answer was HTTP 404, not found',
      cause: 'the answer was HTTP 404, not found',
      httpStatus: 404,
      outcome: 'none',
      retryable: false,
      why: "it does not exist, or nothing answers at GET /{container}/ under the service's address",
      try: "check the path; if it is right, ask the operator of the service for its method and path, and set them: roomctl config set route.asset.list 'METHOD /{container}/'",
    })
  })

  test('is not taken for a code of the room document', async () => {
    const {api} = stage([answer(409, {status: 'FAIL', error_code: 'CE200', message: 'it already exists'})])
    const {facts} = await failureOf(calls['asset.create'](api))
    expect([facts.exit, facts.code, facts.message]).toEqual([
      'state',
      undefined,
      'cannot create container games/foo: it already exists',
    ])
  })
})

describe('HEAD', () => {
  test('has no body, whatever length and coding its answer announces', async () => {
    const headers = {allow: 'GET', 'content-length': '99999999999', 'content-encoding': 'gzip'}
    const {api, sent} = stage([answer(200, '', headers)])
    expect(await calls['asset.head'](api)).toMatchObject({allow: 'GET'})
    expect(sent).toEqual(['HEAD /media/games/foo/'])
  })

  test('discards its answer, since an open connection keeps the program running', async () => {
    let held = true
    const letGo = () => {
      held = false
    }
    const {api} = stage([async (request) => ({...(await answer(200)(request)), discard: letGo})])
    await calls['asset.head'](api)
    expect(held).toBe(false)
  })
})

describe('a change of a container', () => {
  const shows = (description?: unknown): Step => answer(200, {name: 'foo', description})
  const unanswered: [string, Step][] = [
    ['the connection is reset', breaks('reset')],
    ['the service failed', answer(500, '')],
    ['a gateway failed', answer(502, '<html>')],
  ]
  const acknowledged: [string, Step][] = [
    ['a page comes with 200', answer(200, '<html>')],
    ['the body breaks off', breaksInBody(200)],
  ]

  test.each([...unanswered, ...acknowledged])('was made when the container shows it, though %s', async (_, step) => {
    const {api, sent} = stage([step, shows('New words')], {retries: 0})
    expect(await api.call(describeContainer, describing, {description: 'Old words'})).toBeUndefined()
    expect(sent).toEqual(['PATCH /media/games/foo/', 'GET /media/games/foo/'])
  })

  test.each(unanswered)('was not made when the container shows other words and %s', async (_, step) => {
    const {api} = stage([step, ...settling(shows('Old words'))], {retries: 0})
    expect((await failureOf(api.call(describeContainer, describing))).facts.outcome).toBe('none')
  })

  test.each<[string, Step, Step]>([
    ['the container does not tell', breaks('reset'), shows()],
    ['the container cannot be read', breaks('reset'), breaks('refused', 'no')],
    ['the container is gone', breaks('reset'), answer(404, '')],
    ['the answer is no container', breaks('reset'), answer(200, {description: 7})],
    ['the service may still work on it', breaks('headers-timeout'), shows('Old words')],
    ...acknowledged.map(([what, step]): [string, Step, Step] => [what, step, shows('Old words')]),
  ])('stays unknown if %s, and names the command that shows it', async (_, step, reading) => {
    const {api, sent} = stage([step, ...settling(reading)], {retries: 0})
    const {facts} = await failureOf(api.call(describeContainer, describing))
    expect([facts.outcome, sent[1]]).toEqual(['unknown', 'GET /media/games/foo/'])
    expect(facts.try).toBe('roomctl asset info games/foo')
  })

  test('that creates is never settled and never repeated', async () => {
    for (const id of withEffect(plain, 'create')) {
      const {api, sent} = stage([breaks('reset')])
      const {facts} = await failureOf(calls[id](api))
      expect([id, facts.outcome, facts.retryable, sent.length]).toEqual([id, 'unknown', false, 1])
    }
  })

  test('with an undocumented reply was made', async () => {
    const {api} = stage([answer(201, {uuid: 7})])
    const {facts} = await failureOf(calls['asset.create'](api))
    expect([facts.code, facts.outcome]).toEqual(['broken-answer', 'applied'])
    expect(facts.why).toBe('the answer.uuid is missing or has another type than the document shows')
  })
})

test.each<[string, Step]>([
  ['a reset', breaks('reset')],
  ['503', answer(503, '')],
  ['429', answer(429, {message: 'slow down'})],
  ['504', answer(504, '')],
])('a read is sent again after %s', async (_, step) => {
  const {api, sent} = stage([step, answer(200, {name: 'foo'})])
  expect(await api.call(info, {path, query: {type: 'meta'}})).toEqual({name: 'foo'})
  expect(sent).toHaveLength(2)
})
