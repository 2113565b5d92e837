import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {appendPath, checkAddress} from '../../../../../src/api/http/network/address.js'
import {anyText} from '../../../../support/anyText.js'
import {failing} from '../../../../support/failures.js'

const said = {
  malformed: /^invalid address/u,
  credentials: /must not contain a user name or password/u,
  query: /must not contain a query/u,
  fragment: /must not contain a fragment/u,
  'plain-http': /must begin with https/u,
  path: /this path cannot be appended/u,
}

describe('a service address', () => {
  test.each([
    ['https://h', 'https://h/'],
    ['https://h/media/', 'https://h/media'],
    ['https://h/media///', 'https://h/media'],
    ['HTTPS://H.Test:8443/Media', 'https://h.test:8443/Media'],
    [' https://h ', 'https://h/'],
    ['http://127.0.0.1:4170/media', 'http://127.0.0.1:4170/media'],
    ['http://127.9.8.7', 'http://127.9.8.7/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['http://sandbox.localhost/media', 'http://sandbox.localhost/media'],
    ['https://방.test/', 'https://xn--vh3b.test/'],
    ['https://xn--vh3b.test', 'https://xn--vh3b.test/'],
    ['https://h:443/a', 'https://h/a'],
    ['http://[::0001]:80', 'http://[::1]/'],
  ])('takes %s', (text, expected) => {
    expect(checkAddress(text, {allowHttp: false}).href).toBe(expected)
  })

  test.each<[string, keyof typeof said]>([
    ['http://127.0.0.1.evil.com', 'plain-http'],
    ['http://localhost.evil.com', 'plain-http'],
    ['http://evillocalhost', 'plain-http'],
    ['http://evil.com/127.0.0.1', 'plain-http'],
    ['http://0.0.0.0', 'plain-http'],
    ['http://[::2]', 'plain-http'],
    ['http://h', 'plain-http'],
    ['https://u:p@h', 'credentials'],
    ['https://u@h', 'credentials'],
    ['http://127.0.0.1@evil.com', 'credentials'],
    ['https://h?x=1', 'query'],
    ['https://h/?', 'query'],
    ['https://h/#x', 'fragment'],
    ['https://h#', 'fragment'],
    ['h.test', 'malformed'],
    ['ftp://h', 'malformed'],
    ['file:///etc/passwd', 'malformed'],
    ['javascript:alert(1)', 'malformed'],
    ['https:h', 'malformed'],
    ['https:///h', 'malformed'],
    ['https:\\\\h', 'malformed'],
    ['https://h\\@evil.com', 'malformed'],
    ['https://h\t.test', 'malformed'],
    ['https://h h', 'malformed'],
    ['https://h:99999', 'malformed'],
    ['https://', 'malformed'],
    ['http://256', 'malformed'],
    ['https://10.1', 'malformed'],
    ['https://0x7f.1', 'malformed'],
    ['https://%41.example', 'malformed'],
    ['https://a\u00adb.example', 'malformed'],
    ['https://:@host', 'malformed'],
    ['', 'malformed'],
  ])('refuses %s', (text, reason) => {
    expect(failing(() => checkAddress(text, {allowHttp: false})).message).toMatch(said[reason])
  })

  test('may be plain http where that is allowed, and nothing else is loosened', () => {
    expect(checkAddress('http://h.test/media', {allowHttp: true}).href).toBe('http://h.test/media')
    expect(failing(() => checkAddress('http://u:p@h.test', {allowHttp: true})).message).toMatch(said.credentials)
    expect(failing(() => checkAddress('ftp://h.test', {allowHttp: true})).message).toMatch(said.malformed)
  })

  test('is refused without its password, its path or its control characters being repeated', () => {
    for (const text of [
      'https://u:s3cret@h',
      'http://h.test/s3cret',
      'https://h?s3cret',
      'https://h\u001b[2J/s3cret',
    ]) {
      expect(failing(() => checkAddress(text, {allowHttp: false})).message).not.toMatch(/s3cret|\p{Cc}/u)
    }
    const plain = failing(() => checkAddress('http://h.test/a', {allowHttp: false})).message
    expect(plain).toBe(
      'the address http://h.test must begin with https: plain http is allowed only for this machine (127.0.0.1, ::1, localhost), unless the profile sets allowHttp',
    )
  })
})

describe('a path appended to an address', () => {
  const base = checkAddress('https://h.test/media', {allowHttp: false})

  test.each([
    ['/v1/rooms', 'https://h.test/media/v1/rooms'],
    ['/media/v1/rooms/r-1', 'https://h.test/media/media/v1/rooms/r-1'],
    ['/v1//rooms/', 'https://h.test/media/v1//rooms/'],
    ['//evil.test/x', 'https://h.test/media//evil.test/x'],
    ['/a%2Fb', 'https://h.test/media/a%2Fb'],
    ['/...', 'https://h.test/media/...'],
    ['/방', 'https://h.test/media/%EB%B0%A9'],
  ])('%s', (path, expected) => {
    expect(appendPath(base, path).href).toBe(expected)
  })

  test('goes to the root of an address without a path', () => {
    expect(appendPath(new URL('https://h.test'), '/v1').href).toBe('https://h.test/v1')
    expect(appendPath(new URL('https://h.test'), '//evil.test/v1').href).toBe('https://h.test//evil.test/v1')
  })

  test.each([
    'v1',
    '',
    '@evil.test/',
    '/../x',
    '/a/..',
    '/a/%2e%2E/x',
    '/./x',
    '/.%2e',
    '/a?b',
    '/a#b',
    '/a\\..\\b',
    '/a\nb',
  ])('refuses %j', (path) => {
    expect(failing(() => appendPath(base, path)).message).toMatch(said.path)
  })

  test('encodes the query so that a space is %20 and every value comes back', () => {
    expect(appendPath(base, '/v1', {'a b': 'c d+e', f: '&=#?'}).href).toBe(
      'https://h.test/media/v1?a%20b=c%20d%2Be&f=%26%3D%23%3F',
    )
    const word = anyText({minLength: 1, maxLength: 20})
    fc.assert(
      fc.property(fc.dictionary(word, word), (query) => {
        const url = appendPath(base, '/v1', query)
        expect(url.pathname).toBe('/media/v1')
        expect([...url.searchParams]).toEqual(Object.entries(query))
      }),
    )
  })
})
