import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {roomStates} from '../../api/contract/room.js'
import {defaultChoices} from './choices.js'
import {SandboxProblem} from './problem.js'
import {emptyPush, newWorld, type World} from './world.js'
import {readWorld, withWorldLock, worldFile, writeWorld} from './worldFile.js'

/** Where the world is kept. */
export interface WorldStore {
  /** Looks at the world; `work` leaves it as it is. */
  read<T>(work: (world: World) => T): Promise<T>
  /** Changes the world, alone: nobody else reads or writes meanwhile. If `work` throws, nothing has happened. */
  change<T>(work: (world: World) => T): Promise<T>
  /** Puts another world in the place of whatever is there, even if that cannot be read. */
  replace(world: World): Promise<void>
}

/** A world that is gone with the process. */
export function memoryStore(world: World = newWorld()): WorldStore {
  let current = world
  return {
    async read(work) {
      return work(current)
    },
    async change(work) {
      const draft = structuredClone(current)
      const result = work(draft)
      current = draft
      return result
    },
    async replace(next) {
      current = next
    },
  }
}

/** The world in a text. The text itself never stands in the error: it holds the tokens. */
function parseWorld(text: string, file: string): World {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (isWorld(value)) {
    const {choices, containers = [], resources = [], push = emptyPush()} = value
    return {...value, choices: {...defaultChoices, ...choices}, containers, resources, push}
  }
  throw new SandboxProblem(`the sandbox's state in ${file} is damaged`, undefined, {
    exit: 'configuration',
    try: 'start over: roomctl sandbox reset, with the same --data where one was given',
  })
}

/**
 * A world in `world.json` (0600) of a folder (0700) that commands and servers may share: a change is locked across
 * processes and atomic, a read needs no lock. Throws a SandboxProblem for a damaged file or a folder it cannot use.
 */
export function fileStore(dir: string): WorldStore {
  const file = worldFile(dir)
  // Changes of this process stand in line here, so that only one of them at a time asks for the lock.
  let last: Promise<unknown> = Promise.resolve()

  function alone<T>(work: () => T): Promise<T> {
    const turn = last.then(() => withWorldLock(file, work))
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    async read(work) {
      const text = readWorld(file)
      return work(text === undefined ? newWorld() : parseWorld(text, file))
    },
    change: (work) =>
      alone(() => {
        const text = readWorld(file)
        const world = text === undefined ? newWorld() : parseWorld(text, file)
        const result = work(world)
        const next = JSON.stringify(world)
        if (next !== text) writeWorld(file, next)
        return result
      }),
    replace: (world) => alone(() => writeWorld(file, JSON.stringify(world))),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAttendee(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {userId} = value
  return typeof userId === 'string'
}

function isRoom(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {id, status, files, attendees} = value
  return (
    typeof id === 'string' &&
    roomStates.some((state) => state === status) &&
    Array.isArray(files) &&
    Array.isArray(attendees) &&
    attendees.every(isAttendee)
  )
}

function isContainer(value: unknown): boolean {
  return isRecord(value) && typeof value.path === 'string'
}

function isResource(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {uuid, container, name, size} = value
  return [uuid, container, name].every((text) => typeof text === 'string') && typeof size === 'number'
}

function isPushUser(value: unknown): boolean {
  return isRecord(value) && typeof value.userId === 'string' && Array.isArray(value.tokens)
}

/** The push service's part; a world from before it has none. */
function isPush(value: unknown): boolean {
  if (value === undefined) return true
  if (!isRecord(value)) return false
  const {users, requests, transactions, applications} = value
  const lists = [users, requests, transactions, applications]
  return lists.every((list) => Array.isArray(list) && list.every(isRecord)) && isListOf(isPushUser, users)
}

/** A list in which everything passes; a world from before the asset service has none. */
function isListOf(isOne: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isOne))
}

/** A world as an earlier version may have kept it: without what came later. */
export type StoredWorld = Omit<World, AddedLater> & Partial<Pick<World, AddedLater>>
type AddedLater = 'containers' | 'resources' | 'push'

/** Says whether something read from a file is a world; a look at what every rule relies on. */
export function isWorld(value: unknown): value is StoredWorld {
  if (!isRecord(value)) return false
  const {version, applicationToken, tokenSecret, choices, rooms, messages, events, containers, resources, push} = value
  return (
    version === 1 &&
    typeof applicationToken === 'string' &&
    typeof tokenSecret === 'string' &&
    isRecord(choices) &&
    Array.isArray(rooms) &&
    rooms.every(isRoom) &&
    Array.isArray(messages) &&
    Array.isArray(events) &&
    isListOf(isContainer, containers) &&
    isListOf(isResource, resources) &&
    isPush(push)
  )
}

/** The name of the folder of uploaded bytes, beside the world's file. */
const folderName = 'files'

/** The folder of uploaded bytes of a sandbox that is kept in `dir`. */
export function uploadsFolder(dir: string): string {
  return join(dir, folderName)
}

/** Folders that were made for stores whose world is gone with the process. */
const temporary = new WeakMap<WorldStore, string>()

/** The folder that was given, or one for the store that is made with the first upload and removed when the process ends. */
export function resolveUploadsFolder(store: WorldStore, given: string | undefined): () => string {
  return () => {
    const known = given ?? temporary.get(store)
    if (known !== undefined) return known
    const made = mkdtempSync(join(tmpdir(), 'roomctl-sandbox-'))
    process.once('exit', () => rmSync(made, {recursive: true, force: true}))
    temporary.set(store, made)
    return made
  }
}
