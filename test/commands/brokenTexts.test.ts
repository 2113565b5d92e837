import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseDocument} from 'yaml'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

/** Texts that are no YAML, or that no reader can make values of; none of them is JSON. */
const broken = [
  ['a second name', 'a: 1\na: 2\n'],
  ['a second name in a mapping of one line', '{a: 1, a: 2}'],
  ['an alias of nothing', 'a: *nope\n'],
  ['an alias of itself', 'a: &x {b: *x}\n'],
  ['an alias without a name', 'a: *\n'],
  ['aliases that multiply', bomb()],
  ['a list that stays open', 'a: [1,2\n'],
  ['a mapping that stays open', '{a: 1\n'],
  ['the wrong bracket', '[}'],
  ['a quote that stays open', 'a: "x\n'],
  ['a tab', 'a:\n\tb: 1\n'],
  ['two colons', 'a: b: c\n'],
  ['a reserved character', 'a: @x\n'],
  ['an escape that there is not', 'a: "\\q"\n'],
  ['a word after a value', 'a: "x" y\n'],
  ['a list and a mapping', '- a\nb: 1\n'],
  ['two documents', 'a: 1\n---\nb: 1\n'],
  ['two anchors', 'a: &b &c d\n'],
  ['two tags', 'a: !b !c d\n'],
  ['a time that is none', 'a: !!timestamp x\n'],
  ['a name over two lines', '"a\nb": 1'],
  ['indentation that fits nothing', 'a:\n  - b\n c: 1\n'],
  ['a name that is too long', `${'a'.repeat(2000)}: 1\n`],
  ['a list that is too deep', '['.repeat(100_000)],
  ['a list that is too deep by lines', '- '.repeat(100_000)],
  ['JSON that breaks off', '{"a": [1, "b'],
  ['JSON with a comma too many', '{"a": 1,}x'],
  ['JSON with another language', '{"a": undefined'],
  ['a control character', '{"a": "b\u0001'],
] as const

function bomb(): string {
  const levels = ['b', 'c', 'd', 'e'].map((name, at) => {
    const below = `*${'abcd'[at]}`
    return `${name}: &${name} [${Array(9).fill(below).join(', ')}]\n`
  })
  return `a: &a [x, x, x, x, x, x, x, x, x]\n${levels.join('')}`
}

/** The libraries' messages for each text, or for its beginning: a text that is too deep can crash its reader. */
const saidOf = new Map(broken.map(([, text]) => [text, wordsOfLibraries(text.slice(0, 3000))]))

function wordsOfLibraries(text: string): string[] {
  const document = (() => {
    try {
      return parseDocument(text, {prettyErrors: false, logLevel: 'error'})
    } catch (error) {
      return {errors: [error as Error], toJS: () => undefined}
    }
  })()
  const said = document.errors.map(({message}) => message)
  for (const read of [() => document.toJS(), () => JSON.parse(text)]) {
    try {
      read()
    } catch (error) {
      said.push((error as Error).message)
    }
  }
  return said.map((message) => message.slice(0, 24))
}

const general =
  /call stack|circular|unresolved|resource exhaustion|unexpected (token|end|non-white)|JSON at position|invalid input|expected \w+, received|flow (map|seq|coll)|block (map|seq|coll|scalar)|implicit|map keys|\bnode\b|plain value|(YAML|Zod|Syntax|Range|Reference|Type)Error|\bat .*\.js/iu

const folder = freshHome()

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

type Words = (text: string) => readonly string[]

const readers: readonly (readonly [string, Words])[] = [
  ['a manifest', (text) => ['asset', 'sync', 'games/puzzle', file('m.yaml', text)]],
  ['an exported profile', (text) => ['config', 'profile', 'import', 'x', file('p.json', text)]],
  ['the data of a push', (text) => ['push', 'send', 'ann', '--data-json', file('d.json', text)]],
  ['a JSON field', (text) => ['api', 'room', 'POST', '/v1/rooms', '-F', `a:=${text}`]],
  ['a query', (text) => ['room', 'list', '-o', 'json', '--query', text]],
]

test.each(readers)('no message of a library is shown for %s that cannot be read', (_, words) =>
  everyCase(broken, async (_what, text) => {
    const {exit, stderr} = await cli(words(text), {home: folder})
    expect(exit).toBeGreaterThan(0)
    expect(stderr).not.toBe('')
    expect(saidOf.get(text)?.filter((said) => stderr.includes(said))).toEqual([])
    expect(general.exec(stderr)).toBeNull()
  }),
)

test('no message of a library is shown for a route of the environment', () =>
  everyCase(broken, async (_what, text) => {
    const {exit, stderr, sent} = await cli('room list', {env: {ROOMCTL_ROUTE_ROOM_LIST: text}})
    expect([exit, sent]).toEqual([text.trim() === '' ? 0 : 2, text.trim() === '' ? expect.anything() : []])
    expect(saidOf.get(text)?.filter((said) => stderr.includes(said))).toEqual([])
    expect(general.exec(stderr)).toBeNull()
  }))

test('no message of a library is shown for a profile file', () =>
  everyCase(broken, async (_what, text) => {
    const home = freshHome()
    mkdirSync(join(home, '.config/roomctl'), {recursive: true})
    writeFileSync(join(home, '.config/roomctl/config.json'), text, {mode: 0o600})
    const {exit, stderr} = await cli('config get timeout', {home})
    expect(exit).toBe(3)
    expect(saidOf.get(text)?.filter((said) => stderr.includes(said))).toEqual([])
    expect(general.exec(stderr)).toBeNull()
  }))
