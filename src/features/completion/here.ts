import {join, resolve} from 'node:path'
import {journalPlace} from '../../cli/session/journalFile.js'
import type {JournalEntry} from '../../storage/journal/journal.js'
import {readJournal} from '../../storage/journal/read.js'
import {scheduledRequests} from '../push/scheduledRequests.js'
import type {Named} from './cache.js'
import type {Line} from './place.js'
import type {World} from './world.js'

/** How many changes are offered. */
const latest = 50

/** The uploads that can be gone on with; for `asset forget`, those too that are finished. */
export async function uploadsHere(world: World, {command, flags}: Line): Promise<Named[]> {
  const entries = await ledgerEntries(world, flags.get('state-dir')?.at(-1))
  const isWanted = (isDone: boolean) => !isDone || command.id === 'asset:forget'
  return entries.filter(({done}) => isWanted(done !== undefined)).map(({id, name}) => [id, name])
}

async function ledgerEntries({places, runtime}: World, given: string | undefined) {
  const folder = given === undefined ? join(places.state, 'uploads') : resolve(given)
  const {openLedger} = await import('../../upload/ledger/ledger.js')
  const ledger = await openLedger(folder, {now: runtime.now})
  const entries = ledger.list()
  await ledger.close()
  return entries
}

/** The first names of the containers that were created, or uploaded to, from this machine: no operation lists them all. */
export async function containersHere(world: World): Promise<Named[]> {
  const uploaded = (await ledgerEntries(world, undefined)).map(({container}) => container)
  const changed = (await entriesHere(world)).flatMap(({targets: {container}}) =>
    typeof container === 'string' ? [container] : [],
  )
  const roots = [...uploaded, ...changed].map((path) => path.replace(/^\//u, '').split('/')[0] ?? '')
  return [...new Set(roots)].sort().map((root) => [`${root}/`, ''])
}

/** The pushes that this machine scheduled and whose time is still to come. */
export async function requestsHere({resolved, runtime, places}: World): Promise<Named[]> {
  const requests = await scheduledRequests({resolved, runtime, places, warn: () => undefined})
  return requests.map(({request_uuid: uuid, dispatch_at: at}) => [uuid, at])
}

/** The latest changes of the profile, the newest first, with what they were and when. */
export async function changesHere(world: World): Promise<Named[]> {
  const entries = await entriesHere(world)
  const named = entries.flatMap(({id, at, operation}): Named[] =>
    id === undefined ? [] : [[id, `${operation} ${at}`]],
  )
  return named.slice(-latest).reverse()
}

async function entriesHere({places, resolved}: World): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of readJournal(journalPlace({places, resolved})))
    if (entry.profile === resolved.name) entries.push(entry)
  return entries
}
