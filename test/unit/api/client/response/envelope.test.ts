import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseResponseJson, readEnvelope} from '../../../../../src/api/client/response/response.js'
import {exactJson} from '../../../../../src/text/json.js'

const json = 'application/json'

describe('an envelope', () => {
  test.each([
    ['{"status":"SUCCESS"}', {kind: 'success', data: undefined}],
    ['{"status":"SUCCESS","data":null}', {kind: 'success', data: null}],
    ['{"status":"SUCCESS","data":[1]}', {kind: 'success', data: [1]}],
    [' \r\n{"status":"SUCCESS","data":{}}\n', {kind: 'success', data: {}}],
    ['\ufeff{"status":"SUCCESS","data":{}}', {kind: 'success', data: {}}],
    ['{"status":"SUCCESS","error_code":"CE001","message":"m"}', {kind: 'success', data: undefined}],
    ['{"status":"FAIL","message":"m","error_code":"ER001"}', {kind: 'fail', code: 'ER001', message: 'm'}],
    ['{"status":"FAIL"}', {kind: 'fail', code: undefined, message: undefined}],
    ['{"status":"FAIL","message":"","error_code":""}', {kind: 'fail', code: undefined, message: undefined}],
    ['{"status":"FAIL","message":{"a":1},"error_code":7}', {kind: 'fail', code: undefined, message: undefined}],
    ['{"status":"FAIL","message":null,"error_code":null}', {kind: 'fail', code: undefined, message: undefined}],
  ])('%s is read by its status', (text, read) => {
    expect(readEnvelope(text, json)).toEqual(read)
  })

  test.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['null', 'is JSON but not an envelope with a status'],
    ['[]', 'is JSON but not an envelope with a status'],
    ['"SUCCESS"', 'is JSON but not an envelope with a status'],
    ['7', 'is JSON but not an envelope with a status'],
    ['{}', 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'],
    ['{"status":"success"}', 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'],
    ['{"status":true}', 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'],
    ['{"status":"SUCCESS","data":[{"room_id":"r', 'is truncated or invalid JSON'],
    ['[1,2', 'is truncated or invalid JSON'],
    ['{"status":"SUCCESS"} trailing', 'is truncated or invalid JSON'],
    ['<!DOCTYPE html><p>Sign in', 'is an HTML page, not JSON: check for a proxy or a wrong address'],
    ['\n<HTML>', 'is an HTML page, not JSON: check for a proxy or a wrong address'],
    ['<?xml version="1.0"?>', 'is an HTML page, not JSON: check for a proxy or a wrong address'],
    ['upstream connect error', 'is not JSON (content type text/plain)'],
  ])('%j is not one, and the failure describes it', (text, what) => {
    expect(readEnvelope(text, 'text/plain')).toEqual({kind: 'broken', what})
  })

  test('a content type that is missing or endless stays readable', () => {
    expect(readEnvelope('?', undefined)).toEqual({kind: 'broken', what: 'is not JSON (content type not given)'})
    const read = readEnvelope('?', 'x'.repeat(10_000))
    expect(read.kind === 'broken' && read.what.length).toBeLessThan(100)
  })
})

describe('any JSON', () => {
  const escaped = (text: string) => text.replace(/[a-z_]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  const member = fc.constantFrom(
    'status',
    'data',
    'message',
    'error_code',
    '__proto__',
    'constructor',
    'toString',
    'then',
  )
  const value = fc.oneof(fc.constantFrom('SUCCESS', 'FAIL', '', null, 1e21, -0), fc.jsonValue())
  /** Members in any order, some of them twice, some of their names with escapes. */
  const objects = fc
    .array(fc.tuple(member, value, fc.boolean()), {maxLength: 6})
    .map((members) => members.map(([name, one, hides]) => [JSON.stringify(name), one, hides] as const))
    .map((members) => members.map(([name, one, hides]) => `${hides ? escaped(name) : name}:${JSON.stringify(one)}`))
    .map((members) => `{${members.join(',')}}`)

  /** What the document says of an answer, as plainly as it can be said: the last of two members counts, as for JSON.parse. */
  function plainly(text: string): unknown {
    const members = new Map(Object.entries(JSON.parse(text) as object))
    const word = (name: string) => {
      const member = members.get(name)
      return typeof member === 'string' && member !== '' ? member : undefined
    }
    if (members.get('status') === 'SUCCESS') return {kind: 'success', data: members.get('data')}
    if (members.get('status') === 'FAIL') return {kind: 'fail', code: word('error_code'), message: word('message')}
    return {kind: 'broken', what: 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'}
  }

  test('is read as JSON.parse and the document read it', () => {
    fc.assert(
      fc.property(objects, (text) => {
        expect(readEnvelope(text, json)).toEqual(plainly(text))
      }),
      {numRuns: 100},
    )
  })

  test('any bytes are read as one of three kinds, and all but JSON as broken', () => {
    const bytes = fc.oneof(
      fc.uint8Array({maxLength: 60}),
      fc.tuple(objects, fc.nat(), fc.nat({max: 255})).map(([text, at, byte]) => {
        const whole = Buffer.from(text)
        if (whole.length > 0) whole[at % whole.length] = byte
        return whole
      }),
    )
    fc.assert(
      fc.property(bytes, (given) => {
        const text = Buffer.from(given).toString('utf8')
        const read = readEnvelope(text, undefined)
        expect(['success', 'fail', 'broken']).toContain(read.kind)
        if (!isJson(text)) expect(read.kind).toBe('broken')
        if (read.kind === 'broken') expect(read.what).toMatch(/^is [^\p{C}]{2,120}$/u)
      }),
      {numRuns: 100},
    )
  })

  function isJson(text: string): boolean {
    try {
      JSON.parse(text.replace(/^\ufeff/, ''))
      return true
    } catch {
      return false
    }
  }
})

describe('a member called __proto__', () => {
  test.each([
    '{"__proto__":{"admin":true},"a":1}',
    '{"rows":[{"__proto__":{"admin":true}}],"n":9007199254740993}',
    '{"\\u005f_proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
  ])('is kept as data, and nothing inherits from it: %s', (text) => {
    const read = parseResponseJson(text)
    expect(exactJson(read)).toBe(text.replace('\\u005f', '_'))
    expect(Reflect.get(Object(read), 'admin')).toBeUndefined()
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })
})

describe('JSON within JSON', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  test('is read to 500 levels, and no further, where drawing it would overflow the stack', () => {
    expect(JSON.stringify(parseResponseJson(nested(500)))).toBe(nested(500))
    for (const text of [nested(501), nested(100_000), `{"__proto__":${nested(100_000)}}`]) {
      expect(parseResponseJson(text)).toBeUndefined()
      expect(readEnvelope(text, json)).toEqual({
        kind: 'broken',
        what: 'is JSON of more than 500 levels',
        isTooMuch: true,
      })
    }
  })

  test('is read to four million values, and no further, where its memory would not be bounded', () => {
    const values = (count: number) => `[${'0,'.repeat(count - 2)}0]`
    expect(parseResponseJson(values(4_000_000))).toHaveLength(3_999_999)
    for (const text of [values(4_000_002), `[${'{},'.repeat(2_000_001)}0]`]) {
      expect(readEnvelope(text, json)).toEqual({
        kind: 'broken',
        what: 'is JSON of more than 4,000,000 values',
        isTooMuch: true,
      })
    }
  })

  test('brackets, commas and quotes within texts count for nothing', () => {
    const text = JSON.stringify({a: `${'['.repeat(1000)}"\\"${'{'.repeat(1000)}`, b: ','.repeat(4_000_001)})
    expect(parseResponseJson(text)).toEqual(JSON.parse(text))
  })
})
