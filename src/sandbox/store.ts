import {randomUUID} from 'node:crypto'
import {closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {isWorld} from './isWorld.js'
import {withLock} from './lock.js'
import {defaultChoices} from './options.js'
import {SandboxProblem} from './problem.js'
import {emptyPush} from './push/world.js'
import {newWorld, type World} from './world.js'

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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** The text of the file, or undefined where there is none yet. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    const message = `cannot read the sandbox's state in ${file} (${codeOf(error)}); check that it may be read`
    throw new SandboxProblem(message, undefined, {exit: 'configuration', cause: error})
  }
}

/** The world in a text. The text itself never stands in the error: it holds the tokens. */
function worldIn(text: string, file: string): World {
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
  throw new SandboxProblem(
    `the sandbox's state in ${file} is damaged; begin anew with: roomctl sandbox reset`,
    undefined,
    {exit: 'configuration'},
  )
}

function cannotKeep(where: string, error: unknown): SandboxProblem {
  const message = `cannot keep the sandbox's state in ${where} (${codeOf(error)}); check that it can be written there`
  return new SandboxProblem(message, undefined, {exit: 'configuration', cause: error})
}

/** Makes a folder for the user alone, where it is not there yet. Throws a SandboxProblem. */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, {recursive: true, mode: 0o700})
  } catch (error) {
    throw cannotKeep(dir, error)
  }
}

/** Writes beside the file, to the disk, and only then takes its place: a reader finds the old or the new, never half. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, {force: true})
    throw cannotKeep(file, error)
  }
}

/**
 * A world in `world.json` (0600) of a folder (0700) that commands and servers may share: a change is locked across
 * processes and atomic, a read needs no lock. Throws a SandboxProblem for a damaged file or a folder it cannot use.
 */
export function fileStore(dir: string): WorldStore {
  const file = join(dir, 'world.json')
  // Changes of this process stand in line here, so that only one of them at a time asks for the lock.
  let last: Promise<unknown> = Promise.resolve()

  function alone<T>(work: () => T): Promise<T> {
    const turn = last.then(() => {
      makeFolder(dir)
      return withLock(file, work)
    })
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    async read(work) {
      const text = readText(file)
      return work(text === undefined ? newWorld() : worldIn(text, file))
    },
    change: (work) =>
      alone(() => {
        const text = readText(file)
        const world = text === undefined ? newWorld() : worldIn(text, file)
        const result = work(world)
        const next = JSON.stringify(world)
        if (next !== text) writeWhole(file, next)
        return result
      }),
    replace: (world) => alone(() => writeWhole(file, JSON.stringify(world))),
  }
}
