import fc from 'fast-check'
import {expect, test} from 'vitest'
import {hasCiCommand, withoutCiCommands} from '../../../src/text/ciCommands.js'
import {yamlWriter} from '../../../src/view/format/output.js'
import {everyCase} from '../../support/everyCase.js'

const parts = [':', '::', '#', '##', '[', 'vso', 'teamcity', 'a', ' ', '\t', '\n', '\r', '\u0085', '\\', '"', "'", '- ']
const text = fc.array(fc.constantFrom(...parts), {maxLength: 12}).map((chosen) => chosen.join(''))

/** As the runners of GitHub, Azure and TeamCity find a command. */
function isCommand(line: string): boolean {
  return /^[\s\u0085]*::|##(?:\[|vso\[|teamcity\[)/u.test(line)
}

test('no line of any text is a command, and a text without one is unchanged', () => {
  fc.assert(
    fc.property(text, (input) => {
      const written = withoutCiCommands(input)
      expect(written.split(/[\r\n]/u).filter(isCommand)).toEqual([])
      if (!hasCiCommand(input)) expect(written).toBe(input)
      expect(withoutCiCommands(written)).toBe(written)
    }),
  )
})

test('any value is the same in JSON and in YAML, and no line of them is a command', async () => {
  const {parse} = await import('yaml')
  const writeYaml = await yamlWriter()
  const value = fc.array(fc.dictionary(text, text, {noNullPrototype: true}), {maxLength: 3})
  fc.assert(
    fc.property(value, (input) => {
      for (const [write, read] of [
        [(rows: unknown) => JSON.stringify(rows), (json: string): unknown => JSON.parse(json)],
        [writeYaml, (yaml: string): unknown => parse(yaml)],
      ] as const) {
        const written = withoutCiCommands(write(input))
        expect(written.split(/[\r\n]/u).filter(isCommand)).toEqual([])
        expect(read(written)).toEqual(input)
      }
    }),
  )
})

test('similar texts are left alone', () =>
  everyCase(
    [['a::b'], ['::'.slice(1)], ['# [x]'], ['## [x]'], ['##'], ['http://[::1]:80'], ['#[x]']] as const,
    async (input) => {
      expect(withoutCiCommands(input)).toBe(input)
    },
  ))
