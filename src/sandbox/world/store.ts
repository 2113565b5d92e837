import {join} from 'node:path'
import {newWorld, type StoredResource, type World} from './world.js'
import {ResourceLog, readWorld, removeResourceLog, withWorldLock, worldIdentity, writeWorld} from './worldFile.js'

export interface WorldStore {
  /** `work` must not change the world. */
  read<T>(work: (world: World) => T): Promise<T>
  /** Nobody else reads or writes meanwhile. If `work` throws, nothing has happened. */
  change<T>(work: (world: World) => T): Promise<T>
  /** Adds an uploaded file once, in a time that does not depend on the size of the world. */
  addResource(resource: StoredResource): Promise<void>
  /** Also where the world there cannot be read. */
  replace(world: World): Promise<void>
}

/** A world with the log of what was uploaded since. */
interface Stored {
  readonly identity: string
  readonly world: World
  readonly log: ResourceLog
  /** Of its resources. */
  readonly uuids: Set<string>
}

interface Batch {
  readonly resources: StoredResource[]
  readonly written: Promise<void>
}

/**
 * A world in a folder that commands and servers share: changes are locked across processes and atomic, reads need no lock. Uploaded
 * files are appended to a log, which the next change takes in. Raises a Failure.
 */
export function fileStore(dir: string): WorldStore {
  const file = join(dir, 'world.json')
  let known: Stored | undefined
  // Changes of this process queue here, so that only one at a time asks for the lock.
  let last: Promise<unknown> = Promise.resolve()
  let batch: Batch | undefined

  function alone<T>(work: () => T): Promise<T> {
    const turn = last.then(() => withWorldLock(file, work))
    last = turn.catch(() => undefined)
    return turn
  }

  function stored(): Stored | undefined {
    const identity = worldIdentity(file)
    if (known === undefined || known.identity !== identity) known = load(identity)
    if (known) for (const resource of known.log.unread()) add(known, resource)
    return known
  }

  function load(identity: string): Stored | undefined {
    const found = readWorld(file)
    if (found === undefined) return undefined
    const {world, digest} = found
    return {identity, world, log: new ResourceLog(file, digest), uuids: new Set(world.resources.map(({uuid}) => uuid))}
  }

  function write(world: World): void {
    writeWorld(file, world)
    removeResourceLog(file)
  }

  function newBatch(): Batch {
    const resources: StoredResource[] = []
    const written = alone(() => {
      batch = undefined
      const {uuids, log} = stored() ?? {}
      const fresh = resources.filter(({uuid}) => !uuids?.has(uuid))
      if (log) log.append(fresh)
      else write({...newWorld(), resources: fresh})
    })
    return {resources, written}
  }

  return {
    async read(work) {
      return work(stored()?.world ?? newWorld())
    },
    change: (work) =>
      alone(() => {
        const before = stored()?.world
        const world = before ? structuredClone(before) : newWorld()
        const result = work(world)
        if (!before || JSON.stringify(world) !== JSON.stringify(before)) write(world)
        return result
      }),
    async addResource(resource) {
      if (stored()?.uuids.has(resource.uuid)) return
      batch ??= newBatch()
      batch.resources.push(resource)
      await batch.written
    },
    replace: (world) => alone(() => write(world)),
  }
}

function add({world, uuids}: Stored, resource: StoredResource): void {
  if (uuids.has(resource.uuid)) return
  uuids.add(resource.uuid)
  world.resources.push(resource)
}

const folderName = 'files'

export function uploadsFolder(dir: string): string {
  return join(dir, folderName)
}
