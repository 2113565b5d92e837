import fc from 'fast-check'
import {expect, test} from 'vitest'
import {ListSplitter} from '../../../../../src/api/client/readList.js'
import {anyText} from '../../../../support/anyText.js'

/** What a splitter makes of a text that comes in pieces of these lengths. */
function split(text: string, lengths: readonly number[]) {
  const splitter = new ListSplitter()
  const elements: string[] = []
  let at = 0
  for (const length of [...lengths, text.length]) {
    elements.push(...splitter.take(text.slice(at, at + length)))
    at += length
  }
  return {elements, envelope: splitter.end()}
}

const value = fc.jsonValue({maxDepth: 3})
const members = fc.dictionary(anyText(), value, {maxKeys: 3})

test('the elements are those of the list, wherever the text is cut, and the rest is the envelope without them', () => {
  fc.assert(
    fc.property(
      fc.array(value, {maxLength: 5}),
      members,
      members,
      fc.constantFrom(undefined, 2, '\t'),
      fc.array(fc.integer({min: 0, max: 30}), {maxLength: 40}),
      (data, before, after, indent, lengths) => {
        const {data: _, ...rest} = {...before, ...after}
        const text = JSON.stringify({...before, data, ...rest}, null, indent)
        const {elements, envelope} = split(text, lengths)
        expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(data)))
        expect(JSON.parse(envelope)).toEqual({...JSON.parse(text), data: []})
      },
    ),
  )
})

test.each([
  ['a list of another member', '{"rooms":[1,2],"data":{"data":[3]}}'],
  ['a list that is no member', '[1,2]'],
  ['a text that looks like one', '{"a":"{\\"data\\":[1]"}'],
])('%s is no list of the envelope', (_, text) => {
  expect(split(text, [3, 5])).toEqual({elements: [], envelope: text})
})

test.each([
  ['a comma too many', '{"data":[1,,2]}', ['1', '', '2']],
  ['a comma at the end', '{"data":[1,]}', ['1', '']],
  ['a list that is cut off', '{"data":[1,2', ['1']],
])('%s stays for the parser to refuse', (_, text, expected) => {
  const {elements, envelope} = split(text, [])
  expect(elements).toEqual(expected)
  const isJson = [...elements, envelope].every((part) => {
    try {
      JSON.parse(part)
      return true
    } catch {
      return false
    }
  })
  expect(isJson).toBe(false)
})
