import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {everyCase} from '../support/everyCase.js'
import {Machine} from './machine.js'
import {linesOf, type PageLine} from './readme.js'

const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const pjson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const lines = linesOf(readme)

/** Lines that need a person or a second shell: they stand in the help too, and are run as its examples. */
const elsewhere = ['roomctl config init', 'roomctl sandbox start --seed demo']
const typed = lines.filter(({line}) => !line.startsWith('npm ') && !elsewhere.includes(line))

let machine: Machine

/** Types every line of the README, in its order, into one shell with an empty home. */
beforeAll(async () => {
  machine = Machine.make({TOKEN: 'a-token'})
  const script = typed.map(({line}, at) => `{ ${line}\n} > ../${at}.text 2>&1\necho $? > ../${at}.exit`)
  writeFileSync(path.join(machine.work, 'readme.sh'), script.join('\n'))
  await machine.type('sh readme.sh', 240_000)
}, 250_000)

afterAll(() => machine.remove())

describe('a newcomer who types every line of the README, in its order', () => {
  test('sees each end as it should', () =>
    everyCase(
      typed.map((entry, at) => [entry.line, entry, at] as const),
      (_, {exit}, at) => {
        expect({exit: Number(result(at, 'exit')), text: exit === 0 ? '' : result(at, 'text')}).toMatchObject({exit})
      },
    ))

  const shown = typed.flatMap((entry, at) => (entry.shown === undefined ? [] : [[entry.line, entry, at] as const]))
  test('sees what the README shows under it', () =>
    everyCase(shown, (_, entry, at) => {
      expect(timeless(result(at, 'text'))).toBe(timeless(entry.shown ?? ''))
    }))
})

/** How long a run took is another time each time. */
function timeless(text: string): string {
  return text.replaceAll(/ in \d+(?:\.\d+)? s$/gmu, ' in 0.0 s')
}

test('the README shows one screen, and has lines for the ten things', () => {
  expect(typed.filter(({shown}) => shown !== undefined).length).toBeGreaterThanOrEqual(5)
  expect(typed.length).toBeGreaterThanOrEqual(40)
})

test('the lines that a person or a second shell is needed for are examples of the help', () => {
  const examples = readCommands(root).flatMap(({examples: own}) => own.map(({line}) => line))
  for (const line of elsewhere) {
    expect(examples).toContain(line)
    expect(lines.map((one: PageLine) => one.line)).toContain(line)
  }
})

test('the two commands stand there, each by itself', () => {
  expect(readme).toContain('```sh\nnpm ci && npm run demo\n```')
  expect(readme).toContain('```sh\nnpm ci && npm test\n```')
})

test('every npm script that a page names is there', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']) {
    const text = readFileSync(path.join(root, page), 'utf8')
    const named = [...text.matchAll(/npm (?:run )?((?<=run )[a-z]+|test)\b/gu)].map(([, name = '']) => name)
    expect(
      named.filter((name) => !(name in pjson.scripts)),
      page,
    ).toEqual([])
  }
})

test('the tarball that is installed is the one that is packed', () => {
  expect(readme).toContain(`npm i -g ./${pjson.name}-${pjson.version}.tgz`)
})

function result(at: number, kind: 'text' | 'exit'): string {
  const file = path.join(machine.folder, `${at}.${kind}`)
  return existsSync(file) ? readFileSync(file, 'utf8') : 'it was never reached'
}
