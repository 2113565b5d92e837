import {expect, test} from 'vitest'
import {parseSetting, type SettingKey, settingByKey, settings} from '../../../../src/storage/profile/settings.js'
import {everyCase} from '../../../support/everyCase.js'
import {problemOf, textOf} from './folder.js'

const accepted: [SettingKey, string, unknown, unknown?][] = [
  ['room.url', 'https://h.example/media/', 'https://h.example/media/'],
  ['push.url', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['asset.url', 'https://[::1]:9/a', 'https://[::1]:9/a'],
  ['requester', 'alice 김', 'alice 김'],
  ['output', 'ndjson', 'ndjson'],
  ['tz', 'Asia/Seoul', 'Asia/Seoul'],
  ['tz', 'local', 'local'],
  ['tz', 'utc', 'utc'],
  ['timeout', '500ms', '500ms', 500],
  ['timeout', '60s', '60s', 60_000],
  ['timeout', '2m', '2m', 120_000],
  ['timeout', '24h', '24h', 86_400_000],
  ['timeout', '1m30s', '1m30s', 90_000],
  ['timeout', '1.5s', '1.5s', 1500],
  ['retries', '0', 0],
  ['retries', '10', 10],
  ['concurrency', '1', 1],
  ['concurrency', '64', 64],
  ['protected', 'true', true],
  ['readOnly', 'false', false],
  ['tokenStore', 'keyring', 'keyring'],
  ['updateRequesterField', 'user_id', 'user_id'],
  ['asset.headerEncoding', 'raw', 'raw'],
  ['asset.stamp', 'true', true],
  ['asset.containerPath', 'parent', 'parent'],
  ['push.dispatchDateFormat', 'extended', 'extended'],
  ['push.authScheme', 'none', 'none'],
  ['push.authScheme', 'Token', 'Token'],
  ['push.authScheme', 'AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA256'],
]

const refused: Partial<Record<SettingKey, readonly string[]>> = {
  'room.url': [
    'h.example',
    'ftp://h.example',
    'https://user:hunter2@h.example',
    'https://user@h.example',
    'https://h.example/?a=1',
    'https://h.example/?',
    'https://h.example/#a',
    ' https://h.example',
    'https:\\\\h.example',
    'https:h.example',
    'https://',
    'https://h.example\n',
  ],
  requester: ['', '  ', 'a\nb', 'a\u001b[2J'],
  output: ['xml', 'constructor'],
  tz: ['Seoul', '+09:00'],
  timeout: ['60', '0s', '1e3s', '-1s', '25h', '60 s'],
  retries: ['11', '-1', '1e3x', '1e0', '0x1', '1.0', ' 1', '', '١'],
  concurrency: ['0', '65'],
  protected: ['yes', 'TRUE'],
  tokenStore: ['keychain'],
  'push.dispatchDateFormat': ['iso', 'Basic'],
  'push.authScheme': ['', 'Bearer ', 'Bearer hunter2', 'Bearer:', 'Bea\r\nrer', 'hunter2-is-longer-than-any-scheme-is'],
}

test('every setting takes values of its form', () =>
  everyCase(accepted, (key, text, stored, meant = stored) => {
    expect(parseSetting(settingByKey(key), text)).toBe(stored)
    expect(settingByKey(key).kind.read(text)).toBe(meant)
  }))

test('every setting refuses a value of the wrong form, with a sentence', () =>
  everyCase(
    Object.entries(refused).flatMap(([key, texts]) => texts.map((text) => [key, text] as const)),
    (key, text) => {
      const problem = problemOf(() => parseSetting(settingByKey(key), text))
      expect(problem.facts.exit).toBe('usage')
      expect(problem.message).toMatch(new RegExp(`^${key} must be (a|an|one|the|true|local)\\b`))
      expect(textOf(problem)).not.toContain('hunter2')
    },
  ))

test('the sentence shows the given text, made safe and cut', () => {
  expect(problemOf(() => parseSetting(settingByKey('retries'), '1e3x')).message).toBe(
    'retries must be a whole number from 0 to 10, not "1e3x"',
  )
  const {message} = problemOf(() => parseSetting(settingByKey('output'), `\u001b]52;${'a'.repeat(200)}`))
  expect(message).not.toContain('\u001b')
  expect(message.length).toBeLessThan(150)
})

test('the settings have exactly these variables', () => {
  expect(settings.flatMap(({key, env}) => (env ? [`${key} ${env}`] : []))).toEqual([
    'room.url ROOMCTL_ROOM_URL',
    'asset.url ROOMCTL_ASSET_URL',
    'push.url ROOMCTL_PUSH_URL',
    'applicationId ROOMCTL_APPLICATION_ID',
    'bizId ROOMCTL_BIZ_ID',
    'requester ROOMCTL_REQUESTER',
    'output ROOMCTL_OUTPUT',
    'tz ROOMCTL_TZ',
    'timeout ROOMCTL_TIMEOUT',
    'retries ROOMCTL_RETRIES',
    'concurrency ROOMCTL_CONCURRENCY',
    'caFile ROOMCTL_CA_FILE',
    'readOnly ROOMCTL_READ_ONLY',
    'asset.headerEncoding ROOMCTL_ASSET_HEADER_ENCODING',
    'asset.stamp ROOMCTL_ASSET_STAMP',
    'asset.containerPath ROOMCTL_ASSET_CONTAINER_PATH',
    'push.dispatchDateFormat ROOMCTL_PUSH_DISPATCH_DATE_FORMAT',
    'push.authScheme ROOMCTL_PUSH_AUTH_SCHEME',
  ])
})
