import {describe, expect, test} from 'vitest'
import {claimsOf} from '../../../../src/features/attendee/jwt.js'

describe('the claims of a token', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('are those of a JWT, texts of every script included', () => {
    expect(claimsOf(`${part({alg: 'HS256'})}.${part({sub: '벤', exp: 1})}.signature`)).toEqual({sub: '벤', exp: 1})
    expect(claimsOf(`${part({alg: 'none'})}.${part({})}.`)).toEqual({})
  })

  test.each([
    '',
    'opaque',
    'a.b',
    `x.${part({a: 1})}`,
    'a.!!!.c',
    'a..c',
    `a.${Buffer.from('{"a"').toString('base64url')}.c`,
  ])('are not in %j', (token) => {
    expect(claimsOf(token)).toBeUndefined()
  })
})
