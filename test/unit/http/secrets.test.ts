import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {Secrets} from '../../../src/http/secrets.js'

const SECRET = 'Tök en/+&="\\<방>%'

function knowing(...secrets: string[]): Secrets {
  const known = new Secrets()
  for (const secret of secrets) known.add(secret)
  return known
}

describe('a known secret', () => {
  test.each([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded in small letters', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ['with plus signs', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['as a form field', new URLSearchParams({a: SECRET}).toString().slice(2)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64url', Buffer.from(SECRET).toString('base64url')],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    [
      'in JSON in ASCII',
      JSON.stringify(SECRET)
        .slice(1, -1)
        .replace(/[^ -~]/g, escaped),
    ],
  ])('is masked %s', (_, spelling) => {
    expect(knowing(SECRET).mask(`before ${spelling} after ${spelling}`)).toBe('before *** after ***')
  })

  test('is masked whole when it contains another one', () => {
    expect(knowing('abc', 'abcdef', 'cde').mask('abcdef abc')).toBe('*** ***')
  })

  test('is never left, whatever it is made of', () => {
    const secret = fc.string({unit: 'binary', minLength: 6, maxLength: 30})
    fc.assert(
      fc.property(secret, fc.lorem(), (text, around) => {
        const masked = knowing(text).mask(
          `${around} ${text} ${encodeURIComponent(text)} ${JSON.stringify({around: text})}`,
        )
        for (const spelling of [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]) {
          expect(masked.includes(spelling)).toBe(false)
        }
      }),
    )
  })

  test('may be a lone surrogate, and nothing is no secret', () => {
    expect(knowing('a\ud800b').mask('x a\ud800b')).toBe('x ***')
    expect(knowing('').mask('as it was')).toBe('as it was')
  })

  function escaped(unit: string): string {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  }
})

describe('what is secret by its shape', () => {
  const mask = (text: string) => new Secrets().mask(text)
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl_-x'

  test.each([
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
    ['-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\nrest', '***\nrest'],
    ['-----BEGIN EC PRIVATE KEY-----\nMIGcut', '***'],
  ])('%s', (text, masked) => {
    expect(mask(text)).toBe(masked)
  })

  test.each([
    '{"is_token_receive":false,"token":null}',
    'request a room token for u-1',
    'Bearer of news',
    '{"name":"tokens are here"}',
    'eye exam',
    '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
  ])('leaves %s alone', (text) => {
    expect(mask(text)).toBe(text)
  })

  test.each([
    'eyJ',
    'eyJ.',
    'Authorization: ',
    '"token":"',
    '\\',
    '-----BEGIN PRIVATE KEY-----',
    'token=',
    '-eyJaaaaaaaa',
    ' ',
  ])('gets through 200 kB of %j', (part) => {
    expect(typeof mask(part.repeat(Math.ceil(200_000 / part.length)))).toBe('string')
  })
})

test('a result keeps the tokens that its reader asked for, and loses the known secret', () => {
  const secrets = new Secrets()
  secrets.add('application-token-1')
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJiZW4ifQ.c2lnbmF0dXJl'
  expect(secrets.maskKnown(`{"token":"${jwt}","echo":"Bearer application-token-1"}`)).toBe(
    `{"token":"${jwt}","echo":"Bearer ***"}`,
  )
})
