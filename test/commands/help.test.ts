import {readdirSync} from 'node:fs'
import path from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {removals} from '../../src/cli/errors/removed.js'
import {helpTopics, topicArticle} from '../../src/cli/help/topicPages.js'
import {exits} from '../../src/failure.js'
import {routeVariable} from '../../src/storage/profile/resolve.js'
import {settings} from '../../src/storage/profile/settings.js'
import {cli} from '../support/cli.js'
import {readText, root} from '../support/repository.js'

const topics = helpTopics.map(({name}) => name)
/** Lines to type, and JSON, are shown whole. */
const isProse = (line: string) => !/^ +(?:\$ |[{}"])/u.test(line)

/** The text of a help page without its line ends, backticks and blanks. */
async function told(topic: string): Promise<string> {
  const {stdout} = await cli(`help ${topic}`)
  return stdout.replaceAll('`', '').replace(/\s+/gu, ' ')
}

describe('roomctl --help', () => {
  test('lists the topics of commands, the commands and the help topics, each with its line', async () => {
    const {stdout, exit} = await cli('--help')
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^TOPICS\n {2}asset {5}\S.*[\s\S]*^COMMANDS\n {2}api [\s\S]*^HELP TOPICS\n/mu)
    for (const {name, summary} of helpTopics) expect(stdout).toMatch(new RegExp(`^  help ${name} +${summary}$`, 'mu'))
  })

  test('lists a command once, without its aliases', async () => {
    const page = (await cli('push --help')).stdout
    expect(page).toContain('push ios ')
    expect(page).not.toContain('push ios-key')
  })

  test('is what help alone shows', async () => {
    const {stdout} = await cli('--help')
    expect(await cli('help')).toMatchObject({stdout, exit: 0})
  })
})

test('roomctl alone describes itself, has four first steps that work, and then the topics, in 22 rows', async () => {
  const {stdout, exit, stderr} = await cli('')
  expect({exit, stderr}).toEqual({exit: 0, stderr: ''})
  const [first = '', ...lines] = stdout.trimEnd().split('\n')
  expect(first).toMatch(/^Administer rooms, assets and push notifications/u)
  expect(lines.length).toBeLessThan(22)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  const steps = lines.slice(lines.indexOf('FIRST STEPS') + 1, lines.indexOf('TOPICS') - 1)
  const commands = steps.map((line) => line.trim().split(/ {2,}/u)[0]?.replace('roomctl ', '') ?? '')
  expect(commands).toHaveLength(4)
  for (const command of commands) expect(await cli(`${command} --help`)).toMatchObject({exit: 0, stderr: ''})
  const help = (await cli('--help')).stdout.match(/TOPICS\n([\s\S]*?)\n\n/u)?.[1]?.match(/^ {2}[a-z]+/gmu)
  const listed = lines.slice(lines.indexOf('TOPICS') + 1, lines.indexOf('COMMANDS') - 1)
  expect(listed.map((line) => line.match(/^ {2}[a-z]+/u)?.[0]).sort()).toEqual(help?.sort())
})

describe.each(topics)('roomctl help %s', (topic) => {
  test('is reported on stdout, and the same behind --help', async () => {
    const ran = await cli(`help ${topic}`)
    expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
    expect(await cli(`${topic} --help`)).toMatchObject({stdout: ran.stdout, exit: 0})
  })

  test.each([60, 80, 200])('fits into %i columns', async (columns) => {
    const {stdout} = await cli(`help ${topic}`, {columns, env: {NO_COLOR: '1'}})
    expect(stdout.split('\n').filter((line) => isProse(line) && line.length > Math.min(columns, 120))).toEqual([])
  })

  test('has no colour in a file, and on a terminal the same words in colour', async () => {
    const plain = await cli(`help ${topic}`)
    expect(plain.stdout).not.toContain('\u001b')
    const coloured = await cli(`help ${topic}`, {columns: 100, env: {TERM: 'xterm'}})
    expect(coloured.stdout).toContain('\u001b[')
    const words = (text: string) => stripVTControlCharacters(text).replace(/[`\s]/gu, '')
    expect(words(coloured.stdout)).toBe(words(plain.stdout))
  })

  test('is the page of docs, word for word', async () => {
    const page = readText(`docs/${topic}.md`)
    const plain = (text: string) =>
      text
        .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
        .replace(/[`\\|\s]/gu, '')
        .toLowerCase()
    const all = plain(page)
    for (const {blocks} of topicArticle(root, topic)?.sections ?? []) {
      for (const block of blocks) if (block.kind === 'text') expect(all).toContain(plain(block.text))
    }
  })
})

test('help exit-codes has every code with its word and its meaning', async () => {
  const page = await told('exit-codes')
  for (const [word, {code, meaning}] of Object.entries(exits)) {
    expect(page).toContain(`${code} ${word} ${meaning.replaceAll('`', '')}`)
  }
})

test('help environment has every variable of a setting, a token or a route, and all others that the source reads', async () => {
  const page = await told('environment')
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter((one) =>
    one.endsWith('.ts'),
  )
  const source = files.map((file) => readText('src', file)).join('\n')
  const named = new Set(source.match(/\bROOMCTL_[A-Z0-9_]*[A-Z0-9]\b/gu))
  expect(named.size).toBeGreaterThan(20)
  const removed = removals.map(({name}) => name)
  const variables = [...settings.flatMap(({env}) => env ?? []), ...operations.map(({id}) => routeVariable(id))]
  for (const name of [...named, ...variables, 'ROOMCTL_PUSH_TOKEN'])
    if (!removed.includes(name)) expect(page).toContain(` ${name}`)
})

describe('an example of a help topic', () => {
  const lines = helpTopics.flatMap(({name}) =>
    (topicArticle(root, name)?.sections ?? []).flatMap(({blocks}) =>
      blocks.flatMap((block, at) => {
        const before = blocks[at - 1]
        const isExample = before?.kind === 'text' && before.text.endsWith(':')
        return isExample && block.kind === 'code' && block.lines.length === 1
          ? [[name, block.lines[0] ?? ''] as const]
          : []
      }),
    ),
  )

  test.each(lines)('of %s works on the demonstration rooms: %s', async (_, line) => {
    const [first = '', second] = line.split(' | ').map(wordsOf)
    const ran = await cli(first)
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringMatching(/./u)})
    if (second) expect(await cli(second, {stdin: ran.stdout})).toMatchObject({exit: 0})
  })
})

/** The words of a line without `roomctl`; only single quotes are known here. */
function wordsOf(line: string): string[] {
  return (line.match(/'[^']*'|\S+/gu) ?? []).slice(1).map((word) => word.replaceAll("'", ''))
}

test.each([
  ['help exitcodes', 'unknown command or help topic "exitcodes"', 'try: roomctl help exit-codes'],
  ['help rom', 'unknown command or help topic "rom"', 'try: roomctl help room'],
  ['help room lst', 'unknown command or help topic "room lst"', 'try: roomctl help room list'],
  ['help frobnicate', 'unknown command or help topic "frobnicate"', 'see: roomctl --help'],
  ['frobnicate --help', 'unknown command or help topic "frobnicate"', 'see: roomctl --help'],
  ['security', 'unknown command "security"', 'try: roomctl help security'],
])('help for an unknown word: %s', async (line, message, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(ran.stderr).toContain(message)
  expect(ran.stderr).toContain(`  ${advice}\n`)
})
