import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {env, sent} from './requests.js'
import {pushWire} from './wire.js'

/** As the document has it: an ISO 8601 date-time with offset and zone id. */
const record = {
  request_id: 'r-1',
  transaction_at: '2026-12-01T09:00:00+09:00[Asia/Seoul]',
  recipient_id: 'ann',
  transaction_id: 't-1',
  status: 'SUCCESS',
}
const failed = {...record, recipient_id: 'eve', transaction_id: 't-2', status: 'FAILED'}

/** A service that answers with this. */
async function answering(body: unknown, status = 200) {
  const wire = await pushWire(() => ({status, body}))
  return {...wire, env: {NO_COLOR: '1', ...wire.env}}
}

test('the request on the wire has the filters that were given, by the names of the record, and no others', async () => {
  const wire = await answering([])
  await cli('push records', wire)
  await cli('push records --application-id app-1 --request-id r/1 --transaction-id t&1 --recipient-id 김', wire)
  await cli('push records --recipient-id ann', {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-7'}})
  expect(wire.arrived.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/push/v1/transactions', ''],
    [
      'GET',
      '/push/v1/transactions?application_id=app-1&request_id=r%2F1&transaction_id=t%261&recipient_id=%EA%B9%80',
      '',
    ],
    ['GET', '/push/v1/transactions?application_id=app-7&recipient_id=ann', ''],
  ])
})

describe('the records', () => {
  test.each([
    ['a list', [record, failed], [record, failed]],
    ['a list in transactions', {transactions: [record, failed]}, [record, failed]],
    ['one alone', record, [record]],
    ['one with members that are not known here', {...record, device: {os: 14}}, [{...record, device: {os: 14}}]],
    ['an empty list', [], []],
    ['a list of none in transactions', {transactions: null}, []],
    ['null', null, []],
  ])('are rows whatever they stand in: %s', async (_, body, rows) => {
    const ran = await cli('push records -o json', await answering(body))
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toEqual(rows)
  })

  test('of another shape are a broken answer, not an empty list', async () => {
    for (const body of [{items: [record]}, {}, {status: 'SUCCESS'}, 'done', [record, 7]]) {
      const ran = await cli('push records -o json', await answering(body))
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'broken-answer', outcome: 'none'})
    }
  })

  test('are a table of time, recipient, status and ids', async () => {
    const wire = await answering([record, failed])
    expect((await cli('push records', wire)).stdout).toBe(
      [
        'AT                                     RECIPIENT  STATUS   REQUEST  TRANSACTION',
        '2026-12-01T09:00:00+09:00[Asia/Seoul]  ann        SUCCESS  r-1      t-1',
        '2026-12-01T09:00:00+09:00[Asia/Seoul]  eve        FAILED   r-1      t-2',
        '',
      ].join('\n'),
    )
    expect((await cli('push records -o csv --columns status,transaction_at', wire)).stdout).toBe(
      'status,transaction_at\nSUCCESS,2026-12-01T09:00:00+09:00[Asia/Seoul]\nFAILED,2026-12-01T09:00:00+09:00[Asia/Seoul]\n',
    )
    expect((await cli('push records -q', wire)).stdout).toBe('t-1\nt-2\n')
  })

  test('have their times in the zone of the reader', async () => {
    const wire = await answering([record])
    const at = async (flags: string) => (await cli(`push records --columns at --no-header ${flags}`, wire)).stdout
    expect(await at('--tz utc')).toBe('2026-12-01T00:00:00Z\n')
    expect(await at('--tz America/New_York')).toBe('2026-11-30T19:00:00-05:00\n')
    const people = await cli('push records --columns at --no-header --tz Europe/Berlin', {...wire, columns: 80})
    expect(people.stdout).toBe('2026-12-01 01:00 +01:00\n')
  })

  test.each([50, 80])('show in %d columns which of them failed, before ids that are long', async (columns) => {
    const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    const wire = await answering([{...failed, request_id: uuid, transaction_id: uuid}])
    const ran = await cli('push records', {...wire, columns, env: {...wire.env, NO_COLOR: '1'}})
    expect(ran.stdout).toMatch(/eve +FAILED/)
    expect(ran.stderr).toMatch(/^hidden columns: (?:request, )?transaction$/m)
  })

  test('are sorted by the moment, whatever zone each is written in', async () => {
    const earlier = {...record, transaction_id: 't-0', transaction_at: '2026-12-01T05:00:00+14:00[Pacific/Kiritimati]'}
    const later = {...record, transaction_id: 't-9', transaction_at: '2026-11-30T23:00:00-11:00[Pacific/Niue]'}
    const ran = await cli('push records --sort -transaction_at -q', await answering([earlier, later, record]))
    expect(ran.stdout).toBe('t-9\nt-1\nt-0\n')
  })

  test('show a failure by its word, and in colour on a terminal with colours', async () => {
    const wire = await answering([record, failed])
    const coloured = {...wire, columns: 120, env: {...wire.env, NO_COLOR: '', FORCE_COLOR: '1'}}
    const [, ...rows] = (await cli('push records', coloured)).stdout.split('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour escapes are what is looked for.
    expect(rows[0]).toMatch(/\u001b\[32mSUCCESS/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour escapes are what is looked for.
    expect(rows[1]).toMatch(/\u001b\[31mFAILED/)
  })

  test('that failed can be chosen by any word for failure', async () => {
    const words = ['SUCCESS', 'FAILED', 'Failure', 'INVALID_TOKEN', 'NotRegistered', 'UNREGISTERED', 'rejected', 'SENT']
    const rows = words.map((status, at) => ({...record, transaction_id: `t-${at}`, status}))
    const nameless = {...record, transaction_id: 't-x', status: undefined}
    const ran = await cli('push records --failed -q', await answering([...rows, nameless]))
    expect(ran).toMatchObject({exit: 0, stdout: 't-1\nt-2\nt-3\nt-4\nt-5\nt-6\n'})
  })
})

test('a refusal of a filter that is empty is a usage error', async () => {
  const ran = await cli(['push', 'records', '--request-id', ''], {env})
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain('request_id must not be empty')
})

test('a read that failed for a moment is sent again', async () => {
  const wire = await pushWire((_, nth) => (nth === 1 ? false : {status: 200, body: [record]}))
  expect(await cli('push records -q', wire)).toMatchObject({exit: 0, stdout: 't-1\n'})
  expect(wire.arrived).toHaveLength(2)
})

test('the sandbox has the records of sent pushes', async () => {
  const ran = await cli(['push', 'records', '--request-id', sent, '-o', 'json'], {env})
  const rows = JSON.parse(ran.stdout)
  expect(rows).toHaveLength(6)
  expect(rows[0]).toEqual({
    request_id: sent,
    transaction_at: '2026-11-30T21:00:00+09:00[Asia/Seoul]',
    recipient_id: 'ann',
    transaction_id: expect.any(String),
    status: 'SUCCESS',
  })
  const bad = await cli(['push', 'records', '--failed', '--columns', 'recipient,status', '--no-header'], {env})
  expect(bad.stdout).toBe('eve  FAILED\n')
})
