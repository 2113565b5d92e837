import {describe, expect, it} from 'vitest'
import {compileGlob, compilePattern} from '../../../../src/selection/selector/comparison.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'

const refused = (pattern: string) => failureOf(() => compilePattern(pattern))

describe('a glob', () => {
  it('matches a whole name as a shell does, in the same case', () =>
    everyCase(
      [
        ['test-*', 'test-1', true],
        ['test-*', 'test-', true],
        ['test-*', 'a test-1', false],
        ['test-*', 'Test-1', false],
        ['test', 'test-1', false],
        ['*load*', 'test-load-2', true],
        ['test-?', 'test-12', false],
        ['test-?', 'test-😀', true],
        ['회의 [0-9]', '회의 1', true],
        ['test-[a-c]', 'test-d', false],
        ['test-[!a-c]', 'test-d', true],
        ['test-[^a-c]', 'test-a', false],
        ['[]x]', ']', true],
        ['[[:digit:]]*', '1st', true],
        ['[a\\-z]', '-', true],
        ['[a\\-z]', 'b', false],
        ['[', '[', true],
        ['a[b', 'a[b', true],
        ['\\*', '*', true],
        ['\\*', 'a', false],
        ['a.b', 'axb', false],
        ['(a|b)+$', '(a|b)+$', true],
        ['\\d', 'd', true],
        ['*', 'two\nlines', true],
        ['*end', `${'a'.repeat(2000)}end`, true],
        ['', '', true],
        ['', 'a', false],
      ],
      async (glob, text, expected) => {
        expect((await compileGlob(glob))(text)).toBe(expected)
      },
    ))

  it('is refused where its range runs backwards', async () => {
    const error = await failureOf(() => compileGlob('x[z-a]'))
    expect(error.message).toBe('cannot use the pattern "x[z-a]": invalid character class range')
  })
})

describe('a regular expression', () => {
  it('matches names as JavaScript does', () =>
    everyCase(
      [
        ['^test-', 'test-1', true],
        ['^test-', 'a test-1', false],
        ['st', 'test', true],
        ['^회의 \\d+$', '회의 12', true],
        ['\\p{Hangul}', 'room 회', true],
        ['(?i)TEST', 'test', true],
        ['TEST', 'test', false],
        ['^.$', '😀', true],
        ['', 'anything', true],
        ['a|b', 'xb', true],
        ['^a{3}$', 'aaa', true],
      ],
      async (pattern, text, expected) => {
        expect((await compilePattern(pattern))(text)).toBe(expected)
      },
    ))

  it('cannot look around', () =>
    everyCase(
      [
        ['a(?=b)', 1],
        ['a(?!b)', 1],
        ['a(?<=b)', 1],
        ['a(?<!b)', 1],
      ],
      async (pattern, position) => {
        const error = await refused(pattern)
        expect(error.message).toBe('lookahead and lookbehind are not supported')
        expect(error.facts.position).toBe(position)
        expect(error.facts.why).toBe('matching must take linear time; combine conditions with and, not')
      },
    ))

  it.each(['(a)\\1', '(?<n>a)\\k<n>'])('cannot refer back: %s', async (pattern) => {
    expect((await refused(pattern)).message).toBe('backreferences are not supported')
  })

  it('is refused if invalid, at the place of the fault', () =>
    everyCase(
      [
        ['[', 'missing closing ]', 0],
        ['a)', 'unexpected )', 0],
        ['(a', 'missing closing )', 0],
        ['ab**', 'invalid nested repetition operator', 2],
        ['x[z-a]', 'invalid character class range', 2],
        ['ab\\', 'trailing backslash at end of expression', 0],
        ['a{1001}', 'invalid repeat count', 1],
        ['\\p{Nope}', 'invalid character class range', 0],
      ],
      async (pattern, reason, position) => {
        const error = await refused(pattern)
        expect(error.message).toBe(`this is not a regular expression: ${reason}`)
        expect(error.facts.position).toBe(position)
      },
    ))

  it('is refused where it would be slow on many rooms', () =>
    everyCase(
      [
        ['(a{100}){5}(b{100}){5}c', 'this regular expression is too large'],
        ['\\pL{500}\\pN{500}', 'this regular expression is too large'],
        ['(.'.repeat(50) + '){3}'.repeat(50), 'this is not a regular expression: invalid repeat count'],
        ['a'.repeat(1001), 'a regular expression may have at most 1000 characters'],
      ],
      async (pattern, message) => {
        expect((await refused(pattern)).message).toBe(message)
      },
    ))

  // With a backtracking engine each of these would not end within the life of this machine.
  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){12}$'])(
    '%s ends on names made to hang it',
    async (pattern) => {
      const find = await compilePattern(pattern)
      for (const text of [`${'a'.repeat(4000)}!`, 'x'.repeat(4000), 'ab'.repeat(50_000)]) find(text)
    },
  )

  it('searches the first 1,000 characters of a text', async () => {
    const find = await compilePattern('b')
    expect(find(`${'a'.repeat(999)}b`)).toBe(true)
    expect(find(`${'a'.repeat(1000)}b`)).toBe(false)
  })
})
