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
    fc.property(text, (given) => {
      const written = withoutCiCommands(given)
      expect(written.split(/[\r\n]/u).filter(isCommand)).toEqual([])
      if (!hasCiCommand(given)) expect(written).toBe(given)
      expect(withoutCiCommands(written)).toBe(written)
    }),
  )
})

test('any value is the same in JSON and in YAML, and no line of them is a command', async () => {
  const {parse} = await import('yaml')
  const writeYaml = await yamlWriter()
  const value = fc.array(fc.dictionary(text, text, {noNullPrototype: true}), {maxLength: 3})
  fc.assert(
    fc.property(value, (given) => {
      for (const [write, read] of [
        [(rows: unknown) => JSON.stringify(rows), (json: string): unknown => JSON.parse(json)],
        [writeYaml, (yaml: string): unknown => parse(yaml)],
      ] as const) {
        const written = withoutCiCommands(write(given))
        expect(written.split(/[\r\n]/u).filter(isCommand)).toEqual([])
        expect(read(written)).toEqual(given)
      }
    }),
  )
})

test('similar texts are left alone', () =>
  everyCase(
    [['a::b'], ['::'.slice(1)], ['# [x]'], ['## [x]'], ['##'], ['http://[::1]:80'], ['#[x]']] as const,
    async (given) => {
      expect(withoutCiCommands(given)).toBe(given)
    },
  ))
