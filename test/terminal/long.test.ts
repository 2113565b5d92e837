import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {mostlyHostile, needed, serviceOf} from './service.js'

const length = 100_000
const texts = {
  'Arabic letters': 'م'.repeat(length),
  'letters that join': 'क्'.repeat(length / 2),
  words: 'word '.repeat(length / 5),
} as const

const lines = [
  'room show r-1',
  'room end r-1',
  'room end r-1 r-2',
  'room delete r-1',
  'room delegate r-1 ann',
  'room presenter',
  'attendee block r-1 ann',
  'attendee why r-1 ann',
  'attendee list r-1',
  'record list r-1',
  'asset list games --tree',
  'asset info games',
  'asset show games/u-1 --view meta',
  'push show',
  'push records',
]

describe.each(Object.entries(texts).map(([name, text], turn) => ({name, text, turn})))(
  'a text of 100,000 $name',
  ({text, turn}) => {
    const service = () => serviceOf((member) => needed[member] ?? text)
    /** No answer has more ids than two in an object, and they stay whole: of 80 columns a block keeps 20 for its labels. */
    const most = (2 * length * 80) / 60 + 40_000

    // A third of the lines each: what cuts a text is one for all commands.
    const its = lines.filter((_, row) => row % 3 === turn)
    test('does not flood the terminal, nor hide the question', () =>
      everyCase(its, async (line) => {
        const ran = await cli(line, {
          transport: service(),
          env: {...lineEnvironment, NO_COLOR: '1'},
          home: freshHome(),
          columns: 80,
          answers: ['r-standup', 'ann', true],
        })
        expect([0, 2, 7, 13]).toContain(ran.exit)
        for (const question of ran.asked) expect(question.length).toBeLessThan(2000)
        expect(ran.stderr.length).toBeLessThan(6000)
        expect(ran.stdout.length).toBeLessThan(most)
      }))

    test('is cut at 4,096 characters in a table of a pipe, and whole in JSON', async () => {
      const table = await cli('room show r-1', {transport: service(), home: freshHome()})
      expect(table.stdout).not.toContain(text.slice(0, 4097))
      expect(table.stdout).toContain(`${text.slice(0, 4096)}…`)
      expect(table.stderr).toContain('truncated: ')
      const {stdout} = await cli('room show r-1 -o json', {transport: service(), home: freshHome()})
      expect(JSON.parse(stdout).description).toBe(text)
    })
  },
)

test('a card names cut fields', async () => {
  const ran = await cli('room show r-1', {
    transport: serviceOf((member) => (member === 'description' ? texts.words : (needed[member] ?? member))),
    env: {NO_COLOR: '1'},
    home: freshHome(),
    columns: 80,
  })
  expect(ran.stderr.split('\n').slice(-2)).toEqual(['truncated: description; -o json shows all', ''])
  expect(ran.stdout.split('\n').length).toBeLessThan(60)
})

test('an id confirms if the name is hostile or too long to be typed', async () => {
  for (const transport of [serviceOf((member) => needed[member] ?? 'n'.repeat(length)), serviceOf(mostlyHostile())]) {
    const ran = await cli('room delete r-1', {transport, home: freshHome(), columns: 80, answers: ['r-1']})
    expect(ran).toMatchObject({exit: 0, asked: [expect.stringMatching(/Type "r-1" to confirm:$/)]})
  }
})
