import {beforeAll, describe, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {freshPlace, type Place, shell} from '../stories/place.js'
import {type Circumstances, cli, demoStore, freshHome, type Ran} from '../support/cli.js'
import {onTerminal} from '../support/pty.js'
import {root} from '../support/repository.js'

const commands = readCommands(root)

/** What writes a file into the folder where it runs. */
const writing = /^asset download|--files|--report/u

/** The examples of the help that one program runs alone, without a shell and without files. */
const lines = commands.flatMap(({name, examples}) =>
  examples.flatMap(({line}) => {
    const isAlone = /^roomctl [^|<>$;&`]+$/u.test(line) && name !== 'sandbox start' && name !== 'room watch'
    const own = line.slice('roomctl '.length)
    return isAlone && !writing.test(own) ? [own] : []
  }),
)

/** The words of a line as a shell splits them, as far as the examples quote. */
function words(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/gu), ([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/gu, (_, single, double) => single ?? double),
  )
}

// Letters, digits and marks of any script, ASCII, signs that are read as the word they stand for, and the dash of a range of numbers.
const spoken = /^(?:[\p{L}\p{M}\p{N}\x20-\x7e\n§’]|(?<=\w)–(?=\d))*$/u
/** Characters in the names of the demonstration. */
const ofTheService = /🎉|👩(?:\u200d|\\u200d)💻|🥤|—/gu
/** Lines that are only a rule, and bars. */
const drawn = /^\s*[-=_*+|]{3,}[-=_*+| ]*$|\[[=# ]{5,}\]/mu

function expectSpoken({stdout, stderr}: Ran): void {
  const said = `${stdout}${stderr}`
  for (const line of said.split('\n')) expect(line.replace(ofTheService, '')).toMatch(spoken)
  expect(said).not.toMatch(drawn)
}

let store: WorldStore

beforeAll(async () => {
  store = await demoStore()
})

const reading = (line: readonly string[], more: Circumstances = {}) =>
  cli(line, {columns: 80, store, home: freshHome(), ...more, env: {ACCESSIBLE: '1', NO_COLOR: '1', ...more.env}})

describe('for a screen reader no sign has a meaning', () => {
  test('by no example of the help', async () => {
    expect(lines.length).toBeGreaterThan(80)
    for (const line of lines) expectSpoken(await reading(words(line)))
  })

  test('by no help', async () => {
    for (const {name} of commands) expectSpoken(await reading([...name.split(' '), '--help']))
  })

  test('by doctor, which has words where others see a tick', async () => {
    const seen = await cli('doctor', {columns: 80, store})
    expect(seen.stdout).toMatch(/[✓✗!] (?:ok|warn|fail)/u)
    const read = await reading(['doctor'])
    expectSpoken(read)
    expect(read.stdout).toMatch(/^(?:ok|warn|fail) {2}/mu)
  })
})

describe('for a screen reader nothing is cut', () => {
  const name = '아주 긴 이름을 가진 방입니다 '.repeat(8).trim()

  test('neither a cell nor a column of a table, nor a choice', async () => {
    const own = await demoStore()
    await own.change((world) => {
      for (const room of world.rooms) room.name = name
    })
    const cut = await cli('room list', {columns: 80, store: own})
    expect(cut.stdout).toContain('…')
    const whole = await reading(['room', 'list'], {store: own})
    expect(whole.stdout).toContain(`\nNAME: ${name}\nSTATUS: MEETING\n`)
    expect(whole.stderr).not.toContain('not shown')
    const asked = await reading(['room', 'show'], {store: own, answers: ['r-party']})
    expect(asked.asked[0]).toContain(`${name}  MEETING`)
  })
})

describe('for a screen reader', () => {
  test('each row of a list is a block of lines with their labels', async () => {
    const {stdout} = await reading(['room', 'list', '--columns', 'id,name,max', '--match', 'test*'], {
      store: await demoStore(),
    })
    expect(stdout).toBe('ID: r-test-2\nNAME: test-load-2\nMAX: 30\n\nID: r-test-1\nNAME: test-load-1\nMAX: 30\n')
  })

  test('an empty list and a change with nothing to do have a message', async () => {
    expect((await reading(['room', 'list', '--match', 'none'])).stderr).toBe('no rooms match\n')
    expect((await reading(['room', 'end', '--match', 'none', '--yes'])).stderr).toBe('nothing to change\n')
    expect((await reading(['asset', 'resume'])).stderr).toBe('no unfinished uploads to resume\n')
    expect((await reading(['room', 'end', '--match', 'none', '--yes', '-q'])).stderr).toBe('')
  })
})

describe('on a real terminal', () => {
  let place: Place

  beforeAll(async () => {
    place = freshPlace({ROOMCTL_PROFILE: 'sandbox', ACCESSIBLE: '1', TERM: 'xterm', PAGER: 'less -R'})
    await shell(place, 'roomctl sandbox reset --seed demo')
  })

  test.each([
    ['a list, though a pager is set', 'room list', []],
    [
      'a run over several rooms, though a bar is asked for',
      'room end r-party r-full r-standup --yes --progress bar',
      [],
    ],
    ['a count to type', 'record stop r-party r-full', [{expect: 'to confirm:', send: '\r'}]],
  ] as const)('nothing is drawn again: %s', async (_, line, steps) => {
    const ran = await onTerminal({command: ['roomctl', ...line.split(' ')], env: place.env, cwd: place.dir, steps})
    expect(ran).toMatchObject({timed_out: false, waiting: null})
    const escapes = ran.terminal.split('\u001b').slice(1)
    // Colours only.
    for (const one of escapes) expect(one).toMatch(/^\[[0-9;]*m/u)
    expect(ran.terminal.replaceAll('\r\n', '')).not.toContain('\r')
  })
})
