import {join, resolve} from 'node:path'
import type {Api} from '../../api/client/api.js'
import {listContainer} from '../../api/contract/asset.js'
import {listAttendees} from '../../api/contract/attendee.js'
import type {Service} from '../../api/contract/operation.js'
import {listRooms, roomStates} from '../../api/contract/room.js'
import {predictAs} from '../../api/rules/predict.js'
import {type Runtime, withMembers} from '../../cli/runtime/runtime.js'
import {openServiceClients} from '../../cli/session/serviceClients.js'
import {Secrets} from '../../redaction/secrets.js'
import {type JournalEntry, journalIn} from '../../storage/journal.js'
import {type ReadOptions, readLog} from '../../storage/log/read.js'
import {readProfileFile} from '../../storage/profile/file.js'
import {places, type Resolved, resolveProfile} from '../../storage/profile/resolve.js'
import {listingEntries} from '../asset/listing.js'
import {parseContainer} from '../asset/paths.js'
import {scheduledRequests} from '../push/pickRequest.js'
import type {LiveLookup} from './answer.js'
import {type CachedItem, readThroughCache} from './cache.js'
import {type CommandLine, choosesRooms} from './cursor.js'
import type {LiveList} from './sources.js'

type Lookup = (world: LookupContext, line: CommandLine, typed: string) => Promise<readonly CachedItem[]>

const lookups: Readonly<Record<LiveList, Lookup>> = {
  profiles: async ({profiles}) => [...profiles, ['sandbox', 'the built-in sandbox']],
  rooms: async (world, line) => {
    const rooms = actableFirst(await roomsOf(world), line)
    return isByName(line) ? namesOf(rooms) : rooms
  },
  users: usersOf,
  // They end with a slash in the list, but not as arguments.
  containers: async (world, _, typed) =>
    (await placesBelow(world, typed)).flatMap(([path, name]) =>
      path.endsWith('/') ? [[path.slice(0, -1), name]] : [],
    ),
  resources: (world, _, typed) => placesBelow(world, typed),
  uploads: localUploads,
  requests: localRequests,
  changes: localChanges,
}

/** Finds candidates on this machine, in the cache, or on a service until `signal`. */
export function liveLookup(runtime: Runtime, signal: AbortSignal): LiveLookup {
  return async (list, line, typed) => {
    const found = await lookups[list](openLookup(runtime, line, signal), line, typed)
    return found.map(([value, description]) => ({value, description}))
  }
}

function roomsOf(world: LookupContext): Promise<readonly CachedItem[]> {
  const {bizId} = world.resolved.values
  return cachedRead(world, 'room', ['rooms', bizId ?? ''], async (api) => {
    const rooms = await api.call(listRooms, {query: bizId ? {bizId} : {}})
    return rooms.map(({room_id: id, name, room_status: state}) => [id, name ?? '', state ?? ''])
  })
}

/** The rooms whose state lets the documents expect a refusal of the command come last. */
function actableFirst(rooms: readonly CachedItem[], {command}: CommandLine): CachedItem[] {
  const operation = command.id.replace(':', '.')
  const refusing = new Set<string | undefined>(
    roomStates.filter((state) => predictAs(operation, {room_id: '', room_status: state}, 'host').allowed === 'no'),
  )
  const refuses = ([, , state]: CachedItem) => refusing.has(state)
  return [...rooms.filter((room) => !refuses(room)), ...rooms.filter(refuses)]
}

function isByName({flags}: CommandLine): boolean {
  return flags.has('by-name')
}

function namesOf(rooms: readonly CachedItem[]): CachedItem[] {
  return rooms.filter(([, name]) => name !== '').map(([id, name]) => [name, id])
}

async function usersOf(world: LookupContext, line: CommandLine): Promise<readonly CachedItem[]> {
  const [first = ''] = Object.keys(line.command.args)
  const [given] = line.args
  if (!first.startsWith('room') || given === undefined || given === '-' || choosesRooms(line)) return []
  const roomId = isByName(line) ? namesOf(await roomsOf(world)).find(([name]) => name === given)?.[1] : given
  if (roomId === undefined) return []
  return cachedRead(world, 'room', ['users', roomId], async (api) => {
    const attendees = await api.call(listAttendees, {path: {roomId}})
    return attendees.map(({user_id: id}) => [id, ''])
  })
}

/** The entries of the container before the last slash; before the first one, containers known on this machine. */
async function placesBelow(world: LookupContext, typed: string): Promise<readonly CachedItem[]> {
  const parent = typed.slice(0, Math.max(typed.lastIndexOf('/'), 0))
  if (parent === '') return localContainers(world)
  return cachedRead(world, 'asset', ['places', parent], async (api) => {
    const {base} = await api.access('asset')
    const listing = await api.call(listContainer, {path: {container: parseContainer(parent, base)}})
    return listingEntries(listing, base).flatMap(({row: {kind, path, name}}) => {
      if (path === null) return []
      return kind === 'container' ? [[`${path}/`, '']] : [[path, name ?? '']]
    })
  })
}

async function cachedRead(
  world: LookupContext,
  service: Service,
  what: readonly string[],
  read: (api: Api) => Promise<CachedItem[]>,
): Promise<readonly CachedItem[]> {
  const {resolved, places, runtime, addressOf, apiOf} = world
  const key = [resolved.name, addressOf(service), ...what]
  return readThroughCache({folder: places.cache, now: runtime.now()}, key, async () => {
    const api = apiOf(service)
    if (!api) throw new Error('the token does not lie ready')
    return read(api)
  })
}

const maxChanges = 50

/** The uploads that can be resumed; for `asset forget` also the newest finished ones. */
export async function localUploads(world: LookupContext, {command, flags}: CommandLine): Promise<CachedItem[]> {
  const entries = await ledgerEntries(world, flags.get('state-dir')?.at(-1))
  const isWanted = (isDone: boolean) => !isDone || command.id === 'asset:forget'
  return entries.filter(({done}) => isWanted(done !== undefined)).map(({id, name}) => [id, name])
}

async function ledgerEntries({places, runtime}: LookupContext, given: string | undefined) {
  const folder = given === undefined ? join(places.state, 'uploads') : resolve(given)
  const {openLedger} = await import('../../upload/ledger/ledger.js')
  const ledger = await openLedger(folder, {now: runtime.now})
  const entries = ledger.recent()
  await ledger.close()
  return entries
}

/** The top-level containers used from this machine: no operation lists them all. */
export async function localContainers(world: LookupContext): Promise<CachedItem[]> {
  const uploaded = (await ledgerEntries(world, undefined)).map(({container}) => container)
  const changed: string[] = []
  for await (const {targets} of localEntries(world, {mentions: 'container'})) {
    if (typeof targets.container === 'string') changed.push(targets.container)
  }
  const roots = [...uploaded, ...changed].map((path) => path.replace(/^\//u, '').split('/')[0] ?? '')
  return [...new Set(roots)].sort().map((root) => [`${root}/`, ''])
}

/** The pushes scheduled from this machine that are still pending. */
export async function localRequests({resolved, runtime, places}: LookupContext): Promise<CachedItem[]> {
  const requests = await scheduledRequests({resolved, runtime, places, warn: () => undefined})
  return requests.map(({request_uuid: uuid, dispatch_at: at}) => [uuid, at])
}

export async function localChanges(world: LookupContext): Promise<CachedItem[]> {
  const items: CachedItem[] = []
  for await (const {id, at, operation} of localEntries(world, {newestFirst: true})) {
    if (id !== undefined) items.push([id, `${operation} ${at}`])
    if (items.length === maxChanges) break
  }
  return items
}

async function* localEntries({places, resolved}: LookupContext, options: ReadOptions): AsyncGenerator<JournalEntry> {
  for await (const entry of readLog(journalIn(places.state, resolved.values['journal.keep']), options))
    if (entry.profile === resolved.name) yield entry
}

export type LookupContext = ReturnType<typeof openLookup>

/** Resolves the settings as the command would, without writing, repairing, asking or running programs. Raises errors in profile and settings. */
export function openLookup(runtime: Runtime, line: CommandLine, signal: AbortSignal) {
  const where = places(runtime.env, runtime.home, runtime.platform)
  const file = readProfileFile(where.config)
  const given = (name: string) => line.flags.get(name)?.at(-1)
  const isSandbox = line.command.id.startsWith('sandbox:')
  const resolved = resolveProfile({
    flags: {
      profile: isSandbox ? 'sandbox' : given('profile'),
      bizId: given('biz-id'),
      applicationId: given('application-id'),
      caFile: given('ca-file'),
      retries: '0',
    },
    env: runtime.env,
    file,
  })
  const dataFolder = (isSandbox ? given('data') : undefined) ?? join(where.data, 'sandbox')
  const restricted = withMembers(runtime, {
    signal,
    run: () => Promise.reject(new Error('completion runs no program')),
  })
  const open = openServiceClients({
    runtime: restricted,
    resolved,
    secrets: new Secrets(),
    dataFolder,
    routes: line.flags.get('route') ?? [],
    debug: false,
    warn: () => undefined,
  })
  return {
    runtime: restricted,
    places: where,
    resolved,
    profiles: Object.entries(file.profiles).map(([name, profile]) => [name, profile['room.url'] ?? ''] as const),
    addressOf: (service: Service) => (resolved.isSandbox ? dataFolder : (resolved.values[`${service}.url`] ?? '')),
    /** Undefined if that would need a keyring, a program or a question. */
    apiOf: (service: Service) => (hasToken(resolved, service) ? open() : undefined),
  }
}

/** Whether the token is at hand: a keyring may open a window, and a token command may do anything. */
function hasToken(resolved: Resolved, service: Service): boolean {
  const isInEnv = resolved.envToken(service) !== undefined
  return resolved.isSandbox || isInEnv || resolved.credential(service)?.store === 'file'
}
