import {expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {type FaultyRooms, faultyRooms} from './faultyRooms.js'

const idle = ['r-many-5', 'r-many-17', 'r-many-29'] as const

/** Forty rooms, three of which cannot be ended. */
async function fortyRooms(): Promise<FaultyRooms> {
  const world = await faultyRooms({seed: 1, rooms: 40, share: 0})
  await world.store.change(({rooms}) => {
    for (const room of rooms.filter(({room_id: id}) => idle.some((one) => one === id))) room.room_status = 'IDLE'
  })
  return world
}

const sizes = [
  [80, 24],
  [120, 40],
] as const

test.each(sizes)('the screen of %i by %i ends with the failures, whatever succeeded', async (columns, rows) => {
  const {place, ids} = await fortyRooms()
  const question = new Screen(columns, rows)
  const ran = await onTerminal({
    command: ['roomctl', 'room', 'end', ...ids, '--as', 'ann', '--concurrency', '4'],
    cwd: place.dir,
    env: {...place.env, NO_COLOR: '1', TERM: 'xterm-256color'},
    columns,
    rows,
    steps: [{expect: 'Type ', send: '40\r'}],
  })
  expect(ran).toMatchObject({exit: 11, waiting: null, timed_out: false})

  await question.output.write(ran.terminal.slice(0, ran.terminal.indexOf('Type ') + 4))
  const asked = await question.view()
  expect(
    asked.some((line) => line.startsWith('ID ')),
    asked.join('\n'),
  ).toBe(true)
  expect(asked.join(' ')).toMatch(/End 40 rooms.*3 will be refused \(IDLE\)/u)

  const screen = new Screen(columns, rows)
  await screen.output.write(ran.terminal)
  const last = await screen.view()
  const seen = last.join('\n')
  const at = idle.map((id) => last.findLastIndex((line) => line.startsWith(`${id} `)))
  expect(at, seen).not.toContain(-1)
  expect(at).toEqual(at.toSorted((one, other) => one - other))
  const heading = last.findLast((line) => line.startsWith('ID ')) ?? ''
  for (const line of at) {
    expect(last[line]?.indexOf('failed'), seen).toBe(heading.indexOf('OUTCOME'))
    expect(last[line], seen).toContain('it is IDLE, only a MEETING room can be ended (ER001)')
  }
  expect(
    last.some((line) => /^r-many-\d+ +done/u.test(line)),
    seen,
  ).toBe(false)
  expect(seen).toMatch(/37 done;.*-o json/u)
  // Said once: the rows name the cause, and behind the sum is what to do next about all three.
  expect(ran.terminal).not.toMatch(/error:|cannot end/u)
  const words = last.map((line) => line.trimEnd()).filter((line) => line !== '')
  const sum = words.findIndex((line) => /^37 ended, 3 failed \(ER001\) in \d+\.\d s$/u.test(line))
  expect(
    words.slice(sum + 1).filter((line) => !line.startsWith('  service: ')),
    seen,
  ).toEqual([`  try: roomctl room delete ${idle.join(' ')}`])
})

test('a few rows that fit the screen all stand on it, those that were not done last', async () => {
  const {place, ids} = await fortyRooms()
  const ran = await onTerminal({
    command: ['roomctl', 'room', 'end', ...ids.slice(0, 8), '--as', 'ann', '--yes'],
    cwd: place.dir,
    env: {...place.env, NO_COLOR: '1', TERM: 'xterm-256color'},
  })
  const screen = new Screen(80, 24)
  await screen.output.write(ran.terminal)
  const rows = (await screen.view()).filter((line) => /^r-many-\d+ +(?:done|failed)/u.test(line))
  const order = [...ids.slice(0, 5), ...ids.slice(6, 8), 'r-many-5']
  expect(rows.map((line) => line.split(' ')[0])).toEqual(order)
})

test('a dry run of 40 rooms ends with the refusals, one sample request and the sum', async () => {
  const {place, ids} = await fortyRooms()
  const ran = await onTerminal({
    command: ['roomctl', 'room', 'end', ...ids, '--as', 'ann', '--dry-run', '--no-pager'],
    cwd: place.dir,
    env: {...place.env, NO_COLOR: '1', TERM: 'xterm-256color'},
  })
  expect(ran.exit).toBe(0)
  const screen = new Screen(80, 24)
  await screen.output.write(ran.terminal)
  const seen = (await screen.view()).map((line) => line.trimEnd()).filter((line) => line !== '')
  const from = seen.indexOf('sample request:')
  expect(seen.slice(from - 4, from).map((line) => line.replace(/^(\S+) .* (\S+) (\S+)$/u, '$1 $2 $3'))).toEqual([
    expect.stringMatching(/^r-many-39 .* yes$/u),
    ...idle.map((id) => `${id} no (ER001)`),
  ])
  expect(seen.at(from + 1)).toMatch(/^ {2}POST http\S+\/r-many-0\/end$/u)
  expect(seen.at(-1)).toMatch(/^40 rooms on \S+: 37 yes, 3 no \(ER001\)$/u)
})
