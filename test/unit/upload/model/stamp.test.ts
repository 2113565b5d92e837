import {describe, expect, it} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import {assertNoStamp, stampedDescription, stampOf, unstamped} from '../../../../src/upload/model/job.js'

const sha256 = 'ab'.repeat(32)

describe('stamp', () => {
  it('is after the text and a blank, or alone', () => {
    expect(stampedDescription('Level 2', sha256)).toBe(`Level 2 [sha256:${sha256}]`)
    expect(stampedDescription('', sha256)).toBe(`[sha256:${sha256}]`)
  })

  it('is read back with and without text', () => {
    const texts = ['Level 2', '', 'a [b]', `x [sha256:${'0'.repeat(64)}] y`]
    expect(texts.map((text) => stampOf(stampedDescription(text, sha256)))).toEqual(texts.map(() => sha256))
    expect(texts.map((text) => unstamped(stampedDescription(text, sha256)))).toEqual(texts)
  })

  it('is read where the service keeps the description percent-encoded, once', () => {
    const kept = encodeURIComponent(stampedDescription('100 % Spaß', sha256))
    expect([kept, encodeURIComponent(kept), `50 % ${kept}`].map(stampOf)).toEqual([sha256, undefined, undefined])
  })

  it('is only what ends the description and has 64 digits', () => {
    const none = [
      `[sha256:${sha256}] later`,
      `[sha256:${sha256.slice(1)}]`,
      `[sha256:${sha256}0]`,
      `sha256:${sha256}`,
      `[sha1:${sha256}]`,
      `[ſha256:${sha256}]`,
      `[sha256:${'g'.repeat(64)}]`,
      '',
      null,
      undefined,
    ]
    expect(none.filter((text) => stampOf(text) !== undefined)).toEqual([])
  })

  it('cannot be text of the user, in capitals or before spaces neither', () => {
    const texts = [`x [sha256:${sha256}]`, `[sha256:${sha256.toUpperCase()}]`, `x[sha256:${sha256}] `]
    for (const text of texts) expect(() => assertNoStamp(text)).toThrow(Failure)
    expect(() => assertNoStamp('Level 2 [sha256]')).not.toThrow()
  })
})
