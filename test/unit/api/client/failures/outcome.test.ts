import {describe, expect, test} from 'vitest'
import type {OperationId, ShownChange} from '../../../../../src/api/contract/operations.js'
import {updateRoom} from '../../../../../src/api/contract/roomChanges.js'
import type {Failure} from '../../../../../src/failure.js'
import {everyCase} from '../../../../support/everyCase.js'
import {failureOf} from '../../../../support/failures.js'
import {calls, enveloped, withEffect} from '../calls.js'
import {answer, breaks, noRoom, refusal, room, type Step, settling, stage} from '../stage.js'
import {acknowledged, certain, ended, late} from './breaks.js'

type Shown = object | 'missing'
/** The reads that settle a change: a room that is missing is read twice. */
const stepsOf = (state: Shown) => (state === 'missing' ? [noRoom, noRoom] : [room(state)])
/** The room as a command has read it before it sends a change. */
const asRead = (state: Shown | undefined) =>
  state === 'missing' || state === undefined ? state : {room_id: 'r-1', ...state}
const people = (...attendees: object[]) => ({attendees})
const carl = {user_id: 'carl', is_present: true, is_host: false}
const ben = {user_id: 'ben', is_present: true, is_host: false}

type OfRooms = Extract<ShownChange, `room.${string}` | `attendee.${string}`>

/** What the room, read afterwards, shows of each change that it can show. */
const sights: Readonly<Record<OfRooms, {shown: Shown[]; absent: Shown[]; unclear: Shown[]}>> = {
  'room.end': {
    shown: [{room_status: 'ENDED'}, {meeting_status: 'ENDED'}],
    absent: [{room_status: 'MEETING'}, {room_status: 'IDLE'}, {room_status: 'RESERVED'}],
    unclear: [{}, {room_status: null}, {room_status: 'PAUSED'}, 'missing'],
  },
  'room.delete': {shown: ['missing'], absent: [{}, {room_status: 'ENDED'}], unclear: []},
  'room.update': {
    shown: [{name: 'Weekly', max_attendee_count: 9}],
    absent: [{name: 'Standup', max_attendee_count: 30}, {name: 'Standup'}],
    unclear: [{name: 'Weekly', max_attendee_count: 30}, {name: 'Weekly'}, {}, 'missing'],
  },
  'room.adminUpdate': {
    shown: [{name: 'Weekly', is_public: false}],
    absent: [{name: 'Standup', is_public: true}],
    unclear: [{name: 'Weekly', is_public: null}, {requester_id: 'ann'}, 'missing'],
  },
  'room.delegate': {
    shown: [people({...ben, is_host: true})],
    absent: [people({user_id: 'ann', is_host: true}, ben)],
    unclear: [{}, {attendees: null}, people(ben, carl), people(), 'missing'],
  },
  'attendee.add': {
    shown: [people(ben, carl), people({user_id: 'ann'}, ben, carl)],
    absent: [people({user_id: 'ann'}), people()],
    unclear: [people(ben), {}, {attendees: null}, 'missing'],
  },
  'attendee.block': {
    shown: [],
    absent: [people(ben, carl)],
    unclear: [people(ben), people({...ben, is_present: false}, carl), people(ben, {user_id: 'carl'}), {}, 'missing'],
  },
}
// It has these keys alone.
const settled = Object.keys(sights) as OfRooms[]
const unsettled = withEffect(enveloped, 'state').filter((id) => !Object.hasOwn(sights, id))
const read = 'GET /media/v1/rooms/r-1'

/** Steps of a call that is not sent again, with its outcome. */
async function outcomeOf(id: OperationId, ...steps: Step[]) {
  const {api, sent, slept} = stage(steps, {retries: 0})
  const {facts} = await failureOf(calls[id](api))
  return {outcome: facts.outcome, sent, facts, waited: slept.reduce((sum, ms) => sum + ms, 0)}
}

test('a read changes nothing, however it ends', () =>
  everyCase([...certain, ...acknowledged, ...ended, ...late], async (_, step) => {
    for (const id of withEffect(enveloped, 'read')) {
      const {outcome, sent} = await outcomeOf(id, step)
      expect([id, outcome, sent.length]).toEqual([id, 'none', 1])
    }
  }))

test('a change that was certainly not made is reported so, without a read', () =>
  everyCase(certain, async (_, step) => {
    for (const id of [...withEffect(enveloped, 'state'), ...withEffect(enveloped, 'create')]) {
      const {outcome, sent} = await outcomeOf(id, step)
      expect([id, outcome, sent.length]).toEqual([id, 'none', 1])
    }
  }))

test('a creation or a send stays unknown, and is not to be repeated', () =>
  everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
    for (const id of withEffect(enveloped, 'create')) {
      const {outcome, sent, facts} = await outcomeOf(id, step)
      expect([id, outcome, sent.length, facts.retryable]).toEqual([id, 'unknown', 1, false])
      expect(facts.why).toMatch(/so it may have been carried out$|may have answered, even after the change was made$/)
      expect(facts.try).not.toMatch(/same command again|check the address/)
    }
  }))

describe('a repetition that is refused', () => {
  const asksAgain: [string, Step][] = [
    ['503 with Retry-After', answer(503, '', {'retry-after': '1'})],
    ['429', answer(429)],
    ['CE101', refusal('CE101', 'out of sync', 503)],
  ]
  const ended = room({room_status: 'ENDED'})

  test('is settled by reading, as the first attempt may explain it', () =>
    everyCase(asksAgain, async (_, step) => {
      const {api, sent} = stage([step, refusal('ER001'), ended], {retries: 1})
      expect(await calls['room.end'](api, asRead({room_status: 'MEETING'}))).toBeUndefined()
      expect(sent).toHaveLength(3)
      const refused = stage([step, refusal('ER001'), ...settling(room({room_status: 'IDLE'})), room()], {retries: 1})
      expect((await failureOf(calls['room.end'](refused.api))).facts).toMatchObject({outcome: 'none', code: 'ER001'})
    }))

  test('is explained by the first attempt if no read settles it', () =>
    everyCase(asksAgain, async (_, step) => {
      const unsaid = stage([step, refusal('CE001')], {retries: 1})
      expect((await failureOf(calls['record.stop'](unsaid.api))).facts).toMatchObject({
        outcome: 'unknown',
        exit: 'network',
        why: expect.stringMatching(/^an earlier attempt was answered with .* which can be why this one was refused$/),
      })
    }))

  test('is unknown, too, if it was never sent after a 503', async () => {
    const abort = new AbortController()
    const steps = [answer(503, '', {'retry-after': '1'}), ended]
    const {api} = stage(steps, {retries: 1, abort, onSleep: () => abort.abort()})
    const {facts} = await failureOf(calls['room.end'](api))
    expect([facts.exit, facts.outcome]).toEqual(['interrupted', 'unknown'])
  })
})

test('a change that the room does not show stays unknown, and no room is read', () =>
  everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
    for (const id of unsettled) {
      const {outcome, sent} = await outcomeOf(id, step)
      expect([id, outcome, sent.length]).toEqual([id, 'unknown', 1])
    }
  }))

describe('a change that the room shows', () => {
  test('was made when the room shows it', () =>
    everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
      for (const id of settled) {
        for (const shown of sights[id].shown) {
          const {api, sent} = stage([step, ...stepsOf(shown)], {retries: 0})
          expect(await calls[id](api, asRead(sights[id].absent[0]))).toBeUndefined()
          expect(sent[1]).toBe(read)
        }
      }
    }))

  test('is not proven by another name that JavaScript takes for the same date', () =>
    everyCase([...acknowledged, ...late], async (_, step) => {
      const {api} = stage([step, ...settling(room({name: 'Standup 1'}))], {retries: 0})
      const renaming = {path: {roomId: 'r-1'}, body: {requester_id: 'ann', name: 'Review 1'}}
      const {facts} = await failureOf(api.call(updateRoom, renaming, asRead({name: 'Retro'})))
      expect(facts.outcome).not.toBe('applied')
    }))

  test('stays unknown, with a note, if this run did not read the state before', () =>
    everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
      for (const id of settled) {
        for (const shown of sights[id].shown) {
          const {outcome, facts} = await outcomeOf(id, step, ...stepsOf(shown))
          expect([id, outcome]).toEqual([id, 'unknown'])
          expect(facts.message).toMatch(/ may have been \S+/u)
          expect(facts.why).toMatch(/ now; this run did not see it before$/u)
        }
      }
    }))

  test('was not made when the whole room is as it was, effect and all, and nothing works on it any more', () =>
    everyCase(ended, async (_, step) => {
      for (const [id, shown] of settled.flatMap((one) => sights[one].shown.map((state) => [one, state] as const))) {
        const {api} = stage([step, ...stepsOf(shown).flatMap((read) => settling(read))], {retries: 0})
        const {facts} = await failureOf(calls[id](api, asRead(id === 'room.end' ? {room_status: 'ENDED'} : shown)))
        expect([id, facts.outcome]).toEqual([id, 'none'])
      }
    }))

  test('stays unknown when the effect was there before, and the room is another now', () =>
    everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
      const before = asRead({room_status: 'ENDED', name: 'Before'})
      const {api} = stage([step, room({room_status: 'ENDED', name: 'Now'})], {retries: 0})
      const {facts} = await failureOf(calls['room.end'](api, before))
      expect([facts.outcome, facts.why]).toEqual([
        'unknown',
        expect.stringContaining('room r-1 is ENDED now; it was so before this run sent anything'),
      ])
    }))

  test('ENDED without a room before proves an end by an end_time after the sending, by the Date of the service', () =>
    everyCase(
      [
        ['Tue, 01 Dec 2026 12:00:00 GMT', '2026-12-01T12:00:01.500Z', 'applied'],
        ['Tue, 01 Dec 2026 12:00:00 GMT', '2026-12-01T12:00:00.500Z', 'unknown'],
        ['Tue, 01 Dec 2026 11:00:00 GMT', '2026-12-01T11:00:02Z', 'applied'],
        ['Tue, 01 Dec 2026 13:00:00 GMT', '2026-12-01T12:59:00Z', 'unknown'],
        ['no date', '2026-12-01T12:00:09Z', 'unknown'],
      ],
      async (date, end_time, expected) => {
        const data = {room_id: 'r-1', room_status: 'ENDED', end_time}
        const {api} = stage([breaks('reset'), answer(200, {status: 'SUCCESS', data}, {date})], {retries: 0})
        const outcome = await calls['room.end'](api).then(
          () => 'applied',
          (error: Failure) => error.facts.outcome,
        )
        expect(outcome).toBe(expected)
      },
    ))

  test('an end that the service dates before the sending is unknown, though the room was MEETING; a time without zone is UTC', () =>
    everyCase(
      [
        ['2026-12-01T11:59:58Z', 'unknown'],
        ['2026-12-01T11:59:58', 'unknown'],
        ['2026-12-01T20:59:58+09:00', 'unknown'],
        ['2026-12-01T11:59:59.500Z', 'applied'],
        ['2026-12-01T12:00:02', 'applied'],
        ['soon', 'applied'],
      ],
      async (end_time, expected) => {
        const data = {room_id: 'r-1', room_status: 'ENDED', end_time}
        const date = 'Tue, 01 Dec 2026 12:00:00 GMT'
        const {api} = stage([breaks('reset'), answer(200, {status: 'SUCCESS', data}, {date})], {retries: 0})
        const outcome = await calls['room.end'](api, asRead({room_status: 'MEETING'})).then(
          () => 'applied',
          (error: Failure) => error.facts.outcome,
        )
        expect(outcome).toBe(expected)
      },
    ))

  test('is a deletion only if two reads a second apart miss the room, and open if the id names another room', async () => {
    const before = asRead({room_status: 'ENDED', created_by: 'ann', start_time: '2026-12-01T09:00:00Z'})
    const gone = stage([breaks('reset'), noRoom, noRoom], {retries: 0})
    expect(await calls['room.delete'](gone.api, before)).toBeUndefined()
    expect([gone.sent.length, gone.slept.at(-1)]).toEqual([3, 1000])
    const flickers = stage([breaks('reset'), noRoom, ...settling(room(before as object)), room(before as object)], {
      retries: 0,
    })
    expect((await failureOf(calls['room.delete'](flickers.api, before))).facts.outcome).not.toBe('applied')
    for (const other of [{created_by: 'ben'}, {created_by: 'ann', start_time: '2026-12-01T10:00:00'}]) {
      const reused = stage([breaks('reset'), ...settling(room({room_status: 'MEETING', ...other}))], {retries: 0})
      expect((await failureOf(calls['room.delete'](reused.api, before))).facts.outcome).toBe('unknown')
    }
  })

  test('was not made when the room does not show it and nothing works on it any more', () =>
    everyCase(ended, async (_, step) => {
      for (const id of settled) {
        for (const absent of sights[id].absent) {
          const {outcome, sent, waited} = await outcomeOf(
            id,
            step,
            ...stepsOf(absent).flatMap((read) => settling(read)),
          )
          expect([id, outcome, sent[1]]).toEqual([id, 'none', read])
          expect([sent.length >= 3, waited >= 3000]).toEqual([true, true])
        }
      }
    }))

  test('was made when the room shows it a moment later', () =>
    everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
      for (const id of settled) {
        const {absent, shown} = sights[id]
        for (const shownLater of shown) {
          const {api} = stage([step, ...stepsOf(absent[0] ?? shownLater), ...stepsOf(shownLater)], {retries: 0})
          expect(await calls[id](api, asRead(absent[0]))).toBeUndefined()
        }
      }
    }))

  test('stays unknown when the room does not show it, after an answer of success or none in time', () =>
    everyCase([...acknowledged, ...late], async (_, step) => {
      for (const id of settled) {
        for (const absent of sights[id].absent) {
          expect([
            id,
            (await outcomeOf(id, step, ...stepsOf(absent).flatMap((read) => settling(read)))).outcome,
          ]).toEqual([id, 'unknown'])
        }
      }
    }))

  test('stays unknown when a user ends the program before the room was read for long enough', async () => {
    const abort = new AbortController()
    const shown = room({room_status: 'MEETING'})
    const {api, sent} = stage([breaks('reset'), ...settling(shown)], {retries: 0, abort, onSleep: () => abort.abort()})
    expect((await failureOf(calls['room.end'](api))).facts.outcome).toBe('unknown')
    expect(sent.length).toBeLessThan(4)
  })

  test('stays unknown if the room does not decide', () =>
    everyCase([...acknowledged, ...ended, ...late], async (_, step) => {
      for (const id of settled) {
        for (const unclear of sights[id].unclear) {
          expect([id, (await outcomeOf(id, step, ...stepsOf(unclear))).outcome]).toEqual([id, 'unknown'])
        }
      }
    }))

  test.each([
    ['cannot be reached', breaks('refused', 'no')],
    ['is refused', refusal('CE003', 'no', 403)],
    ['is not there by a code of its own', answer(404, '<html>')],
    ['comes broken', answer(200, '<html>')],
    ['is of another shape', room({attendees: 'everybody', room_status: 7})],
  ])('stays unknown if the room, read to settle it, %s', async (_, reading) => {
    for (const id of settled) {
      const {outcome, sent} = await outcomeOf(id, breaks('reset'), reading)
      expect([id, outcome, sent.length]).toEqual([id, 'unknown', 2])
    }
  })
})

test.each(['room.create', 'room.send', 'attendee.token'] as const)(
  'an answer of success whose data is not as documented %s was made, and is not to be repeated',
  async (id) => {
    const {outcome, facts} = await outcomeOf(id, answer(201, {status: 'SUCCESS', data: {}}))
    expect([outcome, facts.exit, facts.retryable ?? false]).toEqual(['applied', 'network', false])
    expect(facts.try).not.toMatch(/run the command again/)
  },
)
