import {nearRoom} from '../../cli/prompts/nearRoom.js'
import {tenantRooms} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {exits, onFailure} from '../../failure.js'
import type {ChangeResult} from '../../view/room/changes.js'

/** Above this many missing rooms their ids are no slips of typing. */
const mostMissing = 20

/** Rows of missing rooms name a near one, by one list for all of them. */
export async function nameNearRooms(session: Session, rows: readonly ChangeResult[]): Promise<readonly ChangeResult[]> {
  const isMissing = ({error}: ChangeResult) => error?.exit_code === exits.missing.code
  const missing = rows.filter(isMissing).length
  if (missing === 0 || missing > mostMissing || session.runtime.signal.aborted) return rows
  const rooms = await tenantRooms(session).catch(
    onFailure(
      () => true,
      () => [],
    ),
  )
  return rows.map((row) => {
    const why = isMissing(row) ? nearRoom(rooms, row.room_id) : undefined
    return row.error && why ? {...row, error: {...row.error, why}} : row
  })
}
