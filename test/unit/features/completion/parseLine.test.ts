import {assert, property, string} from 'fast-check'
import {describe, expect, test} from 'vitest'
import {bashInsertion, bashWords, parseLine} from '../../../../src/features/completion/parseLine.js'
import {everyCase} from '../../../support/everyCase.js'

describe('the words of a line of bash', () => {
  test('end with an empty one behind a space', () => {
    expect(bashWords('roomctl room ').at(-1)).toEqual({raw: '', text: ''})
  })

  test('know which quote is still open', () =>
    everyCase(
      [
        [`roomctl a"b c`, 'ab c', {quote: '"', before: 'a'}],
        [`roomctl 'it`, 'it', {quote: "'", before: ''}],
        ['roomctl a\\', 'a', undefined],
        [`roomctl "x"'y'z`, 'xyz', undefined],
      ],
      (line, text, open) => {
        expect(bashWords(line).at(-1)).toMatchObject({text, ...(open ? {open} : {})})
        expect(bashWords(line).at(-1)?.open).toEqual(open)
      },
    ))
})

describe('an insertion into a line of bash', () => {
  test('is read back whatever the value is', () => {
    const word = {raw: '', text: ''}
    assert(
      property(string({unit: 'grapheme', maxLength: 12}), (text) => {
        const value = text.replace(/\p{Cc}/gu, '')
        const inserted = bashInsertion(value, word, '') ?? ''
        return bashWords(`roomctl ${inserted}`).at(-1)?.text === value
      }),
    )
  })

  test('stands for the part that readline replaces', () =>
    everyCase(
      [
        ['--status=ME', 'ME', '--status=MEETING', 'MEETING'],
        ['--status=', '', '--status=MEETING', 'MEETING'],
        ['a:b', 'b', 'a:bc d', 'bc\\ d'],
        ['two\\ w', 'two\\ w', 'two words', 'two\\ words'],
        ['x', 'y', 'xz', 'xz'],
      ],
      (raw, replaced, value, inserted) => {
        const [, word] = bashWords(`roomctl ${raw}`)
        expect(word && bashInsertion(value, word, replaced)).toBe(inserted)
      },
    ))

  test('is nothing where the value begins otherwise than what stays', () => {
    const [, word] = bashWords('roomctl A:b')
    expect(word && bashInsertion('a:bc', word, 'b')).toBeUndefined()
  })

  test('holds no ! between double quotes, where the history would take it', () => {
    const [, word] = bashWords('roomctl "x')
    expect(word && bashInsertion('x!y', word, '')).toBe('x"\\!"y')
  })
})

const hex = (word: string) => `x${Buffer.from(word).toString('hex').toUpperCase()}`

describe('a line as the scripts pass it on', () => {
  test('is the whole line of bash, without the name of the tool', () => {
    expect(parseLine('bash', [`roomctl room show 'r-`])).toMatchObject({before: ['room', 'show'], current: 'r-'})
    expect(parseLine('bash', ['roomctl '])).toMatchObject({before: [], current: ''})
    expect(parseLine('bash', [])).toMatchObject({before: [], current: ''})
  })

  test('is words without quoting of zsh', () => {
    expect(parseLine('zsh', ['room', "it's"])).toMatchObject({before: ['room'], current: "it's"})
  })

  test('has a last word of fish whose quoting is taken off', () =>
    everyCase(
      [
        ['r\\ x', 'r x'],
        [`'it\\'s`, "it's"],
        ['"a \\"b\\" \\$c', 'a "b" $c'],
        ['games/pu', 'games/pu'],
        ['\\', ''],
      ],
      (raw, text) => {
        expect(parseLine('fish', ['room', raw])).toMatchObject({before: ['room'], current: text})
      },
    ))

  test('is words of PowerShell in hexadecimal, empty ones too', () => {
    const words = ['room', '두 단어 "q"', '']
    expect(parseLine('powershell', words.map(hex))).toMatchObject({before: words.slice(0, 2), current: ''})
  })
})
