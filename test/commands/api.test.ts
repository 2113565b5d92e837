import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {always, lost, page, refusal, reply, success} from './answers.js'

describe('the request', () => {
  test('is appended to the address with the profile’s credential', async () => {
    const ran = await cli('api room GET /v1/rooms/r-standup')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.sent).toMatchObject([
      {
        method: 'GET',
        path: '/media/v1/rooms/r-standup',
        headers: {authorization: 'Bearer sandbox-application-token', accept: 'application/json'},
        body: undefined,
      },
    ])
    expect(JSON.parse(ran.stdout)).toMatchObject({status: 'SUCCESS', data: {room_id: 'r-standup'}})
  })

  test('takes any case of method and service', async () => {
    const ran = await cli('api ROOM get /v1/rooms')
    expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toEqual(['GET /media/v1/rooms'])
  })

  test('keeps its own query as it was written, and adds fields of a read to it', async () => {
    const transport = always(() => success())
    const ran = await cli(
      ['api', 'room', 'GET', '/v1/rooms?a=1&a=2&q=%20x+y', '-f', 'name=a b&c', '-F', 'ids:=[1,2]'],
      {transport},
    )
    expect(ran.sent[0]?.path).toBe('/media/v1/rooms?a=1&a=2&q=%20x+y&name=a%20b%26c&ids=%5B1%2C2%5D')
    expect(ran.sent[0]?.body).toBeUndefined()
  })

  test('makes a JSON body of fields, text and JSON', async () => {
    const transport = always(() => success())
    const texts = '-f name=Design=review -f empty= -f constructor=x'
    const values = '-F __proto__:={"a":1} -F max:=30 -F attendees:=["ben"] -F on:=true'
    const ran = await cli(`api room POST /v1/rooms ${texts} ${values}`, {transport})
    expect(ran.sent[0]).toMatchObject({method: 'POST', path: '/media/v1/rooms'})
    expect(ran.sent[0]?.headers['content-type']).toBe('application/json')
    expect(Object.entries(ran.sent[0]?.body ?? {})).toEqual([
      ...[
        ['name', 'Design=review'],
        ['empty', ''],
        ['constructor', 'x'],
        ['__proto__', {a: 1}],
        ['max', 30],
      ],
      ...[
        ['attendees', ['ben']],
        ['on', true],
      ],
    ])
  })

  test('takes a body from stdin or a file, as it is', async () => {
    const transport = always(() => success())
    const text = '{ "requester_id" : "ann" }\n'
    const piped = await cli('api room POST /v1/x --input -', {transport, stdin: text})
    expect(piped.sent[0]?.body).toEqual({requester_id: 'ann'})
    const file = join(freshHome(), 'body.txt')
    writeFileSync(file, 'no json at all')
    const filed = await cli(['api', 'room', 'PUT', '/v1/x', '--input', file], {transport})
    expect(filed.sent[0]?.body).toBe('no json at all')
    expect(await cli('api room POST /v1/x --input /nowhere')).toMatchObject({exit: 14, sent: []})
  })

  test('is sent once, even a read', async () => {
    for (const answer of [() => page(503), () => refusal('CE101'), () => lost('reset', 'maybe')]) {
      const ran = await cli('api room GET /v1/rooms', {transport: always(answer)})
      expect(ran.exit).not.toBe(0)
      expect(ran.sent).toHaveLength(1)
    }
  })

  test.each([
    ['api room GET v1/rooms', 'PATH must begin with /'],
    ['api room GET /v1/../rooms', 'cannot be appended'],
    ['api room GET /v1/%2e%2e/rooms', 'cannot be appended'],
    ['api room GET /v1/rooms#x', 'cannot be appended'],
    ['api room GET /v1\\rooms', 'cannot be appended'],
    ['api room POST /x -f name', '-f takes key=value'],
    ['api room POST /x -f =value', '-f takes key=value'],
    ['api room POST /x -F name=1', '-F takes key:=json'],
    ['api room POST /x -F name:={', '-F name: the value is not JSON'],
    ['api room POST /x -F :=1', '-F takes key:=json'],
    ['api room POST /x -f a=1 --input -', 'cannot also be provided'],
    ['api room GET /x -o csv', 'cannot print its answer as csv'],
    ['api room GET /x -q', 'cannot print its answer as ids'],
    ['api room GET /x --columns a', 'this command does not take --columns'],
    ['api room GET /x -o yaml --query data -r', '--raw cannot be used with -o yaml'],
    ['api room GET /x -o json --query [', '--query cannot be used'],
  ])('%s is refused before anything is sent', async (line, message) => {
    const ran = await cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
  })

  test('never leaves the origin of the address', async () => {
    for (const path of ['//elsewhere.example/x', '/@elsewhere.example/', '/%2F%2Felsewhere.example']) {
      const ran = await cli(['api', 'room', 'GET', path], {transport: always(() => success())})
      expect(ran.sent.every((sent) => sent.path.startsWith('/media/'))).toBe(true)
    }
  })
})

const plainText = (text: string) => reply(text, {headers: {'content-type': 'text/plain'}})

describe('the answer', () => {
  test('is formatted again when it is JSON, and taken as it is when it is text', async () => {
    const json = await cli('api room GET /x', {transport: always(() => reply('{"b":1,"a":[]}'))})
    expect(json).toMatchObject({exit: 0, stdout: '{\n  "b": 1,\n  "a": []\n}\n'})
    const text = await cli('api room GET /x', {transport: always(() => plainText('one\r\ntwo\n'))})
    expect(text).toMatchObject({exit: 0, stdout: 'one\ntwo\n'})
    const nothing = await cli('api room GET /x', {transport: always(() => reply('', {status: 204}))})
    expect(nothing).toMatchObject({exit: 0, stdout: ''})
  })

  test('comes with status and headers with --include', async () => {
    const answer = () => reply('{}', {status: 201, headers: {'x-request-id': '7'}})
    const ran = await cli('api room GET /x --include', {transport: always(answer)})
    expect(ran.stdout).toBe('HTTP 201\ncontent-type: application/json\nx-request-id: 7\n\n{}\n')
    const empty = await cli('api room HEAD /x --include', {transport: always(() => reply('', {status: 204}))})
    expect(empty.stdout).toBe('HTTP 204\ncontent-type: application/json\n\n')
  })

  test('can be had in other formats and chosen from', async () => {
    expect((await cli('api room GET /v1/rooms -o json --query data[0].room_id')).stdout).toBe('"r-standup"\n')
    expect((await cli('api room GET /v1/rooms -o yaml --query data[0].is_public')).stdout).toBe('true\n')
    expect((await cli('api room GET /v1/rooms/r-1 -o ndjson')).stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test.each([
    ['CE001', 200, 8],
    ['ER001', 409, 7],
    ['ZZ9', 200, 8],
    [undefined, 403, 5],
  ])('of a refusal with %s and HTTP %i is printed on stderr, and ends with %i', async (code, status, exit) => {
    const ran = await cli('api room GET /x', {transport: always(() => refusal(code, 'no', status))})
    expect(ran.exit).toBe(exit)
    expect(ran.stdout).toBe('')
    const [, answer = '', error] = /^(\{.*?\n\})\n(.*)$/su.exec(ran.stderr) ?? []
    expect(JSON.parse(answer)).toMatchObject({status: 'FAIL', message: 'no'})
    expect(error).toMatch(/^error: cannot call GET \/x: no/)
    const json = await cli('api room GET /x -o json', {transport: always(() => refusal(code, 'no', status))})
    expect(json.stdout).toBe('')
    const {error: failure} = JSON.parse(json.stderr)
    expect(failure.exit_code).toBe(exit)
    expect(JSON.parse(failure.body).status).toBe('FAIL')
  })

  test.each([
    [401, 4],
    [500, 9],
  ])('of HTTP %i without an envelope ends with %i', async (status, exit) => {
    const ran = await cli('api room GET /x', {transport: always(() => page(status))})
    expect(ran.exit).toBe(exit)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain('<h1>')
    expect(ran.stderr).not.toContain('config set route.')
  })

  test('of SUCCESS is a success, whatever the HTTP status', async () => {
    const ran = await cli('api room GET /x', {transport: always(() => success([], 500))})
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toMatch(/^warning: GET \/x was answered with SUCCESS and HTTP 500/u)
  })
})

describe('an answer of success to a read', () => {
  const untyped = (text: string) => ({...reply(text), headers: {}})
  const read = (service: string, answer: Parameters<typeof always>[0], flags = '') =>
    cli(`api ${service} GET /x ${flags}`, {transport: always(answer)})

  test('denies by FAIL, an error or success: false alone, whatever the service', () =>
    everyCase(
      ['room', 'asset', 'push'].flatMap((service) =>
        [
          ...['{"status":"FAIL"}', '{"status":"FAIL","error_code":"CE002"}', '{"error":"no"}', '{"errors":[{"a":1}]}'],
          ...['{"error_code":"E7","data":{}}', '{"success":false}'],
        ].map((text) => [service, text] as const),
      ),
      async (service, text) => {
        for (const flags of ['', '-o json', '--query data']) {
          const ran = await read(service, () => reply(text), flags)
          expect({...ran, isFailure: ran.exit !== 0}).toMatchObject({isFailure: true, stdout: ''})
          if (flags !== '') expect(JSON.parse(ran.stderr).error).toMatchObject({outcome: 'none', body: text})
        }
      },
    ))

  test('is printed if it denies nothing', () =>
    everyCase(
      [
        ...['{"status":"UP"}', '{"message":"hello"}', '{"detail":"a"}', '{"error":null,"errors":[]}', '[]', '7'],
        ...['"text"', '{"success":true}', '{"data":{"error":"in the data"}}'],
      ].map((text) => [text] as const),
      async (text) => {
        for (const service of ['room', 'asset', 'push']) {
          const ran = await read(service, () => reply(text), '-o json')
          expect([ran.exit, JSON.parse(ran.stdout)]).toEqual([0, JSON.parse(text)])
        }
      },
    ))

  test.each([
    ['JSON that breaks off', () => reply('{"status":"SUCCESS","data":[{"room_id":"r-1"'), ''],
    [
      'a problem in JSON that breaks off',
      () => reply('{"a', {headers: {'content-type': 'application/problem+json'}}),
      '',
    ],
    ['JSON without a type that breaks off', () => untyped('{"status":"FAIL"'), ''],
    ['JSON as text that breaks off', () => plainText('[\n  {"a": 1},'), ''],
    ['nothing where JSON is announced', () => reply(''), ''],
    ['text for -o json', () => plainText('pong'), '-o json'],
    ['text for -o yaml', () => plainText('pong'), '-o yaml'],
    ['text for --query', () => plainText('pong'), '--query data'],
    ['nothing for --query', () => untyped(''), '--query data'],
  ])('that is %s ends with 10, and no option is dropped', async (_, answer, flags) => {
    for (const service of ['room', 'asset', 'push']) {
      const ran = await read(service, answer, flags)
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.stderr).toMatch(
        /the answer is (?:truncated or invalid JSON|empty|not JSON \(content type text\/plain\))/u,
      )
    }
  })

  test('is text if it begins as no JSON, and null in JSON where there is no body', async () => {
    const lines = '{"a":1}\n{"a":2}\n'
    expect(await read('push', () => plainText(lines))).toMatchObject({exit: 0, stdout: lines})
    expect(await read('push', () => plainText('[INFO] ready'))).toMatchObject({exit: 0, stdout: '[INFO] ready\n'})
    expect(await read('push', () => reply('', {status: 204}), '-o json')).toMatchObject({exit: 0, stdout: 'null\n'})
  })
})

describe('a change', () => {
  test('is shown by --dry-run and not sent', async () => {
    const ran = await cli('api room POST /v1/rooms/r-standup/end?now=1 -f requester_id=ann --dry-run')
    expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
    expect(ran.stdout).toBe(
      'would send: POST http://sandbox.localhost/media/v1/rooms/r-standup/end?now=1\n' + '  {"requester_id":"ann"}\n',
    )
  })

  test('whose answer was lost may have been made', async () => {
    const maybe = await cli('api room POST /x -o json', {transport: always(() => lost('headers-timeout', 'maybe'))})
    expect(maybe).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(maybe.stderr).error).toMatchObject({
      outcome: 'unknown',
      code: 'headers-timeout',
      retryable: false,
      message: 'POST /x may have been carried out: the answer was lost',
    })
    const no = await cli('api room POST /x -o json', {transport: always(() => lost('refused', 'no'))})
    expect(JSON.parse(no.stderr).error).toMatchObject({outcome: 'none', retryable: true})
    const gateway = await cli('api room POST /x -o json', {transport: always(() => page(502))})
    expect(JSON.parse(gateway.stderr).error).toMatchObject({
      outcome: 'unknown',
      exit_code: 10,
      message: expect.stringMatching(/^POST \/x may have been carried out: /u),
    })
  })

  test('that runs out of time is a timeout and no interruption', async () => {
    const transport = always(() => lost('deadline', 'maybe'))
    expect((await cli('api room GET /x', {transport})).exit).toBe(10)
    expect((await cli('api room GET /x', {transport, signal: AbortSignal.abort()})).exit).toBe(10)
    const aborted = always(() => lost('aborted', 'no'))
    expect((await cli('api room GET /x', {transport: aborted, signal: AbortSignal.abort()})).exit).toBe(130)
  })
})

test('a redirect and a page are no answer to a read, whatever the service', () =>
  everyCase(
    ['room', 'asset', 'push'].flatMap((service) =>
      [200, 301, 302, 303, 307, 308].map((status) => [service, status] as const),
    ),
    async (service, status) => {
      const line = `api ${service} GET /x -o json`
      const ran = await cli(line, {transport: always(() => (status === 200 ? page(status) : reply('', {status})))})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      const error = {code: 'broken-answer', http_status: status, outcome: 'none', exit_code: 10}
      expect(JSON.parse(ran.stderr).error).toMatchObject(error)
    },
  ))

test('a change is done only where the answer shows that it was, for the journal and the exit alike', () =>
  everyCase(
    [
      ['room', success(), 'done'],
      ['room', reply(''), 'unknown'],
      ['room', page(200), 'unknown'],
      ['room', reply('', {status: 204}), 'unknown'],
      ['room', reply('', {status: 302}), 'unknown'],
      ['asset', reply('', {status: 302}), 'unknown'],
      ['push', reply('', {status: 307}), 'failed'],
      ['room', page(503), 'unknown'],
      ['room', page(503, {'retry-after': '1'}), 'unknown'],
      ['room', page(429), 'unknown'],
      ['room', page(429, {'retry-after': '1'}), 'failed'],
      ['room', page(403), 'unknown'],
      ['room', reply('{"message":"no"}', {status: 409}), 'unknown'],
      ['room', refusal('ZZ9', 'no', 409), 'unknown'],
      ['asset', reply('{"message":"no"}', {status: 409}), 'failed'],
      ['asset', page(409), 'unknown'],
      ['push', reply('{"message":"no"}', {status: 408}), 'unknown'],
      ['room', refusal('CE003'), 'failed'],
      ['asset', reply('', {status: 204}), 'done'],
      ['asset', page(200), 'unknown'],
      ['push', reply('{"id":1}'), 'done'],
      ['asset', plainText('OK'), 'unknown'],
      ...(['room', 'asset', 'push'] as const).flatMap((service) =>
        [
          ...['{"status":"FAIL","message":"no"}', '{"status":"FAIL","error_code":"ZZ9"}', '{"status":"FA'],
          ...['{"error":{"code":7}}', '{"errors":["no"]}', '{"error_code":"E7"}', '{"success":false}'],
          ...['{"message":"no"}', '{"data":{"id":1}', '[{"id":1},', '{'],
        ].map((text) => [service, reply(text), 'unknown'] as const),
      ),
    ] as const,
    async (service, answer, outcome) => {
      const home = freshHome()
      const ran = await cli(`api ${service} POST /x -o json`, {home, transport: always(() => answer)})
      const [line = ''] = readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8').split('\n')
      expect(JSON.parse(line).outcome).toBe(outcome)
      const said = {done: undefined, failed: 'none', unknown: 'unknown'}[outcome]
      expect(ran.exit === 0).toBe(outcome === 'done')
      expect(ran.exit === 0 ? undefined : JSON.parse(ran.stderr).error.outcome).toBe(said)
    },
  ))
