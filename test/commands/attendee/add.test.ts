import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

test('takes people from stdin and from a file', async () => {
  const piped = await cli('attendee add r-townhall yuna -', {stdin: 'zoe\r\n\nyuna\n김민준\n'})
  expect(piped.sent[0]?.body).toEqual({attendees: ['yuna', 'zoe', '김민준']})
  const file = join(freshHome(), 'people.txt')
  writeFileSync(file, 'zoe\n\n-\n')
  const filed = await cli(['attendee', 'add', 'r-townhall', 'yuna', '--from-file', file])
  expect(filed.sent[0]?.body).toEqual({attendees: ['yuna', 'zoe', '-']})
  const both = await cli('attendee add r-townhall --from-file -', {stdin: 'zoe\n'})
  expect(both.sent[0]?.body).toEqual({attendees: ['zoe']})
})

test('no user is a usage error, and nothing is sent', async () => {
  const empty = join(freshHome(), 'nobody.txt')
  writeFileSync(empty, '\n')
  expect((await cli('attendee add r-townhall')).stderr).toContain('error: USER is missing\n')
  for (const [line, circumstances] of [
    [['attendee', 'add', 'r-townhall'], {}],
    [['attendee', 'add', 'r-townhall', '-'], {stdin: ''}],
    [['attendee', 'add', 'r-townhall', '--from-file', empty], {}],
  ] as const) {
    expect(await cli(line, circumstances)).toMatchObject({exit: 2, stdout: '', sent: []})
  }
  expect(await cli('attendee add r-townhall --from-file /nowhere')).toMatchObject({exit: 14, sent: []})
})
