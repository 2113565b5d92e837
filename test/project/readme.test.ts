import {readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {everyCase} from '../support/everyCase.js'
import {isPlain, wordsOf} from '../support/inOneProcess.js'
import {pjson, readText, root} from '../support/repository.js'
import {Machine} from './machine.js'
import {type Ending, endingsIn, lineOf, linesOf, noteExit, withOutputs} from './readme.js'

const readme = readText('README.md')
const guides = readdirSync(path.join(root, 'docs/guides')).map((file) => `docs/guides/${file}`)
const pages = ['README.md', 'docs/agents.md', ...guides]

/** Lines of the pages that are replaced: the reason, and the replacement. */
const standIns: readonly {line: string; why: string; instead?: string}[] = [
  {line: 'roomctl config init', why: 'needs a person; run as an example of the help'},
  {line: 'roomctl sandbox start --seed demo', why: 'needs a second shell; run as an example of the help'},
  {line: 'npm ci && npm run demo', why: 'needs the registry; run by ci'},
  {line: 'npm ci && npm test', why: 'needs the registry; run by ci'},
  {
    line: 'npm ci --prefix roomctl',
    why: 'fetches from the npm registry',
    instead: `ln -s '${root}/node_modules' '${root}/dist' roomctl`,
  },
]
const typedOf = (text: string) =>
  linesOf(text).flatMap((own) => {
    const standIn = standIns.find(({line}) => line === own.line)
    if (standIn === undefined) return [own]
    return standIn.instead === undefined ? [] : [{...own, line: standIn.instead}]
  })

describe('a newcomer who types every line of a page, in its order, into one shell with an empty home and folder', () => {
  test(
    'sees each end as it should, and what the page shows under it (vitest -u writes it there)',
    {
      timeout: 400_000,
    },
    () =>
      everyCase(
        pages.map((page) => [page] as const),
        async (page) => {
          const text = readText(page)
          const typed = typedOf(text)
          const ran = await typeAll(typed.map(({line}) => line))
          const wrong = typed.flatMap(({line, exit}, at) => (ran[at]?.exit === exit ? [] : [{line, ...ran[at]}]))
          expect(wrong, JSON.stringify(wrong, null, 2)).toEqual([])
          const outputs = typed.flatMap(({shown}, at) => (shown ? [timeless(ran[at]?.text ?? '')] : []))
          await expect(withOutputs(text, outputs)).toMatchFileSnapshot(path.join(root, page))
        },
        {atOnce: 2},
      ),
  )

  test('has lines for every job', () => {
    expect(pages.flatMap((page) => typedOf(readText(page))).length).toBeGreaterThanOrEqual(80)
    for (const page of pages) expect(typedOf(readText(page)).length, page).toBeGreaterThan(1)
  })
})

/** Types the lines into one shell; gives what each printed and its exit code. Plain lines in a row share a process. */
async function typeAll(lines: readonly string[]): Promise<Ending[]> {
  const machine = Machine.make({
    // Downloads are replaced by files of the checkout.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${root}.insteadOf`,
    GIT_CONFIG_VALUE_0: pjson.repository.url.replace(/^git\+/u, ''),
    npm_config_offline: 'true',
    npm_config_ignore_scripts: 'true',
  })
  try {
    const words = wordsOf(lines.filter(isPlain))
    const parts: string[] = []
    for (let at = 0; at < lines.length; at += 1) {
      const end = lines.findIndex((line, later) => later >= at && !isPlain(line))
      const calls = words.splice(0, (end === -1 ? lines.length : end) - at)
      if (calls.length === 0) parts.push(`{ ${lines[at]}\n}\n${noteExit}`)
      else parts.push(lineOf(calls, path.join(machine.folder, `${at}.json`)))
      at += Math.max(0, calls.length - 1)
    }
    const prefix = `export npm_config_prefix='${path.join(machine.folder, 'global')}'`
    writeFileSync(path.join(machine.folder, 'page.sh'), ['exec 2>&1', prefix, ...parts].join('\n'))
    const {stdout} = await machine.type('sh ../page.sh', 240_000)
    return endingsIn(stdout, lines.length)
  } finally {
    machine.remove()
  }
}

/** How long a run took is another time each time. */
function timeless(text: string): string {
  return text.replaceAll(/ in \d+(?:\.\d+)? s$/gmu, ' in 0.2 s')
}

describe('the README', () => {
  test('has at most 120 lines, with a recording, the sandbox in three lines and a guide for each job', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
    expect(readme.split('\n\n')[1]).toMatch(/^[^.]+\.$/u)
    expect(readme).toMatch(/!\[[^\]]+\]\(docs\/recording\.svg\)/u)
    const tried = /^## Try it\n.*?```sh\n(.*?)```/msu.exec(readme)?.[1]?.trim().split('\n')
    expect(tried?.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'roomctl sandbox seed',
      'roomctl config profile',
      'roomctl room list',
    ])
    const steps = /^## First steps\n(.*?)^## /msu.exec(readme)?.[1] ?? ''
    expect(steps.match(/\(docs\/guides\/[\w-]+\.md\)\):\n\n```/gu)).toHaveLength(4)
  })

  test('installs the version that is packed', () => {
    const installed = [...readme.matchAll(/npm install --global ([^\s`]+)/gu)].map(([, name]) => name)
    const {name, version} = pjson
    expect(new Set(installed)).toEqual(new Set([`${name}@${version}`, `./${name}`]))
  })
})

test('the lines that are not typed have their reason, and are examples of the help', () => {
  const examples = readCommands(root).flatMap(({examples: own}) => own.map(({line}) => line))
  const shown = pages.flatMap((page) => linesOf(readText(page)).map(({line}) => line))
  for (const {line, why, instead} of standIns) {
    expect(shown).toContain(line)
    expect(why).not.toBe('')
    if (why.endsWith('example of the help')) expect(examples).toContain(line)
    else if (instead === undefined) expect(why).toMatch(/; run by (?:[a-zA-Z]+\.full\.test\.ts|ci)$/u)
  }
})

test('every npm script that a page names is there', () => {
  for (const page of [...pages, 'CONTRIBUTING.md', 'docs/architecture.md']) {
    const named = [...readText(page).matchAll(/npm (?:run )?((?<=run )[a-z:]+|test)\b/gu)].map(([, name = '']) => name)
    expect(
      named.filter((name) => !(name in pjson.scripts)),
      page,
    ).toEqual([])
  }
})

test('the page for agents is a skill file of at most 30 lines, and help shows no more', async () => {
  const page = readText('docs/agents.md')
  expect(page).toMatch(/^---\nname: roomctl\ndescription: \S.{40,900}\n---\n/u)
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  const machine = Machine.make()
  const {stdout} = await machine.type('roomctl help agents')
  machine.remove()
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  const typed = linesOf(page).map(({line}) => line.replace(/ # exits .*/u, ''))
  for (const line of typed) expect(stdout).toContain(line)
  // A command that the page names is among those that are typed.
  const named = [...page.matchAll(/`(roomctl [^`\n]*)`/gu)].map(([, line]) => line)
  expect(named.filter((line) => !typed.includes(line ?? ''))).toEqual([])
})
