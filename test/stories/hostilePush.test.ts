import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {Workshop} from '../support/openssl.js'
import {onTerminal} from '../support/pty.js'
import {steers} from './hostileAssetAnswers.js'
import {type Answer, faults, steeringAnswer, wrong} from './hostilePushAnswers.js'
import {measured} from './measured.js'
import {freshPlace, type Place, shell} from './place.js'
import {type Service, sendJson, serve, token} from './service.js'

const workshop = Workshop.untilDone()
const key = workshop.key('apns', 'P-256')
const p12 = workshop.p12({password: 'secret'})

/** A home with the files that the commands name, in which the environment names a service. */
function placeFor({url}: Service, env: Readonly<Record<string, string>> = {}): Place {
  const place = freshPlace({
    ROOMCTL_PUSH_URL: url,
    ROOMCTL_PUSH_TOKEN: token,
    ROOMCTL_APPLICATION_ID: 'app-1',
    ROOMCTL_RETRIES: '0',
    ROOMCTL_TIMEOUT: '2s',
    ROOMCTL_P12_PASSWORD: 'secret',
    ...env,
  })
  const serverKey = `AAAAabc-_12:APA91b${'x-Y_9zzzzz'.repeat(14).slice(0, 134)}`
  const files = {'AuthKey_KEY1234567.p8': key, 'push.p12': p12, token: 'cXk3:APA91bHun4MxP5', 'server-key': serverKey}
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place.dir, name), content, {mode: 0o600})
  return place
}

const text = '--title Hello --body World'
const changes = {
  register: 'register ann --type ANDROID --token-file token',
  send: `send ann ben ${text}`,
  broadcast: `broadcast ${text} --confirm app-1`,
  modify: `modify u-1 ${text} --dispatch IMMEDIATE`,
  cancel: 'cancel u-1 --yes',
  'ios-key': 'ios-key AuthKey_KEY1234567.p8 --bundle-id com.example.rooms --team-id TEAM123456 --confirm app-1',
  'ios-cert': 'ios-cert push.p12 --confirm app-1',
  android: 'android --package com.example.rooms --server-key-file server-key --confirm app-1',
}
const reads = {show: 'show', records: 'records'}
const all = Object.entries({...changes, ...reads})

/** One failure for people: what happened, why and what to do, and before it what is to be known. */
const clear = /^(?:(?:warning|note): .*\n)*error: cannot .*\n(?: {2}why: .*\n)?(?: {2}try: .*\n)?$/

let service: Service
/** What the service answers, whatever it is asked. */
let answer: Answer
let place: Place

beforeAll(async () => {
  service = await serve((_, response) => answer(response))
  place = placeFor(service)
})

/**
 * The commands that meet a fault: one that changes and one that reads meet all of them, the others take turns, since what reads
 * an answer is one for all. What takes its time is met by those two alone.
 */
function commandsFor(what: string): readonly (readonly [string, string])[] {
  const turn = Object.keys(faults).indexOf(what)
  const isSlow = /without end|now and then|200 MB/.test(what)
  return all.filter(([name], at) => ['send', 'show'].includes(name) || (!isSlow && at % 3 === turn % 3))
}

test('every command meets three faults or more', () => {
  for (const [name] of all) {
    const met = Object.keys(faults).filter((what) => commandsFor(what).some(([one]) => one === name))
    expect(met.length, name).toBeGreaterThanOrEqual(3)
  }
})

describe('a push service that answers with', () => {
  test.each(Object.entries(faults))('%s is told apart, in bounded memory', {timeout: 60_000}, async (what, fault) => {
    answer = fault.answer
    for (const [, line] of commandsFor(what)) {
      const ran = await measured(place, `roomctl push ${line}`)
      expect(ran.stderr, line).toMatch(fault.text)
      expect(ran.stderr, line).toMatch(clear)
      expect(ran.stderr, line).not.toMatch(/should not|undefined|Error:|\[object|evil\.example/)
      expect(ran.stderr, line).not.toMatch(steers)
      expect(ran.stderr, line).not.toContain(token)
      expect(ran, line).toMatchObject({exit: fault.exit ?? 10, stdout: ''})
      expect(ran.peakMiB, line).toBeLessThan(250)
    }
  })

  test('any of these leaves it open whether a change was made, unless it was refused', {timeout: 60_000}, async () => {
    for (const [what, outcome] of [
      ['the end of the connection', 'unknown'],
      ['an HTML page', 'unknown'],
      ['a refusal without a word', 'none'],
    ] as const) {
      answer = faults[what]?.answer ?? (() => {})
      for (const [name, line] of Object.entries(changes)) {
        const ran = await shell(place, `roomctl push ${line} -o json`)
        const last = ran.stderr.trimEnd().split('\n').at(-1) ?? ''
        expect([name, JSON.parse(last).error.outcome, ran.stdout]).toEqual([name, outcome, ''])
      }
    }
  })
})

describe.each(Object.entries(wrong))('what is JSON and not what push %s is answered with', (command, answers) => {
  test('is told by the place where it is wrong', {timeout: 60_000}, async () => {
    for (const [given, why] of answers) {
      answer = given
      const ran = await measured(place, `roomctl push ${command === 'send' ? changes.send : command}`)
      expect(ran.stderr).toMatch(why)
      expect(ran.stderr).toMatch(clear)
      expect(ran.stderr).not.toMatch(steers)
      expect(ran.stderr.length).toBeLessThan(2000)
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.peakMiB).toBeLessThan(250)
    }
  })
})

describe('a push service whose every word steers the terminal', () => {
  let steered: Place

  beforeAll(async () => {
    steered = placeFor(await serve(steeringAnswer), {NO_COLOR: '1', TERM: 'xterm'})
  })

  test.each(all)('push %s shows what it is, and steers nothing', {timeout: 60_000}, async (_, line) => {
    for (const columns of [40, 200]) {
      const command = ['roomctl', 'push', ...line.split(' ')]
      const seen = await onTerminal({command, env: steered.env, cwd: steered.dir, columns})
      expect(seen.terminal).not.toMatch(steers)
      expect(seen.text).not.toBe('')
    }
    for (const format of ['table', 'csv', 'tsv', 'yaml', 'json', 'ndjson', 'ids']) {
      const ran = await shell(steered, `roomctl push ${line} -o ${format}`)
      expect((ran.stdout + ran.stderr).replace(/\t/g, ''), format).not.toMatch(steers)
      expect(ran.stdout + ran.stderr, format).not.toMatch(/undefined|\[object|inherited/)
    }
  })

  test('what replaces a credential, and what is read back, is told in the same way', async () => {
    const ran = await shell(steered, `roomctl push ${changes['ios-key']}`)
    expect(ran.exit).toBe(10)
    expect(ran.stderr).toMatch(/^this replaces the iOS credential \(x\\u\{1b\}/)
    expect(ran.stderr).toMatch(
      /error: cannot verify the registration in application app-1: ios_apns_type is x\\u\{1b\}/,
    )
    expect(ran.stderr).not.toMatch(steers)
  })
})

test('a push service whose words a spreadsheet would run gives cells that it does not', async () => {
  const formula = '=HYPERLINK("http://evil.example","x")'
  const row = {recipient_id: '@ann', transaction_id: '+1+1', transaction_at: '-1', request_id: formula, status: formula}
  answer = (response) => {
    const asked = response.req.url ?? ''
    const shown = asked.includes('/config') ? {package_name: formula, bundle_id: '@SUM(A1)'} : {transactions: [row]}
    sendJson(response, {...shown, request_uuid: '=1+1'}, asked.includes('/messages') ? 202 : 200)
  }
  for (const line of [changes.send, changes.broadcast, 'show', 'records']) {
    const ran = await shell(place, `roomctl push ${line} -o csv --no-header`)
    const cells = ran.stdout.trimEnd().split(/[\n,](?=(?:[^"]*"[^"]*")*[^"]*$)/)
    expect(cells.join(' '), line).toMatch(/'[=@]/)
    expect(
      cells.filter((cell) => /^"?[=+@-]/.test(cell)),
      line,
    ).toEqual([])
  }
})

describe('ids that are no ids, and dates that are no dates', () => {
  test.each([
    ['a sentence', 'it was taken on'],
    ['a line of its own', 'u-1\nu-2'],
    ['100,000 characters', 'u'.repeat(1e5)],
    ['a number', 7],
    ['an object', {id: 'u-1'}],
  ])('%s is no uuid that push cancel could offer, which is said', async (_, uuid) => {
    answer = (response) => sendJson(response, {request_uuid: uuid})
    const ran = await shell(place, `roomctl push ${changes.broadcast} -o json`)
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({request_uuid: null})
    expect(ran.stderr).toBe(
      'note: the service gave back no request uuid, so push modify and push cancel cannot offer this request\n',
    )
  })

  test.each(['2026-02-30', 'soon', '', '31.12.2026', '99999-01-01', '2026-12-31x'])(
    'a certificate that expires on %j is not taken for one that is valid',
    async (date) => {
      answer = (response) => sendJson(response, {ios_apns_type: 'CERTIFICATE', certificate_expiry_date: date})
      const shown = await shell(place, 'roomctl push show')
      expect(shown).toMatchObject({exit: 0, stderr: ''})
      const checked = await shell(place, 'roomctl push show --expires-within 30d')
      expect(checked.exit).toBe(10)
      expect(checked.stderr).toContain('error: cannot tell when the iOS certificate of application app-1 expires\n')
    },
  )

  test('a credential of a kind that nobody knows is not taken for none', async () => {
    answer = (response) => sendJson(response, {ios_apns_type: 'MAGIC', bundle_id: 'com.example'})
    expect(await shell(place, 'roomctl push show --expires-within 30d')).toMatchObject({exit: 10})
  })

  test('times of records that are none are shown as they are', async () => {
    const times = ['yesterday', '2026-13-45T99:99:99+99:99[Mars/Olympus]', '']
    answer = (response) =>
      sendJson(
        response,
        times.map((transaction_at) => ({transaction_at, status: 'SUCCESS'})),
      )
    const ran = await shell(place, 'roomctl push records; roomctl push records -o json')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    for (const time of times) expect(ran.stdout).toContain(time)
  })
})

describe('a push service that shows 100,000 transactions', () => {
  const many = 100_000
  const transactions = Array.from({length: many}, (_, at) => ({
    recipient_id: `user-${at}`,
    transaction_id: `t-${at}`,
    transaction_at: '2026-12-01T09:00:00+09:00[Asia/Seoul]',
    status: at % 2 === 0 ? 'SUCCESS' : 'FAILED',
  }))

  test.each([
    ['send', 'table', 11],
    ['send', 'json', 11],
    ['records', 'table', 0],
    ['records', 'csv', 0],
    ['records --failed', 'ids', 0],
  ] as const)('push %s shows them whole in bounded memory as %s', {timeout: 60_000}, async (command, format, exit) => {
    const body = JSON.stringify({transactions})
    answer = (response) => sendJson(response, body, command === 'send' ? 202 : 200)
    const line = command === 'send' ? changes.send : command
    const ran = await measured(place, `roomctl push ${line} -o ${format} --timeout 30s`)
    expect(ran).toMatchObject({exit, stderr: ''})
    const rows = new Set(ran.stdout.match(/\bt-\d+\b/g))
    expect(rows.size).toBe(command.endsWith('--failed') ? many / 2 : many)
    expect(ran.peakMiB).toBeLessThan(500)
  })
})
