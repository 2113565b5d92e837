import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {reply, sandboxOf} from './answers.js'

/** Errors of services and gateways without an envelope, and their text that a person must see. */
const shapes: readonly [body: string, words: string][] = [
  ['{"message":"quota is used up"}', 'quota is used up'],
  ['{"msg":"quota is used up","code":17}', 'quota is used up'],
  ['{"error":"quota is used up"}', 'quota is used up'],
  ['{"error":{"code":400,"message":"quota is used up"}}', 'quota is used up'],
  ['{"errors":[{"message":"quota is used up"},{"message":"name is too long"}]}', 'quota is used up; name is too long'],
  ['{"errors":["quota is used up","name is too long"]}', 'quota is used up; name is too long'],
  ['{"errors":{"name":["is too long"]},"title":"One or more errors"}', 'One or more errors; name: is too long'],
  ['[{"errorCode":"X1","errorMessage":"quota is used up"}]', 'quota is used up'],
  ['{"detail":[{"loc":["body","name"],"msg":"field required","type":"missing"}]}', 'field required'],
  ['{"fault":{"faultstring":"quota is used up","detail":{"errorcode":"q"}}}', 'quota is used up'],
  ['{"Reason":"quota is used up"}', 'quota is used up'],
  ['{"status":"error","data":{"description":"quota is used up"}}', 'quota is used up'],
  ['{"violations":17,"limit":"10 rooms"}', '{"violations":17,"limit":"10 rooms"}'],
  ['quota\nis used up', 'quota is used up'],
  [
    '<html><head><title>413 Too Large</title><style>p{}</style></head><body><p>quota</p></body></html>',
    '413 Too Large',
  ],
  ['<?xml version="1.0"?><Error><Code>Q</Code><Message>quota is used up</Message></Error>', 'quota is used up'],
]
const lines = ['room show r-1', 'room end r-1 --as ann --yes', 'asset info games', 'push show --application-id app-1']

test('whatever a service says without an envelope is shown to people, and to programs as error.body', async () => {
  await everyCase(
    lines.flatMap((line) => shapes.map(([body, words]) => [line, body, words] as const)),
    async (line, body, words) => {
      const transport = async () => reply(body, {status: 400})
      expect((await cli(line, {transport})).stderr).toContain(words)
      const {error} = JSON.parse((await cli(`${line} -o json`, {transport})).stderr)
      expect(error.message).toContain(words)
      expect(error.body).toEqual(body.startsWith('<') ? expect.stringContaining(words) : body.replace('\n', ' '))
    },
  )
})

test('a title that a page says again is shown once', async () => {
  const page = '<html><head><title>503 Out\nof order</title></head><body><h1>503 Out\nof order</h1>nginx</body></html>'
  const transport = async () => reply(page, {status: 400})
  expect((await cli('asset info games', {transport})).stderr).toContain(': 503 Out of order nginx\n')
  const own = async () => reply(page, {status: 503})
  expect((await cli('room list --retries 0', {transport: own})).stderr).toContain('HTTP 503: Out of order nginx\n')
})

test('so is what refuses an upload or a request of roomctl api', async () => {
  const file = join(freshHome(), 'a.png')
  writeFileSync(file, 'x')
  const sandbox = sandboxOf(await demoStore())
  const some = shapes.filter((_, at) => at % 4 === 0)
  await everyCase(some, async (body, words) => {
    const transport: Transport = async (request) => {
      const isRead = request.method === 'GET' && !request.url.pathname.endsWith('/own')
      return isRead ? sandbox(request) : reply(body, {status: 400})
    }
    for (const line of [
      ['asset', 'upload', 'games/puzzle', file, '--platform', 'ios', '--description', 'd'],
      ['api', 'room', 'GET', '/own'],
    ]) {
      expect((await cli(line, {transport})).stderr).toContain(words)
      const {stderr} = await cli([...line, '-o', 'json'], {transport})
      const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
      expect(error.message).toContain(words)
      expect(error.body).toEqual(expect.any(String))
    }
  })
})

test('the body is cut, and contains no secret of the request', async () => {
  const token = 'sandbox-application-token'
  const secrets = [token, token.slice(0, 18), token.slice(-17), `"${token.slice(4, 20)}`]
  await everyCase(lines, async (line) => {
    const body = JSON.stringify({unknown: secrets, token: 'another-secret', more: 'x'.repeat(100_000)})
    const transport = async () => reply(body, {status: 400})
    for (const format of ['', ' -o json']) {
      const {stderr} = await cli(line + format, {transport})
      expect(stderr).toContain('***')
      expect(stderr).toContain('…')
      expect(stderr.length).toBeLessThan(3000)
      expect(stderr).not.toMatch(/application-tok|another-secret|sandbox-applic/)
    }
  })
})

test('an answer without a body has none', async () => {
  const {stderr} = await cli('asset info games -o json', {transport: async () => reply('{}', {status: 400})})
  expect(JSON.parse(stderr).error).toMatchObject({body: null})
})

test('an address without its path is named before the route', async () => {
  const transport = async () => reply('', {status: 404})
  expect((await cli('room list', {transport})).stderr).toContain(
    "\n  try: check the path of the address; if it is right, ask the operator of the service for its method and path, and set them: roomctl config set route.room.list 'METHOD /v1/rooms'\n",
  )
})
