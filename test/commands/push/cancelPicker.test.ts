import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {env, hello} from './requests.js'

const question = 'Which requests (as last set from this machine) on sandbox (built in)? '

/** One line of the journal, of a scheduled request, with `change`. */
function entry(uuid: string, date: string | undefined, change: object = {}, targets: object = {}): string {
  const about = {
    request_uuid: uuid,
    application_id: 'app-1',
    dispatch_type: 'SCHEDULED',
    destination: ['ANDROID'],
    dispatch_date: date,
    ...targets,
  }
  const at = '2026-12-01T11:00:00.000Z'
  const whole = {at, profile: 'sandbox', operation: 'push.broadcast', targets: about, outcome: 'done', ...change}
  return `${JSON.stringify(whole)}\n`
}

/** A home whose journal holds these lines. */
function homeWith(...lines: readonly string[]): string {
  const home = freshHome()
  const folder = join(home, '.local/state/roomctl')
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'journal.ndjson'), lines.join(''))
  return home
}

/** The offered uuids in order, or the message without any. */
async function offered(home: string, ...flags: readonly string[]): Promise<readonly string[] | string> {
  const ran = await cli(['push', 'cancel', '--dry-run', ...flags], {...terminal(120, 'none of them'), env, home})
  const [asked] = ran.asked
  if (asked === undefined) return ran.stderr
  return asked
    .slice(question.length)
    .split(' | ')
    .map((choice) => choice.split('  ').at(-1) ?? '')
}

describe('the requests that are offered', () => {
  test('are the future ones of this profile and machine, the next one first', async () => {
    const home = homeWith(
      entry('later', '20261203T000000'),
      entry('sooner', '2026-12-02T00:00:00'),
      entry('past', '20261201T115959'),
      entry('at-once', undefined, {}, {dispatch_type: 'IMMEDIATE'}),
      entry('other-profile', '20261203T000000', {profile: 'live'}),
      entry('refused', '20261203T000000', {outcome: 'failed'}),
      entry('doubtful', '20261203T000000', {outcome: 'unknown'}),
      entry('no-calendar-has-it', '20261341T000000'),
    )
    expect(await offered(home)).toEqual(['sooner', 'later'])
  })

  test('are as they were set last: modified, and cancelled', async () => {
    const modified = {operation: 'push.modify'}
    const cancel = (uuid: string, outcome = 'done') =>
      entry('', undefined, {operation: 'push.cancel', outcome}, {request_uuid: undefined, request_uuids: [uuid]})
    const home = homeWith(
      entry('moved', '20261202T000000'),
      entry('sent-at-once', '20261202T000000'),
      entry('cancelled', '20261202T000000'),
      entry('not-cancelled', '20261203T000000'),
      entry('moved', '20261205T000000', modified),
      entry('moved', '20261204T000000', {...modified, outcome: 'failed'}),
      entry('sent-at-once', undefined, modified, {dispatch_type: 'IMMEDIATE'}),
      entry('scheduled-elsewhere', '20261206T000000', modified),
      cancel('cancelled'),
      cancel('not-cancelled', 'failed'),
    )
    expect(await offered(home)).toEqual(['not-cancelled', 'moved', 'scheduled-elsewhere'])
  })

  test('are of every application, unless one is named by flag', async () => {
    const home = homeWith(
      entry('of-1', '20261202T000000'),
      entry('of-2', '20261203T000000', {}, {application_id: 'app-2'}),
    )
    expect(await offered(home)).toEqual(['of-1', 'of-2'])
    expect(await offered(home, '--application-id', 'app-2')).toEqual(['of-2'])
    expect(await offered(home, '--application-id', 'app-3')).toContain(
      'error: no known scheduled request of application app-3\n',
    )
  })

  test('are missing if the journal has none: the reason is given, with 6', async () => {
    const ran = await cli('push cancel', {...terminal(120), env})
    expect(ran).toMatchObject({exit: 6, stdout: '', asked: [], sent: []})
    expect(ran.stderr).toContain('error: no known scheduled request\n')
    expect(ran.stderr).toContain('profile sandbox')
  })

  test('are shown with time, unusual devices and differing applications, made safe', async () => {
    const to = {destination: ['ANDROID', 'ALL\u001b[2J'], application_id: 'app\u0007-1'}
    const home = homeWith(entry('u-1', '20261202T000000', {}, to))
    const ran = await cli('push cancel --tz Asia/Seoul', {...terminal(120, 'u-1', false), env, home})
    const other = entry('u-2', '20261203T000000', {}, {application_id: 'app\u0007-1'})
    const two = await cli('push cancel --tz Asia/Seoul', {
      ...terminal(120, 'u-2', false),
      env,
      home: homeWith(entry('u-1', '20261202T000000'), other),
    })
    expect(two.asked[0]).toBe(
      `${question}2026-12-02 09:00:00 +09:00 (in 12h)  app-1  u-1 | 2026-12-03 09:00:00 +09:00 (in 1d 12h)  app\\u{7}-1  u-2`,
    )
    expect(ran.asked[0]).toBe(`${question}2026-12-02 09:00:00 +09:00 (in 12h) to ANDROID, ALL\\u{1b}[2J  u-1`)
  })
})

test('the picked request is changed in its own application', async () => {
  const home = homeWith(entry('u-7', '20261202T000000', {}, {application_id: 'app-9'}))
  const ran = await cli('push cancel --yes', {...terminal(120, 'u-7'), env, home})
  expect(ran.sent.map(({path, body}) => [path, body])).toEqual([
    ['/push/v1/notifications/cancel?application_id=app-9', {request_uuids: ['u-7']}],
  ])
})

test('a damaged line is reported, and costs no other', async () => {
  const home = homeWith(entry('u-1', '20261202T000000'), '{"at":"2026\n', entry('u-2', '20261203T000000'))
  const ran = await cli('push cancel', {...terminal(120, 'u-2', false), env, home})
  expect(ran.asked[0]).toMatch(/u-1 \| .*u-2$/)
  expect(ran.stderr).toContain('warning: 1 line of the journal cannot be read\n')
})

test('a journal that cannot be read stops the choice with 14, and not a uuid that is named', async () => {
  const home = freshHome()
  mkdirSync(join(home, '.local/state/roomctl/journal.ndjson'), {recursive: true})
  const ran = await cli('push cancel', {...terminal(120), env, home})
  expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
  expect(ran.stderr).toContain('error: cannot read the journal of this machine\n  why: it is not a file\n')
  const named = await cli('push cancel u-1 --dry-run', {...terminal(120), env, home})
  expect(named.exit).toBe(0)
  const asked = await cli('push cancel u-1', {...terminal(120, true), env, home})
  expect(asked.sent).toHaveLength(1)
})

test('push modify offers the same, and its change is offered next', async () => {
  const home = freshHome()
  const store = await demoStore()
  const schedule = ['push', 'broadcast', ...hello, '--at', '+2h', '--confirm', 'app-1', '-q']
  const uuid = (await cli(schedule, {env, store, home})).stdout.trim()
  const words = ['push', 'modify', ...hello, '--at', '+50h', '--to', 'ALL']
  const modified = await cli(words, {...terminal(120, uuid), env, store, home})
  expect(modified).toMatchObject({exit: 0, asked: [expect.stringContaining(`(in 2h)  ${uuid}`)]})
  const next = await cli('push cancel --yes', {...terminal(120, uuid), env, store, home})
  expect(next).toMatchObject({exit: 0, asked: [expect.stringContaining(`(in 2d 2h) to ALL  ${uuid}`)]})
  expect(await cli('push cancel', {...terminal(120), env, store, home})).toMatchObject({exit: 6})
})
