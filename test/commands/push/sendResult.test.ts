import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {journalOf} from './requests.js'
import {pushWire} from './wire.js'

const line = (...words: string[]) => ['push', 'send', ...words, '--title', 'Hello', '--body', 'We begin']

const taken = (recipient: string, status: string | null, id = `t-${recipient}`) => ({
  recipient_id: recipient,
  transaction_id: id,
  transaction_type: 'PUSH',
  status,
})

const answering = (...transactions: readonly object[]) => pushWire(() => ({status: 202, body: {transactions}}))

describe('the result of a push', () => {
  test('is a table of every recipient, in the order in which they were named', async () => {
    const wire = await answering(taken('김민준', 'SUCCESS'), taken('ann', 'SUCCESS'))
    expect(await cli(line('ann', '김민준'), wire)).toMatchObject({
      exit: 0,
      stderr: '',
      stdout: [
        'RECIPIENT  OUTCOME  STATUS   ERROR  TYPE  TRANSACTION',
        'ann        done     SUCCESS  -      PUSH  t-ann',
        '김민준     done     SUCCESS  -      PUSH  t-김민준',
        '',
      ].join('\n'),
    })
  })

  test.each([
    [40, 'RECIPIENT  OUTCOME  ERROR'],
    [80, 'RECIPIENT  OUTCOME  STATUS   ERROR'],
    [200, 'RECIPIENT  OUTCOME  STATUS   ERROR  '],
  ])('shows in %d columns the failures, before ids that only a program reads', async (columns, heading) => {
    const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    const wire = await answering(taken('ann', 'SUCCESS', uuid), taken('ben', 'FAILED', uuid))
    const ran = await cli(line('ann', 'ben'), {...wire, columns, env: {...wire.env, NO_COLOR: '1'}})
    expect(ran.stdout.split('\n')[0]).toContain(heading)
    expect(ran.stdout).toMatch(columns === 40 ? /^ben +failed +\S/m : /^ben +failed +FAILED/m)
    expect(ran.stdout.includes(uuid)).toBe(columns === 200)
  })

  test.each([
    [['FAILED', 'FAILED'], 'failed', 'transaction-failed'],
    [['FAILED', 'SUCCESS'], 'done', 'transaction-failed'],
    [['SUCCESS', 'SUCCESS'], 'done', undefined],
  ] as const)('%j is %s in the journal', async ([ann, ben], outcome, code) => {
    const home = freshHome()
    await cli(line('ann', 'ben'), {...(await answering(taken('ann', ann), taken('ben', ben))), home})
    expect(journalOf(home).map((entry) => [entry.outcome, entry.code])).toEqual([[outcome, code]])
  })

  test('is unknown in the journal if the answer mentions no recipient', async () => {
    const home = freshHome()
    await cli(line('ann'), {...(await answering()), home})
    expect(journalOf(home)).toMatchObject([{outcome: 'unknown', code: 'not-mentioned'}])
  })

  test('ends with a sum for people', async () => {
    const wire = await answering(taken('ann', 'FAILED'), taken('ben', 'FAILED'), taken('carl', 'SUCCESS'))
    expect((await cli(line('ann', 'ben', 'carl'), wire)).stderr).toMatch(/^sent to 1 user, 2 failed$/mu)
  })

  test('is the same in every format', async () => {
    const wire = await answering(taken('ann', 'SUCCESS'), taken('ben', 'FAILED'))
    const ran = await cli([...line('ann', 'ben'), '-o', 'json'], wire)
    expect(ran).toMatchObject({exit: 11, stderr: ''})
    expect(JSON.parse(ran.stdout)).toEqual([
      {...taken('ann', 'SUCCESS'), outcome: 'done'},
      {
        ...taken('ben', 'FAILED'),
        outcome: 'failed',
        error: expect.objectContaining({
          code: 'transaction-failed',
          message: 'the service reports FAILED',
          outcome: 'none',
        }),
      },
    ])
    expect((await cli([...line('ann', 'ben'), '-o', 'csv', '--columns', 'recipient_id,outcome'], wire)).stdout).toBe(
      'recipient_id,outcome\nann,done\nben,failed\n',
    )
    expect(await cli([...line('ben', 'ann'), '-q'], wire)).toMatchObject({exit: 11, stdout: 'ann\n'})
  })

  test('is of the sandbox: a device that has gone, and an unknown user, fail', async () => {
    const ran = await cli([...line('ann', 'eve', 'nobody'), '-o', 'json'])
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {recipient_id: 'ann', outcome: 'done', status: 'SUCCESS'},
      {recipient_id: 'eve', outcome: 'failed', status: 'FAILED'},
      {recipient_id: 'nobody', outcome: 'failed', status: 'FAILED'},
    ])
  })

  test('has a row for every device of a user', async () => {
    const wire = await answering(taken('ann', 'SUCCESS', 't-1'), taken('ann', 'NotRegistered', 't-2'))
    const ran = await cli([...line('ann'), '-o', 'csv'], wire)
    expect(ran.exit).toBe(11)
    expect(ran.stdout.split('\n')).toEqual([
      'recipient_id,outcome,status,code,error,transaction_type,transaction_id',
      'ann,done,SUCCESS,,,PUSH,t-1',
      'ann,failed,NotRegistered,transaction-failed,the service reports NotRegistered,PUSH,t-2',
      '',
    ])
    expect((await cli([...line('ann'), '-q'], wire)).stdout).toBe('ann\n')
  })

  test('reports a recipient missing from the answer as unknown', async () => {
    const wire = await answering(taken('ann', 'SUCCESS'))
    const ran = await cli([...line('ann', 'ben'), '-o', 'json'], wire)
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)[1]).toEqual({
      recipient_id: 'ben',
      transaction_id: null,
      transaction_type: null,
      status: null,
      outcome: 'unknown',
      error: expect.objectContaining({
        code: 'not-mentioned',
        message: 'the answer does not mention this recipient',
        outcome: 'unknown',
      }),
    })
    const none = await cli(line('ann'), await answering())
    expect(none.exit).toBe(11)
    expect(none.stdout).toContain('the answer does not mention this recipient')
  })

  test('shows transactions of people who were not asked for, after the others, and no row is lost', async () => {
    const wire = await answering(
      taken('zoe', 'SUCCESS'),
      {transaction_id: 't-?', status: 'SUCCESS'},
      taken('ann', 'SUCCESS'),
    )
    const ran = await cli([...line('ann'), '-o', 'csv', '--columns', 'recipient_id,transaction_id,outcome'], wire)
    expect(ran.stdout).toBe('recipient_id,transaction_id,outcome\nann,t-ann,done\nzoe,t-zoe,done\n,t-?,done\n')
    expect((await cli([...line('ann'), '-q'], wire)).stdout).toBe('ann\n')
  })

  test.each([
    ['SUCCESS', 'done'],
    ['success', 'unknown'],
    ['PENDING', 'unknown'],
    ['SCHEDULED', 'unknown'],
    [' ', 'unknown'],
    [null, 'unknown'],
    ['FAILURE', 'failed'],
    ['INVALID_TOKEN', 'failed'],
    ['REJECTED', 'failed'],
    ['DENIED', 'failed'],
    ['Expired', 'failed'],
    ['UNREGISTERED', 'failed'],
    ['not_found', 'failed'],
    ['internal error', 'failed'],
    ['UNDELIVERABLE', 'failed'],
  ])('takes the status %s for %s', async (status, outcome) => {
    const wire = await answering(taken('ann', status))
    const ran = await cli([...line('ann'), '-o', 'json'], wire)
    const word = outcome === 'done' ? 'done' : `the service reports ${status?.trim() || 'no status'}`
    expect((await cli(line('ann'), wire)).stdout).toContain(word)
    expect(JSON.parse(ran.stdout)).toMatchObject([{status, outcome}])
    expect(ran.exit).toBe(outcome === 'done' ? 0 : 11)
  })
})
