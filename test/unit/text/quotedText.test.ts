import {describe, expect, it} from 'vitest'
import {quotedText} from '../../../src/text/text.js'

describe('quoted', () => {
  it('repeats a text in double quotes', () => {
    expect(quotedText('회의 1')).toBe('"회의 1"')
  })

  it('writes controls, bidi marks and lone surrogates as code points', () => {
    expect(quotedText('a\u001b[2J\u202e\ud800\n')).toBe('"a\\u{1b}[2J\\u{202e}\\u{d800}\\u{a}"')
  })

  it('cuts a long text after 60 characters', () => {
    expect(quotedText('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
    expect(quotedText('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`)
  })
})
