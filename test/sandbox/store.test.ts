import {mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {Failure} from '../../src/failure.js'
import {resetSandbox, seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {embeddedSandbox} from '../../src/sandbox/sandbox.js'
import {fileStore, type WorldStore} from '../../src/sandbox/world/store.js'
import type {StoredResource} from '../../src/sandbox/world/world.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {readSandboxStatus} from '../support/sandboxStatus.js'
import {create, detail, noon, stage} from './stage.js'

let home: string
let dir: string
let file: string

beforeEach(() => {
  home = freshFolder()
  dir = join(home, 'share', 'sandbox')
  file = join(dir, 'world.json')
})

describe('the file store', () => {
  test('keeps the world from one store to the next', async () => {
    const room = await create(stage({store: fileStore(dir)}))

    expect((await detail(stage({store: fileStore(dir)}), room)).name).toBe('Standup')
  })

  test('writes nothing where nothing changes', async () => {
    const on = stage({store: fileStore(dir)})
    await on.send('GET', '/media/v1/rooms')
    expect(() => statSync(dir)).toThrow(/ENOENT/)

    const room = await create(on)
    const long = new Date('2020-01-01T00:00:00Z')
    utimesSync(file, long, long)
    await detail(on, room)
    await on.send('POST', `/media/v1/rooms/${room}/end`, {requester_id: 'ann'})
    await on.send('POST', `/media/v1/rooms/${room}/attendees`, {attendees: ['ben']})
    expect(statSync(file).mtime).toEqual(long)

    await on.send('POST', `/media/v1/rooms/${room}/attendees`, {attendees: ['carl']})
    expect(statSync(file).mtime).not.toEqual(long)
  })

  test('loses nothing when many change it at once through stores of their own', async () => {
    const stores = Array.from({length: 8}, () => fileStore(dir))
    const ids = await Promise.all(stores.flatMap((store) => [create(stage({store})), create(stage({store}))]))

    expect(new Set(ids).size).toBe(16)
    expect((await readSandboxStatus(fileStore(dir))).rooms).toHaveLength(16)
  })

  test('says of a damaged file how to start over, without quoting it', () =>
    everyCase(
      [
        ['cut off', '{"version":1,"applicationToken":"secret-text"'],
        ['empty', ''],
        ['of another kind', '[]'],
        ['of another version', JSON.stringify({version: 1, rooms: []})],
      ],
      async (_, text) => {
        await seedSandbox(fileStore(dir), noon)
        writeFileSync(file, text)
        const on = stage({store: fileStore(dir)})

        const read = on.send('GET', '/media/v1/rooms')
        await expect(read).rejects.toBeInstanceOf(Failure)
        await expect(read).rejects.toMatchObject({
          facts: {
            message: `the sandbox's state in ${file} is damaged, or of another version of roomctl`,
            try: {sentence: 'start over, with the same --data if one was given', command: ['sandbox reset']},
          },
        })
        await expect(read).rejects.not.toThrow(/secret-text/)
        await expect(create(on)).rejects.toThrow(/damaged/)
        expect(readFileSync(file, 'utf8')).toBe(text)

        await resetSandbox(fileStore(dir))
        expect((await on.send('GET', '/media/v1/rooms')).json).toEqual({status: 'SUCCESS', data: []})
      },
    ))

  test('takes a world without what rules rely on for damaged', () =>
    everyCase(
      [
        ['a room without attendees', (world: {rooms: {attendees?: unknown}[]}) => delete world.rooms[0]?.attendees],
        [
          'a room in no state',
          (world: {rooms: {room_status?: unknown}[]}) => Object.assign(world.rooms[0] ?? {}, {room_status: 'OPEN'}),
        ],
        [
          'a push user without tokens',
          (world: {push: {users: {tokens?: unknown}[]}}) => delete world.push.users[0]?.tokens,
        ],
        ['no list of push requests', (world: {push: {requests?: unknown}}) => delete world.push.requests],
        ['a push service that is none', (world: {push: unknown}) => Object.assign(world, {push: 'x'})],
      ],
      async (_, harm) => {
        await resetSandbox(fileStore(dir))
        await seedSandbox(fileStore(dir), noon)
        const world = JSON.parse(readFileSync(file, 'utf8'))
        harm(world)
        writeFileSync(file, JSON.stringify(world))

        await expect(readSandboxStatus(fileStore(dir))).rejects.toThrow(/damaged/)
      },
    ))

  test('a stored sandbox gets the default of a new choice and loses a removed one', async () => {
    await seedSandbox(fileStore(dir), noon)
    const world = JSON.parse(readFileSync(file, 'utf8'))
    delete world.choices.pushAll
    world.choices.noHead = true
    writeFileSync(file, JSON.stringify(world))

    const {choices} = await readSandboxStatus(fileStore(dir))
    expect(choices.pushAll).toBe('allow')
    expect(choices).not.toHaveProperty('noHead')
  })

  test('reading pushes writes only when one was due', async () => {
    const on = stage({store: fileStore(dir)})
    await seedSandbox(on.store, noon)
    const long = new Date('2020-01-01T00:00:00Z')
    utimesSync(file, long, long)
    await on.send('GET', '/push/v1/transactions')
    expect(statSync(file).mtime).toEqual(long)

    on.pass(24 * 60)
    await on.send('GET', '/push/v1/transactions')
    expect(statSync(file).mtime).not.toEqual(long)
  })

  test('a lock that a killed process left behind is waited for and then taken over', async () => {
    await seedSandbox(fileStore(dir), noon)
    mkdirSync(`${file}.lock`)
    const long = new Date(Date.now() - 60_000)
    utimesSync(`${file}.lock`, long, long)

    await create(stage({store: fileStore(dir)}))
    expect(readdirSync(dir)).toEqual(['world.json'])
  })
})

test('an added file is seen by every store, once', async () => {
  const [one, other] = [fileStore(dir), fileStore(dir)]
  await Promise.all([one.addResource(resource('a')), one.addResource(resource('b')), other.addResource(resource('a'))])
  await other.addResource(resource('c'))
  const names = (store: WorldStore) => store.read(({resources}) => resources.map(({name}) => name))
  expect((await names(one)).sort()).toEqual(['a', 'b', 'c'])
  expect(await names(fileStore(dir))).toEqual(await names(other))
  expect(readdirSync(dir)).toEqual(['world.json'])
})

test('a file that cannot be added fails for every caller that waits', async () => {
  mkdirSync(file, {recursive: true})
  const added = await Promise.allSettled(['a', 'b', 'c'].map((name) => fileStore(dir).addResource(resource(name))))
  expect(added.map(({status}) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

function resource(name: string): StoredResource {
  const facts = {container: 'games', name, platform: 'android', description: ''} as const
  return {...facts, id: name, uuid: `uuid-${name}`, size: 1, createdAt: noon.toISOString()}
}

test.each([
  ['memory', () => memoryStore()],
  ['file', () => fileStore(dir)],
])('any store %s: work that throws has changed nothing', async (_, open) => {
  const store = open()
  await seedSandbox(store, noon)
  const change = store.change((world) => {
    world.rooms = []
    throw new Error('half way')
  })

  await expect(change).rejects.toThrow('half way')
  expect((await readSandboxStatus(store)).rooms.length).toBeGreaterThan(10)
})

test('the embedded sandbox works at once and remembers', async () => {
  const open = () => embeddedSandbox({dir, now: () => noon})
  const call = async (method: string, path: string, body?: object) => {
    const {transport, addresses, token} = open()
    const answer = await transport({
      method,
      url: new URL(`${addresses.room}${path}`),
      headers: {authorization: `Bearer ${token}`},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    return answer.status
  }

  const room = {name: 'x', created_by: 'ann', host_selection_type: 'CREATOR', is_elect_host: true, is_joinable: true}
  expect(await call('GET', '/v1/rooms')).toBe(200)
  expect(await call('POST', '/v1/rooms', {...room, attendees: ['ann']})).toBe(201)
  expect((await readSandboxStatus(fileStore(dir))).rooms).toHaveLength(1)
})
