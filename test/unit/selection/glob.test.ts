import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {compileGlob} from '../../../src/selection/glob.js'
import {anyText} from '../../support/anyText.js'
import {everyCase} from '../../support/everyCase.js'
import {failing, unlessRefused} from '../../support/failures.js'

const special = /[\\*?[\]]/gu

/** A second reader of `*`, `?` and letters: tries each length for each `*`. */
function matchesSlowly([first, ...glob]: string[], text: string[]): boolean {
  if (first === undefined) return text.length === 0
  if (first === '*') return [...text, ''].some((_, taken) => matchesSlowly(glob, text.slice(taken)))
  return text.length > 0 && (first === '?' || first === text[0]) && matchesSlowly(glob, text.slice(1))
}

describe('compileGlob', () => {
  it('matches the whole text, and case counts', () =>
    everyCase(
      [
        ['test-*', ['test-', 'test-load-2'], ['Test-1', 'a test-1', 'test']],
        ['*load*', ['load', 'test-load-2'], ['Load', 'loa d']],
        ['a*b*c', ['abc', 'aXbYbZc'], ['acb', 'abcd']],
        ['a**b', ['ab', 'axb'], ['a', 'b']],
        ['Daily standup', ['Daily standup'], ['Daily', 'Daily standup 2']],
        ['a?c', ['abc', 'a😀c', 'a\nc'], ['ac', 'abbc']],
        ['*', ['', 'a\nb', '회의'], []],
        ['a.c', ['a.c'], ['abc']],
        ['(a|b)+$', ['(a|b)+$'], ['a', 'ab']],
        ['', [''], ['a']],
      ] as [string, string[], string[]][],
      (glob, met, unmet) => {
        const test = compileGlob(glob)
        expect([met.filter((text) => !test(text)), unmet.filter(test)]).toEqual([[], []])
      },
    ))

  it('reads classes as a shell does', () =>
    everyCase(
      [
        ['r[0-9]', ['r0', 'r9'], ['r', 'ra', 'r10']],
        ['r[!0-9]', ['ra', 'r회'], ['r0', 'r']],
        ['r[^0-9]', ['ra'], ['r0']],
        ['[]a]', [']', 'a'], ['b']],
        ['[!]a]', ['b'], [']', 'a']],
        ['[a-]', ['a', '-'], ['b']],
        ['[a\\-z]', ['a', '-', 'z'], ['m']],
        ['[a^]', ['a', '^'], ['b']],
        ['[[:digit:]x]', ['7', 'x'], ['a', ':']],
        ['[![:upper:]]', ['a', '1'], ['A']],
        ['[[:punct:]]', [...'!/:@[`{~'], ['a', '0', ' ']],
        ['[가-힣]*', ['회의'], ['meeting']],
        ['[😀]', ['😀'], ['😁']],
        ['[a', ['[a'], ['a']],
        ['[*?]', ['*', '?'], ['a']],
      ] as [string, string[], string[]][],
      (glob, met, unmet) => {
        const test = compileGlob(glob)
        expect([met.filter((text) => !test(text)), unmet.filter(test)]).toEqual([[], []])
      },
    ))

  it('takes a character after a backslash literally', () => {
    fc.assert(
      fc.property(anyText(), fc.string(), (text, other) => {
        const test = compileGlob(text.replace(special, (character) => `\\${character}`))
        expect(test(text)).toBe(true)
        expect(test(other)).toBe(other === text)
      }),
    )
    expect(compileGlob('a\\')('a\\')).toBe(true)
  })

  it('matches as an independent reader does', () => {
    const few = (...letters: string[]) => fc.array(fc.constantFrom(...letters), {maxLength: 8})
    fc.assert(
      fc.property(few('*', '?', 'a', 'b'), few('a', 'b'), (glob, text) => {
        expect(compileGlob(glob.join(''))(text.join(''))).toBe(matchesSlowly(glob, text))
      }),
      {numRuns: 300},
    )
  })

  it('reads each character at most once for each part of the pattern', () => {
    // A reader that tries all ways of 30 stars never ends here.
    expect(compileGlob(`${'*a'.repeat(30)}*b`)('a'.repeat(2000))).toBe(false)
  })

  it('refuses a range that runs backwards and an unknown class, and nothing else', async () => {
    expect(failing(() => compileGlob('[z-a]'))).toMatchObject({
      exit: 'usage',
      message: 'cannot use the pattern "[z-a]": a range in it runs backwards',
    })
    expect(failing(() => compileGlob('[[:letter:]]'))).toMatchObject({
      exit: 'usage',
      message: 'cannot use the pattern "[[:letter:]]": unknown class [:letter:]',
    })
    await fc.assert(
      fc.asyncProperty(anyText(), async (glob) => {
        await unlessRefused(() => compileGlob(glob)('text'))
      }),
    )
  })
})
