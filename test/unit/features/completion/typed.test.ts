import {describe, expect, test} from 'vitest'
import {readTyped} from '../../../../src/features/completion/typed.js'

const hex = (word: string) => `x${Buffer.from(word).toString('hex').toUpperCase()}`

describe('a line as the scripts pass it on', () => {
  test('is the whole line of bash, of which the name of the tool is left out', () => {
    expect(readTyped('bash', [`roomctl room show 'r-`])).toMatchObject({before: ['room', 'show'], current: 'r-'})
    expect(readTyped('bash', ['roomctl '])).toMatchObject({before: [], current: ''})
    expect(readTyped('bash', [])).toMatchObject({before: [], current: ''})
  })

  test('is words without quoting of zsh', () => {
    expect(readTyped('zsh', ['room', "it's"])).toMatchObject({before: ['room'], current: "it's"})
  })

  test.each([
    ['r\\ x', 'r x'],
    [`'it\\'s`, "it's"],
    ['"a \\"b\\" \\$c', 'a "b" $c'],
    ['games/pu', 'games/pu'],
    ['\\', ''],
  ])('has a last word of fish whose quoting is taken off: %s', (raw, text) => {
    expect(readTyped('fish', ['room', raw])).toMatchObject({before: ['room'], current: text})
  })

  test('is words of PowerShell in hexadecimal, empty ones too', () => {
    const words = ['room', '두 단어 "q"', '']
    expect(readTyped('powershell', words.map(hex))).toMatchObject({before: words.slice(0, 2), current: ''})
  })
})
