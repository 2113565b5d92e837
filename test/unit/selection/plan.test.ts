import {describe, expect, test} from 'vitest'
import {type Plan, PlanProblem, planText, readPlan, readWrittenPlan} from '../../../src/selection/plan.js'
import {everyCase} from '../../support/everyCase.js'

const plan: Plan = {
  kind: 'roomctl-plan',
  version: 1,
  made_at: '2026-12-01T12:00:00.000Z',
  profile: 'live',
  origin: 'https://rooms.example.com',
  base_path: '/media',
  operation: 'attendee.block',
  as: 'host',
  input: {attendees: ['ben']},
  targets: [
    {room_id: 'r-1', name: 'Daily', room_status: 'MEETING', present: 3, host: 'ann'},
    {room_id: 'r-2', name: null, room_status: null, present: null, host: null},
  ],
}

const written = await planText(plan)

/** The plan as somebody may have edited it. */
const edited = (change: object) => JSON.stringify({...plan, ...change})
const target = (change: object) => ({targets: [{...plan.targets[0], ...change}]})

function problem(text: string): string {
  try {
    readPlan(text)
  } catch (error) {
    expect(error).toBeInstanceOf(PlanProblem)
    return (error as Error).message
  }
  return 'it was read'
}

test('what was written is read again', async () => {
  expect(readPlan(await planText(plan))).toEqual(plan)
  const end = {...plan, operation: 'room.end', input: {}} as const
  expect(readPlan(await planText(end))).toEqual(end)
  const add = {...plan, operation: 'attendee.add', as: null} as const
  expect(readPlan(await planText(add))).toEqual(add)
})

test('every member that is left out is missed', () => {
  for (const name of Object.keys(plan)) {
    const {[name as keyof Plan]: _, ...rest} = plan
    expect(problem(JSON.stringify(rest)), name).toMatch(
      /is missing|is not a plan|is a plan of version|is not an object/u,
    )
  }
  for (const name of Object.keys(plan.targets[0] ?? {})) {
    const text = JSON.stringify({...plan, targets: [{...plan.targets[0], [name]: undefined}]})
    expect(problem(text), name).toBe(`is damaged: targets[0].${name} is missing`)
  }
})

describe('a plan is refused', () => {
  test('that was edited wrongly is refused, and why is said', () =>
    everyCase(
      [
        ['is cut off', written.slice(0, -20), /^is not a plan: it is truncated at line \d+, column \d+$/u],
        [
          'has a word too many',
          written.replace('"live"', '"live" x'),
          /^is not a plan: it is not JSON at line 5, column \d+$/u,
        ],
        ['is a list', '[]', 'is not a plan: kind is missing'],
        ['is nothing', 'null', 'is not a plan: kind is missing'],
        ['is of another kind', edited({kind: 'plan'}), 'is not a plan: kind is missing'],
        ['is newer', edited({version: 2}), 'is a plan of version 2, this roomctl supports version 1'],
        [
          'has a version that is none',
          edited({version: 'x'}),
          'is a plan of version ?, this roomctl supports version 1',
        ],
        [
          'names an operation that is no bulk one',
          edited({operation: 'room.create'}),
          /^is damaged: operation is none of /u,
        ],
        ['names a call of its own', edited({operation: 'api'}), /^is damaged: operation is none of /u],
        ['brings a route', edited({route: 'POST /v1/x'}), 'has an unknown member: route'],
        ['brings a token', edited({token: 't'}), 'has an unknown member: token'],
        ['brings an address', target({url: 'https://evil.example.com'}), 'has an unknown member: targets[0].url'],
        ['has a time that is none', edited({made_at: 'yesterday'}), 'is damaged: made_at is no time'],
        ['acts as nobody', edited({as: null}), 'is damaged: as is no text'],
        ['acts as somebody who is no text', edited({as: {}}), 'is damaged: as is no text'],
        ['acts where nobody is to', edited({operation: 'attendee.add'}), 'is damaged: as is not null'],
        ['names no users', edited({input: {attendees: []}}), 'is damaged: input.attendees is not a list of strings'],
        [
          'names users that are none',
          edited({input: {attendees: ['a', 1]}}),
          'is damaged: input.attendees is not a list of strings',
        ],
        ['names users where none belong', edited({operation: 'room.end'}), 'has an unknown member: input.attendees'],
        ['has an input that is none', edited({input: []}), 'is damaged: input is not an object'],
        ['has no list of targets', edited({targets: {}}), 'is damaged: targets is no list'],
        ['has a target that is none', edited({targets: ['r-1']}), 'is damaged: targets[0] is not an object'],
        ['has an empty id', target({room_id: ' '}), 'is damaged: targets[0].room_id is no text'],
        ['has an id that is a number', target({room_id: 1}), 'is damaged: targets[0].room_id is no text'],
        [
          'has a count that is none',
          target({present: -1}),
          'is damaged: targets[0].present is neither a count nor null',
        ],
        ['has a host that is none', target({host: []}), 'is damaged: targets[0].host is neither a string nor null'],
        ['has a digest that is none', edited({digest: 'x'}), 'is damaged: digest is not an object'],
        ['has half a digest', edited({digest: {sha256: 'x'}}), 'is damaged: digest.lines is missing'],
        ['names a room twice', edited({targets: [plan.targets[0], plan.targets[0]]}), 'names room r-1 twice'],
        ['inherits', written.replace('{', '{"__proto__": {"x": 1},'), 'has an unknown member: __proto__'],
      ],
      (_, text, message) => {
        const whole = typeof text === 'string' ? text : edited(text)
        if (typeof message === 'string') expect(problem(whole)).toBe(message)
        else expect(problem(whole)).toMatch(message)
      },
    ))
})

test('a complaint never repeats what stands in the file but the name of a member', () => {
  expect(problem('{"kind": "roomctl-plan", "secret-token')).not.toContain('secret')
  expect(problem(edited({profile: 7, made_at: 'secret-token'}))).not.toContain('secret')
  expect(problem(edited({['x'.repeat(5000)]: 1})).length).toBeLessThan(200)
})

describe('the digest', () => {
  const editOf = async (text: string) => (await readWrittenPlan(text)).edit

  test('fits what was written, formatted again or not', async () => {
    expect(await editOf(written)).toBeUndefined()
    expect(await editOf(JSON.stringify(JSON.parse(written)))).toBeUndefined()
    const {digest, ...others} = JSON.parse(written)
    expect(await editOf(JSON.stringify({digest, ...others}, null, 4).replaceAll('\n', '\r\n'))).toBeUndefined()
  })

  test('is not missed in a plan of an older version', async () => {
    expect(await readWrittenPlan(JSON.stringify(plan))).toEqual({plan, edit: undefined})
  })

  test('names the line of every edit that leaves a plan', async () => {
    const lines = written.split('\n')
    const edits = lines.flatMap((line, at) => {
      const other = line
        .replace(/"(Daily|ben|ann|live|MEETING|r-1)"/u, '"other"')
        .replace('rooms.example', 'rooms2.example')
        .replace(': 3', ': 4')
        .replace('2026', '2027')
        .replace('media', 'other')
        .replace(
          /"(room_status|name|present|host)": null/u,
          (_, name) => `"${name}": ${name === 'present' ? 1 : '"x"'}`,
        )
      return other === line ? [] : [{at, text: lines.with(at, other).join('\n')}]
    })
    expect(edits.length).toBeGreaterThanOrEqual(12)
    for (const {at, text} of edits) expect(await editOf(text)).toEqual({line: at + 1})
  })

  test('shows a target that was removed or added', async () => {
    const removed = {...JSON.parse(written), targets: plan.targets.slice(1)}
    expect(await editOf(`${JSON.stringify(removed, null, 2)}\n`)).toEqual({line: 17})
    const added = {...JSON.parse(written), targets: [...plan.targets, {...plan.targets[0], room_id: 'r-3'}]}
    expect(await editOf(JSON.stringify(added))).toEqual({line: undefined})
  })
})
