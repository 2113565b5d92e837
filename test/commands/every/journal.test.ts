import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {certificatePassword, deviceToken, serverKey} from '../../support/credentialFiles.js'
import {everyCase} from '../../support/everyCase.js'
import {recordsIn} from '../../support/logText.js'
import {answered, changeOf, named, namedEnveloped, pushChanges} from '../../support/operations.js'
import {instead, isChange, lost, readyFor, refusal, reply, success} from '../answers.js'

const folder = (home: string) => join(home, '.local/state/roomctl')
const fileOf = (home: string) => join(folder(home), 'journal.ndjson')

function journalOf(home: string): Record<string, unknown>[] {
  try {
    return recordsIn(readFileSync(fileOf(home), 'utf8'))
  } catch {
    return []
  }
}

describe('every change is one line in the journal', () => {
  test('when it succeeds', () =>
    everyCase(named, async (operation, change) => {
      const home = freshHome()
      expect((await cli(answered(change), {home, store: await readyFor(operation)})).exit).toBe(0)
      expect(journalOf(home)).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{12}$/),
          at: '2026-12-01T12:00:00.000Z',
          profile: 'sandbox',
          operation,
          outcome: 'done',
          ...change.journal,
        },
      ])
      expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600)
      expect(statSync(folder(home)).mode & 0o777).toBe(0o700)
    }))

  test('with the code of a refusal', () =>
    everyCase(namedEnveloped, async (operation, change) => {
      const home = freshHome()
      await cli(answered(change), {home, transport: await instead(isChange, [() => refusal('CE003')])})
      expect(journalOf(home)).toMatchObject([{operation, outcome: 'failed', code: 'CE003'}])
    }))

  test('with an unknown outcome', () =>
    everyCase(named, async (operation, change) => {
      const home = freshHome()
      await cli(answered(change), {home, transport: await instead(isChange, [() => lost('headers-timeout', 'maybe')])})
      expect(journalOf(home)).toMatchObject([{operation, outcome: 'unknown', code: 'headers-timeout'}])
    }))

  test.each(named.filter(([, {plain}]) => plain))('%s that was refused by its status', async (operation, change) => {
    const home = freshHome()
    await cli(answered(change), {home, transport: await instead(isChange, [() => reply('no', {status: 403})])})
    expect(journalOf(home)).toMatchObject([{operation, outcome: 'failed'}])
  })

  test('a run says once that it cannot be written', async () => {
    const home = freshHome()
    writeFileSync(join(home, 'state'), '')
    const env = {ROOMCTL_STATE_DIR: join(home, 'state')}
    const {stderr, exit} = await cli('room end r-standup r-party r-full --yes', {home, env})
    expect([stderr.match(/^warning: the change is not in the journal: /gmu)?.length, exit]).toEqual([1, 0])
  })

  test('one that was settled by reading is done', async () => {
    const home = freshHome()
    const transport = await instead(isChange, [() => lost('reset', 'maybe')], {applied: true})
    await cli('room end r-standup --yes', {home, transport})
    expect(journalOf(home)).toMatchObject([{operation: 'room.end', outcome: 'done'}])
  })

  test('one whose answer of SUCCESS lacks its reply is done', async () => {
    const home = freshHome()
    const transport = await instead(isChange, [() => success({})])
    await cli(changeOf('room.create').line, {home, transport})
    expect(journalOf(home)).toMatchObject([{operation: 'room.create', outcome: 'done', code: 'broken-answer'}])
  })

  test('one line for each of several targets, in their order', async () => {
    const home = freshHome()
    await cli('room end r-standup r-review nope r-support --yes --concurrency 1', {home})
    // The room nope cannot be read, so nothing is sent for it.
    expect(journalOf(home)).toMatchObject([
      {targets: {roomId: 'r-standup'}, outcome: 'done'},
      {targets: {roomId: 'r-review'}, outcome: 'failed', code: 'ER001'},
      {targets: {roomId: 'r-support'}, outcome: 'done'},
    ])
  })

  test('a raw change with its method and path', async () => {
    const home = freshHome()
    await cli('api room POST /v1/rooms/r-standup/end -f requester_id=ann', {home})
    await cli('api room POST /v1/rooms/r-standup/end?secret=1 -f requester_id=ann', {home})
    await cli('api room GET /v1/rooms', {home})
    const target = {method: 'POST', path: '/v1/rooms/r-standup/end'}
    expect(journalOf(home)).toMatchObject([
      {operation: 'api', targets: target, outcome: 'done'},
      {operation: 'api', targets: target, outcome: 'failed', code: 'CE001'},
    ])
    expect(JSON.stringify(journalOf(home))).not.toContain('secret')
  })

  test('names the profile that was used', async () => {
    const {live} = await import('../live.js')
    const service = await live()
    await service.cli('room end r-standup --yes')
    expect(journalOf(service.home)).toMatchObject([{profile: 'live', operation: 'room.end'}])
  })
})

describe('the journal holds nothing that it must not', () => {
  test('no reads, no dry runs, nothing that was refused here', async () => {
    const home = freshHome()
    for (const line of [
      'room list',
      'room show r-standup',
      'attendee list r-standup',
      'record list r-retro',
      'room end r-standup --dry-run',
      'room end r-standup',
      'room end .. --yes',
      'room create X --created-by ann --end 2020-01-01T00:00Z',
      'attendee token r-standup ..',
      'attendee add r-townhall',
    ]) {
      await cli(line, {home})
    }
    expect(journalOf(home)).toEqual([])
  })

  test('no data that was sent, no token that came', async () => {
    const home = freshHome()
    await cli(['room', 'send', 'r-standup', 'my secret words', '--from', 'ann'], {home})
    const token = await cli('attendee token r-standup ben', {home})
    await cli('room create X --created-by ann --token', {home})
    const text = readFileSync(fileOf(home), 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(3)
    expect(text).not.toContain('secret words')
    expect(token.stdout.trim().length).toBeGreaterThan(20)
    expect(text).not.toContain(token.stdout.trim())
    expect(text).not.toMatch(/eyJ|Bearer|sandbox-application-token/)
  })
})

test('the journal holds no word, no data and no secret of a push', async () => {
  const home = freshHome()
  for (const change of pushChanges) {
    await cli(answered(change), {home})
    await cli(answered(change), {home, transport: await instead(isChange, [() => reply('{}', {status: 400})])})
  }
  const text = readFileSync(fileOf(home), 'utf8')
  expect(text.trimEnd().split('\n')).toHaveLength(2 * pushChanges.length)
  for (const secret of [deviceToken, serverKey, certificatePassword, encodeURIComponent(certificatePassword)]) {
    expect(text).not.toContain(secret)
  }
  expect(text).not.toMatch(/Maintenance|Tonight|"data"|room=|PRIVATE KEY|auth_key_file|certificate_file/)
})
