import {parse} from 'node:querystring'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {FormField} from '../../../../../src/api/client/request/layout.js'
import {encodeBody, type RequestBody} from '../../../../../src/api/client/request/payload.js'
import {partsOf} from '../../../client/onTheWire.js'

const nowhere = {path: {}, query: {}, headers: {}}
const withFile = (form: readonly FormField[], field = 'auth_key_file') => encodeBody({...nowhere, form}, [field])
const parts = ({headers, body}: RequestBody) => partsOf(headers['content-type'] ?? '', body ?? '')

describe('a form with a file', () => {
  test('is multipart/form-data, to the letter', async () => {
    const {headers, body} = await withFile([
      {name: 'team_id', value: 'TEAM123456'},
      {name: 'auth_key_file', value: Buffer.from('key\n')},
    ])
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(-*[\w-]{10,70})$/.exec(headers['content-type'] ?? '') ?? []
    expect(Buffer.from(body ?? '').toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="team_id"',
        '',
        'TEAM123456',
        `--${boundary}`,
        'Content-Disposition: form-data; name="auth_key_file"; filename="AuthKey.p8"',
        'Content-Type: application/octet-stream',
        '',
        'key\n',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['auth_key_file', 'AuthKey.p8'],
    ['certificate_file', 'certificate.p12'],
    ['another_file', 'file'],
  ])(
    'names the file of %s %s, whatever it is called on this machine and the field on the wire',
    async (field, name) => {
      const form = [{name: 'renamed[]', value: Buffer.from([0, 13, 10, 255])}]
      expect(await parts(await withFile(form, field))).toEqual([
        {name: 'renamed[]', value: '\u0000\r\n\u00ff', fileName: name, type: 'application/octet-stream'},
      ])
    },
  )

  test('brings every byte and every text through, as an independent parser reads them', async () => {
    const texts = fc.array(fc.string({unit: 'grapheme', minLength: 0, maxLength: 30}), {maxLength: 3})
    const bytes = fc.uint8Array({minLength: 1, maxLength: 3000})
    await fc.assert(
      fc.asyncProperty(texts, bytes, async (values, file) => {
        const fields = values.map((value, at) => ({name: `field_${at}`, value: value.replace(/[\r\n]/g, '')}))
        const read = await parts(await withFile([...fields, {name: 'file', value: file}]))
        expect(read.map(({name, value}) => ({name, value}))).toEqual([
          ...fields,
          {name: 'file', value: Buffer.from(file).toString('latin1')},
        ])
      }),
      {numRuns: 100},
    )
  })

  test('shows its fields to people, and of a file only the size', async () => {
    const {fields} = await withFile([
      {name: 'team_id', value: 'TEAM123456'},
      {name: 'to', value: 'a'},
      {name: 'to', value: 'b'},
      {name: 'auth_key_file', value: Buffer.from('key\n')},
    ])
    expect(fields).toEqual({team_id: 'TEAM123456', to: ['a', 'b'], auth_key_file: '(file, 4 bytes)'})
  })
})

describe('a form without a file', () => {
  test('is application/x-www-form-urlencoded, to the letter', async () => {
    const form = [
      {name: 'title', value: 'a b&c=d+é%'},
      {name: 'ids[]', value: '1'},
      {name: 'ids[]', value: '2'},
    ]
    expect(await encodeBody({...nowhere, form}, [])).toEqual({
      body: 'title=a+b%26c%3Dd%2B%C3%A9%25&ids%5B%5D=1&ids%5B%5D=2',
      headers: {'content-type': 'application/x-www-form-urlencoded'},
      fields: {title: 'a b&c=d+é%', 'ids[]': ['1', '2']},
    })
  })

  test('brings every text through, line ends too, as two independent parsers read it', async () => {
    const text = fc.string({unit: 'binary', maxLength: 30}).filter((one) => !/\p{Cs}/u.test(one))
    await fc.assert(
      fc.asyncProperty(fc.array(text, {minLength: 1, maxLength: 4}), async (values) => {
        const form = values.map((value) => ({name: 'n', value}))
        const {body} = await encodeBody({...nowhere, form}, [])
        expect([parse(String(body)).n].flat()).toEqual(values)
        expect(new URLSearchParams(String(body)).getAll('n')).toEqual(values)
      }),
      {numRuns: 200},
    )
  })
})

test('what has neither a form nor a JSON body has no type', async () => {
  expect(await encodeBody(nowhere, [])).toEqual({body: undefined, headers: {}})
  expect(await encodeBody({...nowhere, body: {a: undefined, b: '점심'}}, [])).toEqual({
    body: '{"b":"점심"}',
    headers: {'content-type': 'application/json'},
  })
})
