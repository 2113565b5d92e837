import {describe, expect, test} from 'vitest'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaks, breaksInBody, type Step, settling, stage} from '../stage.js'

/** What `push show` would return; the calls are about application app-1. */
const shown = (fields: object) => answer(200, fields)
const key = {
  ios_apns_type: 'TOKEN',
  bundle_id: 'com.example.rooms',
  team_id: 'TEAM123456',
  key_id: 'KEY1234567',
}
const certificate = {
  ios_apns_type: 'CERTIFICATE',
  bundle_id: 'com.example.rooms',
  certificate_expiry_date: '2027-01-01',
}
const android = {package_name: 'com.example.rooms', fcm_server_key: 'AAAAserver-key-of-the-test'}
const nothing = answer(204)

/** What the configuration, read afterwards, shows of each registration (push §9). */
const sights = {
  'push.iosKey': {
    shown: [shown(key), shown({...key, ...android})],
    absent: [nothing, shown({...key, key_id: 'OTHER12345'}), shown(certificate), shown({ios_apns_type: 'NONE'})],
    unclear: [shown({}), shown({...key, key_id: null}), shown({...key, ios_apns_type: ''})],
  },
  'push.iosCertificate': {
    shown: [],
    absent: [nothing, shown(key), shown({...certificate, bundle_id: 'com.example.other'})],
    // It may be the certificate before.
    unclear: [shown(certificate), shown({bundle_id: 'com.example.rooms'}), shown({})],
  },
  'push.android': {
    shown: [shown(android), shown({...android, ...key})],
    absent: [
      nothing,
      shown({...android, package_name: 'com.example.other'}),
      shown({...android, fcm_server_key: 'AAAA'}),
    ],
    unclear: [shown(key), shown({...android, fcm_server_key: 'AAAA****'}), shown({package_name: 'com.example.rooms'})],
  },
} as const satisfies Record<string, {shown: readonly Step[]; absent: readonly Step[]; unclear: readonly Step[]}>

const ids = Object.keys(sights) as (keyof typeof sights)[]
const ended: [string, Step][] = [
  ['the connection is reset', breaks('reset')],
  ['the service answers 500', answer(500)],
  ['a gateway answers 502', answer(502)],
  ['a gateway answers 503', answer(503)],
]
const late: [string, Step][] = [
  ['no answer comes in time', breaks('headers-timeout')],
  ['a gateway gives up waiting', answer(504)],
  ['a success breaks off', breaksInBody(200)],
]
const read = 'GET /media/v1/config'

async function outcomeOf(id: (typeof ids)[number], step: Step, reading: Step) {
  const {api, sent} = stage([step, ...settling(reading)], {retries: 0})
  const {facts} = await failureOf(calls[id](api))
  expect(sent[1]).toBe(read)
  return facts
}

describe('a credential whose answer was lost', () => {
  test('is registered when it is shown', () =>
    everyCase([...ended, ...late], async (_, step) => {
      for (const id of ids) {
        for (const reading of sights[id].shown) {
          const {api, sent} = stage([step, reading], {retries: 0})
          expect(await calls[id](api, null)).toBeUndefined()
          expect(sent).toHaveLength(2)
        }
      }
    }))

  test('stays unknown when it is shown and was registered before, or nothing was read before', () =>
    everyCase([...ended, ...late], async (_, step) => {
      for (const id of ids) {
        for (const reading of sights[id].shown) {
          const facts = await outcomeOf(id, step, reading)
          expect([id, facts.outcome]).toEqual([id, 'unknown'])
          expect(facts.why).toContain('these values are registered now; this run did not see it before')
        }
      }
    }))

  test('is not registered when another is shown, or none, and nothing works on it any more', () =>
    everyCase(ended, async (_, step) => {
      for (const id of ids) {
        for (const reading of sights[id].absent) {
          expect([id, (await outcomeOf(id, step, reading)).outcome]).toEqual([id, 'none'])
        }
      }
    }))

  test('is unknown if another is shown while the request may still arrive', () =>
    everyCase(late, async (_, step) => {
      for (const id of ids) {
        for (const reading of sights[id].absent) {
          expect([id, (await outcomeOf(id, step, reading)).outcome]).toEqual([id, 'unknown'])
        }
      }
    }))

  test('stays unknown if the shown configuration does not decide', () =>
    everyCase([...ended, ...late], async (_, step) => {
      for (const id of ids) {
        for (const reading of [...sights[id].unclear, answer(404), answer(200, [1]), breaks('refused', 'no')]) {
          const facts = await outcomeOf(id, step, reading)
          expect([id, facts.outcome]).toEqual([id, 'unknown'])
          expect(facts.try).toBe('roomctl push show --application-id app-1')
        }
      }
    }))

  test('needs no read if it did not arrive, or was refused', async () => {
    for (const id of ids) {
      for (const step of [breaks('refused', 'no'), answer(400), answer(403), answer(422)]) {
        const {api, sent} = stage([step], {retries: 0})
        expect([id, (await failureOf(calls[id](api))).facts.outcome]).toEqual([id, 'none'])
        expect(sent).toHaveLength(1)
      }
    }
  })
})
