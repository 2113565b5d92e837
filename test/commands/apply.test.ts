import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {terminal} from './answers.js'
import {live} from './live.js'

const newPlan = () => join(freshHome(), 'plan.json')
const planIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const changes = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.filter(({method}) => method !== 'GET').map(({path}) => path)

/** A plan for the two test rooms, on a world that continues. */
async function planned(line: readonly string[] = ['room', 'end', '--where', 'name~^test']) {
  const store = await demoStore()
  const file = newPlan()
  const ran = await cli([...line, '--plan-out', file], {store})
  return {store, file, ran}
}

describe('--plan-out', () => {
  test('writes the change with the state of each target, and changes nothing', async () => {
    const {file, ran} = await planned()
    expect(ran.exit).toBe(0)
    expect(changes(ran.sent)).toEqual([])
    expect(ran.stdout.split('\n').map((line) => line.split(/ {2,}/u).slice(0, 2))).toEqual([
      ['ID', 'NAME'],
      ['r-test-2', 'test-load-2'],
      ['r-test-1', 'test-load-1'],
      [''],
    ])
    expect(ran.stderr).toBe(`wrote ${file}; to end 2 rooms: roomctl apply ${file}\n`)
    expect(planIn(file)).toEqual({
      kind: 'roomctl-plan',
      version: 1,
      made_at: '2026-12-01T12:00:00.000Z',
      profile: 'sandbox',
      origin: 'http://sandbox.localhost',
      base_path: '/media',
      operation: 'room.end',
      as: 'host',
      input: {},
      targets: [
        {room_id: 'r-test-2', name: 'test-load-2', room_status: 'MEETING', present: 1, host: 'ben'},
        {room_id: 'r-test-1', name: 'test-load-1', room_status: 'MEETING', present: 3, host: 'ben'},
      ],
      digest: {sha256: expect.stringMatching(/^[\da-f]{64}$/u), lines: expect.stringMatching(/^(?:[\da-f]{2})+$/u)},
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('leaves out targets that cannot be planned, and says why', async () => {
    const file = newPlan()
    const ran = await cli(['room', 'end', 'r-standup', 'nope', 'r-first', '--plan-out', file, '-o', 'json'])
    expect(ran).toMatchObject({exit: 11, stderr: ''})
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-standup', requester_id: 'ann'},
      {room_id: 'nope', error: {code: 'CE002'}},
      {room_id: 'r-first', error: {code: 'no-host'}},
    ])
    expect(planIn(file).targets.map(({room_id}: {room_id: string}) => room_id)).toEqual(['r-standup'])
  })

  test('asks nothing, even of a read-only profile, and goes with no --dry-run', async () => {
    const {home, cli: run, arrived} = await live({readOnly: true})
    const file = join(home, 'plan.json')
    expect((await run(['room', 'end', 'r-standup', '--plan-out', file])).exit).toBe(0)
    expect(arrived).toEqual(['GET /media/v1/rooms/r-standup'])
    expect((await run(['room', 'end', 'r-standup', '--plan-out', `${file}2`, '--dry-run'])).exit).toBe(2)
    expect(existsSync(`${file}2`)).toBe(false)
  })
})

describe('apply', () => {
  test('carries a plan out, one result for each target in its order', async () => {
    const {store, file} = await planned()
    const ran = await cli(['apply', file, '--yes', '-o', 'json'], {store})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-test-2', outcome: 'done', requester_id: 'ben'},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben'},
    ])
    expect(changes(ran.sent).toSorted()).toEqual(['/media/v1/rooms/r-test-1/end', '/media/v1/rooms/r-test-2/end'])
  })

  test.each([
    [
      'attendee.block',
      ['attendee', 'block', 'bot-1', '--where', 'name~^test'],
      {requester_id: 'ben', attendees: ['bot-1']},
    ],
    ['attendee.add', ['attendee', 'add', 'zoe', '--where', 'name~^test'], {attendees: ['zoe']}],
    ['record.stop', ['record', 'stop', 'r-support'], {requester_id: 'carl'}],
    ['room.delete', ['room', 'delete', 'r-townhall', '--as', 'creator'], {requester_id: 'ann'}],
    ['room.delete', ['room', 'delete', 'r-townhall', '--as', 'ann'], {requester_id: 'ann'}],
  ])('carries out %s with what the plan says', async (operation, line, body) => {
    const {store, file} = await planned(line)
    expect(planIn(file).operation).toBe(operation)
    const ran = await cli(['apply', file, '--yes'], {store})
    expect(ran.exit).toBe(0)
    expect(ran.sent.find(({method}) => method !== 'GET')?.body).toEqual(body)
  })

  async function moved(store: WorldStore, ...lines: readonly string[]): Promise<void> {
    for (const line of lines) expect((await cli(line, {store})).exit).toBe(0)
  }

  test('skips targets that have changed since, with the reason, and does the rest', async () => {
    const {store, file} = await planned(['room', 'end', 'r-standup', 'r-support', 'r-test-1', 'r-townhall'])
    await moved(store, 'room delegate r-standup ben', 'room end r-test-1 --yes', 'room delete r-townhall --yes')
    const ran = await cli(['apply', file, '--yes', '-o', 'json'], {store})
    expect(ran.exit).toBe(11)
    const skipped = (room_id: string, reason: string) => ({room_id, outcome: 'skipped', requester_id: null, reason})
    expect(JSON.parse(ran.stdout)).toEqual([
      skipped('r-standup', 'its host is ben now, and was ann'),
      {room_id: 'r-support', outcome: 'done', requester_id: 'carl'},
      skipped('r-test-1', 'it is ENDED now, and was MEETING'),
      skipped('r-townhall', 'it is gone'),
    ])
    expect(changes(ran.sent)).toEqual(['/media/v1/rooms/r-support/end'])
  })

  test('a second time does nothing any more', async () => {
    const {store, file} = await planned()
    await cli(['apply', file, '--yes'], {store})
    const ran = await cli(['apply', file, '--yes'], {store})
    expect(ran.exit).toBe(11)
    expect(changes(ran.sent)).toEqual([])
    expect(ran.stderr).toContain('0 ended, 2 skipped in 0.0 s\n')
  })

  test('a host matters only where the plan acts as host, and a name only before a deletion', async () => {
    const asUser = await planned(['room', 'end', 'r-standup', '--as', 'ben'])
    await moved(asUser.store, 'room delegate r-standup ben', 'room update r-standup --max 40')
    expect((await cli(['apply', asUser.file, '--yes'], {store: asUser.store})).exit).toBe(0)

    const deletion = await planned(['room', 'delete', 'r-townhall'])
    await moved(deletion.store, 'room update r-townhall --name Changed')
    const ran = await cli(['apply', deletion.file, '--yes', '-o', 'json'], {store: deletion.store})
    expect(JSON.parse(ran.stdout)[0].reason).toBe('its name is Changed now, and was Town hall')
  })

  test('asks for the count of the remaining targets, after the look', async () => {
    const {store, file} = await planned()
    await moved(store, 'room end r-test-2 --yes')
    const ran = await cli(['apply', file], {store, ...terminal(120, '1')})
    expect(ran.asked).toEqual(['End 1 room on sandbox (built in)?\nType "1" to confirm:'])
    expect(ran.stderr).toContain('skipped because they have changed: 1\n')
    expect(changes(ran.sent)).toEqual(['/media/v1/rooms/r-test-1/end'])
    const declined = await planned()
    const no = await cli(['apply', declined.file], {store: declined.store, ...terminal(120, 'yes')})
    expect(no.exit).toBe(13)
    expect(changes(no.sent)).toEqual([])
  })

  test('names the user it acts as, if that is not the host', async () => {
    const {store, file} = await planned(['room', 'end', 'r-standup', '--as', 'ben'])
    const ran = await cli(['apply', file], {store, ...terminal(120, '')})
    expect(ran.asked).toEqual([
      'End 1 room as ben on sandbox (built in)? 1 will be refused (CE003).\nType "1" to confirm:',
    ])
  })

  test('sends nothing unasked, unconfirmed, beyond --max or on a read-only profile', async () => {
    const {store, file} = await planned()
    expect(await cli(['apply', file], {store})).toMatchObject({exit: 13, sent: []})
    expect(await cli(['apply', file, '--yes', '--max', '1'], {store})).toMatchObject({exit: 13, sent: []})
    const {home, cli: run, arrived} = await live({readOnly: true})
    const own = join(home, 'plan.json')
    await run(['room', 'end', 'r-standup', '--plan-out', own])
    expect((await run(['apply', own, '--yes'])).exit).toBe(13)
    expect(arrived.filter((line) => !line.startsWith('GET'))).toEqual([])
  })

  test('with --dry-run shows what would be sent and skipped', async () => {
    const {store, file} = await planned()
    await moved(store, 'room end r-test-2 --yes')
    const ran = await cli(['apply', file, '--dry-run', '-o', 'json'], {store})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {
        method: null,
        expected: {allowed: 'no', why: 'room r-test-2 would be skipped: it is ENDED now, and was MEETING'},
      },
      {method: 'POST', body: {requester_id: 'ben'}},
    ])
    expect(changes(ran.sent)).toEqual([])
    const shown = await cli(['apply', file, '--dry-run'], {store})
    expect(shown.stdout).toMatch(/^r-test-1 .* yes\nr-test-2 .* no \(changed\)$/mu)
  })

  test('refuses a plan that was made for another service, before anything is sent', async () => {
    const {file} = await planned()
    const {cli: run, arrived, origin} = await live()
    const ran = await run(['apply', file, '--yes'])
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).toContain(`${file} was made for http://sandbox.localhost/media; nothing was sent`)
    expect(ran.stderr).toContain(`profile live is for ${origin}/media`)
    expect(ran.stderr).toContain(`\n  try: roomctl apply ${file} -p sandbox\n`)
    expect(arrived).toEqual([])
  })

  test('advises nothing that a shell would carry out, and not the profile that it was made with and is used', async () => {
    const {file} = await planned()
    const {cli: run} = await live()
    const named = (profile: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"profile": ".*"/u, profile))
    named('"profile": "x; reboot"')
    expect((await run(['apply', file, '--yes', '--accept-edits'])).stderr).toContain(
      `\n  try: roomctl apply ${file} -p 'x; reboot'\n`,
    )
    named('"profile": "live"')
    expect((await run(['apply', file, '--yes', '--accept-edits'])).stderr).toContain(
      '\n  try: write a new plan with --plan-out\n',
    )
  })

  test('of no targets does nothing, well', async () => {
    const {store, file} = await planned(['room', 'end', '--where', 'name=nobody'])
    expect(await cli(['apply', file, '-o', 'json'], {store})).toMatchObject({exit: 0, stdout: '[]\n', sent: []})
  })
})

describe('a file that is no sound plan', () => {
  test.each([
    ['is not there', undefined, 'no such file'],
    ['is empty', '', 'is not a plan: it is empty'],
    ['is something else', '{"targets": []}', 'is not a plan: it has a wrong value for operation'],
  ])('%s: it says so and sends nothing', async (_, text, why) => {
    const file = newPlan()
    if (text !== undefined) writeFileSync(file, text)
    const ran = await cli(['apply', file, '--yes'])
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain(why)
  })

  test('whose room climbs out of the path is refused as a whole', async () => {
    const {store, file} = await planned()
    writeFileSync(file, readFileSync(file, 'utf8').replace('"r-test-1"', '".."'))
    const ran = await cli(['apply', file, '--yes', '--accept-edits'], {store})
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain(`${file} is damaged: invalid room, the value of ROOM must not be ".."\n`)
  })

  test('an edited host does not make a user host', async () => {
    const {store, file} = await planned()
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"ben"', '"mallory\\u001b[2J"'))
    const ran = await cli(['apply', file, '--yes', '--accept-edits'], {store})
    expect(ran.exit).toBe(11)
    expect(changes(ran.sent)).toEqual([])
    expect(ran.stdout).toContain('its host is ben now, and was mallory\\u{1b}[2J')
  })
})

describe('a plan that was edited after it was written', () => {
  /** A plan of two rooms, the second edited by accident. */
  async function slipped() {
    const {store, file} = await planned()
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"r-test-1"', '"r-standup"'))
    return {store, file, line: text.split('\n').findIndex((one) => one.includes('"r-test-1"')) + 1}
  }

  test('is refused with the line and the flag that accepts it, and nothing is read or sent', async () => {
    const {store, file, line} = await slipped()
    for (const more of [['--yes'], ['--dry-run'], []]) {
      const ran = await cli(['apply', file, ...more], {store})
      expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
      expect(ran.stderr).toContain(`${file} was edited after it was written (line ${line}); nothing was changed\n`)
      expect(ran.stderr).toContain('add --accept-edits\n')
    }
    const json = await cli(['apply', file, '--yes', '-o', 'json'], {store})
    expect(JSON.parse(json.stderr).error).toMatchObject({code: 'plan-edited', exit_code: 14, outcome: 'none'})
  })

  test('is applied with --accept-edits, which says so', async () => {
    const {store, file, line} = await slipped()
    const ran = await cli(['apply', file, '--yes', '--accept-edits'], {store})
    expect(ran.stderr).toContain(`was edited after it was written (line ${line})`)
    expect(changes(ran.sent)).toContain('/media/v1/rooms/r-test-2/end')
  })

  test('but whose content is the same is applied, and so is one of an older version', async () => {
    const {store, file} = await planned()
    const {digest, ...older} = planIn(file)
    writeFileSync(file, JSON.stringify({digest, ...older}))
    expect((await cli(['apply', file, '--dry-run'], {store})).exit).toBe(0)
    writeFileSync(file, JSON.stringify({...older, targets: older.targets.slice(1)}, null, 2))
    const ran = await cli(['apply', file, '--yes'], {store})
    expect(changes(ran.sent)).toEqual(['/media/v1/rooms/r-test-1/end'])
  })
})
