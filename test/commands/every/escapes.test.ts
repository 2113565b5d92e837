import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/http/transport.js'
import {cli} from '../../support/cli.js'
import {always, instead, isChange, refusal, reply, success, terminal} from '../answers.js'
import {answered, changeOf, named} from './changes.js'

/** Escapes that retitle, colour and clear a terminal, in both spellings; bidi, zero-width, tags, a lone surrogate. */
const nasty = '\u001b]0;pwned\u0007\u001b[31mred\u009b2J\r\nnext\tline\u202e\u200b\u2066\ufeff\u{e0041}\ud800\u007f'
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const room = {
  room_id: `r-1${nasty}`,
  name: `name${nasty}`,
  room_status: `MEETING${nasty}`,
  reserved_start_time: nasty,
  reserved_end_time: nasty,
  start_time: nasty,
  end_time: nasty,
  created_by: `ann${nasty}`,
  description: nasty,
  host_selection_type: nasty,
  attendees: [
    {user_id: `ann${nasty}`, is_host: true, is_present: true},
    {user_id: `ben${nasty}`, is_present: true},
  ],
  [`field${nasty}`]: nasty,
}
const file = {file_name: `file${nasty}`, file_size: 1, duration: 1}

const configuration = {
  fcm_server_key: `AAAA${nasty}`,
  package_name: `com.example${nasty}`,
  bundle_id: `com.example${nasty}`,
  team_id: nasty,
  key_id: nasty,
  ios_apns_type: `TOKEN${nasty}`,
  certificate_expiry_date: nasty,
}
const transaction = {
  request_id: `q-1${nasty}`,
  transaction_at: nasty,
  recipient_id: `ann${nasty}`,
  transaction_id: nasty,
  transaction_type: nasty,
  status: `SENT${nasty}`,
}

/** Answers each read with such texts, and each change with SUCCESS. */
const service: Transport = async ({method, url}) => {
  if (url.pathname.endsWith('/recordings')) return success([file])
  if (url.pathname.endsWith('/token')) return success({token: `token${nasty}`})
  if (url.pathname.endsWith('/send-data')) return success({id: `m-1${nasty}`})
  if (url.pathname.startsWith('/push/')) return push(method, url.pathname)
  if (method === 'POST' && url.pathname.endsWith('/rooms')) return success({room_id: `r-1${nasty}`, token: nasty})
  if (method !== 'GET') return success()
  if (url.pathname.endsWith('/attendees')) return success(room.attendees)
  return success(url.pathname.endsWith('/rooms') ? [room] : room)
}

function push(method: string, path: string) {
  if (path.endsWith('/messages')) return json(202, {transactions: [transaction]})
  if (path.endsWith('/transactions')) return json(200, [transaction])
  return json(200, method === 'GET' ? configuration : {request_uuid: `q-1${nasty}`})
}

const json = (status: number, body: unknown) => reply(JSON.stringify(body), {status})

function expectSafe({stdout, stderr, asked}: {stdout: string; stderr: string; asked: readonly string[]}, tabs = false) {
  expect((tabs ? stdout.replaceAll('\t', '') : stdout).match(hidden)).toBeNull()
  expect(stderr.match(hidden)).toBeNull()
  for (const question of asked) expect(question.match(hidden)).toBeNull()
}

const reads = [
  'room list',
  'room list --with-counts',
  'room list --columns room_id,description,start_time,is_joinable',
  'room show r-1',
  'room can r-1',
  'room can r-1 end',
  'attendee list r-1',
  'record list r-1',
  'push show --application-id app-1',
  'push show --application-id app-1 --reveal',
  'push records',
] as const

describe.each(reads)('%s', (line) => {
  test('shows no control or hidden character that a service put into a text', async () => {
    for (const columns of [80, 200]) {
      const ran = await cli(line, {transport: service, ...terminal(columns)})
      expect(ran.stdout).not.toBe('')
      expectSafe(ran)
    }
    const piped = await cli(line, {transport: service})
    expectSafe(piped)
    expect(piped.stdout).toContain('\\u{1b}')
  })

  test.each(['json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'])('nor as %s', async (format) => {
    if (line.includes('--columns') && !['csv', 'tsv'].includes(format)) return
    const ran = await cli(`${line} -o ${format}`, {transport: service})
    expect(ran.stdout).not.toBe('')
    expectSafe(ran, format === 'tsv')
  })
})

test('JSON holds the very texts of the service all the same', async () => {
  const ran = await cli('room list -o json', {transport: service})
  expect(JSON.parse(ran.stdout)).toEqual([room])
})

describe('a change', () => {
  test.each(named)('%s shows nothing raw of what it read, in sentences, questions and results', async (_, change) => {
    expectSafe(await cli(answered(change), {transport: service}))
    expectSafe(await cli([...answered(change), '-o', 'json'], {transport: service}))
    expectSafe(await cli([...change.line, '--dry-run'], {transport: service}))
    if (change.asks || change.word) {
      const ran = await cli(change.line, {transport: service, ...terminal(80, change.word ?? true)})
      expect(ran.asked).toHaveLength(1)
      expectSafe(ran)
    }
  })

  test.each(named)('%s shows a refusal in nasty words safely', async (_, change) => {
    const plain = () => reply(JSON.stringify({message: `because${nasty}`}), {status: 400})
    const no = change.plain ? plain : () => refusal(`E${nasty}`, `because${nasty}`)
    const transport = await instead(isChange, [no])
    for (const more of [[], ['-o', 'json']]) {
      const ran = await cli([...answered(change), ...more], {transport})
      expect(ran.exit).toBe(8)
      expectSafe(ran)
      expect(ran.stderr).toContain('because\\u')
    }
  })

  test.each(['push.iosKey', 'push.iosCertificate', 'push.android'])(
    '%s shows what it replaces and what was stored instead safely',
    async (operation) => {
      const ran = await cli([...changeOf(operation).line, '--confirm', 'app-2'], {transport: service})
      expect(ran.exit).toBe(10)
      expect(ran.stderr).toContain('this replaces ')
      expect(ran.stderr).toContain('\\u{1b}')
      expectSafe(ran)
    },
  )

  test('of several rooms shows rooms, question and results safely', async () => {
    const ran = await cli('room end r-1 r-2', {transport: service, ...terminal(120, '2')})
    expect(ran.exit).toBe(0)
    expectSafe(ran)
  })

  test('lets the choices of a picker be safe too', async () => {
    const named: Transport = (request) =>
      request.url.pathname.endsWith('/rooms') ? Promise.resolve(success([{...room, room_id: 'r-1'}])) : service(request)
    const ran = await cli('room presenter', {transport: named, ...terminal(80, 'r-1', `ben${nasty}`)})
    expect(ran.asked).toHaveLength(2)
    expectSafe(ran)
  })

  test('does not send back a room id that no path can carry', async () => {
    const ran = await cli('room show', {transport: service, ...terminal(80, room.room_id)})
    expect(ran).toMatchObject({exit: 2})
    expect(ran.sent).toHaveLength(1)
    expectSafe(ran)
  })
})

test('--debug shows answers safely and no token', async () => {
  const ran = await cli('attendee token r-1 ben --debug', {transport: service})
  expectSafe(ran)
  expect(ran.stderr).toContain('/attendees/ben/token')
  expect(ran.stderr).not.toContain('sandbox-application-token')
})

test('a raw answer is made safe line by line, JSON is laid out anew', async () => {
  const json = await cli('api room GET /v1/rooms', {transport: service})
  expectSafe(json)
  expect(JSON.parse(json.stdout).data).toEqual([room])
  const text = await cli('api room GET /x --include', {
    transport: always(() => ({...refusal(undefined), headers: {'x-nasty': nasty}, body: bytes(`first\n${nasty}`)})),
  })
  expectSafe(text)
  expect(text.stdout).toContain('first\n')
})

test('ids that people type are shown safely as well', async () => {
  for (const line of [
    ['room', 'show', `r${nasty}`],
    ['attendee', 'add', 'r-townhall', `zoe${nasty}`],
    ['room', 'list', '--status', nasty],
    ['room', 'list', '--where', `name=${nasty}`],
    ['room', 'list', '--columns', nasty],
    ['explain', nasty],
    ['config', 'get', nasty],
    [`room${nasty}`],
    ['room', 'list', `--flag${nasty}`],
  ]) {
    expectSafe(await cli(line))
    expectSafe(await cli([...line, '-o', 'csv']))
  }
})

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
