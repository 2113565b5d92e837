import type {Api} from '../../api/client/api.js'
import {list as listContainer} from '../../api/contract/asset.js'
import {list as listAttendees} from '../../api/contract/attendee.js'
import type {Service} from '../../api/contract/operation.js'
import {list as listRooms} from '../../api/contract/room.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {containerOf} from '../asset/assetPath.js'
import {entriesOf} from '../asset/listing.js'
import type {Live} from './answer.js'
import {type Named, remembered} from './cache.js'
import type {Candidate} from './candidate.js'
import {changesHere, containersHere, requestsHere, uploadsHere} from './here.js'
import type {Line} from './place.js'
import {openWorld, type World} from './world.js'

/** Finds what has to be asked for: on this machine, in the cache of the last minute, or of a service, until `signal` ends it. */
export function liveOf(runtime: Runtime, signal: AbortSignal): Live {
  return async (list, line, typed) => {
    const world = openWorld(runtime, line, signal)
    switch (list) {
      case 'profiles':
        return named([...world.profiles, ['sandbox', 'the services inside the tool']])
      case 'rooms':
        return named(await roomsOf(world))
      case 'users':
        return named(await usersOf(world, line))
      case 'containers':
        return named(await placesBelow(world, typed)).flatMap(containersAlone)
      case 'resources':
        return named(await placesBelow(world, typed))
      case 'uploads':
        return named(await uploadsHere(world, line))
      case 'requests':
        return named(await requestsHere(world))
      case 'changes':
        return named(await changesHere(world))
    }
  }
}

function named(list: readonly Named[]): Candidate[] {
  return list.map(([value, description]) => ({value, description}))
}

function roomsOf(world: World): Promise<readonly Named[]> {
  const {bizId} = world.resolved.values
  return asked(world, 'room', ['rooms', bizId ?? ''], async (api) => {
    const rooms = await api.call(listRooms, {query: bizId ? {bizId} : {}})
    return rooms.map(({room_id: id, name}) => [id, name ?? ''])
  })
}

/** The users of the room that is on the line already. */
async function usersOf(world: World, {command, args, flags}: Line): Promise<readonly Named[]> {
  const [first = ''] = Object.keys(command.args)
  const [roomId] = args
  if (!first.startsWith('room') || roomId === undefined || roomId === '-' || flags.has('where')) return []
  return asked(world, 'room', ['users', roomId], async (api) => {
    const attendees = await api.call(listAttendees, {path: {roomId}})
    return attendees.map(({user_id: id}) => [id, ''])
  })
}

/** What lies in the container before the last slash; before the first one, the containers that this machine has dealt with. */
async function placesBelow(world: World, typed: string): Promise<readonly Named[]> {
  const parent = typed.slice(0, Math.max(typed.lastIndexOf('/'), 0))
  if (parent === '') return containersHere(world)
  return asked(world, 'asset', ['places', parent], async (api) => {
    const {base} = await api.access('asset')
    const listing = await api.call(listContainer, {path: {container: containerOf(parent, base)}})
    return entriesOf(listing, base).flatMap(({row: {kind, path, name}}) => {
      if (path === null) return []
      return kind === 'container' ? [[`${path}/`, '']] : [[path, name ?? '']]
    })
  })
}

/** A container ends with a slash in the list, which the commands that take one do without. */
function containersAlone({value, description}: Candidate): Candidate[] {
  return value.endsWith('/') ? [{value: value.slice(0, -1), description}] : []
}

async function asked(
  world: World,
  service: Service,
  what: readonly string[],
  read: (api: Api) => Promise<Named[]>,
): Promise<readonly Named[]> {
  const {resolved, places, runtime, addressOf, apiOf} = world
  const key = [resolved.name, addressOf(service), ...what]
  return remembered({folder: places.cache, now: runtime.now()}, key, async () => {
    const api = apiOf(service)
    if (!api) throw new Error('the token does not lie ready')
    return read(api)
  })
}
