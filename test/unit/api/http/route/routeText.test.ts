import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {RouteError} from '../../../../../src/api/http/route/route.js'
import {parseRoute, routeText} from '../../../../../src/api/http/route/routeText.js'

const whole = {
  method: 'PUT',
  path: '/v2/apps/{application_id}/apns',
  send: {apns_certificate_password: 'form'},
  rename: {bundle_id: 'bundleId'},
}

/** Why a text is no route. */
function refusal(text: string): string {
  try {
    return `it was read as ${JSON.stringify(parseRoute(text))}`
  } catch (error) {
    if (error instanceof RouteError) return error.message
    throw error
  }
}

describe('a route as an object', () => {
  test('is read with all that it says', () => {
    expect(parseRoute(JSON.stringify(whole))).toEqual(whole)
    expect(parseRoute(` ${JSON.stringify(whole, null, 2)}\n`)).toEqual(whole)
  })

  test('may say no more than the text form, and its text is then that form', () => {
    const route = parseRoute('{"path": "/v2/requests", "method": "delete", "send": {}, "rename": {}}')
    expect(route).toEqual({method: 'DELETE', path: '/v2/requests'})
    expect(routeText(route)).toBe('DELETE /v2/requests')
  })

  test.each(['query', 'body', 'form', 'header'])('sends to the %s', (place) => {
    expect(parseRoute(JSON.stringify({...whole, send: {bundle_id: place}})).send).toEqual({bundle_id: place})
  })

  test.each(['bundleId', 'X-Bundle-Id', 'ids[]', 'a.b', '_', '9', 'x'.repeat(100)])('renames to %s', (name) => {
    expect(parseRoute(JSON.stringify({...whole, rename: {bundle_id: name}})).rename).toEqual({bundle_id: name})
  })

  test.each([
    ['{', 'is a JSON object, and this is none'],
    ['{"method": "PUT", "path": "/v2"} x', 'is a JSON object, and this is none'],
    ['{}', 'has a "method" and a "path"'],
    ['{"method": "PUT"}', 'has a "method" and a "path"'],
    ['{"path": "/v2"}', 'has a "method" and a "path"'],
    ['{"method": 1, "path": "/v2"}', 'has a "method" and a "path"'],
    ['{"method": "FETCH", "path": "/v2"}', 'begins with a method'],
    ['{"method": "PUT", "path": "v2"}', 'begins with exactly one "/"'],
    ['{"method": "PUT", "path": "//other.example/v2"}', 'begins with exactly one "/"'],
    ['{"method": "PUT", "path": "https://other.example/v2"}', 'begins with exactly one "/"'],
    ['{"method": "PUT", "path": "/v2/../v1"}', 'holds no "." and no ".."'],
    ['{"method": "PUT", "path": "/v2?x=1"}', 'holds no "?"'],
    ['{"method": "PUT", "path": "/v2", "host": "other.example"}', 'has no member "host"'],
    ['{"method": "PUT", "path": "/v2", "__proto__": {}}', 'has no member "__proto__"'],
    ['{"method": "PUT", "path": "/v2", "send": "form"}', '"send" of a route is an object'],
    ['{"method": "PUT", "path": "/v2", "send": null}', '"send" of a route is an object'],
    ['{"method": "PUT", "path": "/v2", "send": ["form"]}', '"send" of a route is an object'],
    ['{"method": "PUT", "path": "/v2", "send": {"title": "path"}}', 'puts title nowhere that exists'],
    ['{"method": "PUT", "path": "/v2", "send": {"title": "omit"}}', 'puts title nowhere that exists'],
    ['{"method": "PUT", "path": "/v2", "send": {"title": ["form"]}}', 'puts title nowhere that exists'],
    ['{"method": "PUT", "path": "/v2", "rename": {"title": ""}}', 'gives title no name'],
    ['{"method": "PUT", "path": "/v2", "rename": {"title": "a b"}}', 'gives title no name'],
    ['{"method": "PUT", "path": "/v2", "rename": {"title": "a\\r\\nb"}}', 'gives title no name'],
    ['{"method": "PUT", "path": "/v2", "rename": {"title": "__proto__"}}', 'gives title no name'],
    ['{"method": "PUT", "path": "/v2", "rename": {"title": 1}}', 'gives title no name'],
    [`{"method": "PUT", "path": "/v2", "rename": {"title": "${'x'.repeat(101)}"}}`, 'gives title no name'],
  ])('is refused as %s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  test.each([
    '{"method": "PUT", "path": "/v2", "path": "/v1"}',
    '{"method": "PUT", "path": "/v2", "send": {"title": "form"}, "send": {"body": "form"}}',
    '{"method": "PUT", "path": "/v2", "send": {"title": "form", "title": "query"}}',
    '{"method": "PUT", "path": "/v2", "rename": {"title": "a", "\\u0074itle": "b"}}',
  ])('is refused where a member stands twice, of which JSON would keep the last: %s', (text) => {
    expect(refusal(text)).toBe('a member of the route stands in it twice')
  })

  test('that is nested however deep ends in one sentence', () => {
    expect(refusal(`{"method": "PUT", "path": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toContain('has a "method"')
    expect(refusal(`{"send": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`)).toContain('has a "method"')
  })
})

test('every route is read again from its text', () => {
  const name = fc.stringMatching(/^[\w.[\]-]{1,12}$/).filter((text) => text !== '__proto__')
  const parameter = fc.stringMatching(/^[a-z][a-z_]{0,11}$/)
  const route = fc.record(
    {
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      path: fc.stringMatching(/^(\/[a-z'":{]?[a-z]{1,8}){1,3}$/).filter((path) => !/["{]/.test(path)),
      send: fc.dictionary(parameter, fc.constantFrom('query', 'body', 'form', 'header'), {minKeys: 1, maxKeys: 4}),
      rename: fc.dictionary(parameter, name, {minKeys: 1, maxKeys: 4}),
    },
    {requiredKeys: ['method', 'path']},
  )
  fc.assert(
    fc.property(route, (given) => {
      // The generator's type has undefined where a member is left out; a Route leaves it out.
      expect(parseRoute(routeText(given as never))).toEqual(given)
    }),
    {numRuns: 300},
  )
})
