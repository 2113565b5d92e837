import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import {readPlan} from '../../../../src/features/room/applyPlan.js'
import {type Plan, planPieces} from '../../../../src/selection/plan.js'
import {everyCase} from '../../../support/everyCase.js'
import {freshFolder} from '../../../support/folder.js'

const folder = freshFolder()
const file = path.join(folder, 'plan.json')

function read(text: string) {
  writeFileSync(file, text)
  return readPlan(file)
}

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

const written = [...(await planPieces(plan))].join('')

/** The plan as a user may have edited it. */
const edited = (change: object) => JSON.stringify({...plan, ...change})
const target = (change: object) => edited({targets: [{...plan.targets[0], ...change}]})

async function problem(text: string): Promise<string> {
  const error = await read(text).catch((error: unknown) => error)
  if (!(error instanceof Failure)) throw new Error('it was read', {cause: error})
  expect(error.facts).toMatchObject({exit: 'file', code: 'no-plan', why: 'nothing was changed'})
  return error.facts.message.replace(`${file} `, '')
}

test('a written plan is read again', async () => {
  const end = {...plan, operation: 'room.end', input: {}} as const
  const add = {...plan, operation: 'attendee.add', as: null} as const
  for (const one of [plan, end, add])
    expect(await read([...(await planPieces(one))].join(''))).toEqual({plan: one, edit: undefined})
})

test('is written as JSON with its digest last, also with more rooms than are written at a time', async () => {
  for (const count of [0, 1, 1000, 1001, 2500]) {
    const targets = Array.from({length: count}, (_, at) => ({
      ...plan.targets[0],
      room_id: `r-"${at}`,
    })) as Plan['targets']
    const text = [...(await planPieces({...plan, targets}))].join('')
    const {digest, ...rest} = JSON.parse(text)
    expect(rest).toEqual({...plan, targets})
    expect(text).toBe(`${JSON.stringify({...plan, targets, digest}, null, 2)}\n`)
    expect(await read(text)).toEqual({plan: {...plan, targets}, edit: undefined})
  }
})

test('every member that is left out is missed', async () => {
  for (const name of Object.keys(plan)) {
    const {[name as keyof Plan]: _, ...rest} = plan
    expect(await problem(JSON.stringify(rest)), name).toBe(`is not a plan: it has a wrong value for ${name}`)
  }
  for (const name of Object.keys(plan.targets[0] ?? {})) {
    const text = JSON.stringify({...plan, targets: [{...plan.targets[0], [name]: undefined}]})
    expect(await problem(text), name).toBe(`is not a plan: it has a wrong value for targets.0.${name}`)
  }
})

describe('a plan is refused', () => {
  const wrong = (place: string) => `is not a plan: it has a wrong value for ${place}`
  const unknown = (place: string) => `is not a plan: it has an unknown key: ${place}`

  test('that was edited wrongly is refused, with the reason', () =>
    everyCase(
      [
        ['is cut off', written.slice(0, -20), /^is not a plan: it is truncated at line \d+, column \d+$/u],
        [
          'has a word too many',
          written.replace('"live"', '"live" x'),
          /^is not a plan: it is not JSON at line 5, column \d+$/u,
        ],
        ['is a list', '[]', 'is not a plan: it is not an object'],
        ['is nothing', 'null', 'is not a plan: it is not an object'],
        ['is of another kind', edited({kind: 'plan'}), wrong('kind')],
        ['is newer', edited({version: 2}), 'is not a plan: it has version 2, and this roomctl reads 1'],
        ['names an operation that is no bulk one', edited({operation: 'room.create'}), wrong('operation')],
        ['names a call of its own', edited({operation: 'api'}), wrong('operation')],
        ['brings a route', edited({route: 'POST /v1/x'}), unknown('route')],
        ['brings a token', edited({token: 't'}), unknown('token')],
        ['brings an address', target({url: 'https://evil.example.com'}), unknown('targets.0.url')],
        ['has a time that is none', edited({made_at: 'yesterday'}), wrong('made_at')],
        ['acts as nobody', edited({as: null}), wrong('as')],
        ['acts as somebody who is no text', edited({as: {}}), wrong('as')],
        ['acts where nobody is to', edited({operation: 'attendee.add'}), wrong('as')],
        ['names no users', edited({input: {attendees: []}}), wrong('input.attendees')],
        ['names users that are none', edited({input: {attendees: ['a', 1]}}), wrong('input.attendees.1')],
        ['names users where none belong', edited({operation: 'room.end'}), unknown('input.attendees')],
        ['has an input that is none', edited({input: []}), wrong('input')],
        ['has no list of targets', edited({targets: {}}), wrong('targets')],
        ['has a target that is none', edited({targets: ['r-1']}), wrong('targets.0')],
        ['has an empty id', target({room_id: ' '}), wrong('targets.0.room_id')],
        ['has an id that is a number', target({room_id: 1}), wrong('targets.0.room_id')],
        ['has a count that is none', target({present: -1}), wrong('targets.0.present')],
        ['has a host that is none', target({host: []}), wrong('targets.0.host')],
        ['has a digest that is none', edited({digest: 'x'}), wrong('digest')],
        ['has half a digest', edited({digest: {sha256: 'x'}}), wrong('digest.lines')],
        [
          'names a room twice',
          edited({targets: [plan.targets[0], plan.targets[0]]}),
          'is not a plan: it names room r-1 twice',
        ],
        ['inherits', written.replace('{', '{"__proto__": {"x": 1},'), 'is not a plan: it has the key "__proto__"'],
      ],
      async (_, text, message) => {
        const whole = typeof text === 'string' ? text : edited(text)
        if (typeof message === 'string') expect(await problem(whole)).toBe(message)
        else expect(await problem(whole)).toMatch(message)
      },
    ))
})

test('an error repeats nothing of the file but the name of a member', async () => {
  expect(await problem('{"kind": "roomctl-plan", "secret-token')).not.toContain('secret')
  expect(await problem(edited({profile: 7, made_at: 'secret-token'}))).not.toContain('secret')
  expect((await problem(edited({['x'.repeat(5000)]: 1}))).length).toBeLessThan(200)
})

describe('the digest', () => {
  const editOf = async (text: string) => (await read(text)).edit

  test('fits the written plan, formatted again or not', async () => {
    expect(await editOf(written)).toBeUndefined()
    expect(await editOf(JSON.stringify(JSON.parse(written)))).toBeUndefined()
    const {digest, ...others} = JSON.parse(written)
    expect(await editOf(JSON.stringify({digest, ...others}, null, 4).replaceAll('\n', '\r\n'))).toBeUndefined()
  })

  test('is not missed in a plan of an older version', async () => {
    expect(await read(JSON.stringify(plan))).toEqual({plan, edit: undefined})
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
