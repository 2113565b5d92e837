import {describe, expect, it} from 'vitest'
import {nearest} from '../../../src/text/nearest.js'

describe('nearest', () => {
  it('finds the nearest word without regard to case', () => {
    expect(nearest('metting', ['RESERVED', 'MEETING', 'IDLE'])).toBe('MEETING')
  })

  it.each([
    ['ned', 'end'],
    ['MEETNG', 'MEETING'],
    ['ys', 'yes'],
    ['dlete', 'delete'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, ['as', 'end', 'yes', 'MEETING', 'delegate', 'delete'])).toBe(meant)
  })

  it.each([
    ['prep', ['prod']],
    ['uat', ['qa']],
    ['stop', ['show']],
    ['ban', ['add']],
    ['from-file', ['profile']],
  ])('does not take %s, which is another word, for %j', (word, choices) => {
    expect(nearest(word, choices)).toBeUndefined()
  })

  it('takes another ending of the same stem', () => {
    expect(nearest('state', ['status', 'name', 'start'])).toBe('status')
  })

  it('finds nothing if no word is near', () => {
    expect(nearest('zebra', ['RESERVED', 'MEETING', 'IDLE'])).toBeUndefined()
  })
})
