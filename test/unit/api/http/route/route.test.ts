import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {appendPath} from '../../../../../src/api/http/network/address.js'
import {fillRoute, matchRoute, parseRoute} from '../../../../../src/api/http/route/route.js'
import {Failure} from '../../../../../src/failure.js'
import {anyText} from '../../../../support/anyText.js'

const TEMPLATES = ['/v1/rooms/{roomId}', '/v1/rooms/{roomId}/end', '/v1/x-{roomId}.json', '/{roomId}:end', '/{roomId}/']
const someText = anyText({minLength: 1, maxLength: 40})
const hardText = fc.stringMatching(/^[./\\?#%&+;:@ ~가나a0{}]{1,12}$/)

describe('filling a route', () => {
  test('returns every value that is accepted, and the URL keeps origin and prefix', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), fc.oneof(someText, hardText), (template, value) => {
        const path = fillOrRefusal(template, value)
        if (path === undefined) return
        expect(matchRoute(template, path)).toEqual({roomId: value})
        const url = appendPath(new URL('https://h.test:8443/media'), path)
        expect(url.origin).toBe('https://h.test:8443')
        expect(url.pathname).toBe(`/media${path}`)
        expect([url.search, url.hash]).toEqual(['', ''])
      }),
      {numRuns: 100},
    )
  })

  test('keeps the slashes of a path in a path, and nothing else that leads anywhere', () => {
    const base = new URL('https://h.test:8443/asset')
    const deep = fc.array(fc.oneof(someText, hardText), {minLength: 1, maxLength: 4}).map((parts) => parts.join('/'))
    fc.assert(
      fc.property(
        fc.constantFrom('/{container}/', '/{container}', '/v1/{container}/x'),
        deep,
        (template, container) => {
          const isSound = container.split('/').every((part) => !/^\.{0,2}$|\p{Cc}|\p{Cs}/u.test(part))
          if (!isSound) {
            expect(() => fillRoute(template, {container}, 'container')).toThrow(Failure)
            return
          }
          const filled = fillRoute(template, {container}, 'container')
          expect(matchRoute(template, filled, 'container')).toEqual({container})
          const url = appendPath(base, filled)
          expect([url.origin, url.pathname, url.search, url.hash]).toEqual([base.origin, `/asset${filled}`, '', ''])
        },
      ),
      {numRuns: 100},
    )
  })

  test('refuses exactly the empty text, one or two dots and control characters', () => {
    fc.assert(
      fc.property(fc.oneof(anyText({maxLength: 3}), hardText), (value) => {
        const forbidden = value === '' || value === '.' || value === '..' || /\p{Cc}/u.test(value)
        expect(fillOrRefusal('/v1/rooms/{roomId}', value) === undefined).toBe(forbidden)
      }),
      {numRuns: 100},
    )
  })

  test.each([
    ['', 'the value of roomId must not be empty'],
    ['.', 'the value of roomId must not be "."'],
    ['..', 'the value of roomId must not be ".."'],
    ['a\nb', 'the value of roomId must not contain control characters'],
    ['a\u0000', 'the value of roomId must not contain control characters'],
    ['a\u0085b', 'the value of roomId must not contain control characters'],
    ['\ud800', 'the value of roomId is not valid Unicode text'],
  ])('refuses %j with a sentence', (value, message) => {
    expect(() => fillRoute('/v1/rooms/{roomId}', {roomId: value})).toThrow(message)
  })

  test('fills several parameters, and once: a value with braces is only text', () => {
    const values = {roomId: '{userId}', userId: 'u$&1', other: 'unused'}
    expect(fillRoute('/v1/rooms/{roomId}/attendees/{userId}/token', values)).toBe(
      '/v1/rooms/%7BuserId%7D/attendees/u%24%261/token',
    )
  })

  test('needs every value, and takes none from the prototype', () => {
    expect(() => fillRoute('/v1/{roomId}', {})).toThrow('the path /v1/{roomId} needs a value for roomId')
    expect(() => fillRoute('/v1/{constructor}', {})).toThrow(Failure)
  })

  function fillOrRefusal(template: string, roomId: string): string | undefined {
    try {
      return fillRoute(template, {roomId})
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }
})

describe('matching a route', () => {
  test.each([
    ['/v1/rooms', '/v1/rooms', {}],
    ['/v1/rooms', '/v1/rooms/', undefined],
    ['/v1/rooms', '/v1/room', undefined],
    ['/v1/rooms', '/v1/rooms/r-1', undefined],
    ['/{container}', '/c/', undefined],
    ['/{container}/', '/c/', {container: 'c'}],
    ['/v1/rooms/{roomId}', '/v1/rooms/a/b', undefined],
    ['/v1/rooms/{roomId}', '/v1/rooms/a%2Fb', {roomId: 'a/b'}],
    ['/v1/rooms/{roomId}', '/v1/rooms/', undefined],
    ['/v1/rooms/{roomId}', '/v1/rooms/%zz', undefined],
    ['/v1/rooms/{roomId}', '/v1/rooms/%ff', undefined],
    ['/a.b/{x}', '/aXb/1', undefined],
    ['/a(b)+/{x}', '/a(b)+/1', {x: '1'}],
    ['/{a}/{b}', '/1/2', {a: '1', b: '2'}],
  ])('%s and %s', (template, path, expected) => {
    expect(matchRoute(template, path)).toEqual(expected)
  })
})

describe('reading a route', () => {
  test.each([
    ['GET /v1/rooms', {method: 'GET', path: '/v1/rooms'}],
    ['patch   /v1/rooms/{roomId}', {method: 'PATCH', path: '/v1/rooms/{roomId}'}],
    [' POST /{container}/ ', {method: 'POST', path: '/{container}/'}],
    ['DELETE /v1/%ED%9A%8C/{a}:end', {method: 'DELETE', path: '/v1/%ED%9A%8C/{a}:end'}],
    ['OPTIONS /', {method: 'OPTIONS', path: '/'}],
  ])('takes %s', (text, expected) => {
    expect(parseRoute(text)).toEqual(expected)
  })
})
