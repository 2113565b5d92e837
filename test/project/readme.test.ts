import {describe, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {pjson, readText, root} from '../support/repository.js'
import {Machine} from './machine.js'
import {linesOf, standIns, typedOf, typedPages} from './readme.js'

const readme = readText('README.md')

test('the pages have lines to type for every job', () => {
  expect(typedPages.flatMap((page) => typedOf(readText(page))).length).toBeGreaterThanOrEqual(80)
  for (const page of typedPages) expect(typedOf(readText(page)).length, page).toBeGreaterThan(1)
})

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
  const shown = typedPages.flatMap((page) => linesOf(readText(page)).map(({line}) => line))
  for (const {line, why, instead} of standIns) {
    expect(shown).toContain(line)
    expect(why).not.toBe('')
    if (why.endsWith('example of the help')) expect(examples).toContain(line)
    else if (instead === undefined) expect(why).toMatch(/; run by (?:[a-zA-Z]+\.full\.test\.ts|ci)$/u)
  }
})

test('every npm script that a page names is there', () => {
  for (const page of [...typedPages, 'CONTRIBUTING.md', 'docs/architecture.md']) {
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
