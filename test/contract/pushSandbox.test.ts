import {readFileSync} from 'node:fs'
import {describe, expect, onTestFinished, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {serve} from '../../src/api/http/server/serve.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {newWorld} from '../../src/sandbox/world/world.js'
import {certificatePassword, credentialFiles} from '../support/credentialFiles.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {entryOf} from './entry.js'
import {
  bodyOf,
  type PushOperation,
  pushDocumented,
  pushInput,
  pushOperation,
  pushWitness,
  queryOf,
  successesOf,
} from './pushWitness.js'
import {without} from './witness.js'

const files = credentialFiles()
const now = () => new Date('2026-12-01T12:00:00Z')
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** Values that mean something to a service, in place of samples. */
const known: Readonly<Record<string, unknown>> = {
  application_id: 'app-1',
  request_uuid: uuid,
  request_uuids: [uuid],
  recipient_ids: ['ann'],
  apns_certificate_password: certificatePassword,
  dispatch_type: 'SCHEDULED',
  dispatch_date: '20261224T093000',
}

interface Request {
  readonly query: Record<string, unknown>
  readonly body?: Record<string, unknown> | FormData
}

/** A request with every documented parameter. */
function whole(operation: PushOperation): Request {
  const {query, body} = pushInput(operation)
  const meant = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known[name] ?? value]))
  const form = formOf(operation)
  if (form) return {query: meant(query), body: form}
  return {query: meant(query), ...(body ? {body: meant(body)} : {})}
}

function formOf({files: fields}: PushOperation): FormData | undefined {
  if (!fields) return undefined
  const form = new FormData()
  for (const name of Object.keys(fields)) {
    const file = name === 'auth_key_file' ? files.apnsKey : files.certificate
    form.append(name, new Blob([new Uint8Array(readFileSync(file))]), 'credential')
  }
  return form
}

/** The demonstration world on a port, asked by the fetch of the runtime. */
async function served() {
  const store = memoryStore(newWorld({applicationToken: 'the-application-token'}))
  await seedSandbox(store, now())
  const server = await serve(createSandbox({store, now, files: freshFolder()}), {port: 0})
  onTestFinished(() => server.close())
  return async (id: string, {query, body}: Request, authorization = 'Bearer the-application-token') => {
    const {method, route} = entryOf(id)
    const address = new URL(`/push${route}`, server.url)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
    const headers = authorization === '' ? {} : {authorization}
    const response = await fetch(address, {method, ...payload(body, headers)})
    const text = await response.text()
    return {status: response.status, body: text === '' ? undefined : JSON.parse(text)}
  }
}

/** A form has its own content type. */
function payload(body: Request['body'], headers: Record<string, string>): RequestInit {
  if (body === undefined || body instanceof FormData) return {headers, ...(body ? {body} : {})}
  return {headers: {...headers, 'content-type': 'application/json'}, body: JSON.stringify(body)}
}

describe('the served push sandbox', () => {
  test.each(pushDocumented)('%s takes every documented parameter, with a documented success', async (id, operation) => {
    const ask = await served()
    const {status} = await ask(id, whole(operation))
    expect(successesOf(operation)).toContain(status)
  })

  const required = pushDocumented.flatMap(([id, operation]) => [
    ...Object.keys(queryOf(operation)).map((name) => [id, name, 'query', operation] as const),
    ...Object.entries(bodyOf(operation))
      .filter(([, field]) => field.required === 'yes')
      .map(([name]) => [id, name, 'body', operation] as const),
  ])

  test('refuses a request without what the document requires', () =>
    everyCase(required, async (id, name, part, operation) => {
      const ask = await served()
      const request = whole(operation)
      const {status} = await ask(id, {
        ...request,
        [part]: without(Object.fromEntries(Object.entries(request[part] ?? {})), name),
      })
      // The document shows 400 for most and 422 for the others; of two operations it shows no refusal.
      const documented = operation.responses.filter((one) => one >= 400 && one !== 403)
      expect(documented.length > 0 ? documented : [400, 422]).toContain(status)
    }))

  test.each(pushDocumented.filter(([, {files: fields}]) => fields))(
    '%s refuses a form without its file',
    async (id, operation) => {
      const ask = await served()
      const form = new FormData()
      form.append('other_file', new Blob(['x']), 'x')
      expect((await ask(id, {...whole(operation), body: form})).status).toBe(400)
    },
  )

  test('the answers that are shown have the documented fields and no others', async () => {
    const ask = await served()
    const answers = {
      'push.send': async () => (await ask('push.send', whole(pushOperation('push.send')))).body.transactions,
      'push.show': async () => [(await ask('push.show', {query: {application_id: 'app-1'}})).body],
      'push.records': async () => (await ask('push.records', {query: {}})).body,
    }
    const resources = {
      'push.send': 'Transaction',
      'push.show': 'NotificationConfiguration',
      'push.records': 'TransactionRecord',
    }
    for (const id of ['push.send', 'push.show', 'push.records'] as const) {
      const rows = await answers[id]()
      const fields = Object.keys(pushWitness.resources[resources[id]] ?? {})
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(Object.keys(row).filter((name) => !fields.includes(name))).toEqual([])
    }
  })
})
