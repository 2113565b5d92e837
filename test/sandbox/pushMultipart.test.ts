import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {configuration, multipartType, parts, pushStage} from './pushStage.js'

const line =
  'POST /push/v1/config/ios/key?application_id=app-9&bundle_id=com.example&team_id=TEAM000009&key_id=KEY0000009'
const pem = Buffer.from('-----BEGIN PRIVATE KEY-----\r\nMIGH\r\n-----END PRIVATE KEY-----\r\n')
const whole = parts({auth_key_file: pem})
const boundary = multipartType['Content-Type'].replace(/^.*=/, '')
const broken = /^body: cannot be read as multipart\/form-data \(/

/** A key of N bytes, most of them a comment behind it. */
const padded = (length: number) => Buffer.concat([pem, Buffer.alloc(length - pem.length, 'x')])

describe('a multipart body', () => {
  test('that is whole is read', async () => {
    expect((await (await pushStage()).ask(line, whole, multipartType)).status).toBe(200)
  })

  test('may come without its length', async () => {
    const on = await pushStage()
    expect((await on.ask(line, whole, {...multipartType, 'Transfer-Encoding': 'chunked'})).status).toBe(200)
    expect(await configuration(on, 'app-9')).toMatchObject({key_id: 'KEY0000009'})
  })

  test('a broken or oversized form is refused with 400', () =>
    everyCase<readonly [string, Buffer, Record<string, string>, RegExp]>(
      [
        ['that is cut off in the file', whole.subarray(0, whole.length - 60), multipartType, broken],
        ['that is empty', Buffer.alloc(0), multipartType, broken],
        ['of no boundary', whole, {'Content-Type': 'multipart/form-data'}, broken],
        [
          'of another type',
          whole,
          {'Content-Type': 'application/json'},
          /^Content-Type: expected multipart\/form-data/,
        ],
        ['of no type', whole, {}, /^Content-Type: expected multipart\/form-data/],
        ['of two files', parts({auth_key_file: pem, other: pem}), multipartType, /^unknown body field: other$/],
        [
          'of a field that nobody knows',
          parts({auth_key_file: pem, __proto__x: 'y'}),
          multipartType,
          /^unknown body field: __proto__x$/,
        ],
        [
          'of a field with the name of a member',
          parts({['__proto__']: 'x'}),
          multipartType,
          /^unknown body field: __proto__$/,
        ],
      ],
      async (_, body, headers, message) => {
        const on = await pushStage()
        const answer = await on.ask(line, body, headers)
        expect(answer.status).toBe(400)
        expect(answer.json.message).toMatch(message)
        expect(await configuration(on, 'app-9')).toBeUndefined()
      },
    ))

  test('with a file of just 1 MiB is read', async () => {
    const body = parts({auth_key_file: padded(1024 * 1024)})
    expect((await (await pushStage()).ask(line, body, multipartType)).status).toBe(200)
  })

  test('with the same file twice is refused', async () => {
    const on = await pushStage()
    const twice = Buffer.concat([whole.subarray(0, whole.length - boundary.length - 6), whole])
    expect((await on.ask(line, twice, multipartType)).status).toBe(400)
  })
})
