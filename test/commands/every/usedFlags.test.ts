import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {beforeAll, describe, expect, test} from 'vitest'
import {documentedCommands} from '../../../scripts/docs/commands.js'
import {inputs} from '../../canary/canaries.js'
import {type Line, lines} from '../../canary/lines.js'
import {builtManifest} from '../../support/builtManifest.js'
import {type Circumstances, cli, demoStore, esc, freshHome, type Ran} from '../../support/cli.js'
import {credentialRoutes} from '../../support/credentialRoutes.js'
import {everyCase} from '../../support/everyCase.js'

/** Those that wait, listen, read a terminal, or need a cut upload. */
const without = new Set(['asset resume', 'sandbox start', 'room watch', 'config init', 'push prove', 'doctor'])

const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
const message = '--title Hello --body World --to ANDROID'
/** Of several targets, or of what the canary tests have none of. */
const more: Readonly<Record<string, Line>> = {
  'attendee add': {line: 'attendee add zoe --match Town* --yes'},
  'attendee block': {line: 'attendee block ben --match Daily* --yes'},
  'attendee restore': {line: 'attendee restore dora --match Daily* --yes'},
  'record stop': {line: 'record stop r-support r-standup --yes'},
  explain: {line: 'explain'},
  'push cancel': {line: `push cancel ${scheduled}`, before: [`push modify ${scheduled} ${message} --at +2h`]},
}

const commands = documentedCommands(await builtManifest()).filter(({name}) => !without.has(name))
const takes = (name: string, flag: string) =>
  commands.some((one) => one.name === name && [...one.flags, ...one.common].some((other) => other.name === flag))

const files = ['level2.bundle', 'left.bundle', 'build/one.bundle', 'build/two.bundle']
const written = new Set([...files, 'build', 'routes.yaml', 'live.json', 'plan.json', 'out.bin', 'failed.txt'])

/** Runs a line of the canary tests, with the lines before it, in a home of its own. */
async function ran({line, before = []}: Line, flags: readonly string[], more: Circumstances = {}): Promise<Ran> {
  const home = freshHome()
  mkdirSync(path.join(home, 'build'))
  for (const name of files) writeFileSync(path.join(home, name), name)
  const words = (text: string) =>
    text.split(' ').map((word) => (written.has(word) ? path.join(home, word) : word.replace('$IN', inputs)))
  const env = {ROOMCTL_APPLICATION_ID: 'app-1', ...credentialRoutes}
  const circumstances = {store: await demoStore(), home, env}
  for (const earlier of before) await cli(words(earlier), circumstances)
  return cli([...words(line), ...flags], {...circumstances, ...more})
}

interface Shown {
  readonly name: string
  readonly lines: readonly Line[]
  /** Its output for people, off a terminal. */
  readonly plain: readonly string[]
}

let shown: readonly Shown[]
beforeAll(async () => {
  const all: Shown[] = []
  for (const {name} of commands) {
    const own = (lines[name.replaceAll(' ', ':')] ?? []).filter(({stdin}) => stdin === undefined)
    const its = more[name] === undefined ? own : [...own, more[name]]
    const plain: string[] = []
    for (const line of its) plain.push((await ran(line, [])).stdout)
    all.push({name, lines: its, plain})
  }
  shown = all
})

/** Whether some line of the command prints its times in the zone that a flag names. */
async function printsTimes({lines: its}: Shown): Promise<boolean> {
  for (const line of its) {
    for (const more of [{}, {columns: 200}, {columns: 200, answers: [esc]}]) {
      const {stdout, asked} = await ran(line, ['--tz', 'Asia/Kathmandu'], more)
      if (/\+05:45/u.test(stdout + asked.join())) return true
    }
  }
  return false
}

const isTable = (text: string) => /^[A-Z][A-Z -]*(?: {2,}[A-Z][A-Z\d -]*)+\n./u.test(text)
const isList = ({plain}: Shown) => plain.some(isTable)
/** The fields of one object, a name and a value in each line; or the answer that they give, with a reason in each line. */
const isCard = ({plain}: Shown) => plain.some((text) => /\n(?: {2}[A-Z][\w ]* {2,}|(?:yes|no|unknown): )\S/u.test(text))

describe('a flag is taken where it does something', () => {
  test('those of rows where a list or the fields of an object are printed', () =>
    everyCase(
      shown.map((command) => [command.name, command] as const),
      (_, command) => {
        const accepted: boolean[] = ['columns', 'no-header', 'bom', 'no-pager'].map((flag) => takes(command.name, flag))
        const prints = isList(command) || isCard(command)
        expect(accepted, command.name).toEqual(accepted.map(() => prints))
        expect(takes(command.name, 'sort'), command.name).toBe(isList(command))
      },
    ))

  test('those of times where a time is printed or read', () =>
    everyCase(
      shown.map((command) => [command.name, command] as const),
      async (_, command) => {
        const own = commands.find(({name}) => name === command.name)?.flags ?? []
        const reads = own.some((flag) => flag.type === 'option' && /TIME|EXPR/u.test(String(flag.helpValue)))
        const isTaken = takes(command.name, 'tz')
        // Without the flag, times off a terminal are as the service sends them.
        const hasTime = command.plain.some((text) => isTable(text) && /\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(text))
        const shows = isTaken ? await printsTimes(command) : hasTime
        expect(isTaken, `${command.name}: reads ${reads}, shows ${shows}`).toBe(reads || shows)
      },
    ))
})

test('the column that names a row is in every table on 40 columns', () => {
  const tables = shown.flatMap(({lines: its, plain}) =>
    its.flatMap((line, at) => (isTable(plain[at] ?? '') ? [[line.line, {line, plain: plain[at]}] as const] : [])),
  )
  expect(tables.length).toBeGreaterThan(15)
  return everyCase(tables, async (_, {line, plain = ''}) => {
    const [title = ''] = plain.split(/ {2}|\n/u, 1)
    const rows = stripVTControlCharacters((await ran(line, [], {columns: 40})).stdout).split('\n')
    // A table that does not fit is a block for each row.
    expect(rows.filter((row) => row.trim().toUpperCase().startsWith(title))).not.toEqual([])
  })
})

/** Of those that take no line of the canary tests here. */
const simple: Readonly<Record<string, Line>> = {
  'asset resume': {line: 'asset resume'},
  'push prove': {line: 'push prove push.p8'},
  doctor: {line: 'doctor'},
}

describe('completion of --columns', () => {
  const ofOneRoom = new Set([
    'attendee add r-townhall zoe yuna',
    'attendee block r-standup ben --yes',
    'attendee restore r-standup dora',
    'record stop r-support',
    'room end r-standup --yes',
  ])
  const completed = async (line: string) => {
    const {stdout} = await cli(['complete', '--shell', 'zsh', '--', ...line.split(' ')])
    return stdout.split('\n').flatMap((one) => /^(?!:)[^\t]+/u.exec(one) ?? [])
  }

  test('offers what the error about an unknown column lists, for every command that takes it', async () => {
    await completed('room list --columns ')
    const taking = documentedCommands(await builtManifest()).filter(({name, flags, common}) =>
      [...flags, ...common].some((flag) => flag.name === 'columns' && name !== 'sandbox start'),
    )
    const cases = taking.flatMap(({name}) => {
      const its = simple[name] ? [simple[name]] : (shown.find((one) => one.name === name)?.lines ?? [])
      expect(its, name).not.toEqual([])
      return its.map((line) => [line.line, line] as const)
    })
    await everyCase(cases, async (text, line) => {
      const {exit, stderr} = await ran(line, ['-o', 'csv', '--columns', 'nonsense'])
      expect({exit, isNamed: stderr.includes('unknown column nonsense')}, stderr).toEqual({exit: 2, isNamed: true})
      const [, listed] = /columns: ([^"]+)/u.exec(stderr) ?? []
      expect(listed, stderr).toBeDefined()
      const offered = await completed(`${text} --columns `)
      // The result of one room has a form of its own, which is not offered.
      if (offered.length > 0 || !ofOneRoom.has(text)) expect(offered.sort(), text).toEqual(listed?.split(', ').sort())
    })
  })
})
