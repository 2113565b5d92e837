import type {WorldStore} from '../src/sandbox/world/store.js'
import {newWorld, type World} from '../src/sandbox/world/world.js'

/** A world that ends with the process. */
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
    async addResource(resource) {
      if (current.resources.some(({uuid}) => uuid === resource.uuid)) return
      current = {...current, resources: [...current.resources, resource]}
    },
    async replace(next) {
      current = next
    },
  }
}
