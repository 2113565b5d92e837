import {existsSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {destinations, dispatchTypes, pushTypes} from '../../src/api/contract/push.js'
import {apnsTypes} from '../../src/api/contract/shapes.js'
import {routeParameters} from '../../src/api/http/route/route.js'
import {everyCase} from '../support/everyCase.js'
import {accepts, entryOf} from './entry.js'
import {bodyOf, pushDocumented, pushInput, pushOperation, pushWitness, queryOf, successesOf} from './pushWitness.js'
import {without} from './witness.js'

const ofService = operations.filter(({service}) => service === 'push')
const withQuery = pushDocumented.filter(([, {query}]) => query !== 'not shown')

describe('the push operations', () => {
  test('are those of the document, in its order, and the transaction record beside them', () => {
    expect(ofService.map(({id}) => id)).toEqual(pushWitness.operations.map(({id}) => id))
    expect(pushWitness.operations.map(({number}) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, null])
  })

  test.each(pushDocumented)('%s has its number, and a method and path that are marked as assumed', (id, operation) => {
    const entry = entryOf(id)
    expect([operation.method, operation.path]).toEqual(['not shown', 'not shown'])
    expect(entry.source).toBe(operation.number === null ? 'push, Transaction record' : `push §${operation.number}`)
    expect(entry.assumed).toBe('docs/decisions/0010-assumed-push-routes.md')
    expect(existsSync(new URL(`../../${entry.assumed}`, import.meta.url))).toBe(true)
    expect(routeParameters(entry.route)).toEqual([])
    expect(entry.fails).toEqual([])
    expect([accepts(entry.path, {}), accepts(entry.path, {application_id: 'app-1'})]).toEqual([true, false])
  })

  test('stand at different routes, as the decision has them', () => {
    expect(ofService.map(({id, method, route}) => `${id} ${method} ${route}`)).toEqual([
      'push.register POST /v1/tokens',
      'push.send POST /v1/messages',
      'push.modify PUT /v1/notifications',
      'push.broadcast POST /v1/notifications',
      'push.cancel POST /v1/notifications/cancel',
      'push.iosKey POST /v1/config/ios/key',
      'push.iosCertificate POST /v1/config/ios/certificate',
      'push.android POST /v1/config/android',
      'push.show GET /v1/config',
      'push.records GET /v1/transactions',
    ])
  })

  test.each(pushDocumented)('%s succeeds with the documented statuses', (id, operation) => {
    expect(entryOf(id).successes).toEqual(successesOf(operation))
  })

  test('reads change nothing, and only sending again creates something new each time', () => {
    const effects = Object.fromEntries(ofService.map(({id, effect}) => [id, effect]))
    expect(Object.keys(effects).filter((id) => effects[id] === 'read')).toEqual(['push.show', 'push.records'])
    expect(Object.keys(effects).filter((id) => effects[id] === 'create')).toEqual(['push.send', 'push.broadcast'])
  })

  test.each(withQuery)('%s takes exactly the documented query', (id, operation) => {
    const {query} = entryOf(id)
    const whole = pushInput(operation).query
    expect(accepts(query, whole)).toBe(true)
    expect(accepts(query, {...whole, other: 'x'})).toBe(false)
    for (const [name, required] of Object.entries(queryOf(operation))) {
      expect(required).toBe('yes')
      for (const value of [undefined, null, 7, ['x']]) expect(accepts(query, {...whole, [name]: value})).toBe(false)
      expect(accepts(query, without(whole, name))).toBe(false)
      // A certificate may be kept without a password.
      expect(accepts(query, {...whole, [name]: ''})).toBe(name === 'apns_certificate_password')
    }
  })

  test('the records take what narrows them down by the fields of a record, and need nothing', () => {
    const {query} = entryOf('push.records')
    const fields = Object.keys(pushWitness.resources.TransactionRecord ?? {}).filter((name) => name.endsWith('_id'))
    expect(accepts(query, {})).toBe(true)
    for (const name of ['application_id', ...fields]) expect(accepts(query, {[name]: 'x'})).toBe(true)
    expect(accepts(query, {other: 'x'})).toBe(false)
  })
})

describe('the bodies of a push request', () => {
  const withBody = pushDocumented.filter(([, operation]) => Object.keys(bodyOf(operation)).length > 0)
  const rows = withBody.flatMap(([id, operation]) =>
    Object.entries(bodyOf(operation)).map(([name, {required}]) => [id, name, required, operation] as const),
  )

  test.each(withBody)('%s takes the documented members, and no others', (id, operation) => {
    const {body, files} = entryOf(id)
    const whole = pushInput(operation).body ?? {}
    expect(body?.safeParse(structuredClone(whole))).toEqual({success: true, data: whole})
    expect(accepts(body, pushInput(operation, 'least').body)).toBe(true)
    expect(accepts(body, {...whole, other: 'x'})).toBe(false)
    expect(files).toBeUndefined()
  })

  test('have the fields that the document requires, and no more', () =>
    everyCase(rows, (id, name, required, operation) => {
      const {body} = entryOf(id)
      const whole = pushInput(operation).body ?? {}
      expect(accepts(body, without(whole, name))).toBe(required === 'no')
      for (const value of [null, 7, '', [], [''], [7]]) expect(accepts(body, {...whole, [name]: value})).toBe(false)
    }))

  test.each(pushDocumented.filter(([, operation]) => Object.keys(bodyOf(operation)).length === 0))(
    '%s has no JSON body',
    (id) => {
      expect(entryOf(id).body).toBeUndefined()
    },
  )

  test.each(pushDocumented.filter(([, {files}]) => files))('%s has the documented file', (id, operation) => {
    const {files} = entryOf(id)
    const [name = ''] = Object.keys(operation.files ?? {})
    expect(accepts(files, {[name]: new Uint8Array([1])})).toBe(true)
    expect(accepts(files, {[name]: 'the bytes'})).toBe(false)
    expect(accepts(files, {[name]: new Uint8Array(), other: new Uint8Array()})).toBe(false)
    // Of a key one variant requires it, and another does not (push §6).
    expect(accepts(files, {})).toBe(id === 'push.iosKey')
  })
})

describe('the values of the push document', () => {
  const register = pushInput(pushOperation('push.register')).body ?? {}
  const broadcast = pushInput(pushOperation('push.broadcast')).body ?? {}
  const registers = (member: object) => accepts(entryOf('push.register').body, {...register, ...member})
  const broadcasts = (member: object) => accepts(entryOf('push.broadcast').body, {...broadcast, ...member})

  test('have the documented enumerations, in their order', () => {
    expect({
      dispatch_type: dispatchTypes,
      destination: destinations,
      push_type: pushTypes,
      ios_apns_type: apnsTypes,
    }).toEqual(pushWitness.enumerations)
  })

  test('a push type is of the documented length, and one of the two', () => {
    const {from = 0, to = 0} = pushWitness.lengths.push_type ?? {}
    expect([from, to]).toEqual([0, 10])
    for (const push_type of pushWitness.enumerations.push_type ?? []) {
      expect(push_type.length).toBeLessThanOrEqual(to)
      expect(registers({push_type})).toBe(true)
    }
    for (const push_type of ['', 'android', 'ALL', 'ANDROIDANDROID']) expect(registers({push_type})).toBe(false)
  })

  test('a push token is one or more characters without white space', () => {
    for (const push_token of ['x', 'f'.repeat(4096), 'a:b_c-d/e+f=', '토큰', '\u200b']) {
      expect(registers({push_token})).toBe(true)
    }
    for (const push_token of ['', ' ', 'a b', ' a', 'a\n', '\ta', 'a\u00a0b', 'a\u3000b', 'a\u2028b', 'a\ufeffb']) {
      expect(registers({push_token})).toBe(false)
    }
  })

  test('a dispatch date has year, month, day, T, hour, minute and second, and no zone', () => {
    for (const dispatch_date of ['20261224T093000', '2026-12-24T09:30:00']) {
      expect(broadcasts({dispatch_date})).toBe(true)
    }
    const wrong = ['20261224T093000Z', '20261224 093000', '20261224t093000', '2026-12-24T09:30:00+09:00', '20261224']
    const cut = ['20261224T0930', '261224T093000', '20261224T093000.5', '2026-12-24T093000', '\n20261224T093000', '']
    for (const dispatch_date of [...wrong, ...cut, '20261224T093000\n']) expect(broadcasts({dispatch_date})).toBe(false)
  })

  test('destinations are one or several of the three', () => {
    for (const destination of [['ANDROID'], ['IOS'], ['ALL'], ['ANDROID', 'IOS']]) {
      expect(broadcasts({destination})).toBe(true)
    }
    for (const destination of [[], ['android'], ['WINDOWS'], 'ALL']) expect(broadcasts({destination})).toBe(false)
  })

  test('unsupported values can be named all the same: a user who insists may send them', () => {
    expect(pushWitness.notSupported).toEqual({dispatch_type: ['RECURRING'], destination: ['IOS']})
    expect(broadcasts({dispatch_type: 'RECURRING', destination: ['IOS']})).toBe(true)
  })

  test('the data of a push is an object whose members are free', () => {
    const send = pushInput(pushOperation('push.send')).body ?? {}
    const sends = (data: unknown) => accepts(entryOf('push.send').body, {...send, data})
    for (const data of [{}, {a: 1, b: [null], c: {d: 'e'}}]) expect(sends(data)).toBe(true)
    for (const data of [null, [], 'text', 7]) expect(sends(data)).toBe(false)
  })

  test('are secrets where they must not be shown: those of the document, and what opens an application to others', () => {
    const named = ofService.flatMap((operation) => ('secrets' in operation ? operation.secrets : []))
    expect([...new Set<string>(named)]).toEqual([
      'push_token',
      'auth_key_file',
      'apns_certificate_password',
      'certificate_file',
      ...pushWitness.secrets,
    ])
  })
})
