import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {accepted, listOf, pushWire, recipientsOf} from './wire.js'

const words = ['--title', 'Hello', '--body', 'We begin']

/** `push send u1 … uN`. */
const to = (count: number) => ['push', 'send', ...listOf(count).trimEnd().split('\n'), ...words]

const wireOf = () => pushWire((request) => accepted(request))

describe('a push to many users', () => {
  test('shows content and recipients, and takes the typed count', async () => {
    const wire = await wireOf()
    const asked = {...terminal(100, '21'), env: {...wire.env, NO_COLOR: '1'}}
    const line = [
      'push',
      'send',
      ...listOf(21).trimEnd().split('\n'),
      '--title',
      'Moved\u001b[2J',
      '--body',
      '가'.repeat(80),
    ]
    const ran = await cli(line, asked)
    expect(ran.exit).toBe(0)
    expect(ran.asked).toEqual([expect.stringMatching(/^Send this push to 21 users on .+\?\nType "21" to confirm:$/u)])
    expect(ran.stderr).toBe(
      `title: Moved\\u{1b}[2J\nbody:  ${'가'.repeat(34)}…\nto:    u1, u2, u3, u4, u5 and 16 more\n`,
    )
    expect(wire.arrived.map((request) => recipientsOf(request).length)).toEqual([21])
  })

  test('is not answered by yes or another count', async () => {
    const wire = await wireOf()
    for (const answer of ['yes', '20', '']) {
      const ran = await cli(to(21), {...terminal(100, answer), env: {...wire.env, NO_COLOR: '1'}})
      expect(ran).toMatchObject({exit: 13, stdout: ''})
      expect(ran.stderr).toMatch(/\ncancelled; nothing was sent\n$|^cancelled; nothing was sent\n$/)
    }
    expect(wire.arrived).toEqual([])
  })

  test('takes the count from --confirm, without a terminal too, and no other count', async () => {
    const wire = await wireOf()
    expect(await cli([...to(21), '--confirm', '20'], wire)).toMatchObject({exit: 13, stdout: '', asked: []})
    expect(wire.arrived).toEqual([])
    expect(await cli([...to(21), '--confirm', '21', '-o', 'json'], wire)).toMatchObject({
      exit: 0,
      stderr: '',
      asked: [],
    })
    expect(wire.arrived.map((request) => recipientsOf(request).length)).toEqual([21])
  })

  test('sends nothing without a terminal, and names the flag that answers', async () => {
    const wire = await wireOf()
    const ran = await cli(to(21), wire)
    expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
    expect(ran.stderr).toContain('error: cannot send a push to 21 users: confirmation required; nothing was sent\n')
    expect(ran.stderr).toContain('  try: add --yes\n')
    expect(wire.arrived).toEqual([])
    expect(await cli([...to(21), '--yes'], wire)).toMatchObject({exit: 0, asked: []})
    expect(wire.arrived).toHaveLength(1)
  })

  test('is not asked about up to twenty', async () => {
    const wire = await wireOf()
    expect(await cli(to(20), wire)).toMatchObject({exit: 0, asked: [], stderr: ''})
  })
})

describe('--dry-run of a push', () => {
  test('shows every batch and one request, the first recipients and how many there are, and asks nothing', async () => {
    const ran = await cli(['push', 'send', '-', ...words, '--batch', '30', '--dry-run'], {stdin: listOf(40)})
    expect(ran).toMatchObject({exit: 0, stderr: '2 requests on sandbox (built in)\n', asked: [], sent: []})
    const lines = ran.stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('  POST'))).toEqual([
      '  POST http://sandbox.localhost/push/v1/messages',
    ])
    expect(lines).toContain(
      '  {"recipient_ids":["u1","u2","u3","u4","u5","… and 25 more"],"push_type":"ANDROID","title":"Hello","body":"We begin"}',
    )
    expect(lines).toContain('batch 1 of 2: to 30 users: u1, u2, u3, u4, u5 and 25 more')
    expect(lines).toContain('batch 2 of 2: to 10 users: u31, u32, u33, u34, u35 and 5 more')
  })

  test('gives programs the whole request', async () => {
    const ran = await cli(['push', 'send', '-', ...words, '--dry-run', '-o', 'json'], {stdin: listOf(40)})
    const plans = JSON.parse(ran.stdout)
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatchObject({dry_run: true, operation: 'push.send', method: 'POST'})
    expect(plans[0].body).toEqual({
      recipient_ids: listOf(40).trimEnd().split('\n'),
      push_type: 'ANDROID',
      title: 'Hello',
      body: 'We begin',
    })
  })
})
