import {describe, expect, test} from 'vitest'
import {type Circumstances, cli, demoStore} from '../support/cli.js'
import {Screen} from '../support/screen.js'
import {roomWith} from './attendee/open.js'

/** The window of an independent terminal after a command, without trailing blanks. */
async function seenOn(line: string, circumstances: Circumstances = {}, columns = 80): Promise<string[]> {
  const env = {NO_COLOR: '1', TERM: 'xterm', ...circumstances.env}
  const ran = await cli(line, {columns, rows: 24, ...circumstances, env})
  const screen = new Screen(columns, circumstances.rows ?? 24)
  await screen.output.write(`${ran.stdout}${ran.stderr}`)
  const seen = await screen.view()
  return seen.map((row) => row.trimEnd())
}

test('a room with five people fits the screen, and has no empty row', async () => {
  const seen = await seenOn('room show r-standup')
  expect(seen.length).toBeLessThan(24)
  expect(seen[0]).toBe('Daily standup')
  expect(seen.filter((row) => /^ {2}(?:ann|ben|김|dora|eve)/u.test(row))).toHaveLength(5)
  expect(seen.filter((row) => /^ {2}\S.* -$/u.test(row))).toEqual([])
})

describe('why a user cannot enter', () => {
  test('is the answer, and then each reason with its fix', async () => {
    expect(await seenOn('attendee why r-full gina')).toEqual([
      'gina cannot enter r-full "Interview" (MEETING)',
      '✗ the room is full: 3 of 3 present (CE001)',
      '  fix: roomctl room update r-full --max 4',
      '  who: dora (host)',
      '✓ the room is open to anyone',
      '? blocks are not shown',
    ])
    expect((await seenOn('attendee why r-private gina')).slice(0, 3)).toEqual([
      'gina cannot enter r-private "Salary round" (RESERVED)',
      '✗ the room is private, and gina is not on its attendee list (T001)',
      '  fix: roomctl attendee add r-private gina',
    ])
  })

  test('names the only fix if nothing is known against it', async () => {
    expect(await seenOn('attendee why r-party gina')).toEqual([
      expect.stringMatching(/^gina should be able to enter r-party "Friday drinks .+" \(MEETING\), unless$/u),
      'blocked',
      '✓ the room is open to anyone',
      '? blocks are not shown (T001)',
      '  fix: roomctl attendee restore r-party gina',
      '  who: eve (host)',
    ])
  })

  test('takes eight lines at most, whatever the reasons', async () => {
    const transport = roomWith({is_public: false, is_joinable: false, max_attendee_count: 1, room_status: 'IDLE'})
    const seen = await seenOn('attendee why r-1 zoe', {transport})
    expect(seen.length).toBeLessThanOrEqual(8)
    expect(seen[0]).toMatch(/^zoe cannot enter r-1 /u)
    expect(seen[1]).toMatch(/^✗ the room is private, and zoe is not/u)
  })

  test('has the times of its reasons in the zone of tables, like errors and questions', async () => {
    const circumstances = {env: {ROOMCTL_TZ: 'utc'}}
    expect((await seenOn('attendee why r-townhall gina', circumstances)).join(' ')).toMatch(
      /the reservation begins at 2026-12-02 12:00:00Z; whether/u,
    )
    const times = '--start 2026-12-03T00:00Z --end 2026-12-02T00:00Z'
    expect((await seenOn(`room create x --created-by ann ${times}`, circumstances)).join(' ')).toMatch(
      /why: the room would be reserved from 2026-12-03 00:00:00Z to 2026-12-02 +00:00:00Z/u,
    )
  })

  test('uses words for a screen reader and off a terminal', async () => {
    const store = await demoStore()
    const words = [
      'gina cannot enter r-full "Interview" (MEETING)',
      'no: the room is full: 3 of 3 present (CE001)',
      '  fix: roomctl room update r-full --max 4',
      '  who: dora (host)',
      'yes: the room is open to anyone',
      'unknown: blocks are not shown',
    ]
    expect(await seenOn('attendee why r-full gina', {env: {ACCESSIBLE: '1'}, store})).toEqual(words)
    expect((await cli('attendee why r-full gina', {store})).stdout.trimEnd().split('\n')).toEqual(words)
  })
})

describe('the question of several rooms', () => {
  const line = 'room end r-standup r-retro r-full r-kickoff r-review'

  test('groups refused targets below the others, and shows what to type on a separate line', async () => {
    const {asked, stderr} = await cli(line, {columns: 80, rows: 24, env: {NO_COLOR: '1'}, answers: ['no']})
    const rows = stderr.split('\n').map((row) => row.trimEnd())
    expect(rows.slice(0, 5)).toEqual([
      expect.stringMatching(/^ID +NAME/u),
      expect.stringMatching(/^r-standup /u),
      expect.stringMatching(/^r-full /u),
      'refused (ENDED): r-retro, r-kickoff',
      'refused (IDLE): r-review',
    ])
    expect(asked[0]?.split('\n')).toEqual([expect.stringMatching(/^End 5 rooms on /u), 'Type "5" to confirm:'])
  })
})

test('a dry run is the answer, and then the request without the headers of its transport', async () => {
  expect(await seenOn('room end r-standup --dry-run')).toEqual([
    'would be accepted: the room is MEETING',
    'would send: POST http://sandbox.localhost/media/v1/rooms/r-standup/end',
    '  {"requester_id":"ann"}',
  ])
  expect((await seenOn('room end r-review --dry-run'))[0]).toMatch(/^would be refused: .* \(ER001\)$/u)
})

test('config list has set values first, and folds the defaults', async () => {
  const seen = await seenOn('config list', {env: {ROOMCTL_TIMEOUT: '5s', ROOMCTL_APPLICATION_ID: 'shop'}})
  expect(seen[0]).toMatch(/^KEY +VALUE +SOURCE +VARIABLE$/u)
  expect(seen[1]).toMatch(/^file +\S+ +default +ROOMCTL_CONFIG_DIR$/u)
  expect(seen.slice(-4)).toEqual([
    expect.stringMatching(/^profile +sandbox +env +ROOMCTL_PROFILE$/u),
    expect.stringMatching(/^applicationId +shop +env +ROOMCTL_APPLICATION_ID$/u),
    expect.stringMatching(/^timeout +5s +env +ROOMCTL_TIMEOUT$/u),
    expect.stringMatching(/^\d+ more at their defaults; -o json shows all$/u),
  ])
})
