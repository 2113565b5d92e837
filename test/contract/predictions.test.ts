import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {Api} from '../../src/api/client/api.js'
import {add, block, restore, token} from '../../src/api/contract/attendee.js'
import type {Input, Operation} from '../../src/api/contract/operation.js'
import {start, stop} from '../../src/api/contract/record.js'
import {getRoom} from '../../src/api/contract/room.js'
import {delegate, end, presenter, remove, updateRoom} from '../../src/api/contract/roomChanges.js'
import {sendData} from '../../src/api/contract/sendData.js'
import type {StatefulOperation} from '../../src/api/contract/stateRules.js'
import type {Answer} from '../../src/api/contract/states.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {abilitiesIn, type Prediction, predict} from '../../src/api/rules/predict.js'
import {requesterContext} from '../../src/api/rules/room.js'
import type {JournalFacts} from '../../src/api/rules/rule.js'
import {Failure} from '../../src/failure.js'
import {Secrets} from '../../src/redaction/secrets.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {type Attendee, newWorld, type Room, sandboxToken} from '../../src/sandbox/world/world.js'
import {cli, freshHome} from '../support/cli.js'
import {filesOf} from '../support/files.js'

const states = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const
const now = new Date('2026-12-01T12:00:00Z')
const path = {roomId: 'r-1'}

/** A request of each operation: about olga, who is on the list, dora, who is in the room, or bob, who is blocked. */
const requests: Readonly<Record<StatefulOperation, (requester_id: string) => [Operation, object]>> = {
  'room.update': (requester_id) => ask(updateRoom, {path, body: {requester_id, name: 'Weekly'}}),
  'room.delete': (requester_id) => ask(remove, {path, body: {requester_id}}),
  'room.end': (requester_id) => ask(end, {path, body: {requester_id}}),
  'room.presenter': (requester_id) => ask(presenter, {path, body: {requester_id, user_id: 'dora'}}),
  'room.delegate': (requester_id) => ask(delegate, {path, body: {requester_id, user_id: 'dora'}}),
  'room.send': () => ask(sendData, {path, body: {from: 'olga', data: 'x'}}),
  'attendee.add': () => ask(add, {path, body: {attendees: ['zoe']}}),
  'attendee.token': () => ask(token, {path: {...path, userId: 'olga'}, body: {}}),
  'attendee.block': (requester_id) => ask(block, {path, body: {requester_id, attendees: ['dora']}}),
  'attendee.restore': (requester_id) => ask(restore, {path, body: {requester_id, attendees: ['bob']}}),
  'record.start': (requester_id) => ask(start, {path, body: {requester_id, layout: 'GRID'}}),
  'record.stop': (requester_id) => ask(stop, {path, body: {requester_id}}),
}
const ids = Object.keys(requests) as StatefulOperation[]

function ask<O extends Operation>(operation: O, input: Input<O>): [Operation, object] {
  return [operation, input]
}

interface Scene {
  readonly state: Room['room_status']
  readonly host: 'cara' | 'harry' | undefined
  readonly elects: boolean
  readonly selection: Room['host_selection_type']
}

/** A room of cara, who created it, with olga, dora, bob, who is blocked, and harry, and with a host or without one. */
function roomOf({state, host, elects, selection}: Scene): Room {
  const met = state !== 'RESERVED'
  const person = (user_id: string, more: Partial<Attendee> = {}): Attendee => ({
    user_id,
    is_host: user_id === host,
    is_present: false,
    is_reserved: true,
    is_invited: false,
    isBlocked: false,
    entered: met ? 1 : 0,
    ...more,
  })
  return {
    room_id: 'r-1',
    name: 'Standup',
    created_by: 'cara',
    createdAt: '2026-12-01T09:00:00Z',
    host_selection_type: selection,
    is_elect_host: elects,
    room_status: state,
    description: '',
    reserved_start_time: '2026-12-01T09:00:00Z',
    ...(met ? {start_time: '2026-12-01T09:00:00Z'} : {}),
    max_attendee_count: 9,
    is_public: false,
    is_joinable: true,
    attendees: [
      ...['cara', 'harry', 'olga'].map((user) => person(user)),
      person('dora', {is_present: state === 'MEETING'}),
      person('bob', {isBlocked: met}),
    ],
    // What a room does not show is as it must be for the operation: a recording runs where one is to be stopped.
    files: [],
  }
}

function storeOf(scene: Scene, operation?: string): WorldStore {
  const room = roomOf(scene)
  const records = operation === 'record.stop' && scene.state === 'MEETING'
  if (records) room.recording = {layout: 'GRID', startedAt: '2026-12-01T10:00:00Z'}
  return memoryStore({...newWorld(), rooms: [room]})
}

/**
 * Every room of a state: with cara or harry as host, or none; it elects a host or not, and has one of either selection. Where
 * the creator is host, that is so before anybody enters (room §1 rule 5).
 */
function scenesIn(state: Room['room_status']): Scene[] {
  const all = (['cara', 'harry', undefined] as const).flatMap((host) =>
    // `is_elect_host` changes a prediction only if there is no host.
    (host === undefined ? [true, false] : [true]).flatMap((elects) =>
      (['CREATOR', 'FIRST_ENTER_USER'] as const).map((selection) => ({state, host, elects, selection})),
    ),
  )
  return all.filter(({host, selection}) => state !== 'RESERVED' || selection !== 'CREATOR' || host === 'cara')
}

const roles = ['host', 'creator', 'harry', 'olga', 'stranger'] as const

function serviceOf(store: WorldStore): Api {
  const sandbox = createSandbox({store, now: () => now, files: filesOf(store)})
  const transport: Transport = (request) =>
    sandbox({...request, headers: {...request.headers, authorization: `Bearer ${sandboxToken}`}})
  return new Api({
    secrets: new Secrets(),
    assertWritable: () => undefined,
    access: async () => ({
      base: new URL('http://sandbox.localhost/media'),
      transport,
      open: transport,
      route: ({method, route}) => ({method, path: route}),
    }),
    retry: {retries: 0, baseMs: 1, capMs: 1, random: () => 0},
    timeoutMs: 1000,
    sleep: async () => undefined,
    now: () => now,
    signal: new AbortController().signal,
  })
}

/** The answer of the service, with the code of a refusal. */
async function happens(scene: Scene, id: StatefulOperation, requester: string | undefined) {
  const [operation, input] = requests[id](requester ?? '')
  try {
    await serviceOf(storeOf(scene, id)).call(operation, input as Input<Operation>)
    return {allowed: 'yes'} as const
  } catch (error) {
    const refusals = ['state', 'forbidden', 'missing', 'refused']
    if (!(error instanceof Failure) || !refusals.includes(error.facts.exit)) throw error
    return {allowed: 'no', code: error.facts.code} as const
  }
}

/** The journal after bob was blocked from here. */
const journalFacts: JournalFacts = {
  blocks: new Map([['bob', {holds: 'yes', at: '2026-12-01T10:00:00Z', by: 'change'}]]),
}

/**
 * What of the answers to the operation as such, to one request, and by the service differs, its code included: where two reasons
 * apply, both are named.
 */
async function differences(scene: Scene, as: string): Promise<unknown[]> {
  const room = await serviceOf(storeOf(scene)).call(getRoom, {path})
  const found: unknown[] = []
  for (const {action: id, ...can} of abilitiesIn(room, as, journalFacts)) {
    const by = requesterContext(id, room, as)
    const [, {path: params, body}] = requests[id](by.requester ?? '') as [Operation, {path: object; body: object}]
    const {findings: __, ...dryRun} = predict(id, room, {...by, journalFacts, values: {...params, ...body}})
    // No user can make a request in a role that no user has.
    const done =
      can.allowed === 'unknown' || by.vacant ? {allowed: can.allowed} : await happens(scene, id, by.requester)
    // What the creator may do of it leaves open whether an update of unknown values is allowed, not one of the name.
    if (id === 'room.update' && can.allowed === 'unknown') continue
    const isTold = ({allowed, code, why}: Omit<Prediction, 'code'> & {readonly code?: string | null}) =>
      allowed === done.allowed && (!('code' in done) || code === done.code || why.includes(`(${done.code})`))
    if (!isTold(can) || !isTold(dryRun)) found.push({...scene, as, id, can, dryRun, done})
  }
  return found
}

test.each(states)('the predictions for a %s room are the answers of the service, for each requester', async (state) => {
  const found: unknown[] = []
  for (const scene of scenesIn(state)) {
    for (const as of roles) found.push(...(await differences(scene, as)))
  }
  expect(found).toEqual([])
})

test('a change of is_joinable alone is for the creator, too, and nothing beside it', async () => {
  const room = await serviceOf(storeOf(reserved)).call(getRoom, {path})
  const answers = (values: object) =>
    ['cara', 'harry', 'olga'].map((requester) => predict('room.update', room, {requester, values: {...values}}).allowed)
  expect(answers({is_joinable: true})).toEqual(['yes', 'yes', 'no'])
  expect(answers({is_joinable: true, name: 'Weekly'})).toEqual(['no', 'yes', 'no'])
  const cara = (line: string) => cli(`room update r-1 ${line}`, {store: storeOf({...reserved, host: undefined}), home})
  expect(await cara('--joinable')).toMatchObject({exit: 0, stdout: expect.stringContaining('as cara (creator)')})
  expect(await cara('--joinable --name Weekly')).toMatchObject({exit: 7, stdout: ''})
})

const reserved: Scene = {state: 'RESERVED', host: 'harry', elects: true, selection: 'FIRST_ENTER_USER'}
const home = freshHome()

describe('the commands', () => {
  const lines = {
    'room.update': 'room update r-1 --name Weekly',
    'room.end': 'room end r-1',
    'room.delete': 'room delete r-1',
    'attendee.block': 'attendee block r-1 dora',
  } as const

  /** The lines below the card. */
  async function show(scene: Scene, as: string): Promise<Record<string, Answer>> {
    const {stdout} = await cli('room show r-1', {store: storeOf(scene), home, env: {ROOMCTL_REQUESTER: as}})
    const headings = {'allowed now': 'yes', 'refused now': 'no', 'depends on the service': 'unknown'} as const
    const entries = stdout.split('\n').flatMap((line) => {
      const [, heading = '', list = ''] =
        /^(allowed now|refused now|depends on the service)(?: as \w+)?: (.*)$/u.exec(line) ?? []
      const names = list.split('; ').flatMap((part) => {
        const [topic = '', ...actions] = part.split(/,? /u)
        return actions.map((action) => `${topic}.${action}`)
      })
      return names.map((name) => [name, headings[heading as keyof typeof headings]] as const)
    })
    return Object.fromEntries(entries)
  }

  async function dryRun(scene: Scene, line: string, as: string): Promise<Answer> {
    const {stdout} = await cli(`${line} --dry-run -o json --as ${as}`, {store: storeOf(scene), home})
    const [plan]: {expected: {allowed: Answer}}[] = JSON.parse(stdout)
    return plan?.expected.allowed ?? 'unknown'
  }

  async function disagreements(scene: Scene, as: string): Promise<unknown[]> {
    const able = await show(scene, as)
    expect(Object.keys(able).sort()).toEqual([...ids].sort())
    const found: unknown[] = []
    for (const id of Object.keys(lines) as (keyof typeof lines)[]) {
      const previewed = await dryRun(scene, lines[id], as)
      if (previewed !== able[id] && !(id === 'room.update' && able[id] === 'unknown'))
        found.push({host: scene.host, as, id, can: able[id], previewed})
    }
    return found
  }

  test('leave an update to the service where the creator may change is_joinable, and tell which', async () => {
    for (const as of ['host', 'creator']) {
      const scene: Scene = {...reserved, host: undefined}
      expect(await show(scene, as)).toMatchObject({'room.update': 'unknown'})
      expect(await dryRun(scene, 'room update r-1 --no-joinable', as)).toBe('yes')
      expect(await dryRun(scene, 'room update r-1 --name Weekly', as)).toBe('no')
    }
  })

  test.each(states)('give the same answer for a %s room, with a host and without', async (state) => {
    const found: unknown[] = []
    for (const [host, as] of [
      ['harry', 'host'],
      ['harry', 'creator'],
      ['harry', 'stranger'],
      [undefined, 'host'],
    ] as const) {
      found.push(...(await disagreements({state, host, elects: false, selection: 'FIRST_ENTER_USER'}, as)))
    }
    expect(found).toEqual([])
  })

  /** The prediction for entering, for a token, and whether the service issues one. */
  async function admission(changed: Partial<Room>, user: string): Promise<Answer[]> {
    const store = memoryStore({...newWorld(), rooms: [{...roomOf({...reserved, state: 'MEETING'}), ...changed}]})
    const why = JSON.parse((await cli(`attendee why r-1 ${user} -o json`, {store, home})).stdout)
    const [plan] = JSON.parse((await cli(`attendee token r-1 ${user} --dry-run -o json`, {store, home})).stdout)
    const {exit} = await cli(`attendee token r-1 ${user}`, {store, home: freshHome()})
    return [why.can_enter.split(',')[0], plan.expected.allowed, exit === 0 ? 'yes' : 'no']
  }

  /** The verdicts of `room show` and a dry run on an operation, in this order. */
  async function answersOf(store: WorldStore, home: string, id: 'record.start' | 'record.stop'): Promise<unknown[]> {
    const [plan] = JSON.parse((await cli(`${id.replace('.', ' ')} r-1 --dry-run -o json`, {store, home})).stdout)
    const {stdout} = await cli('room show r-1', {store, home})
    const [, heading = ''] = new RegExp(`^(.*?):.*record[^;]*${id.slice(7)}`, 'mu').exec(stdout) ?? []
    const words = {'allowed now': 'yes', 'refused now': 'no', 'depends on the service': 'unknown'}[heading]
    return [words, plan.expected.allowed, plan.expected.code]
  }

  test('a recording that was started or stopped from here is known, and one from elsewhere is not', async () => {
    const here = freshHome()
    const store = storeOf({...reserved, state: 'MEETING'})
    const both = async () => [await answersOf(store, here, 'record.start'), await answersOf(store, here, 'record.stop')]
    const open = ['unknown', 'unknown', undefined]
    const allowed = ['yes', 'yes', undefined]
    expect(await both()).toEqual([allowed, open])
    expect((await cli('record start r-1', {store, home: here})).exit).toBe(0)
    expect(await both()).toEqual([['no', 'no', 'RE001'], allowed])
    expect((await cli('record stop r-1', {store, home: here})).exit).toBe(0)
    expect(await both()).toEqual([allowed, open])
    expect((await cli('record start r-1', {store, home: freshHome()})).exit).toBe(0)
    expect(await both()).toEqual([allowed, open])
    expect((await cli('record start r-1', {store, home: here})).exit).toBe(7)
    expect(await both()).toEqual([['no', 'no', 'RE001'], allowed])
  })

  test('several recordings are previewed by the known facts of each', async () => {
    const here = freshHome()
    const store = storeOf({...reserved, state: 'MEETING'})
    await store.change((world) => {
      world.rooms.push({...roomOf({...reserved, state: 'MEETING'}), room_id: 'r-2'})
    })
    await cli('record start r-2', {store, home: here})
    const plans = JSON.parse((await cli('record stop r-1 r-2 --dry-run -o json', {store, home: here})).stdout)
    expect(plans.map(({expected}: {expected: {allowed: Answer}}) => expected.allowed)).toEqual(['unknown', 'yes'])
  })

  test('who was blocked from here cannot enter and gets no token', async () => {
    const here = freshHome()
    const store = storeOf({...reserved, state: 'MEETING'})
    expect((await cli('attendee block r-1 dora --yes', {store, home: here})).exit).toBe(0)
    const why = JSON.parse((await cli('attendee why r-1 dora -o json', {store, home: here})).stdout)
    const [plan] = JSON.parse((await cli('attendee token r-1 dora --dry-run -o json', {store, home: here})).stdout)
    expect([why.can_enter, plan.expected.allowed, plan.expected.code]).toEqual(['no', 'no', 'T001'])
  })

  test('why a user cannot enter is why a token would be refused', async () => {
    const rooms: Partial<Room>[] = [{}, {room_status: 'ENDED'}, {is_public: true}, {max_attendee_count: 1}]
    const found: unknown[] = []
    for (const changed of rooms) {
      for (const user of ['olga', 'stranger', 'dora']) {
        const answers = await admission(changed, user)
        if (new Set(answers).size > 1) found.push({changed, user, answers})
      }
    }
    expect(found).toEqual([])
  })
})
