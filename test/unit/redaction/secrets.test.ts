import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {Secrets} from '../../../src/redaction/secrets.js'

const SECRET = 'Tök en/+&="\\<방>%'

function knowing(...secrets: (string | Uint8Array)[]): Secrets {
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
    ['in capitals of hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['every byte in percent', Buffer.from(SECRET).toString('hex').replace(/../g, '%$&')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['percent-encoded three times', encodeURIComponent(encodeURIComponent(encodeURIComponent(SECRET)))],
    [
      'in HTML in JSON in an address',
      encodeURIComponent(
        JSON.stringify({q: SECRET.replace(/[&<>"'%=+/]/g, (one) => `&#${one.charCodeAt(0)};`)}).slice(6, -2),
      ),
    ],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['in JSON in an address', encodeURIComponent(JSON.stringify(SECRET).slice(1, -1))],
    ['percent-encoded as URL writes it', new URL(`http://h/?${encodeURIComponent(SECRET)}`).search.slice(1)],
    ['in HTML', SECRET.replace(/[&<>"'%]/g, (character) => `&#${character.charCodeAt(0)};`)],
    ['in HTML with names', SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    ['as this tool shows it', [...SECRET].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join('')],
    [
      'in JSON in ASCII',
      JSON.stringify(SECRET)
        .slice(1, -1)
        .replace(/[^ -~]/g, escaped),
    ],
  ])('is masked %s', (_, spelling) => {
    expect(knowing(SECRET).mask(`before ${spelling} after ${spelling}`)).toBe('before *** after ***')
  })

  test.each([0, 1, 2, 3, 4])('is masked in the base64 of what it stands in, %d bytes from its beginning', (before) => {
    const whole = Buffer.from(`${'x'.repeat(before)}${SECRET} and more`)
    const coded = whole.toString('base64')
    for (const text of [
      coded,
      whole.toString('base64url'),
      encodeURIComponent(coded),
      coded.replace(/=/g, '').replace(/.{21}(?=.)/g, '$&\r\n'),
    ]) {
      expect(knowing(SECRET).mask(`before: ${text}: after`)).toBe('before: ***: after')
    }
    const hex = whole.toString('hex')
    expect(knowing(SECRET).mask(`GET /v1/${hex}/info`)).toBe('GET /v1/***/info')
    expect(knowing(SECRET).mask(`${hex.slice(0, 30)}\n${hex.slice(30, 60)}`)).toBe('***')
    expect(knowing(SECRET).mask(`in part: ${coded.slice(4, 24)}`)).toBe('in part: ***')
  })

  test('is masked as far as it stands where an ellipsis cuts it', () => {
    const known = knowing(SECRET)
    for (const length of [6, 10, 16]) expect(known.mask(`no ${SECRET.slice(0, length)}… or`)).toBe('no ***… or')
    expect(known.mask(`no ${encodeURIComponent(SECRET).slice(0, 18)}…`)).toBe('no ***%2…')
    expect(known.mask(`no ${SECRET.slice(0, 5)}…`)).toBe(`no ${SECRET.slice(0, 5)}…`)
    expect(known.mask(`no ${SECRET.slice(0, 10)}`)).toBe(`no ${SECRET.slice(0, 10)}`)
  })

  test('is masked whole when it contains another one', () => {
    expect(knowing('abcd', 'abcdefgh', 'cdef').mask('abcdefgh abcd')).toBe('*** ***')
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
    expect(knowing('a\ud800bc').mask('x a\ud800bc')).toBe('x ***')
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
    [`{"key":"AAAAabc-_12:APA91b${'x-Y_9'.repeat(27)}"}`, '{"key":"***"}'],
    [`no device ${'d'.repeat(22)}:APA91b${'x-Y_9'.repeat(27)}, gone`, 'no device ***, gone'],
    ['-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\nrest', '***\nrest'],
    ['-----BEGIN EC PRIVATE KEY-----\nMIGcut', '***'],
    ['-----BEGIN PRIVATE KEY-----MIGcut', '***'],
    ['-----BEGIN PRIVATE KEY-----\\nMIG\\n-----END PRIVATE KEY-----\\nrest', '***\\nrest'],
    ['-----BEGIN PRIVATE KEY----- MIGHAgEAMBMGByqGSM49AgEG Zm9v -----END PRIVATE KEY-----', '***'],
  ])('%s', (text, masked) => {
    expect(mask(text)).toBe(masked)
  })

  test.each([
    '{"is_token_receive":false,"token":null}',
    'request a room token for u-1',
    'Bearer of news',
    '{"name":"tokens are here"}',
    `route set push.iosCertificate '{"send":{"apns_certificate_password":"form","push_token":"header"}}'`,
    'eye exam',
    'AAAAabc-_12:APA91bshort',
    'it is base64 alone, without the line -----BEGIN PRIVATE KEY----- before and the END line after',
    'without -----BEGIN PRIVATE KEY-----\n  try: take the file as Apple gave it out; it can be downloaded once only, so make a new key if it is lost\n',
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
    'AAAAabc-_12',
    'AAAAabc-_12:APA91b',
    ' ',
    '%41',
    '%25',
    '\\u0041',
    '\\\\',
    '&amp;',
    '+',
    '…',
    'S3CRE…',
    'UzNDUk',
    'QUJD\n',
    '=',
  ])('gets through 200 kB of %j', (part) => {
    const text = part.repeat(Math.ceil(200_000 / part.length))
    expect(typeof knowing('S3CRET-of-the-test').mask(text)).toBe('string')
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

describe('a secret that is shorter than a word', () => {
  test.each([
    ['password=abc&bundle_id=x', 'password=***&bundle_id=x'],
    ['"word":"abc"', '"word":"***"'],
    ['{"word": "abc"}', '{"word": "***"}'],
    ['header: abc', 'header: ***'],
    ['x=abc', 'x=***'],
  ])('is masked where it stands as a value: %s', (text, masked) => {
    expect(knowing('abc').mask(text)).toBe(masked)
  })

  test('is masked percent-encoded there too', () => {
    expect(knowing('&=').mask('?word=%26%3D&x=1 ?word=%26%3d')).toBe('?word=***&x=1 ?word=***')
  })

  test.each(['abc', 'the abc of it', 'abcdef', 'fabc', 'x=abcd', 'abc=x'])('does not take %j apart', (text) => {
    expect(knowing('abc').mask(text)).toBe(text)
  })
})

describe('the bytes of a file', () => {
  const lines = ['MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg', 'shortish', 'Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6']
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
  const key = knowing(Buffer.from(pem))

  test.each([
    ['as they are', pem],
    ['in one line', lines.join('')],
    ['in JSON', JSON.stringify(pem).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(pem)],
    ['in base64', Buffer.from(pem).toString('base64')],
    ['in base64url', Buffer.from(pem).toString('base64url')],
    ['in hex', Buffer.from(pem).toString('hex')],
    ['one line of them', lines[0] ?? ''],
    ['the last line of them', lines[2] ?? ''],
  ])('are masked %s', (_, spelling) => {
    expect(key.mask(`before ${spelling} after`)).toBe('before *** after')
  })

  test('are masked with the line ends of Windows, line by line', () => {
    const shown = knowing(Buffer.from(pem.replaceAll('\n', '\r\n'))).mask(`${lines[0]}\n${lines[2]}`)
    expect(shown).toBe('***\n***')
  })

  test('leave alone what says nothing of a key: short lines, and those that every file has', () => {
    expect(key.maskKnown('a shortish text -----END PRIVATE KEY-----')).toBe('a shortish text -----END PRIVATE KEY-----')
  })

  test('are found in base64 and hex where they are no text', () => {
    const bytes = Buffer.from([0x30, 0x82, 0xff, 0xfe, 0x00, 0x9c, 0x41, 0x80, 0xc3, 0x28])
    for (const coding of ['base64', 'base64url', 'hex'] as const) {
      expect(knowing(bytes).mask(`x ${bytes.toString(coding)} y`)).toBe('x *** y')
    }
    const percent = bytes.toString('hex').replace(/../g, '%$&')
    expect(knowing(bytes).mask(`?q=${percent}&r`)).toBe('?q=***&r')
    expect(knowing(bytes).mask(`?q=${encodeURIComponent(percent)}&r`)).toBe('?q=***&r')
  })

  test('of an empty file are no secret', () => {
    expect(knowing(new Uint8Array()).mask('as it was')).toBe('as it was')
  })
})

describe('a large file', () => {
  const bytes = Buffer.from(Array.from({length: 1_048_576}, (_, at) => (at * at * 31 + (at >> 8)) % 251))
  const large = knowing(bytes)

  test.each(['base64', 'base64url', 'hex'] as const)('is found by a part of it in %s', (coding) => {
    const coded = bytes.toString(coding)
    for (const start of [0, 1001, 500_003]) {
      expect(large.mask(`x ${coded.slice(start, start + 4000)} y`)).toBe('x *** y')
    }
    expect(large.mask('what stands beside it')).toBe('what stands beside it')
  })
})

describe('a value of a result', () => {
  test('loses the known secrets in its texts, and nothing else', () => {
    const value = {
      push_token: 'S3CRET-1',
      of: ['say S3CRET-1', 7, null, {b: Buffer.from('xS3CRET-1').toString('base64')}],
    }
    expect(knowing('S3CRET-1').maskKnownIn(value)).toEqual({push_token: '***', of: ['say ***', 7, null, {b: '***'}]})
    expect(new Secrets().maskKnownIn(value)).toEqual(value)
  })
})

describe('a value of JSON', () => {
  test('loses its secrets at any depth, in its texts and by the names of its members', () => {
    const value = {
      user_id: 'ann',
      push_token: 'unknown to all',
      list: [{fcm_server_key: 'AAAA', n: 1}, 'say S3CRET twice: S3CRET', null, true],
      Password: 'x',
    }
    expect(knowing('S3CRET').maskIn(value)).toEqual({
      user_id: 'ann',
      push_token: '***',
      list: [{fcm_server_key: '***', n: 1}, 'say *** twice: ***', null, true],
      Password: '***',
    })
  })

  test('keeps what only looks like a secret by its name', () => {
    const value = {
      is_token_receive: false,
      token: null,
      password: 7,
      apns_certificate_password: {a: 'b'},
      tokens: 'many',
    }
    expect(new Secrets().maskIn(value)).toEqual(value)
  })
})
