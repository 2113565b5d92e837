import {describe, expect, test} from 'vitest'
import {type OperationId, operations} from '../../../../src/api/contract/operations.js'
import {android, iosCertificate, register} from '../../../../src/api/contract/push.js'
import {failureOf} from '../../../support/failures.js'
import {calls} from './calls.js'
import {answer, stage} from './stage.js'

/** The secrets of the calls in calls.ts. */
const carried: Partial<Record<OperationId, string[]>> = {
  'push.register': ['device-token-of-ann'],
  'push.iosKey': ['the bytes of a key'],
  'push.iosCertificate': ['pässword &=', 'the bytes of a certificate'],
  'push.android': ['AAAAserver-key-of-the-test'],
}
const carrying = operations.filter(({id}) => carried[id])

describe('the secrets of a request', () => {
  test('are those that the operations name', () => {
    const named = operations.filter((operation) => 'secrets' in operation && operation.effect !== 'read')
    expect(named.map(({id}) => id)).toEqual(carrying.map(({id}) => id))
  })

  test('are known before it is sent', async () => {
    for (const {id} of carrying) {
      const before: string[] = []
      const {api, concealed} = stage([
        (request) => {
          before.push(...concealed)
          return answer(200)(request)
        },
      ])
      await calls[id](api)
      expect([id, before]).toEqual([id, carried[id]])
    }
  })

  test('are known before a plan of it is shown, and where it cannot be made', async () => {
    const body = {user_id: 'ann', push_type: 'ANDROID', push_token: 'a token'} as const
    const {api, concealed} = stage([])
    await failureOf(api.plan(register, {body}))
    await api.plan(android, {
      query: {application_id: 'app-1'},
      body: {package_name: 'com.example', fcm_server_key: 'AAAA'},
    })
    expect(concealed).toEqual(['a token', 'AAAA'])
  })

  test('never appear in the failure of a call', async () => {
    for (const {id} of carrying) {
      for (const step of [answer(400), answer(422, '<html>'), answer(500), answer(302), answer(200, '<html>')]) {
        const failure = await failureOf(calls[id](stage([step, answer(404)], {retries: 0}).api))
        const text = JSON.stringify([failure.facts, failure.stack, String(failure.cause)])
        for (const secret of carried[id] ?? []) expect(text).not.toContain(secret)
      }
    }
  })
})

describe('the secrets of an answer', () => {
  test('are known before it is returned', async () => {
    const {api, concealed} = stage([answer(200, {fcm_server_key: 'AAAAkey', package_name: 'com.example'})])
    expect(await calls['push.show'](api)).toMatchObject({fcm_server_key: 'AAAAkey'})
    expect(concealed).toEqual(['AAAAkey'])
  })

  test('are known if its shape is wrong, and only texts are secrets', async () => {
    const wrong = stage([answer(200, {fcm_server_key: 'AAAAkey', package_name: 7})])
    await failureOf(calls['push.show'](wrong.api))
    expect(wrong.concealed).toEqual(['AAAAkey'])
    for (const body of [{fcm_server_key: null}, {fcm_server_key: 7}, {}, undefined]) {
      const {api, concealed} = stage([answer(200, body)])
      await calls['push.show'](api).catch(() => undefined)
      expect(concealed).toEqual([])
    }
  })
})

describe('a request with a secret over plain http', () => {
  const bases = ['http://push.example/api', 'http://10.0.0.7', 'http://localhost.example:8080', 'http://[2001:db8::1]/']

  test.each(bases)('to %s is refused, and nothing is sent', async (base) => {
    for (const {id} of carrying) {
      const {api, sent} = stage([], {base})
      const {facts} = await failureOf(calls[id](api))
      expect([id, facts.exit, facts.code, facts.outcome ?? 'none', sent]).toEqual([
        id,
        'configuration',
        'plain-http',
        'none',
        [],
      ])
    }
  })

  test('names the operation, and says that no setting changes it', async () => {
    const {api} = stage([], {base: 'http://push.example:81/api'})
    const query = {application_id: 'app-1', apns_certificate_password: 'pässword', bundle_id: 'com.example'}
    const call = api.call(iosCertificate, {query, files: {certificate_file: Buffer.from('x')}})
    expect((await failureOf(call)).facts).toEqual({
      exit: 'configuration',
      code: 'plain-http',
      message: 'cannot register an iOS certificate (.p12) over plain http: nothing was sent',
      why: 'the request carries a secret that anyone on the network path to push.example:81 could read; allowHttp does not change that',
      try: 'roomctl config set push.url https://push.example:81/api',
    })
  })

  test.each(['http://127.0.0.1:8080/push', 'http://[::1]/push', 'http://localhost/push', 'https://push.example'])(
    'to %s is sent',
    async (base) => {
      for (const {id} of carrying) {
        const {api, sent} = stage([answer(200)], {base})
        await calls[id](api)
        expect([id, sent.length]).toEqual([id, 1])
      }
    },
  )

  test('without one is not refused here', async () => {
    const {api, sent} = stage([answer(202, {transactions: []})], {base: 'http://push.example/api'})
    await calls['push.send'](api)
    expect(sent).toEqual(['POST /api/v1/messages'])
  })
})
