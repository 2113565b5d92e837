import {isWorld} from './isWorld.js'
import {defaultChoices} from './options.js'
import {SandboxProblem} from './problem.js'
import {emptyPush} from './pushWorld.js'
import {newWorld, type World} from './world.js'
import {readWorld, whileAlone, worldFile, writeWorld} from './worldFile.js'

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
  throw new SandboxProblem(`the sandbox's state in ${file} is damaged`, undefined, {
    exit: 'configuration',
    try: 'begin anew: roomctl sandbox reset, with the same --data where one was given',
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
    const turn = last.then(() => whileAlone(file, work))
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    async read(work) {
      const text = readWorld(file)
      return work(text === undefined ? newWorld() : worldIn(text, file))
    },
    change: (work) =>
      alone(() => {
        const text = readWorld(file)
        const world = text === undefined ? newWorld() : worldIn(text, file)
        const result = work(world)
        const next = JSON.stringify(world)
        if (next !== text) writeWorld(file, next)
        return result
      }),
    replace: (world) => alone(() => writeWorld(file, JSON.stringify(world))),
  }
}
