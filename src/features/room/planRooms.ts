import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import type {Session} from '../../cli/session/session.js'
import {runAll} from '../../selection/pool.js'
import {previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {readRoom, resolveRequester} from '../mutation/requester.js'
import type {Targets} from './roomArgs.js'
import type {Decided, RoomChange} from './roomMutations.js'

/** Failures that are about one room alone: it is gone, nobody can act in it, or no path can carry its id. */
const ofOneRoom: ReadonlySet<string> = new Set(['missing', 'state', 'usage'])

/**
 * The requests of a change to rooms, which are read for it, `concurrency` at a time. Of several, one that cannot be made leaves the
 * others to be seen.
 */
export async function planRooms<O extends Operation>(
  session: Session,
  change: RoomChange<O>,
  {ids, single, concurrency = 1}: Targets & {readonly concurrency?: number},
  decided?: Decided,
): Promise<RequestPreview[]> {
  if (ids.length > concurrency) session.warn(`reading ${ids.length} rooms, one call each`)
  const work = async (id: string) => {
    try {
      return [await planRoom(session, change, id, decided)]
    } catch (error) {
      if (single || !(error instanceof Failure) || !ofOneRoom.has(error.facts.exit)) throw error
      return [noPlan(change.operation, error)]
    }
  }
  const plans = await runAll(ids, work, {concurrency, stopped: () => undefined, untried: () => []})
  return plans.flat()
}

async function planRoom<O extends Operation>(
  session: Session,
  {operation, input, who}: RoomChange<O>,
  id: string,
  decided: Decided | undefined,
): Promise<RequestPreview> {
  const room = await readRoom(session, id)
  const moved = decided?.moved(id, room)
  if (moved !== undefined) throw new Failure({exit: 'state', message: `room ${id} would be skipped: ${moved}`})
  if (who === 'nobody') return previewRequest(session, operation, input(id, ''), {room})
  const wish = decided?.wish === undefined ? {} : {wish: decided.wish}
  const acting = await resolveRequester(session, id, {known: room, creatorWillDo: who === 'host or creator', ...wish})
  const {requester_id: requester} = acting
  return previewRequest(session, operation, input(id, requester), {room, requester})
}

function noPlan({id}: Operation, {facts}: Failure): RequestPreview {
  const expected = {allowed: 'no', why: facts.message, ...(facts.code ? {code: facts.code} : {})} as const
  return {dry_run: true, operation: id, method: null, url: null, headers: {}, body: null, expected}
}
