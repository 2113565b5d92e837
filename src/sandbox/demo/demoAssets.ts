import {createHash} from 'node:crypto'
import {type Container, mergeByKey, type StoredResource, type World, wholeSecond} from '../world/world.js'

const minute = 60_000

/** A demonstration file; its age in minutes. */
interface DemoFile extends Pick<StoredResource, 'uuid' | 'name' | 'description' | 'link'> {
  readonly content: Buffer
  readonly age: number
}

const containers: readonly Omit<Container, 'id'>[] = [
  {path: 'games', uuid: 'c-games', type: 'BasicContainer', name: 'games', description: 'Games of the demo'},
  {
    path: 'games/puzzle',
    uuid: 'c-puzzle',
    type: 'BasicContainer',
    name: 'puzzle',
    description: '퍼즐 — the puzzle game',
  },
  {path: 'games/archive', uuid: 'c-archive', type: 'BasicContainer', name: 'archive', description: 'Nothing yet'},
]

/** Incompressible bytes, the same in every sandbox. */
function pseudoRandomBytes(name: string, length: number): Buffer {
  const blocks = Array.from({length: Math.ceil(length / 32)}, (_, n) =>
    createHash('sha256').update(`${name} ${n}`).digest(),
  )
  return Buffer.concat(blocks, length)
}

const catalog = {
  version: 1,
  bundles: [{name: 'level1.bundle', assets: ['level1/board', 'level1/music']}],
}

const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const files: readonly DemoFile[] = [
  {
    uuid: 'a-catalog',
    name: 'catalog.json',
    description: 'What the bundles hold',
    content: Buffer.from(`${JSON.stringify(catalog, undefined, 2)}\n`),
    age: 90,
  },
  {
    uuid: 'a-level1',
    name: 'level1.bundle',
    description: 'The first level',
    link: 'a-catalog',
    content: pseudoRandomBytes('level1.bundle', 3000),
    age: 85,
  },
  {uuid: 'a-logo', name: 'logo.png', description: 'The logo', content: Buffer.from(logo, 'base64'), age: 60},
]

function idOf(uuid: string): string {
  return createHash('sha256').update(uuid).digest('hex').slice(0, 24)
}

/** Adds the demonstration. Paths and uuids are fixed: the help's examples use them. */
export function seedAssets(world: World, now: Date): void {
  const freshContainers = containers.map((container) => ({...container, id: idOf(container.uuid)}))
  const freshFiles = files.map(
    ({age, content, ...file}): StoredResource => ({
      ...file,
      id: idOf(file.uuid),
      container: 'games/puzzle',
      platform: 'ios',
      size: content.length,
      createdAt: wholeSecond(now, -age * minute),
      content: content.toString('base64'),
    }),
  )
  world.containers = mergeByKey(freshContainers, world.containers, ({path}) => path)
  world.resources = mergeByKey(freshFiles, world.resources, ({uuid}) => uuid)
}
