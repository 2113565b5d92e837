import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {Secrets} from '../../../src/redaction/secrets.js'
import {Sieve} from '../../../src/redaction/sieve.js'

const TOKEN = 'tok+/5f2c9d~1e7b"q-of-the-test'

function heard(text: string, ...secrets: string[]): Secrets {
  const known = new Secrets()
  for (const secret of secrets) known.add(secret)
  known.hear(text)
  return known
}

describe('a result', () => {
  test.each([
    ['as it is', TOKEN],
    ['in percent', encodeURIComponent(TOKEN)],
    ['in base64 in lines', Buffer.from(`Bearer ${TOKEN}`).toString('base64').replace(/.{5}/g, '$&\n')],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({q: TOKEN}))],
    ['cut', `no ${TOKEN.slice(0, 8)}… here`],
  ])('loses the secret that an answer repeated %s', (_, repeated) => {
    const known = heard(repeated, TOKEN)
    expect(known.maskResult(repeated)).not.toBe(repeated)
    expect(known.maskResultIn({name: `a ${TOKEN}`, at: new Date(0), of: [1, null]})).toEqual({
      name: 'a ***',
      at: new Date(0),
      of: [1, null],
    })
  })

  test('is not searched as long as no answer repeated a secret', () => {
    const known = heard('r-1 Daily standup', TOKEN)
    expect(known.maskResult(TOKEN)).toBe(TOKEN)
  })

  test('keeps words and ids of which a short secret is a part', () => {
    expect(heard('r-test', 'r-test').maskResult('r-test-1')).toBe('r-test-1')
    expect(heard(`r-test ${TOKEN}`, 'r-test', TOKEN).maskResult(`r-test-1 ${TOKEN}`)).toBe('r-test-1 ***')
  })

  test('keeps what was asked for, and loses it no less elsewhere', () => {
    const known = heard(TOKEN, TOKEN, 'another-secret')
    known.reveal(TOKEN)
    expect(known.maskResult(`${TOKEN} another-secret`)).toBe(`${TOKEN} ***`)
    expect(known.mask(TOKEN)).toBe('***')
  })
})

test('the secrets of a body are known by the names of its members, at any depth', () => {
  const known = new Secrets()
  known.addNamed([{user_id: 'ann', push_token: 'device-1234'}, {list: [{fcm_server_key: 'key-567890'}]}, null, 'text'])
  expect(known.mask('ann device-1234 key-567890 text')).toBe('ann *** *** text')
})

describe('the sieve', () => {
  test('holds back no text in which there is a part', () => {
    const texts = fc.string({unit: 'binary-ascii', maxLength: 60})
    const secret = fc.string({unit: 'grapheme-ascii', minLength: 10, maxLength: 40})
    fc.assert(
      fc.property(secret, fc.nat(), texts, texts, (code, at, before, after) => {
        const sieve = new Sieve()
        sieve.add(code, 10)
        const start = at % (code.length - 9)
        return sieve.mayHold(before + code.slice(start, start + 10) + after)
      }),
    )
  })

  test('holds back a text in which there is none, also where many are looked for', () => {
    const many = new Sieve()
    for (let n = 0; n < 30_000; n += 1)
      many.add(
        Buffer.from(String(n * 7919))
          .toString('base64')
          .padEnd(16, 'x'),
        16,
      )
    const few = new Sieve()
    few.add('tok-5f2c9d1e7b3a4860', 10)
    const list = Array.from({length: 500}, (_, n) => `r-${n} Room number ${n} 2026-12-01T09:00:00+09:00`).join('\n')
    expect(few.mayHold(list)).toBe(false)
    expect(many.mayHold('a line of words')).toBe(false)
    expect(
      many.mayHold(
        Buffer.from(String(7919 * 29_999))
          .toString('base64')
          .padEnd(16, 'x'),
      ),
    ).toBe(true)
  })
})
