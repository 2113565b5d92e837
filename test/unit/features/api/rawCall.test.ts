import {describe, expect, test} from 'vitest'
import {fieldsOf} from '../../../../src/features/api/rawCall.js'
import {failing} from '../../../support/failures.js'

describe('the fields of a raw request', () => {
  test('are texts under -f and JSON under -F', () => {
    const fields = fieldsOf(
      ['name=Weekly', 'empty=', 'sum=1+1=2', 'n=7'],
      ['n:=7', 'list:=["a",null]', 'deep:={"a":{"b":true}}', 'text:="x:=y"'],
    )
    expect(fields).toEqual({
      name: 'Weekly',
      empty: '',
      sum: '1+1=2',
      n: 7,
      list: ['a', null],
      deep: {a: {b: true}},
      text: 'x:=y',
    })
  })

  test.each([
    [['name'], []],
    [['=x'], []],
    [[], ['name=1']],
    [[], [':=1']],
  ])('are not %j and %j', (texts, jsons) => {
    expect(failing(() => fieldsOf(texts, jsons))).toMatchObject({
      exit: 'usage',
      message: expect.stringMatching(/^-[fF] takes key/),
    })
  })

  test.each(['a:=', 'a:=text', 'a:={"S3CRET"', "a:={'a':1}"])(
    'are no JSON in %s, and the value is not repeated',
    (given) => {
      const facts = failing(() => fieldsOf([], [given]))
      expect(facts).toMatchObject({exit: 'usage', message: '-F a: the value is not JSON'})
      expect(JSON.stringify(facts)).not.toContain('S3CRET')
    },
  )

  test('may have the names that every object inherits', () => {
    expect(Object.entries(fieldsOf(['constructor=x', 'toString=y'], ['__proto__:={"a":1}']))).toEqual([
      ['constructor', 'x'],
      ['toString', 'y'],
      ['__proto__', {a: 1}],
    ])
  })
})
