import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'

test('names the room where it was read for the question', async () => {
  const ran = await cli('room end r-standup', terminal(80, true))
  expect(ran.stdout).toBe('ended room r-standup "Daily standup" as ann (host)\n')
})

test('gives one result in every format', async () => {
  expect((await cli('room end r-standup --yes -q')).stdout).toBe('r-standup\n')
  expect((await cli('room end r-standup --yes -o ndjson')).stdout).toBe(
    '{"room_id":"r-standup","outcome":"done","requester_id":"ann"}\n',
  )
  expect((await cli('room end r-standup --yes -o csv')).stdout).toBe(
    'room_id,outcome,requester_id,code,error\nr-standup,done,ann,,\n',
  )
})

test('has the code of each failure in CSV and TSV, and in a table on request', async () => {
  const line = 'room end r-standup r-review --yes'
  const csv = await cli(`${line} -o csv`)
  expect(csv.exit).toBe(11)
  expect(csv.stdout).toMatch(
    /^room_id,outcome,requester_id,code,error\nr-standup,done,ann,,\nr-review,failed,,ER001,"?cannot end/u,
  )
  expect((await cli(`${line} -o tsv --no-header`)).stdout).toContain('\tER001\t')
  expect((await cli(line)).stdout).not.toMatch(/CODE|ER001$/mu)
  expect((await cli(`${line} --columns room_id,code`)).stdout).toMatch(/^r-review +ER001$/mu)
})

test('a room that cannot be read for its host says that it could not be ended', async () => {
  const ran = await cli('room end nope --yes')
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(ran.stderr).toMatch(/^error: cannot end room nope: room nope does not exist \(CE002\)\n/)
})

test('the question about one room says that it will be refused, and why', async () => {
  const idle = await cli('room end r-review', terminal(100, false))
  expect(idle.asked[0]).toMatch(
    /\(IDLE, .*\? It would be refused: the room is IDLE; it is allowed in MEETING \(ER001\)\.$/u,
  )
  const meeting = await cli('room end r-standup', terminal(100, false))
  expect(meeting.asked[0]).not.toContain('refused')
})
