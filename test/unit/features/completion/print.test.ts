import {describe, expect, test} from 'vitest'
import {formatAnswer} from '../../../../src/features/completion/print.js'

const typed = {before: [], current: '', insertion: (value: string) => value}
const rooms = {
  offer: 'words' as const,
  open: false,
  candidates: [
    {value: 'r-1', description: 'Standup'},
    {value: 'r-2', description: ''},
  ],
}

describe('an answer for the shell scripts', () => {
  test('has what bash inserts, and descriptions only in a list that is shown', () => {
    expect(formatAnswer(rooms, typed, 'bash', false)).toBe(':words\nr-1\nr-2\n')
    expect(formatAnswer(rooms, typed, 'bash', true)).toBe(':words\nr-1  Standup\nr-2\n')
  })

  test('has no description beside a single word that bash would insert with it', () => {
    const single = {...rooms, candidates: rooms.candidates.slice(0, 1)}
    expect(formatAnswer(single, typed, 'bash', true)).toBe(':words\nr-1\n')
  })

  test.each(['a\nb', 'a\tb', '\u001b[31m', '\u202eevil', 'a\u200bb', '', 'x'.repeat(501)])(
    'leaves out a value that could not be typed: %j',
    (value) => {
      const answer = {...rooms, candidates: [{value, description: 'x'}]}
      expect(formatAnswer(answer, typed, 'zsh', false)).toBe(':words\n')
    },
  )

  test('escapes what a description would do to a terminal, and keeps it short and on its line', () => {
    const description = `\u001b]0;owned\u0007\n\t${'long '.repeat(20)}`
    const shown = formatAnswer({...rooms, candidates: [{value: 'r-1', description}]}, typed, 'fish', false)
    const [, line = '', rest] = shown.split('\n')
    expect(line.startsWith('r-1\t\\u{1b}]0;owned\\u{7}\\u{a}\\u{9}long')).toBe(true)
    expect(line.endsWith('…')).toBe(true)
    expect(line).toHaveLength('r-1\t'.length + 60)
    expect(rest).toBe('')
  })
})
