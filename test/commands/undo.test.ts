import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {enterSandboxRoom, leaveSandboxRoom} from '../../src/sandbox/demo/scenarios.js'
import {logLine} from '../../src/storage/log/line.js'
import {cli, noon} from '../support/cli.js'
import {hello, journalOf} from './push/requests.js'
import {blockedIn, machine, stateOf} from './undoMachine.js'

describe('undo after a change brings the service back to the state before', () => {
  test.each([
    ['room update r-standup --max 50'],
    ['room update r-standup --name Mine --description Other --private'],
    ['room update r-townhall --no-joinable --max 99'],
    ['room update r-townhall --start 2030-12-01T09:00+09:00 --end 2030-12-01T10:00+09:00'],
    ['room delegate r-standup ben'],
    ['room presenter r-standup ben', 'room presenter r-standup ann'],
    ['push broadcast --title Hello --body World --at +2h --confirm app-1'],
  ])('%s', async (line, first = 'room list') => {
    const {store, home, done, newest} = await machine()
    await done(first)
    const before = await stateOf(store)
    await done(line)
    expect(await stateOf(store)).not.toEqual(before)
    const undone = newest()
    const {stdout} = await done(`undo ${undone} --yes`)
    expect(stdout).toMatch(new RegExp(`^undid ${undone} \\([^\\n]+\\): [^\\n]+\\n$`, 'u'))
    expect(await stateOf(store)).toEqual(before)
    expect(journalOf(home).at(-1)).toMatchObject({undoes: undone, outcome: 'done'})
  })

  test('attendee block: no other user is blocked', async () => {
    const {store, done, newest} = await machine()
    await enterSandboxRoom(store, 'r-standup', 'carl', noon)
    const before = await blockedIn(store, 'r-standup')
    await done('attendee block r-standup ben carl --yes')
    expect(await blockedIn(store, 'r-standup')).not.toEqual(before)
    const {stdout} = await done(`undo ${newest()}`)
    expect(stdout).toMatch(/: restore ben, carl in room r-standup as ann\n$/)
    expect(await blockedIn(store, 'r-standup')).toEqual(before)
  })

  test('attendee restore: as soon as who was restored has come in', async () => {
    const {store, run, done, newest} = await machine()
    await done('attendee restore r-standup dora')
    const undone = newest()
    const early = await run(`undo ${undone} --yes`)
    expect(early).toMatchObject({exit: 7, stdout: ''})
    expect(early.stderr).toContain('not present in the room: dora')
    await enterSandboxRoom(store, 'r-standup', 'dora', noon)
    await done(`undo ${undone} --yes`)
    expect(await blockedIn(store, 'r-standup')).toContain('dora')
  })

  test('and undoing the undoing makes the change again', async () => {
    const {store, done, newest} = await machine()
    await done('room update r-standup --max 50')
    const changed = await stateOf(store)
    await done(`undo ${newest()}`)
    await done(`undo ${newest()}`)
    expect(await stateOf(store)).toEqual(changed)
  })
})

describe('it is refused, and nothing is sent, when the state has moved on', () => {
  test.each([
    [
      'room update r-standup --name Mine',
      'room update r-standup --name Yours',
      'name is "Yours" now, but was set to "Mine"',
    ],
    ['room delegate r-standup ben', 'room delegate r-standup ann', 'ann is host now, not ben'],
    [
      'room update r-standup --max 50',
      'room end r-standup --yes',
      'the room is ENDED; it is allowed in RESERVED and MEETING and IDLE\n' +
        '  why: the service would refuse to update room r-standup (max_attendee_count=30); nothing was sent\n' +
        '  try: to see what it allows: roomctl room can r-standup\n',
    ],
    ['attendee block r-standup ben --yes', 'attendee restore r-standup ben', 'attendee.restore'],
    ['attendee block r-standup ben --yes', 'room end r-standup --yes', 'the room is ENDED'],
  ])('%s, then %s', async (line, then, says) => {
    const {store, run, done, newest} = await machine()
    await done(line)
    const undone = newest()
    await done(then)
    const before = await stateOf(store)
    const ran = await run(`undo ${undone} --yes`)
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
    expect(await stateOf(store)).toEqual(before)
  })

  test('by another machine: who was blocked is in the room again', async () => {
    const {store, run, done, newest} = await machine()
    await done('attendee block r-standup ben --yes')
    await cli('attendee restore r-standup ben', {store})
    await enterSandboxRoom(store, 'r-standup', 'ben', noon)
    const ran = await run(`undo ${newest()}`)
    expect(ran.exit).toBe(7)
    expect(ran.stderr).toContain('ben is in the room, so no longer blocked')
  })

  test('since the former host has left', async () => {
    const {store, run, done, newest} = await machine()
    await done('room delegate r-standup ben')
    await leaveSandboxRoom(store, 'r-standup', 'ann', noon)
    const ran = await run(`undo ${newest()}`)
    expect(ran.exit).toBe(7)
    expect(ran.stderr).toContain('ann is not present in the room\n')
    expect(ran.stderr).toContain(
      '\n  why: the service would refuse to make ann host of room r-standup; nothing was sent\n',
    )
  })

  test('since the room is gone', async () => {
    const {run, done, newest} = await machine()
    await done('room update r-townhall --max 50')
    const undone = newest()
    await done('room delete r-townhall --yes')
    expect(await run(`undo ${undone}`)).toMatchObject({exit: 6, stdout: ''})
  })

  test('since the push was cancelled', async () => {
    const {run, done, newest} = await machine()
    const {stdout} = await done(['push', 'broadcast', ...hello, '--at', '+2h', '--confirm', 'app-1', '-q'])
    const undone = newest()
    await done(`push cancel ${stdout.trim()} --yes`)
    const ran = await run(`undo ${undone} --yes`)
    expect(ran).toMatchObject({exit: 7, sent: []})
    expect(ran.stderr).toContain('its request has been sent or cancelled by now')
  })
})

describe('changes that cannot be undone', () => {
  test.each([
    ['room end r-standup --yes', 'an ENDED room cannot change'],
    ['room delete r-townhall --yes', 'a deletion cannot be undone'],
    ['room create Mine --created-by ann', 'try: roomctl room delete'],
    ['attendee add r-townhall zoe', 'try: once they are in the room: roomctl attendee block r-townhall zoe'],
    ['record start r-standup', 'try: roomctl record stop r-standup'],
    ['room send r-standup Hello --from ann', 'sent messages cannot be recalled'],
    ['asset describe games Other', 'try: roomctl asset describe games TEXT'],
    ['api room POST /v1/rooms/r-standup/end -f requester_id=ann', 'there is no known way to undo it'],
    ['room presenter r-standup ben', 'the previous presenter is unknown'],
    ['room update r-standup --max 50 --as ann', 'with --as USER the room is not read before'],
    ['room update r-standup --max 30', 'it changed nothing'],
    ['room update r-standup --admin --name Mine', 'as platform admin the room is not read'],
    ['push broadcast --title A --body B --confirm app-1', 'sent messages cannot be recalled'],
  ])('%s: says why, or what to do instead', async (line, says) => {
    const {run, done, newest} = await machine()
    await done(line)
    const ran = await run(`undo ${newest()} --yes`)
    expect(ran).toMatchObject({exit: 7, stdout: '', sent: []})
    expect(ran.stderr).toMatch(/^error: cannot undo \S+ \w{12}\n/u)
    expect(ran.stderr).toContain(says)
  })

  test('of a change that was undone already', async () => {
    const {run, done, newest} = await machine()
    await done('room update r-standup --max 50')
    const undone = newest()
    await done(`undo ${undone}`)
    const ran = await run(`undo ${undone}`)
    expect(ran).toMatchObject({exit: 7, sent: []})
    expect(ran.stderr).toContain(`it was undone by ${newest()}`)
  })

  test('of a change that failed, or is not there', async () => {
    const {run, newest} = await machine()
    await run('attendee block r-standup zoe --yes')
    expect((await run(`undo ${newest()}`)).stderr).toContain('it failed, so it changed nothing')
    expect(await run('undo 000000000000')).toMatchObject({exit: 6, sent: []})
    expect(await run('undo')).toMatchObject({exit: 6, sent: []})
  })

  test("of another profile's change", async () => {
    const {home, run} = await machine()
    await run('room update r-standup --max 50')
    const [entry] = journalOf(home)
    writeFileSync(join(home, '.local/state/roomctl/journal.ndjson'), logLine({...entry, profile: 'live'}))
    const ran = await run(`undo ${entry?.id}`)
    expect(ran).toMatchObject({exit: 6, sent: []})
    expect(ran.stderr).toContain('of profile sandbox in the journal\n  why: profile live made it\n')
    expect(ran.stderr).toContain(`\n  try: roomctl undo ${entry?.id} -p live\n`)
  })

  test('of an entry that an unset variable names', async () => {
    const {run, done} = await machine()
    await done('room update r-standup --max 50')
    const ran = await run(['undo', '', '--yes'])
    expect(ran).toMatchObject({exit: 2, sent: []})
    expect(ran.stderr).toContain('error: ENTRY is empty')
  })
})

test('a dry run shows the request and changes nothing', async () => {
  const {store, home, done, newest} = await machine()
  await done('room delegate r-standup ben')
  const [before, lines] = [await stateOf(store), journalOf(home).length]
  const {stdout} = await done(`undo ${newest()} --dry-run -o json`)
  expect(JSON.parse(stdout)).toMatchObject([{operation: 'room.delegate', body: {requester_id: 'ben', user_id: 'ann'}}])
  expect(await stateOf(store)).toEqual(before)
  expect(journalOf(home)).toHaveLength(lines)
})

test('an undoing that failed can be tried again', async () => {
  const {done, run, newest, store} = await machine()
  await done('attendee block r-standup ben --yes')
  const undone = newest()
  const refused = await run(`undo ${undone} --as carl`)
  expect(refused.exit).not.toBe(0)
  await done(`undo ${undone}`)
  expect(await blockedIn(store, 'r-standup')).not.toContain('ben')
})
