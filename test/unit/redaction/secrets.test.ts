import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Operation} from '../../../src/api/contract/operation.js'
import {operations} from '../../../src/api/contract/operations.js'
import {isSecretName, Secrets} from '../../../src/redaction/secrets.js'
import {everyCase} from '../../support/everyCase.js'

const SECRET = 'Tök en/+&="\\<방>%'
const TOKEN = 'tok+/5f2c9d~1e7b"q-4f8a-7C21'

function knowing(...secrets: (string | Uint8Array)[]): Secrets {
  const known = new Secrets()
  for (const secret of secrets) known.add(secret)
  return known
}

function heard(text: string, ...secrets: string[]): Secrets {
  const known = knowing(...secrets)
  known.learn(text)
  return known
}

describe('a known secret in a small text', () => {
  test('is masked in the base64 of a text that holds it, wherever it begins', () => {
    for (const before of [0, 1, 2, 3, 4]) {
      const whole = Buffer.from(`${'x'.repeat(before)}${SECRET} and more`)
      for (const coding of ['base64', 'base64url'] as const) {
        const masked = knowing(SECRET).mask(whole.toString(coding))
        expect(masked).toContain('***')
        expect(Buffer.from(masked, 'base64').toString()).not.toMatch(/en|방/)
      }
    }
  })

  test('is masked by any piece of 12 characters, and not by fewer', () => {
    const known = knowing(TOKEN)
    for (let at = 0; at + 12 <= TOKEN.length; at += 1) {
      expect(known.mask(`no ${TOKEN.slice(at, at + 12)}… or`)).toBe('no ***… or')
      expect(known.mask(`no ${TOKEN.slice(at, at + 11)}… or`)).not.toContain('***')
    }
  })

  test('is masked in every part of 12 characters', async () => {
    const tokens = {
      letters: 'abcdefghijklmnopqrstuvwxyzabcdefghi',
      digits: '31415926535897932384626433832795028',
      mixed: 'k7Qz-9f_Lm2.Xw4RtYb8Nc1Vd6Hs3Jg5Pa0',
      'long words': 'acme-production-application-token-x',
    }
    await everyCase(Object.entries(tokens), (kind, token) => {
      const known = knowing(token)
      const least = kind === 'long words' ? 16 : 12
      const parts = [
        `the token ${token.slice(0, 25)}... expired`,
        `"${token.slice(0, 17)}" is followed by "${token.slice(17)}"`,
        ...Array.from({length: token.length - least + 1}, (_, at) => `<${token.slice(at, at + least)}>`),
      ]
      expect(parts.filter((part) => known.mask(part).replace(/[^*]/g, '') === '')).toEqual([])
      expect(known.mask(parts[0] ?? '')).toBe('the token ***... expired')
      expect(known.mask(parts[1] ?? '')).toBe('"***" is followed by "***"')
    })
  })

  test('that is made of words is masked as a whole: a short piece of words is in any text', () => {
    const known = knowing('sandbox-application-token')
    expect(known.mask('push show --application-id app-1')).toBe('push show --application-id app-1')
    expect(known.mask('Bearer sandbox-application-token')).toBe('Bearer ***')
    expect(knowing('sandbox-application-token-5f2c9d1e').mask('x sandbox-application-token-5f2c9d1e y')).toBe('x *** y')
    expect(knowing('an application/token').mask(encodeURIComponent('an application/token'))).toBe('***')
  })

  test('is masked whole when it contains another one', () => {
    expect(knowing('abcd', 'abcdefgh', 'cdef').mask('abcdefgh abcd')).toBe('*** ***')
    expect(knowing('tok+', TOKEN).mask(`${TOKEN} tok+`)).toBe('*** ***')
  })

  test('is never left, whatever its characters', () => {
    const secret = fc.string({unit: 'grapheme', minLength: 6, maxLength: 30}).filter((text) => !/[\r\n]/.test(text))
    fc.assert(
      fc.property(secret, fc.lorem(), (text, around) => {
        const spellings = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
        const masked = knowing(text).mask(`${around} ${spellings.join(' ')}`)
        for (const spelling of spellings) expect(masked.includes(spelling)).toBe(false)
      }),
    )
  })

  test('may be a lone surrogate, and nothing is no secret', () => {
    expect(knowing('a\ud800bc').mask('x a\ud800bc')).toBe('x ***')
    expect(knowing('', new Uint8Array()).mask('as it was')).toBe('as it was')
  })

  test('that is shorter than a word is masked where it is a value, and takes no word apart', () => {
    const known = knowing('abc')
    const shown = ['password=abc&b=x', '"word":"abc"', '{"word": "abc"}', 'header: abc'].map((text) => known.mask(text))
    expect(shown).toEqual(['password=***&b=x', '"word":"***"', '{"word": "***"}', 'header: ***'])
    expect(knowing('&=').mask('?word=%26%3D&x=1 ?word=%26%3d')).toBe('?word=***&x=1 ?word=***')
    const words = ['abc', 'the abc of it', 'abcdef', 'fabc', 'x=abcd', 'abc=x']
    expect(words.map((text) => known.mask(text))).toEqual(words)
  })
})

test('a secret with blanks at its ends is masked without them, too', () => {
  const secrets = new Secrets()
  secrets.add('  two  words ')
  for (const said of ['the service said   two  words ', 'the service said two  words']) {
    expect(secrets.mask(said)).not.toContain('words')
  }
})

describe('secrets by their shape', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl_-x'

  test('is masked', () => {
    const masked = [
      ['Authorization: Bearer abc.def', 'Authorization: ***'],
      ['authorization: abcdef', 'authorization: ***'],
      ['Proxy-Authorization: Basic YTpi', 'Proxy-Authorization: ***'],
      ['{"authorization":"Bearer abc"}', '{"authorization":"***"}'],
      ["headers: { Authorization: 'Bearer abc', Host: 'h' }", "headers: { Authorization: '***', Host: 'h' }"],
      ['sent Bearer abcdefghijklmnop to h', 'sent Bearer *** to h'],
      [`entered with ${jwt}.`, 'entered with ***.'],
      [`entered with ${jwt.slice(0, 30)}`, 'entered with ***'],
      ['{"token": "abc"}', '{"token": "***"}'],
      ['{"token" : "a \\"quoted\\" one", "x":1}', '{"token" : "***", "x":1}'],
      ['"{\\"push_token\\":\\"abc\\"}"', '"{\\"push_token\\":\\"***\\"}"'],
      ['{"fcm_server_key":"AAAA:xyz","package":"p"}', '{"fcm_server_key":"***","package":"p"}'],
      ['?bundle_id=b&apns_certificate_password=p%20w&x=1', '?bundle_id=b&apns_certificate_password=***&x=1'],
      [`{"key":"AAAAabc-_12:APA91b${'x-Y_9'.repeat(27)}"}`, '{"key":"***"}'],
      [`no device ${'d'.repeat(22)}:APA91b${'x-Y_9'.repeat(27)}, gone`, 'no device ***, gone'],
      ['-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\nrest', '***\nrest'],
      ['-----BEGIN EC PRIVATE KEY-----\nMIGcut', '***'],
      ['-----BEGIN PRIVATE KEY-----MIGcut', '***'],
      ['-----BEGIN PRIVATE KEY-----\\nMIG\\n-----END PRIVATE KEY-----\\nrest', '***\\nrest'],
      ['-----BEGIN PRIVATE KEY----- MIGHAgEAMBMGByqGSM49AgEG Zm9v -----END PRIVATE KEY-----', '***'],
    ] as const
    expect(masked.map(([text]) => new Secrets().mask(text))).toEqual(masked.map(([, shown]) => shown))
  })

  test('is not found in similar texts', () => {
    const plain = [
      '{"is_token_receive":false,"token":null}',
      'request a room token for u-1',
      'Bearer of news',
      '{"name":"tokens are here"}',
      `route set push.iosCertificate '{"send":{"apns_certificate_password":"form","push_token":"header"}}'`,
      'eye exam',
      'AAAAabc-_12:APA91bshort',
      'it is base64 without the line -----BEGIN PRIVATE KEY----- before and the END line after it',
      'without -----BEGIN PRIVATE KEY-----\n  try: use the file as issued by Apple; it can be downloaded only once, so create a new key if it is lost\n',
      '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
    ]
    expect(plain.map((text) => new Secrets().mask(text))).toEqual(plain)
  })

  test('masks long texts quickly', () => {
    const parts = ['eyJ', 'eyJ.', 'Authorization: ', '"token":"', '\\', '-----BEGIN PRIVATE KEY-----', 'token=', ' ']
    const long = [...parts, '-eyJaaaaaaaa', 'AAAAabc-_12:APA91b', '%41', 'S3CRET-of-the-tes', 'UzNDUk', '='].map(
      (part) => part.repeat(Math.ceil(200_000 / part.length)),
    )
    for (const text of long) expect(typeof knowing('S3CRET-of-the-test').mask(text)).toBe('string')
  })
})

describe('the bytes of a file', () => {
  const lines = ['MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg', 'shortish', 'Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6']
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
  const key = knowing(Buffer.from(pem))

  test('are masked line by line, and in base64', () => {
    const [first = '', , last = ''] = lines
    const spellings = [first, last, first + last, Buffer.from(pem).toString('base64'), encodeURIComponent(last)]
    expect(spellings.map((spelling) => key.mask(`x ${spelling} y`))).toEqual(spellings.map(() => 'x *** y'))
    for (const end of ['\n', '\r\n', '\\n', '%0A']) expect(key.mask(first + end + last)).toBe(`***${end}***`)
    expect(knowing(Buffer.from(pem.replaceAll('\n', '\r\n'))).mask(`${first}\n${last}`)).toBe('***\n***')
  })

  test('leave short lines and common lines alone', () => {
    const text = 'a shortish text -----END PRIVATE KEY-----'
    expect(key.maskKnown(text)).toBe(text)
  })

  test('are found by a part of their base64 where they are no text, also of a file that is far too large', () => {
    const bytes = Buffer.from(Array.from({length: 1_048_576}, (_, at) => (at * at * 31 + (at >> 8)) % 251))
    const large = knowing(bytes)
    for (const coding of ['base64', 'base64url'] as const) {
      const part = bytes.subarray(1001, 5000).toString(coding)
      expect(large.mask(`x ${part} y`)).toMatch(/^x .?\*\*\*.{0,4} y$/)
    }
    expect(large.mask('what stands beside it')).toBe('what stands beside it')
  })
})

describe('a request', () => {
  test('loses its secrets at any depth, in its texts and by the names of its members', () => {
    const value = {
      user_id: 'ann',
      push_token: 'unknown to all',
      list: [{fcm_server_key: 'AAAA', n: 1}, 'say S3CRET twice: S3CRET', null, true],
      Password: 'x',
      only: 'abc',
    }
    expect(knowing('S3CRET', 'abc').maskIn(value)).toEqual({
      user_id: 'ann',
      push_token: '***',
      list: [{fcm_server_key: '***', n: 1}, 'say *** twice: ***', null, true],
      Password: '***',
      only: '***',
    })
  })

  test('keeps members whose names only look secret', () => {
    const value = {is_token_receive: false, token: null, password: 7, apns_certificate_password: {a: 'b'}, tokens: 'x'}
    expect(new Secrets().maskIn(value)).toEqual(value)
  })

  test('loses the fields that the contract marks, under whatever name a route sends them', () => {
    const known = new Secrets()
    known.add('first', 'pw')
    expect(known.maskFields('https://h/p?pw=another|one&b=1&push_token=t')).toBe(
      'https://h/p?pw=***&b=1&push_token=***',
    )
    expect(known.maskFields('pw=another&b=1')).toBe('pw=***&b=1')
    expect(known.maskIn({PW: 'another', b: '1'})).toEqual({PW: '***', b: '1'})
    const entries: readonly Operation[] = operations
    const marked = entries.flatMap(({secrets = []}) => secrets.filter((name) => !name.endsWith('_file')))
    expect(marked.filter((name) => !isSecretName(name))).toEqual([])
  })

  test('makes the secrets of its body known by the names of its members', () => {
    const known = new Secrets()
    known.addNamed([
      {user_id: 'ann', push_token: 'device-1234'},
      {list: [{fcm_server_key: 'key-567890'}]},
      null,
      'text',
    ])
    expect(known.mask('ann device-1234 key-567890 text')).toBe('ann *** *** text')
  })
})

describe('a result', () => {
  test('loses the exact secret that an answer repeated, and its percent form', () => {
    for (const spelling of [TOKEN, encodeURIComponent(TOKEN), JSON.stringify({echo: TOKEN})]) {
      const known = heard(`{"name":"${spelling}"}`, TOKEN)
      expect(known.maskResult(`a ${spelling} b`)).not.toContain(spelling)
      const value = {name: `a ${TOKEN}`, at: new Date(0), of: [1, null, {url: `/?q=${encodeURIComponent(TOKEN)}`}]}
      expect(known.maskResultIn(value)).toEqual({name: 'a ***', at: new Date(0), of: [1, null, {url: '/?q=***'}]})
    }
  })

  test('is not searched as long as no answer repeated a secret', () => {
    expect(heard('r-1 Daily standup', TOKEN).maskResult(TOKEN)).toBe(TOKEN)
  })

  test('keeps words and ids that contain a short secret', () => {
    expect(heard('r-test', 'r-test').maskResult('r-test-1')).toBe('r-test-1')
    expect(heard(`r-test ${TOKEN}`, 'r-test', TOKEN).maskResult(`r-test-1 ${TOKEN}`)).toBe('r-test-1 ***')
  })

  test('keeps the tokens that its reader asked for, and loses them no less elsewhere', () => {
    const known = heard(TOKEN, TOKEN, 'another-secret')
    known.reveal(TOKEN)
    expect(known.maskResult(`${TOKEN} another-secret`)).toBe(`${TOKEN} ***`)
    expect(known.mask(TOKEN)).toBe('***')
  })
})

test('an entry of the journal loses the known secrets in its texts, and nothing else', () => {
  const value = {push_token: 'S3CRET-1', of: ['say S3CRET-1', 7, null, {b: Buffer.from('S3CRET-1').toString('base64')}]}
  expect(knowing('S3CRET-1').maskKnownIn(value)).toEqual({push_token: '***', of: ['say ***', 7, null, {b: '***'}]})
  expect(new Secrets().maskKnownIn(value)).toEqual(value)
})
