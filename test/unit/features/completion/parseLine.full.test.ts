import {execFileSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {bashInsertion, bashWords} from '../../../../src/features/completion/parseLine.js'

/** What bash itself takes each text for, as the one argument of a command. */
function asBashReads(texts: readonly string[]): string[] {
  const script = texts.map((text) => `printf '%s\\0' ${text}\n`).join('')
  const out = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: {HOME: '/nowhere', PATH: process.env.PATH ?? ''},
  })
  return out.split('\0').slice(0, -1)
}

/** Readline closes a quote unless the character before is one. */
function closed(quote: string, inserted = ''): string {
  return quote + inserted + (inserted.endsWith(quote) ? '' : quote)
}

const values = [
  `ends with "`,
  `ends with '`,
  'ends with !',
  'r-standup',
  'two words',
  '$(touch x)`y`$HOME',
  `it's "quoted"`,
  'back\\slash\\',
  'a&b|c;d>e<f(g)',
  '*?[a]{b,c}',
  '~home',
  '#hash',
  '!!x!',
  'a:b=c@d,e%f+g',
  '김민준 🎉',
]

test('the words of a line of bash are those that bash itself reads', () => {
  const line = `roomctl room 'two words' "say \\"hi\\" \\$x" back\\ slash a'b'"c"d`
  const out = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], {encoding: 'utf8'})
  expect(bashWords(line).map(({text}) => text)).toEqual(out.split('\0').slice(0, -1))
})

test('an insertion into a line is read back by bash as the value, without a quote and after either', () => {
  const [empty, single, double] = ['', "'", '"'].map((raw) => bashWords(`roomctl ${raw}`).at(-1) ?? {raw, text: ''})
  if (!empty || !single || !double) throw new Error('a line has a last word')
  const inserted = values.flatMap((value) => [
    `${bashInsertion(value, empty, '')}`,
    closed("'", bashInsertion(value, single, '')),
    closed('"', bashInsertion(value, double, '')),
  ])
  expect(asBashReads(inserted)).toEqual(values.flatMap((value) => [value, value, value]))
})
