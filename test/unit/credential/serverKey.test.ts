import {describe, expect, test} from 'vitest'
import {checkServerKey} from '../../../src/credential/serverKey.js'

const usual = `AAAAabc-_12:${'APA91b'.padEnd(140, 'x')}`
const shutdown = 'warning legacy-key'

function verdict(key: string): string[] {
  return checkServerKey(key).map(({level, code}) => `${level} ${code}`)
}

test('of a key of the usual shape only the shutdown is reported, with its date', () => {
  expect(verdict(usual)).toEqual([shutdown])
  expect(checkServerKey(usual)[0]?.message).toContain('2024-07-22')
})

describe('another text is reported, and the shutdown as well', () => {
  const files: readonly [string, string, string][] = [
    ['a key that is too short', usual.slice(0, -1), 'warning unusual-key'],
    ['some other text', 'hunter2', 'warning unusual-key'],
    ['an API key of Google', `AIza${'x'.repeat(35)}`, 'warning api-key'],
    ['nothing', '', 'error empty'],
    ['a key with a space', `${usual} `, 'error white-space'],
    ['a service account', '\ufeff {"type":"service_account","private_key":"-----BEGIN "}', 'error service-account'],
    ['google-services.json', '{\n"project_info" : {}}', 'error google-services'],
    ['other JSON', '{"key": 1}', 'error json'],
    ['a PEM file', '-----BEGIN PRIVATE KEY-----', 'error pem'],
  ]

  test.each(files)('%s', (_, key, finding) => {
    expect(verdict(key)).toEqual([finding, shutdown])
  })

  test.each(files.filter(([, key]) => key !== ''))('%s is never repeated', (_, key) => {
    expect(JSON.stringify(checkServerKey(key))).not.toContain(key)
  })
})
