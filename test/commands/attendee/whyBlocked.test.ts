import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Admission} from '../../../src/view/room/attendee.js'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {roomWith} from './open.js'

describe('who is blocked, as far as this machine knows', () => {
  test('is known after a block from here, and no more after a restore', async () => {
    const [store, home] = [await demoStore(), freshHome()]
    const why = () => cli('attendee why r-standup ben -o json', {store, home})
    expect((await cli('attendee block r-standup ben --yes', {store, home})).exit).toBe(0)
    const blocked = await why()
    expect(blocked).toMatchObject({exit: 7, stderr: ''})
    const {blocked: known, reasons} = JSON.parse(blocked.stdout) as Admission
    expect(known).toBe('yes')
    expect(reasons[0]).toEqual({
      code: 'blocked',
      allows: 'no',
      why: 'ben was blocked from this machine at 2026-12-01T12:00:00.000Z',
      source: 'room §8 rule 5',
      error_code: 'T001',
      fix: 'roomctl attendee restore r-standup ben',
      by: 'ann (host)',
    })
    expect((await cli('attendee restore r-standup ben', {store, home})).exit).toBe(0)
    const after = await why()
    expect(after.exit).toBe(0)
    expect(JSON.parse(after.stdout)).toMatchObject({blocked: 'no', can_enter: 'yes'})
  })

  test('is known from a token that was refused to a user who is entitled to it', async () => {
    const [store, home] = [await demoStore(), freshHome()]
    expect((await cli('attendee token r-standup dora', {store, home})).exit).toBe(5)
    const {stdout, exit} = await cli('attendee why r-standup dora -o json', {store, home})
    expect(exit).toBe(7)
    expect(JSON.parse(stdout)).toMatchObject({
      blocked: 'yes',
      can_enter: 'no',
      reasons: [{code: 'blocked', allows: 'no'}, {code: 'listed'}],
    })
  })

  const line = (fields: object) =>
    JSON.stringify({
      at: '2026-12-01T11:00:00Z',
      profile: 'sandbox',
      operation: 'attendee.block',
      targets: {roomId: 'r-1', attendees: ['zoe', 'ben']},
      outcome: 'done',
      ...fields,
    })

  const refused = {
    operation: 'attendee.token',
    targets: {roomId: 'r-1', userId: 'ben'},
    outcome: 'failed',
    code: 'T001',
  }
  const refusedToken = line(refused)
  const added = {operation: 'attendee.add'}
  const opened = line({operation: 'room.update', targets: {roomId: 'r-1', is_public: true}})

  test.each<[string, string[], Admission['blocked'], string | undefined]>([
    ['of another profile', [line({profile: 'live'})], 'unknown', undefined],
    ['of another room', [line({targets: {roomId: 'r-2', attendees: ['ben']}})], 'unknown', undefined],
    ['of somebody else', [line({targets: {roomId: 'r-1', attendees: ['zoe']}})], 'unknown', undefined],
    ['that failed', [line({outcome: 'failed'})], 'unknown', undefined],
    ['whose answer was lost', [line({outcome: 'unknown'})], 'unknown', 'unknown'],
    ['before a restore that failed', [line({}), line({operation: 'attendee.restore', outcome: 'failed'})], 'yes', 'no'],
    [
      'before a restore whose answer was lost',
      [line({}), line({operation: 'attendee.restore', outcome: 'unknown'})],
      'unknown',
      'unknown',
    ],
    [
      'before a token was given',
      [line({}), line({operation: 'attendee.token', targets: {roomId: 'r-1', userId: 'ben'}})],
      'no',
      undefined,
    ],
    ['as the only reason of a refused token', [refusedToken], 'yes', 'no'],
    ['that may not be the reason of a refused token: added since', [refusedToken, line(added)], 'unknown', 'unknown'],
    ['that may not be the reason of a refused token: made public since', [refusedToken, opened], 'unknown', 'unknown'],
    ['among damaged lines', ['{"at":', line({}), '\u0000\u0000'], 'yes', 'no'],
  ])('a block %s', async (_, lines, blocked, allows) => {
    const home = freshHome()
    const folder = join(home, '.local/state/roomctl')
    mkdirSync(folder, {recursive: true})
    writeFileSync(join(folder, 'journal.ndjson'), `${lines.join('\n')}\n`)
    const ran = await cli('attendee why r-1 ben -o json', {transport: roomWith({}), home})
    const admission = JSON.parse(ran.stdout) as Admission
    expect(admission.blocked).toBe(blocked)
    expect(admission.reasons.find(({code}) => code === 'blocked')?.allows).toBe(allows)
  })

  test('a block that was made elsewhere remains the reason if a user is refused all the same', async () => {
    const store = await demoStore()
    const [home, elsewhere] = [freshHome(), freshHome()]
    expect((await cli('attendee block r-standup ben --yes', {store, home: elsewhere})).exit).toBe(0)
    const ran = await cli('attendee why r-standup ben -o json', {store, home})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    const {blocked, if_refused: left} = JSON.parse(ran.stdout) as Admission
    expect(blocked).toBe('unknown')
    expect(left).toEqual({
      code: 'blocked',
      allows: 'unknown',
      why: 'ben may have been blocked from another machine',
      source: 'room §8 rule 5',
      error_code: 'T001',
      fix: 'roomctl attendee restore r-standup ben',
      by: 'ann (host)',
    })
    const card = await cli('attendee why r-standup ben', {store, home})
    expect(card.stdout).toMatch(/^ben should be able to enter r-standup "Daily standup" \(MEETING\), unless blocked\n/u)
    expect(card.stdout).toContain(
      '\nunknown: blocks are not shown (T001)\n  fix: roomctl attendee restore r-standup ben\n',
    )
    expect((await cli(left?.fix?.replace('roomctl ', '') ?? '', {store, home})).exit).toBe(0)
    expect((await cli('attendee token r-standup ben', {store, home})).exit).toBe(0)
  })

  // room §8 rules 2 and 3: a block takes a MEETING, and spares the host.
  test.each<[string, string, object]>([
    ['a room that never was a MEETING', 'ben', {room_status: 'RESERVED'}],
    ['an ENDED room', 'ben', {room_status: 'ENDED'}],
    ['its host', 'ann', {attendees: [{user_id: 'ann', is_host: true, is_present: false, is_reserved: true}]}],
    ['somebody who is in it', 'ann', {}],
    ['somebody who is kept out by what is known', 'zoe', {is_public: false}],
  ])('a block is no possible reason for %s', async (_, user, room) => {
    const ran = await cli(['attendee', 'why', 'r-1', user, '-o', 'json'], {transport: roomWith(room)})
    expect(JSON.parse(ran.stdout)).toMatchObject({if_refused: null})
  })

  test('an unreadable journal is reported, and the rest is answered', async () => {
    const home = freshHome()
    mkdirSync(join(home, '.local/state/roomctl/journal.ndjson'), {recursive: true})
    const ran = await cli('attendee why r-standup eve', {home})
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toMatch(/^warning: cannot read the journal of this machine: .+\n$/u)
  })
})
