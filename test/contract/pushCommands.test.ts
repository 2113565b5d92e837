import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {files} from '../support/operationRows.js'
import {answered, pushChanges} from '../support/operations.js'
import {headerOf, type PushArrived, partsOf, pushReader} from './pushReader.js'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const query = 'application_id=app%201'
const app = ['--application-id', 'app 1']

/** A command line and the request that it makes, with its JSON. */
type Row = readonly [operation: string, words: readonly string[], line: string, json: object | undefined]

/** One for each operation of the document. */
const rows: readonly Row[] = [
  ...pushChanges.map(
    (change): Row => [change.operation, answered(change), `${change.method} ${change.path}`, change.body],
  ),
  ['push.show', ['push', 'show', ...app], `GET /push/v1/config?${query}`, undefined],
  [
    'push.records',
    ['push', 'records', ...app, '--request-id', uuid, '--recipient-id', 'a b', '--transaction-id', 't&1'],
    `GET /push/v1/transactions?${query}&request_id=${uuid}&transaction_id=t%261&recipient_id=a%20b`,
    undefined,
  ],
]

function rowOf(operation: string): Row {
  const row = rows.find(([id]) => id === operation)
  if (!row) throw new Error(`no row ${operation}`)
  return row
}

/** Nothing is registered and nothing is recorded; a send is accepted. */
function answer({line}: PushArrived) {
  if (line.endsWith('/v1/tokens')) return {status: 201, body: {}}
  if (!line.endsWith('/v1/messages')) return {status: 204}
  return {status: 202, body: {transactions: [{recipient_id: 'ann', status: 'SUCCESS'}]}}
}

/** Runs a line against a service on a socket, with these settings of the environment. */
async function onWire(words: readonly string[], env: Record<string, string> = {}) {
  const server = await pushReader(answer)
  const address = {ROOMCTL_PUSH_URL: `${server.origin}/push`, ROOMCTL_PUSH_TOKEN: 'some-token', ...credentialRoutes}
  const ran = await cli(words, {env: {ROOMCTL_PROFILE: 'default', ...address, ...env}})
  return {ran, arrived: server.arrived}
}

function only(arrived: readonly PushArrived[], line: string): PushArrived {
  const [request, ...others] = arrived.filter((one) => one.line === line)
  if (!request || others.length > 0) throw new Error(`not once ${line} in ${arrived.map((one) => one.line).join(', ')}`)
  return request
}

describe('what arrives from the command line', () => {
  test.each(rows)('of %s is the documented request', async (_, words, line, json) => {
    const {ran, arrived} = await onWire(words)
    expect(ran.stderr).not.toContain('Bearer some-token')
    const request = only(arrived, line)
    expect(headerOf(request, 'authorization')).toEqual(['Bearer some-token'])
    const type = headerOf(request, 'content-type')
    if (type[0]?.startsWith('multipart/form-data; boundary=')) return
    const text = request.body.toString('utf8')
    expect(json === undefined ? text : JSON.parse(text)).toEqual(json ?? '')
    expect(type).toEqual(json === undefined ? [] : ['application/json'])
  })

  test.each([
    ['push.iosKey', 'auth_key_file', files.apnsKey],
    ['push.iosCertificate', 'certificate_file', files.certificate],
  ])('of %s holds the file in the field %s, and nothing else', async (operation, name, file) => {
    const [, words, line] = rowOf(operation)
    const {arrived} = await onWire(words)
    const parts = await partsOf(only(arrived, line))
    expect(parts.map((part) => part.name)).toEqual([name])
    expect(parts[0]?.bytes.equals(readFileSync(file))).toBe(true)
    expect(only(arrived, line).body.toString('latin1')).not.toContain(files.apnsKey)
  })

  test('of the ten operations is there a row', () => {
    expect(rows).toHaveLength(10)
  })
})

describe('the Authorization of the push service', () => {
  test.each([
    ['Bearer', 'Bearer some-token'],
    ['none', 'some-token'],
    ['Token', 'Token some-token'],
    ['key', 'key some-token'],
  ])('with the scheme %s is %s', async (scheme, header) => {
    const env = {ROOMCTL_PUSH_AUTH_SCHEME: scheme}
    const {ran, arrived} = await onWire(['push', 'show', ...app], env)
    expect(ran.exit).toBe(0)
    expect(arrived.map((request) => headerOf(request, 'authorization'))).toEqual([[header]])
    const dry = await onWire(['push', 'cancel', uuid, ...app, '--dry-run', '-o', 'json'], env)
    const shown = scheme === 'none' ? '***' : `${scheme} ***`
    expect(dry.ran.stdout).toContain(`"authorization": "${shown}"`)
  })

  test('is the setting of the profile, which config list shows, and of the push service alone', async () => {
    const home = freshHome()
    const server = await pushReader(() => ({status: 200, body: {status: 'SUCCESS', data: []}}))
    const env = {
      ROOMCTL_PROFILE: 'default',
      ROOMCTL_PUSH_URL: server.origin,
      ROOMCTL_PUSH_TOKEN: 'some-token',
      ROOMCTL_ROOM_URL: server.origin,
      ROOMCTL_ROOM_TOKEN: 'room-token',
    }
    for (const [key, value] of [
      ['push.authScheme', 'none'],
      ['push.dispatchDateFormat', 'extended'],
    ] as const) {
      expect((await cli(`config set ${key} ${value}`, {home, env})).exit).toBe(0)
      const listed = JSON.parse((await cli('config list -o json', {home, env})).stdout)
      expect(listed).toContainEqual(expect.objectContaining({key, value, source: 'profile'}))
    }
    await cli(['push', 'records'], {home, env})
    await cli('room list', {home, env})
    expect(server.arrived.map((request) => headerOf(request, 'authorization')[0])).toEqual([
      'some-token',
      'Bearer room-token',
    ])
  })
})

describe('a secret over plain http to another machine', () => {
  const secrets = rows.filter(([id]) =>
    ['push.register', 'push.iosKey', 'push.iosCertificate', 'push.android'].includes(id),
  )
  const remote = {
    ROOMCTL_PUSH_URL: 'http://192.0.2.1:9/push',
    ROOMCTL_PUSH_TOKEN: 'some-token',
    ROOMCTL_PROFILE: 'default',
    ...credentialRoutes,
  }

  test.each(secrets)('is not sent by %s, even where the profile allows http', async (_, words) => {
    const home = freshHome()
    expect((await cli('config set allowHttp true', {home, env: {ROOMCTL_PROFILE: 'default'}})).exit).toBe(0)
    for (const more of [[], ['--dry-run']]) {
      const ran = await cli([...words, ...more], {home, env: remote})
      expect(ran).toMatchObject({exit: 3, stdout: ''})
      expect(ran.stderr).toMatch(
        /error: cannot [^\n]+ over plain http: nothing was sent\n {2}why: [^\n]+ allowHttp does not change that\n/,
      )
    }
  })
})
