import {join} from 'node:path'
import {newWorld, type StoredResource, type World} from './world.js'
import {readWorld, withWorldLock, worldIdentity, writeWorld} from './worldFile.js'

export interface WorldStore {
  /** `work` must not change the world. */
  read<T>(work: (world: World) => T): Promise<T>
  /** Runs `work` as a transaction: exclusive, and without effect if it throws. */
  change<T>(work: (world: World) => T): Promise<T>
  /** Adds an uploaded file, once. */
  addResource(resource: StoredResource): Promise<void>
  /** Also if the old world cannot be read. */
  replace(world: World): Promise<void>
}

interface Batch {
  readonly resources: StoredResource[]
  readonly written: Promise<void>
}

/**
 * A world in a folder that commands and servers share: changes are locked across processes and atomic, reads need no lock. Files
 * that are complete while another change is written are added together.
 * @throws Failure
 */
export function fileStore(dir: string): WorldStore {
  const file = join(dir, 'world.json')
  let known: {readonly identity: string; readonly world: World} | undefined
  // Changes of this process queue here, so that only one at a time asks for the lock.
  let last: Promise<unknown> = Promise.resolve()
  let batch: Batch | undefined

  function alone<T>(work: () => T): Promise<T> {
    const turn = last.then(() => withWorldLock(file, work))
    last = turn.catch(() => undefined)
    return turn
  }

  function stored(): World | undefined {
    const identity = worldIdentity(file)
    if (known?.identity === identity) return known.world
    const world = readWorld(file)
    known = world && {identity, world}
    return world
  }

  /** Under the lock, so that what is there then is this world. */
  function write(world: World): void {
    writeWorld(file, world)
    known = {identity: worldIdentity(file), world}
  }

  function newBatch(): Batch {
    const resources: StoredResource[] = []
    const written = alone(() => {
      batch = undefined
      const world = stored() ?? newWorld()
      const uuids = new Set(world.resources.map(({uuid}) => uuid))
      const fresh = resources.filter(({uuid}) => !uuids.has(uuid) && uuids.add(uuid))
      if (fresh.length > 0) write({...world, resources: [...world.resources, ...fresh]})
    })
    return {resources, written}
  }

  return {
    async read(work) {
      return work(stored() ?? newWorld())
    },
    change: (work) =>
      alone(() => {
        const before = stored()
        const world = before ? structuredClone(before) : newWorld()
        const result = work(world)
        if (!before || JSON.stringify(world) !== JSON.stringify(before)) write(world)
        return result
      }),
    async addResource(resource) {
      batch ??= newBatch()
      batch.resources.push(resource)
      await batch.written
    },
    replace: (world) => alone(() => write(world)),
  }
}

const folderName = 'files'

export function uploadsFolder(dir: string): string {
  return join(dir, folderName)
}
