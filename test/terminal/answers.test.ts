import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {cli, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {filled} from './fill.js'
import {everyAttack, expectHarmless, harmIn} from './hostile.js'
import {hostileText, mostlyHostile, serviceOf} from './service.js'

const home = freshHome()
const bundles = path.join(home, 'bundles')
mkdirSync(bundles)
writeFileSync(path.join(bundles, 'level1.bundle'), 'the first level')

/** Lines that show what operations answer in other forms than those of `lines`. */
const others = [
  'room list --with-counts',
  'room list --status MEETING --limit 1',
  'room list --match *hostile*',
  'room show',
  'room create Standup --created-by ann --check',
  'room create Standup --created-by ann --token',
  'room end r-1',
  'room end r-1 r-2',
  'room end r-1 r-2 --yes',
  'room end --match *hostile* --yes',
  'room delete r-1',
  'room delete r-1 r-2',
  'room presenter r-1',
  'room update r-1 --name Daily --dry-run',
  'attendee list r-1 --present',
  'attendee why r-1 ann',
  'attendee why r-1 zoe',
  'attendee find ann',
  'attendee block r-1 ann',
  'attendee block r-1 ann --as creator',
  'attendee token r-1 ann --decode',
  'record list r-1 r-2',
  'record stop r-1 r-2 --yes',
  'asset list games --tree',
  'asset list games --platform ios',
  'asset info games --methods',
  `asset download games/puzzle/u-1 --to ${path.join(home, 'taken')} --overwrite`,
  `asset sync games/puzzle ${bundles} --platform ios --description d`,
  `asset sync games/puzzle ${bundles} --platform ios --description d --dry-run`,
  'asset uploads --all',
  'push show --reveal',
  'push show',
  'push records --failed',
  'push send ann ben --title Hello --body All --batch 1',
  'push cancel 0f8fad5b-d9cb-469f-a165-70867728950e',
  'push broadcast --title Hello --body All',
  'api room GET /v1/rooms',
  'api asset GET /games/ --include',
  'doctor games',
  'history',
  'complete --shell zsh -- room show r',
  'complete --shell fish -- attendee why r-1 a',
  'complete --shell bash -- asset list g',
]

const forms: Readonly<Record<string, readonly string[]>> = {
  'a pipe': [],
  json: ['-o', 'json'],
  ndjson: ['-o', 'ndjson'],
  yaml: ['-o', 'yaml'],
  csv: ['-o', 'csv'],
  tsv: ['-o', 'tsv'],
  ids: ['-q'],
  'a trace': ['--debug'],
}

const plainly = {...lineEnvironment, NO_COLOR: '1'}

/** The answers that let the command go on, and the most questions. */
const answers = ['r-standup', 'ann', true, '2', true, true]

/** A service, and how many forms of an answer are tried: with the second, more commands come to their end. */
const services = {
  everywhere: {service: () => serviceOf(hostileText()), most: 3},
  'in all that nothing hangs on': {service: () => serviceOf(mostlyHostile()), most: 1},
} as const

const flagged = (line: string, more: readonly string[]) => {
  const words = line.split(' ')
  const at = words.indexOf('--')
  return at === -1 ? [...words, ...more] : words
}

describe.each(Object.entries(services))('a service with hostile text %s', (_, {service, most}) => {
  test('is shown it in no form by no command', {timeout: 600_000}, () =>
    everyCase([...new Set([...Object.values(lines), ...others])].entries(), async (row, line) => {
      // Forms in turn, beside the terminal: each command writes them by the same writers.
      const names = Object.keys(forms)
      const tried = Array.from({length: most}, (_, at) => names[(row + at * 3) % names.length] ?? '')
      const run = (more: readonly string[], columns?: number) =>
        cli(flagged(line, more), {
          transport: service(),
          home: freshHome(),
          env: plainly,
          ...(columns === undefined ? {} : {columns, answers}),
        })
      const tabs = line.startsWith('complete')
      expectHarmless(await run([], 120), `${line} on a terminal`, {tabs})
      for (const form of tried) {
        const ran = await run(forms[form] ?? [])
        expectHarmless(ran, `${line} as ${form}`, {tabs: tabs || form === 'tsv'})
      }
    }),
  )
})

test('the answers hold hostile text in every place where the contract has a text', () => {
  const withText = operations.filter(({reply}) => harmIn(JSON.stringify(filled(reply, hostileText()))).length > 0)
  const plain = operations.filter((one) => !withText.includes(one)).map(({id}) => id)
  expect(plain).toEqual([])
})

test('a room id that no path can carry is offered as text and not sent back', async () => {
  const ran = await cli('room show', {
    transport: serviceOf((member) => (member === 'room_id' ? everyAttack() : member)),
    env: plainly,
    columns: 80,
    answers: [everyAttack()],
  })
  expect(ran).toMatchObject({exit: 2, asked: [expect.stringContaining('hostile\\u{1b}')]})
  expectHarmless(ran, 'room show')
})

test('all of it is readable, and unchanged in JSON', async () => {
  const ran = await cli('room list -o json', {transport: serviceOf(() => everyAttack())})
  expect(JSON.parse(ran.stdout)[0].name).toBe(everyAttack())
})
