import {join, resolve} from 'node:path'
import {listContainer} from '../../api/contract/asset.js'
import {listAttendees} from '../../api/contract/attendee.js'
import type {Service} from '../../api/contract/operation.js'
import {listRooms} from '../../api/contract/room.js'
import {roomStates} from '../../api/contract/states.js'
import {predictAs} from '../../api/rules/predict.js'
import {CommandOutcome, type OutputMode, overlay, type Runtime} from '../../cli/runtime/runtime.js'
import {openSession, type Session} from '../../cli/session/session.js'
import {type JournalEntry, journalIn} from '../../storage/journal.js'
import {type ReadOptions, readLog} from '../../storage/log/read.js'
import {openProfileFile, type Resolved} from '../../storage/profile/resolve.js'
import {noStyle} from '../../text/text.js'
import {listingEntries} from '../asset/listing.js'
import {parseContainer} from '../asset/paths.js'
import type {LiveLookup} from './answer.js'
import {type CachedItem, readThroughCache} from './cache.js'
import {type Candidate, type CommandLine, choosesRooms, type LiveList} from './sources.js'

type Lookup = (session: Session, line: CommandLine, typed: string) => Promise<readonly CachedItem[]>

const lookups: Readonly<Record<LiveList, Lookup>> = {
  profiles: async ({paths}) => [
    ...Object.entries((await openProfileFile(paths.config)).profiles).map(
      ([name, profile]) => [name, profile['room.url'] ?? ''] as const,
    ),
    ['sandbox', 'the built-in sandbox'],
  ],
  rooms: async (session, line) => actableFirst(await roomsOf(session, line), line),
  users: usersOf,
  // They end with a slash in the list, but not as arguments.
  containers: async (session, line, typed) =>
    (await placesBelow(session, line, typed)).flatMap(([path, name]) =>
      path.endsWith('/') ? [[path.slice(0, -1), name]] : [],
    ),
  resources: placesBelow,
  uploads: localUploads,
}

/** Finds candidates on this machine, in the cache, or on a service. */
export async function lookUp(runtime: Runtime, ...[list, line, typed]: Parameters<LiveLookup>): Promise<Candidate[]> {
  const candidates = await lookups[list](await openLookup(runtime, line), line, typed)
  return candidates.map(([value, description]) => ({value, description}))
}

function roomsOf(session: Session, line: CommandLine): Promise<readonly CachedItem[]> {
  const {bizId} = session.resolved.values
  return cachedRead(session, line, ['room', 'rooms', bizId ?? ''], async ({api}) => {
    const rooms = await api.call(listRooms, {query: bizId ? {bizId} : {}})
    return rooms.map(({room_id: id, name, room_status: state}) => [id, name ?? '', state ?? ''])
  })
}

/** Rooms whose state would refuse the command come last. */
function actableFirst(rooms: readonly CachedItem[], {command}: CommandLine): CachedItem[] {
  const operation = command.id.replace(':', '.')
  const refusing = new Set<string | undefined>(
    roomStates.filter((state) => predictAs(operation, {room_id: '', room_status: state}, 'host').allowed === 'no'),
  )
  const refuses = ([, , state]: CachedItem) => refusing.has(state)
  return [...rooms.filter((room) => !refuses(room)), ...rooms.filter(refuses)]
}

async function usersOf(session: Session, line: CommandLine): Promise<readonly CachedItem[]> {
  const [first = ''] = Object.keys(line.command.args)
  const [roomId] = line.args
  if (!first.startsWith('room') || roomId === undefined || roomId === '-' || choosesRooms(line)) return []
  return cachedRead(session, line, ['room', 'users', roomId], async ({api}) => {
    const attendees = await api.call(listAttendees, {path: {roomId}})
    return attendees.map(({user_id: id}) => [id, ''])
  })
}

/** The entries of the container before the last slash; before the first one, containers known on this machine. */
async function placesBelow(session: Session, line: CommandLine, typed: string): Promise<readonly CachedItem[]> {
  const parent = typed.slice(0, Math.max(typed.lastIndexOf('/'), 0))
  if (parent === '') return localContainers(session)
  return cachedRead(session, line, ['asset', 'places', parent], async ({api}) => {
    const {base} = await api.access('asset')
    const listing = await api.call(listContainer, {path: {container: parseContainer(parent, base)}})
    return listingEntries(listing, base).flatMap(({row: {kind, path, name}}) => {
      if (path === null) return []
      return kind === 'container' ? [[`${path}/`, '']] : [[path, name ?? '']]
    })
  })
}

async function cachedRead(
  session: Session,
  line: CommandLine,
  what: readonly [Service, ...string[]],
  read: (session: Session) => Promise<CachedItem[]>,
): Promise<readonly CachedItem[]> {
  const {resolved, paths, runtime} = session
  const [service, ...more] = what
  const key = [resolved.name, addressOf(session, service, line), ...more]
  return readThroughCache({folder: paths.cache, now: runtime.now()}, key, async () => {
    if (!hasToken(resolved, service)) throw new Error('no token is stored or set')
    return read(session)
  })
}

/** The uploads that can be resumed; for `asset forget` also the newest finished ones. */
async function localUploads(session: Session, {command, flags}: CommandLine): Promise<CachedItem[]> {
  const entries = await ledgerEntries(session, flags.get('state-dir')?.at(-1))
  const isWanted = (isDone: boolean) => !isDone || command.id === 'asset:forget'
  return entries.filter(({done}) => isWanted(done !== undefined)).map(({id, name}) => [id, name])
}

async function ledgerEntries({paths, runtime}: Session, typed: string | undefined) {
  const folder = typed === undefined ? join(paths.state, 'uploads') : resolve(typed)
  const {openLedger} = await import('../../upload/ledger/ledger.js')
  const ledger = await openLedger(folder, {now: runtime.now})
  const entries = ledger.recent()
  await ledger.close()
  return entries
}

/** The top-level containers used from this machine: no operation lists them all. */
async function localContainers(session: Session): Promise<CachedItem[]> {
  const uploaded = (await ledgerEntries(session, undefined)).map(({container}) => container)
  const changed: string[] = []
  for await (const {targets} of localEntries(session, {mentions: 'container'})) {
    if (typeof targets.container === 'string') changed.push(targets.container)
  }
  const roots = [...uploaded, ...changed].map((path) => path.replace(/^\//u, '').split('/')[0] ?? '')
  return [...new Set(roots)].sort().map((root) => [`${root}/`, ''])
}

async function* localEntries({paths, resolved}: Session, options: ReadOptions): AsyncGenerator<JournalEntry> {
  for await (const entry of readLog(journalIn(paths.state), options)) if (entry.profile === resolved.name) yield entry
}

/** Resolves the settings as the command would, without writing, repairing, asking or running programs. @throws Failure for profile and settings. */
async function openLookup(runtime: Runtime, {command, flags}: CommandLine): Promise<Session> {
  const lastValue = (name: string) => flags.get(name)?.at(-1)
  const isSandbox = command.id.startsWith('sandbox:')
  // With a machine format a warning waits for the end of the command, which shows none.
  const silent: OutputMode = {machine: true, style: noStyle, plain: false, debug: false}
  const restricted = overlay(runtime, {run: () => Promise.reject(new Error('completion runs no program'))})
  const settings = {
    profile: isSandbox ? 'sandbox' : lastValue('profile'),
    'biz-id': lastValue('biz-id'),
    'application-id': lastValue('application-id'),
    'ca-file': lastValue('ca-file'),
    ...{retries: '0', output: 'json', color: 'never'},
  }
  const dataFolder = isSandbox ? lastValue('data') : undefined
  return openSession(restricted, new CommandOutcome(runtime.stderr, silent), settings, {dataFolder})
}

function addressOf({resolved, paths}: Session, service: Service, {command, flags}: CommandLine): string {
  if (!resolved.isSandbox) return resolved.values[`${service}.url`] ?? ''
  return (command.id.startsWith('sandbox:') && flags.get('data')?.at(-1)) || paths.sandbox
}

/** Whether the token can be read silently: a keyring may open a window, and a token command may do anything. */
function hasToken(resolved: Resolved, service: Service): boolean {
  const isInEnv = resolved.envToken(service) !== undefined
  return resolved.isSandbox || isInEnv || resolved.credential(service)?.store === 'file'
}
