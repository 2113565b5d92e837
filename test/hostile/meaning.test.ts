import {beforeAll, describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {measured} from '../stories/measured.js'
import {freshPlace} from '../stories/place.js'
import {type Service, sendJson, serve, success} from '../stories/service.js'
import {cli, freshHome, type Ran} from '../support/cli.js'
import {lines} from '../support/operations.js'
import {type Answer, environmentOf} from './stage.js'

const home = freshHome()

let service: Service
let answer: (path: string, ...rest: Parameters<Answer>) => unknown

beforeAll(async () => {
  service = await serve((path, response) => answer(path, response, response.req))
})

/** Runs a line against a service that answers everything with exactly this JSON. */
function told(line: string, body: unknown, status = 200): Promise<Ran> {
  answer = (_, response) => sendJson(response, body, status)
  return ask(line)
}

function ask(line: string): Promise<Ran> {
  return cli(line, {env: environmentOf(service.url), store: memoryStore(), home})
}

describe('fields that are null or not there', () => {
  const nothing = {room_id: 'r-1', name: null, room_status: null, max_attendee_count: null, is_public: null}

  test.each(['room list', 'room show r-1', 'attendee list r-1', 'record list r-1'])(
    'leave gaps in %s, never words like undefined',
    async (line) => {
      answer = (path, response) => {
        if (path.endsWith('/rooms')) sendJson(response, success([{room_id: 'r-0'}, nothing]))
        else if (path.endsWith('/attendees')) sendJson(response, success([{user_id: 'ann', is_host: null}]))
        else if (path.endsWith('/recordings')) sendJson(response, success([{file_name: null}]))
        else sendJson(response, success({...nothing, attendees: null, attendee_count: null}))
      }
      for (const format of ['table', 'csv', 'json']) {
        const ran = await ask(`${line} -o ${format}`)
        expect(ran.stdout + ran.stderr).not.toMatch(/undefined|NaN|\[object|should not|Invalid/)
        expect(ran.stdout + ran.stderr).toMatch(/r-1|ann|file_name|end/)
      }
    },
  )

  test('stay as they are in JSON', async () => {
    const ran = await told('room list -o json', success([{room_id: 'r-0'}, nothing]))
    expect(JSON.parse(ran.stdout)).toEqual([{room_id: 'r-0'}, nothing])
  })
})

describe('ids that are no ids, and dates that are no dates', () => {
  test.each([
    ['a sentence', 'it was taken on'],
    ['100,000 characters', 'u'.repeat(1e5)],
    ['an object', {id: 'u-1'}],
  ])('reports that %s is no uuid that push cancel could offer', async (_, uuid) => {
    const ran = await told(`${lines['push.broadcast']} -o json`, {request_uuid: uuid})
    expect(JSON.parse(ran.stdout)).toMatchObject({request_uuid: null})
    expect(ran).toMatchObject({
      exit: 0,
      stderr: 'note: the service returned no request uuid, so this push cannot be modified or cancelled\n',
    })
  })

  test.each(['2026-02-30', '', '2026-12-31x'])(
    'a certificate that expires on %j is not taken for one that is valid',
    async (date) => {
      const body = {ios_apns_type: 'CERTIFICATE', certificate_expiry_date: date}
      expect(await told('push show', body)).toMatchObject({exit: 0, stderr: ''})
      const checked = await told('push audit -o tsv --columns platform,reason --no-header', body)
      expect(checked.exit).toBe(15)
      expect(checked.stdout).toContain('ios\tthe service shows no expiry date\n')
    },
  )

  test('a credential of an unknown kind is reported', async () => {
    const body = {ios_apns_type: 'MAGIC', bundle_id: 'com.example'}
    expect(await told('push audit -o json', body)).toMatchObject({exit: 15})
  })

  test('invalid times of records are shown as they are', async () => {
    const times = ['yesterday', '2026-13-45T99:99:99+99:99[Mars/Olympus]', '']
    const records = times.map((transaction_at) => ({transaction_at, status: 'SUCCESS'}))
    for (const format of ['table', 'json']) {
      const ran = await told(`push records -o ${format}`, records)
      expect(ran).toMatchObject({exit: 0, stderr: ''})
      for (const time of times) expect(ran.stdout).toContain(time)
    }
  })
})

describe('more than any service has', () => {
  const many = 100_000
  const transactions = Array.from({length: many}, (_, at) => ({transaction_id: `t-${at}`, status: 'FAILED'}))
  const assetResources = Array.from({length: many}, (_, at) => ({name: `t-${at}`, uri: `/games/t-${at}?type=asset`}))
  const body = JSON.stringify({transactions, resources: {assetResources, commonResources: []}})

  test.each([
    ['push records -o table', 0],
    ['asset list games -o json', 0],
  ])('%s shows 100,000 rows whole in bounded memory', {timeout: 300_000}, async (line, exit) => {
    answer = (_, response) => sendJson(response, body)
    const ran = await measured(freshPlace({...environmentOf(service.url), ROOMCTL_TIMEOUT: '30s'}), `roomctl ${line}`)
    expect(ran).toMatchObject({exit, stderr: ''})
    expect(new Set(ran.stdout.match(/\bt-\d+\b/g)).size).toBe(many)
    expect(ran.peakMiB).toBeLessThan(500)
  })

  test('endless containers are walked as far as is reasonable, and the limit is reported', async () => {
    const before = service.asked.length
    answer = (path, response) => sendJson(response, {contains: [{uri: `${path}x/`}]})
    const ran = await ask('asset list games --tree')
    expect(ran.exit).toBe(11)
    expect(ran.stdout.replace(/\s+/gu, ' ')).toContain('more than 64 containers deep')
    expect(service.asked.length - before).toBeLessThan(100)
  })
})
