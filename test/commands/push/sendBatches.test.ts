import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {journalOf} from './requests.js'
import {accepted, listOf, pushWire, recipientsOf} from './wire.js'

const line = ['push', 'send', '-', '--title', 'Hello', '--body', 'We begin', '--yes']

interface Row {
  readonly recipient_id: string
  readonly outcome: string
  readonly error?: {readonly code: string; readonly outcome: string; readonly exit_code: number; readonly try: string}
}

const rowsOf = (stdout: string): Row[] => JSON.parse(stdout)
const outcomesOf = (stdout: string) => rowsOf(stdout).map(({outcome}) => outcome)

describe('many recipients', () => {
  test('go out in batches of 500, in their order, and each batch is reported and journalled', async () => {
    const wire = await pushWire((request) => accepted(request))
    const home = freshHome()
    const ran = await cli([...line, '-o', 'json'], {...wire, home, stdin: listOf(1201)})
    expect(ran.exit).toBe(0)
    expect(wire.arrived.map((request) => recipientsOf(request).length)).toEqual([500, 500, 201])
    const users = listOf(1201).trimEnd().split('\n')
    expect(wire.arrived.flatMap((request) => recipientsOf(request))).toEqual(users)
    expect(rowsOf(ran.stdout).map(({recipient_id: id}) => id)).toEqual(users)
    expect(ran.stderr).toBe('batch 1 of 3: 500 done\nbatch 2 of 3: 500 done\nbatch 3 of 3: 201 done\n')
    expect(journalOf(home).map(({operation, outcome, targets}) => [operation, outcome, targets])).toEqual([
      ['push.send', 'done', {push_type: 'ANDROID', recipients: 500}],
      ['push.send', 'done', {push_type: 'ANDROID', recipients: 500}],
      ['push.send', 'done', {push_type: 'ANDROID', recipients: 201}],
    ])
  })

  test('go out in batches of another size', async () => {
    const wire = await pushWire((request) => accepted(request))
    const ran = await cli([...line, '--batch', '2', '-q'], {...wire, stdin: listOf(5)})
    expect(wire.arrived.map((request) => recipientsOf(request))).toEqual([['u1', 'u2'], ['u3', 'u4'], ['u5']])
    expect(ran).toMatchObject({exit: 0, stdout: listOf(5)})
  })

  test('may be ten thousand without a flag, with a row for each', async () => {
    const wire = await pushWire((request) => accepted(request))
    const ran = await cli([...line, '-o', 'csv'], {...wire, stdin: listOf(10_000)})
    expect(ran.exit).toBe(0)
    expect(wire.arrived).toHaveLength(20)
    expect(ran.stdout.split('\n')).toHaveLength(10_002)
  })
})

describe('a batch whose answer is lost', () => {
  test('is not sent again: its recipients are unknown, and the others are sent to', async () => {
    const wire = await pushWire((request, nth) => nth !== 2 && accepted(request))
    const home = freshHome()
    const ran = await cli([...line, '--batch', '2', '-o', 'json'], {...wire, home, stdin: listOf(5)})
    expect(ran.exit).toBe(11)
    expect(wire.arrived.map((request) => recipientsOf(request))).toEqual([['u1', 'u2'], ['u3', 'u4'], ['u5']])
    expect(outcomesOf(ran.stdout)).toEqual(['done', 'done', 'unknown', 'unknown', 'done'])
    const advice = 'the service does not show what was sent; before you send it again: roomctl push records'
    expect(rowsOf(ran.stdout)[2]).toEqual({
      recipient_id: 'u3',
      transaction_id: null,
      transaction_type: null,
      status: null,
      outcome: 'unknown',
      error: expect.objectContaining({code: 'reset', outcome: 'unknown', exit_code: 10, retryable: false, try: advice}),
    })
    expect(journalOf(home).map(({outcome, code}) => [outcome, code])).toEqual([
      ['done', undefined],
      ['unknown', 'reset'],
      ['done', undefined],
    ])
  })

  test('stops the others with --fail-fast', async () => {
    const wire = await pushWire((request, nth) => nth !== 2 && accepted(request))
    const ran = await cli([...line, '--batch', '2', '-o', 'json', '--fail-fast'], {...wire, stdin: listOf(5)})
    expect(ran.exit).toBe(11)
    expect(wire.arrived).toHaveLength(2)
    expect(outcomesOf(ran.stdout)).toEqual(['done', 'done', 'unknown', 'unknown', 'not-tried'])
    expect(ran.stderr).toContain('note: nothing was sent to 1 user\n')
  })

  test('and is the only one ends with that failure, its outcome unknown', async () => {
    const wire = await pushWire(() => false)
    const ran = await cli([...line, '-o', 'json'], {...wire, stdin: listOf(2)})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(wire.arrived).toHaveLength(1)
    expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'reset', outcome: 'unknown', retryable: false})
  })

  test.each([
    ['is empty', {status: 202}],
    ['is not as the document has it', {status: 202, body: {results: []}}],
    ['is a server error', {status: 500, body: {message: 'boom'}}],
  ])('or %s leaves its recipients unknown', async (_, answer) => {
    const wire = await pushWire((request, nth) => (nth === 1 ? answer : accepted(request)))
    const ran = await cli([...line, '--batch', '2', '-o', 'json'], {...wire, stdin: listOf(3)})
    expect(ran.exit).toBe(11)
    expect(outcomesOf(ran.stdout)).toEqual(['unknown', 'unknown', 'done'])
    expect(wire.arrived).toHaveLength(2)
  })
})

describe('a batch that is refused', () => {
  test('with 422 fails alone, and its rows say why', async () => {
    const wire = await pushWire((request, nth) =>
      nth === 2 ? {status: 422, body: {message: 'u3 has no device'}} : accepted(request),
    )
    const ran = await cli([...line, '--batch', '2'], {...wire, stdin: listOf(5)})
    expect(ran.exit).toBe(11)
    expect(wire.arrived).toHaveLength(3)
    expect(ran.stderr).toMatch(
      /^batch 1 of 3: 2 done\nbatch 2 of 3: 2 failed\nbatch 3 of 3: 1 done\nsent to 3 users, 2 failed\n {2}try: /u,
    )
    expect(ran.stdout).toMatch(/^u3 +failed +- +u3 has no device \(HTTP 422\)/mu)
    expect(ran.stdout.split('\n').map((row) => row.split(/ {2,}/).slice(0, 2).join(' '))).toEqual([
      'RECIPIENT OUTCOME',
      'u1 done',
      'u2 done',
      'u3 failed',
      'u4 failed',
      'u5 done',
      '',
    ])
  })

  test.each([
    [401, 4],
    [405, 6],
  ])('with %i stops the others, which would be refused alike', async (status, exit) => {
    const wire = await pushWire((request, nth) => (nth === 2 ? {status} : accepted(request)))
    const ran = await cli([...line, '--batch', '1', '-o', 'json'], {...wire, stdin: listOf(4)})
    expect(ran.exit).toBe(11)
    expect(wire.arrived).toHaveLength(2)
    expect(outcomesOf(ran.stdout)).toEqual(['done', 'failed', 'not-tried', 'not-tried'])
    expect(rowsOf(ran.stdout)[1]?.error?.exit_code).toBe(exit)
    expect(ran.stderr).toContain('note: nothing was sent to 2 users\n')
  })

  test('and is the only one ends with its own exit code', async () => {
    const wire = await pushWire(() => ({status: 422}))
    expect(await cli(line, {...wire, stdin: listOf(2)})).toMatchObject({exit: 8, stdout: ''})
    expect(wire.arrived).toHaveLength(1)
  })

  test('for now (429) is sent again, since it was not taken', async () => {
    const wire = await pushWire((request, nth) =>
      nth === 1 ? {status: 429, headers: {'retry-after': '1'}} : accepted(request),
    )
    expect(await cli(line, {...wire, stdin: listOf(2)})).toMatchObject({exit: 0, stderr: ''})
    expect(wire.arrived).toHaveLength(2)
  })
})

describe('Ctrl-C in the middle', () => {
  test('leaves the batch under way unknown and the rest undone, with 130', async () => {
    const controller = new AbortController()
    const wire = await pushWire((request, nth) => {
      if (nth === 2) controller.abort()
      return accepted(request)
    })
    const slow = {...wire, signal: controller.signal, stdin: listOf(3)}
    const ran = await cli([...line, '--batch', '1', '-o', 'json'], slow)
    expect(ran.exit).toBe(130)
    expect(wire.arrived).toHaveLength(2)
    expect(outcomesOf(ran.stdout)).toEqual(['done', 'unknown', 'not-tried'])
    expect(rowsOf(ran.stdout)[1]?.error).toMatchObject({code: 'interrupted', outcome: 'unknown', exit_code: 130})
  })

  test('names the remaining recipients in its last line', async () => {
    const controller = new AbortController()
    const wire = await pushWire((request, nth) => {
      if (nth === 2) controller.abort()
      return accepted(request)
    })
    const ran = await cli([...line, '--batch', '1'], {
      ...wire,
      signal: controller.signal,
      stdin: listOf(9),
      columns: 80,
      rows: 24,
    })
    expect(ran.stdout).not.toContain('u3')
    expect(ran.stderr.split('\n')).toContain('7 not started')
    expect(ran.stderr.trimEnd().split('\n').at(-1)).toBe('to resume, send to the last 7 users alone, from u3 on')
  })

  test('before anything sends nothing', async () => {
    const wire = await pushWire((request) => accepted(request))
    const named = line.flatMap((word) => (word === '-' ? ['u1', 'u2'] : [word]))
    const ran = await cli([...named, '--batch', '1', '-o', 'json'], {...wire, signal: AbortSignal.abort()})
    expect(ran.exit).toBe(130)
    expect(outcomesOf(ran.stdout)).toEqual(['not-tried', 'not-tried'])
    expect(wire.arrived).toEqual([])
  })
})

test('a transaction that failed stops the others with --fail-fast', async () => {
  const wire = await pushWire((request) => accepted(request, (user) => (user === 'u2' ? 'FAILED' : 'SUCCESS')))
  const ran = await cli([...line, '--batch', '2', '-o', 'json', '--fail-fast'], {...wire, stdin: listOf(4)})
  expect(ran.exit).toBe(11)
  expect(wire.arrived).toHaveLength(1)
  expect(outcomesOf(ran.stdout)).toEqual(['done', 'failed', 'not-tried', 'not-tried'])
})
