import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {answered, changeOf, named} from '../../support/operations.js'
import {instead, isChange, success} from '../answers.js'

const wrongOutput: readonly (readonly string[])[] = [
  ['-o', 'nonsense'],
  ['--columns', 'nonsense'],
  ['-o', 'csv', '--columns', 'room_id,nonsense'],
  ['-o', 'json', '--columns', 'room_id'],
  ['-o', 'json', '--query', '['],
  ['-o', 'csv', '--query', 'room_id'],
  ['--sort', 'nonsense'],
  ['--tz', 'Mars/Olympus'],
  ['--color', 'pink'],
  ['--json', '-q'],
  ['--timeout', '1e3x'],
  ['--retries', '99'],
]

test('wrong output flags are found before any change is sent', () =>
  everyCase(
    // Every third for each change, since all parse the same flags: each is met by eight changes.
    named.flatMap(([name, change], row) =>
      wrongOutput
        .filter((_, at) => (row + at) % 3 === 0)
        .map((flags) => [`${name} ${flags.join(' ')}`, change, flags] as const),
    ),
    async (_, change, flags) => {
      const ran = await cli([...answered(change), ...flags])
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).not.toBe('')
      expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
    },
  ))

test.each(['POST /v1/end', 'SEND /v1/rooms/{roomId}/end'])(
  'a route that cannot be used, %s, is found before',
  async (route) => {
    const ran = await cli('room end r-standup --yes --as ann', {env: {ROOMCTL_ROUTE_ROOM_END: route}})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toMatch(/room[._]end/iu)
  },
)

test.each([
  'config set timeout 1m',
  'config unset timeout',
  'config profile add other',
  'config profile use sandbox',
  'config set route.room.end POST_/v1/rooms/{roomId}/finish',
  'config unset route.room.end',
  'config logout',
])('%s changes nothing when its result could not be shown', async (line) => {
  const words = line.split(' ').map((word) => word.replace('_/', ' /'))
  const home = freshHome()
  const env = {ROOMCTL_PROFILE: 'default'}
  expect((await cli('config set retries 1', {home, env})).exit).toBe(0)
  const before = await cli('config list -o json', {home, env})
  const ran = await cli([...words, '--columns', 'nonsense'], {home, env})
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect((await cli('config list -o json', {home, env})).stdout).toBe(before.stdout)
  expect((await cli('config profile list -q', {home, env})).stdout).toBe('default\nsandbox\n')
})

describe('the columns of a result', () => {
  test('are those of the object where one thing is changed, and cannot be chosen', async () => {
    const {line} = changeOf('room.delegate')
    expect((await cli([...line, '-o', 'csv'])).stdout).toMatch(/^room_id,.*\nr-standup,.*\n$/u)
    expect(await cli([...line, '--columns', 'host'])).toMatchObject({exit: 2, stdout: '', sent: []})
  })

  test('are those of a list for several rooms and for one', async () => {
    const one = await cli('room end r-standup --yes --columns id,as')
    expect(one.stdout).toBe('ID         AS\nr-standup  ann\n')
    const two = await cli('room end r-standup r-support --yes -o csv --columns outcome,room_id')
    expect(two.stdout).toBe('outcome,room_id\ndone,r-standup\ndone,r-support\n')
  })
})

test('a query that does not fit the result of a change is a warning, and the result is shown whole', () =>
  // The sandbox has no configuration to update before one is created.
  everyCase(
    named.filter(([name]) => name !== 'appConfig.update'),
    async (_, change) => {
      const line = [...answered(change), '-o', 'json']
      const whole = await cli(line)
      for (const flags of [
        ['--query', 'sum(@)'],
        ['--query', 'keys(nothing)', '-r'],
      ]) {
        const ran = await cli([...line, ...flags])
        expect(ran.exit).toBe(whole.exit)
        expect(Object.keys(JSON.parse(ran.stdout))).toEqual(Object.keys(JSON.parse(whole.stdout)))
        expect(ran.stderr).toContain('does not fit')
      }
    },
  ))

test('a room whose creation cannot be read back keeps its id on stdout', async () => {
  const transport = await instead(isChange, [() => success({room_id: 'r-new'})])
  const ran = await cli('room create X --created-by ann --check -o json', {transport})
  expect(ran.exit).toBe(6)
  expect(JSON.parse(ran.stdout)).toEqual({room_id: 'r-new', created_by: 'ann', overridden: null})
  expect(ran.stderr).toContain('the room was created, but could not be read back')
})
