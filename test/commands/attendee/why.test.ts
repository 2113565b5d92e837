import {describe, expect, test} from 'vitest'
import {enterSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import type {Admission, Reason} from '../../../src/view/room/attendee.js'
import {type Circumstances, cli, demoStore, noon} from '../../support/cli.js'
import {always, refusal, success} from '../answers.js'
import {open, roomWith} from './open.js'

async function ask(user: string, circumstances: Circumstances) {
  const ran = await cli(['attendee', 'why', 'r-1', user, '-o', 'json'], circumstances)
  return {...ran, admission: JSON.parse(ran.stdout) as Admission}
}

const short = ({code, allows}: Reason) => `${code}: ${allows}`
const hour = (hours: number) => new Date(Date.UTC(2026, 11, 1, 12 + hours)).toISOString()

/** The reasons that the document gives (room §1, §7, States and transitions), one after the other. */
describe('reasons for and against a user', () => {
  test.each<[string, string, object, Admission['can_enter'], string[]]>([
    ['a public room is for anyone', 'zoe', {}, 'yes, unless blocked', ['public: yes']],
    [
      'somebody on its list may enter a private room',
      'ben',
      {is_public: false},
      'yes, unless blocked',
      ['listed: yes'],
    ],
    ['a private room keeps out who is not on its list', 'zoe', {is_public: false}, 'no', ['not-listed: no']],
    ['a visitor of a room that is private now', 'visitor', {is_public: false}, 'unknown', ['not-listed: unknown']],
    ['a room that may be private', 'zoe', {is_public: null}, 'unknown', ['not-listed: unknown']],
    [
      'an ENDED room admits nobody, and nothing else counts',
      'zoe',
      {room_status: 'ENDED', is_public: false},
      'no',
      ['ended: no'],
    ],
    ['a full room', 'ben', {max_attendee_count: 1}, 'no', ['listed: yes', 'full: no']],
    ['a room with one seat left', 'ben', {max_attendee_count: 2}, 'yes, unless blocked', ['listed: yes']],
    ['a full room has its own people in it', 'ann', {max_attendee_count: 1}, 'yes', ['present: yes']],
    [
      'a count that differs from the list is believed',
      'zoe',
      {attendee_count: {present_count: 5}},
      'no',
      ['public: yes', 'full: no'],
    ],
    ['a room that is not joinable', 'ben', {is_joinable: false}, 'no', ['listed: yes', 'not-joinable: no']],
    [
      'everything at once',
      'zoe',
      {is_public: false, max_attendee_count: 1, is_joinable: false},
      'no',
      ['not-listed: no', 'full: no', 'not-joinable: no'],
    ],
    ['an IDLE room', 'zoe', {room_status: 'IDLE'}, 'unknown', ['public: yes', 'idle: unknown']],
    ['a state of no document', 'zoe', {room_status: 'FROZEN'}, 'unknown', ['public: yes', 'state-unknown: unknown']],
    ['no state', 'zoe', {room_status: null}, 'unknown', ['public: yes', 'state-unknown: unknown']],
    [
      'a reservation that has begun',
      'zoe',
      {room_status: 'RESERVED', reserved_start_time: hour(-1)},
      'yes',
      ['public: yes', 'not-started: yes'],
    ],
    [
      'a reservation that has not',
      'zoe',
      {room_status: 'RESERVED', reserved_start_time: hour(1)},
      'unknown',
      ['public: yes', 'not-started: yes', 'too-early: unknown'],
    ],
    [
      'a reservation that is over',
      'zoe',
      {room_status: 'RESERVED', reserved_end_time: hour(-1)},
      'unknown',
      ['public: yes', 'not-started: yes', 'too-late: unknown'],
    ],
    [
      'a meeting that goes on after its reservation',
      'zoe',
      {reserved_end_time: hour(-1)},
      'yes, unless blocked',
      ['public: yes'],
    ],
    [
      'times that are none',
      'zoe',
      {room_status: 'RESERVED', reserved_start_time: 'soon', reserved_end_time: ''},
      'yes',
      ['public: yes', 'not-started: yes'],
    ],
  ])('%s', async (_, user, fields, verdict, reasons) => {
    const {admission, exit, stderr, sent} = await ask(user, {transport: roomWith(fields)})
    expect(admission.reasons.map(short)).toEqual(reasons)
    expect({verdict: admission.can_enter, exit, stderr}).toEqual({verdict, exit: verdict === 'no' ? 7 : 0, stderr: ''})
    expect(sent.map(({method, path}) => `${method} ${path}`)).toEqual(['GET /media/v1/rooms/r-1'])
    for (const {code, why, source, fix, allows} of admission.reasons) {
      expect(why).toMatch(/[^.]$/u)
      expect(source).toMatch(/^room/u)
      // Values fixed by the room's state have no documented way out.
      if (allows === 'no' && !['not-joinable', 'ended'].includes(code)) expect(fix).toMatch(/^roomctl /u)
    }
  })

  test('for the host of a room that is not joinable the answer is unknown: one text admits the host (room §1)', async () => {
    const absent = {...open, room_status: 'IDLE', attendees: [{...open.attendees[0], is_present: false}]}
    const {admission} = await ask('ann', {transport: roomWith({...absent, is_joinable: false})})
    expect(admission.reasons.map(short)).toContain('not-joinable: unknown')
  })
})

describe('the fix, and who may apply it', () => {
  test.each<[string, object, string, RegExp]>([
    ['not-listed', {is_public: false}, 'roomctl attendee add r-1 zoe', /any requester/],
    [
      'not-listed',
      {is_public: false, max_attendee_count: 2},
      'roomctl room update r-1 --max 4 && roomctl attendee add r-1 zoe',
      /ann \(host\)/,
    ],
    ['full', {max_attendee_count: 1}, 'roomctl room update r-1 --max 4', /ann \(host\)/],
    [
      'not-joinable',
      {is_joinable: false, room_status: 'RESERVED'},
      'roomctl room update r-1 --joinable',
      /ann \(host\), or the creator/,
    ],
    [
      'too-early',
      {room_status: 'RESERVED', reserved_start_time: hour(1)},
      'roomctl room update r-1 --start now',
      /host/,
    ],
    [
      'too-late',
      {room_status: 'RESERVED', reserved_end_time: hour(-1)},
      'roomctl room update r-1 --end +1h',
      /ann \(host\)/,
    ],
    ['list-full', {max_attendee_count: 2}, 'roomctl room update r-1 --max 4', /ann \(host\)/],
    ['ended', {room_status: 'ENDED'}, 'create another room with room create', /application token/],
  ])('%s', async (code, fields, fix, by) => {
    const {admission} = await ask('zoe', {transport: roomWith(fields)})
    const reason = admission.reasons.find((one) => one.code === code)
    expect(reason).toMatchObject({fix, by: expect.stringMatching(by)})
  })

  test.each<[string, object]>([
    ['not-joinable', {is_joinable: false}],
    ['too-late', {room_status: 'IDLE', reserved_end_time: hour(-1)}],
  ])('%s has no documented fix once the room has met', async (code, fields) => {
    const {admission} = await ask('zoe', {transport: roomWith(fields)})
    expect(admission.reasons.find((one) => one.code === code)).toMatchObject({fix: null, by: null})
  })

  test('the command that is shown lets the user in', async () => {
    const store = await demoStore()
    const entering = () => enterSandboxRoom(store, 'r-private', 'eve', noon)
    await expect(entering()).rejects.toThrow('not in the attendee list')
    const {stdout} = await cli('attendee why r-private eve -o json --query reasons[0].fix', {store})
    const [program, ...words] = (JSON.parse(stdout) as string).split(' ')
    expect(program).toBe('roomctl')
    expect((await cli(words, {store})).exit).toBe(0)
    expect(await entering()).toMatchObject({present_count: 1})
  })

  test('names are quoted for the shell', async () => {
    const {admission} = await ask('a b;rm', {transport: roomWith({is_public: false})})
    expect(admission.reasons[0]?.fix).toBe("roomctl attendee add r-1 'a b;rm'")
  })
})

test('a detail without attendees is completed by the list (room §5)', async () => {
  const {attendees, ...rest} = open
  const transport = always(({url}) =>
    success(url.pathname.endsWith('/attendees') ? attendees : {...rest, is_public: false}),
  )
  const {admission, sent} = await ask('ben', {transport})
  expect(admission.can_enter).toBe('yes, unless blocked')
  expect(sent).toHaveLength(2)
})

test('a room that does not exist ends with 6, and a user without a name with 2', async () => {
  expect(await cli('attendee why nope ann')).toMatchObject({exit: 6, stdout: ''})
  expect(await cli(['attendee', 'why', 'r-standup', ''])).toMatchObject({exit: 2, stdout: '', sent: []})
  const transport = always(() => refusal('CE200'))
  expect(await cli('attendee why r-1 ann', {transport})).toMatchObject({exit: 4, stdout: ''})
})

test.each([
  ['attendee why nosuch ben', 1],
  ['attendee token nosuch ben', 2],
  ['attendee add nosuch ben', 2],
  ['attendee block nosuch ben --as ann --yes', 2],
  ['attendee restore nosuch ben --as ann', 2],
  ['room delegate nosuch ben --as ann', 2],
])('%s: no request takes the user for a room', async (line, requests) => {
  const ran = await cli(line)
  expect(ran.exit).toBe(6)
  expect(ran.sent.map(({path}) => path).filter((path) => path.includes('rooms/ben'))).toEqual([])
  expect(ran.sent).toHaveLength(requests)
})

describe('without USER on a terminal', () => {
  test('takes a name that is not on the list', async () => {
    const ran = await cli('attendee why r-private', {columns: 120, answers: [undefined, 'eve']})
    expect(ran).toMatchObject({exit: 7})
    expect(ran.asked[0]).toContain('somebody who is not on the list')
    expect(ran.asked[1]).toBe('User (id) on sandbox (built in):')
    expect(ran.stdout).toContain('eve cannot enter r-private')
  })
})
