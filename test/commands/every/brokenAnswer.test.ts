import {describe, expect, test} from 'vitest'
import type {WireResponse} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {always, page, reply, success} from '../answers.js'

const reads = ['room list', 'room show r-1', 'attendee list r-1', 'record list r-1'] as const

/** Answers that are no envelope, each with what the sentence must say about it. */
const noEnvelope: readonly (readonly [string, () => WireResponse, RegExp])[] = [
  ['an HTML page', () => page(200), /is an HTML page, not JSON/],
  ['nothing', () => reply(''), /is empty/],
  ['a cut envelope', () => reply('{"status":"SUCCESS","data":[{"room_'), /truncated or invalid JSON/],
  ['plain text', () => reply('all is well'), /is not JSON/],
  ['a bare list', () => reply('[]'), /not an envelope/],
  ['another status', () => reply('{"status":"OK","data":[]}'), /neither SUCCESS nor FAIL/],
  ['null', () => reply('null'), /not an envelope/],
]

test('a reply without an envelope ends each read with 10 and one clear sentence', () =>
  everyCase(
    noEnvelope.map(([name, answer, says], at) => [name, reads[at % reads.length] ?? '', answer, says] as const),
    async (_, line, answer, says) => {
      const ran = await cli(line, {transport: always(answer)})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.stderr).toMatch(/^error: cannot [^\n]+\n {2}why: [^\n]+\n {2}try: [^\n]+\n$/)
      expect(ran.stderr.split('\n')[0]).toMatch(says)
      expect(ran.stderr).not.toContain('room_')
    },
  ))

/** Envelopes of SUCCESS whose data is not what the document describes. */
const wrongData: readonly (readonly [string, unknown, string])[] = [
  ['room list', undefined, 'data'],
  ['room list', [{name: 'no id'}], 'data.0.room_id'],
  ['room show r-1', {}, 'data.room_id'],
  ['room show r-1', {room_id: 'r-1', attendees: [{is_host: true}]}, 'data.attendees.0.user_id'],
  ['room show r-1', {room_id: 'r-1', attendee_count: {present_count: 'many'}}, 'data.attendee_count.present_count'],
  ['attendee list r-1', [{user_id: 'ann', is_present: 1}], 'data.0.is_present'],
  ['record list r-1', [{file_name: 'a', file_size: '1'}], 'data.0.file_size'],
]

test('data of another type is named', () =>
  everyCase(wrongData, async (line, data, where) => {
    const ran = await cli(line, {transport: always(() => success(data))})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain(`why: ${where} is missing or has another type than the document shows`)
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(3)
  }))

/** Answers that name another object than was asked for, each with its name. */
const others: readonly (readonly [string, WireResponse, RegExp])[] = [
  ...['room show r-1', 'attendee why r-1 ann', 'room end r-1 --yes'].map(
    (line) => [line, success({room_id: 'R-1', room_status: 'MEETING'}), /its room_id is R-1/] as const,
  ),
  ['attendee list r-1', success([{user_id: 'ann', room_id: 'r-2'}]), /its room_id is r-2/],
  ['asset show games/u-1 --view meta', reply('{"uuid":"u-2","originalFileName":"a"}'), /its uuid is u-2/],
  ['asset show games/u-1 --view catalog', reply('{"uuid":"u-2","dataUrl":"a"}'), /its uuid is u-2/],
  ['asset info games', reply('{"name":"films","uuid":"c-films"}'), /another container: its name is films/],
  ['asset list games/chess', reply('{"type":"a","name":"games/go","contains":[]}'), /its name is games\/go/],
  ['push records --request-id q-1', reply('[{"request_id":"q-2"}]'), /its request_id is q-2/],
  ['push show --application-id a-1', reply('{"application_id":"a-2"}'), /its application_id is a-2/],
]

test('an answer about something else is broken', () =>
  everyCase(others, async (line, answer, says) => {
    const ran = await cli(line, {transport: always(() => answer)})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(says)
    expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
  }))

test('a name of another spelling is that of the same object', () =>
  everyCase(
    [
      ['asset show games/AB-1 --view meta', '{"uuid":"ab-1","originalFileName":"a"}'],
      ['asset info games/chess', '{"name":"/games/chess/"}'],
      ['asset info games/0b0e6c8e-0000-4000-8000-000000000001', '{"name":"Chess"}'],
      ['asset info games/c-1', '{"name":"Chess","uuid":"c-1"}'],
    ],
    async (line, text) =>
      expect(await cli(`${line} -o json`, {transport: always(() => reply(text))})).toMatchObject({exit: 0}),
  ))

describe('tolerated replies', () => {
  test('SUCCESS with another HTTP status is a success', async () => {
    for (const status of [201, 202, 404, 500]) {
      const ran = await cli('room list -q', {transport: always(() => success([{room_id: 'r-1'}], status))})
      expect(ran).toMatchObject({exit: 0, stdout: 'r-1\n'})
      expect(ran.stderr).toMatch(status < 400 ? /^$/u : new RegExp(`^warning: .* SUCCESS and HTTP ${status}`, 'u'))
    }
  })

  test('a room that has only its id as a card, and attendees that have only theirs', async () => {
    const ran = await cli('room show r-1', {transport: always(() => success({room_id: 'r-1'}))})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).not.toMatch(/null|undefined/)
    const people = await cli('attendee list r-1', {transport: always(() => success([{user_id: 'ann'}]))})
    expect(people.stdout.split('\n')[1]).toMatch(/^ann( +-)+$/)
  })

  test('meeting_status comes out as room_status, where it alone is there', async () => {
    const rooms = [
      {room_id: 'r-1', meeting_status: 'MEETING'},
      {room_id: 'r-2', meeting_status: 'IDLE', room_status: 'ENDED'},
      {room_id: 'r-3', meeting_status: 7},
    ]
    const transport = always(() => success(rooms))
    const ran = await cli('room list -o json', {transport})
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-1', room_status: 'MEETING'},
      {room_id: 'r-2', room_status: 'ENDED'},
      {room_id: 'r-3', room_status: null},
    ])
    expect((await cli('room list --status meeting -q', {transport})).stdout).toBe('r-1\n')
  })
})
