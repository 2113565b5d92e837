import {Failure} from '../../api/contract/failure.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import {readRoom} from '../bulk/readRooms.js'

/** A value that the service did not keep. */
export interface Override {
  readonly field: string
  readonly asked: unknown
  readonly got: unknown
}

/** The values of a create request that the console's settings can override (room, What the service does). */
const overridable = ['max_attendee_count', 'is_joinable', 'host_selection_type', 'is_elect_host', 'is_public'] as const

/**
 * Reads a created room back and compares it with what was asked for. Where it cannot be read, that is said and the command
 * ends with the exit code of that failure: the room's id must still come out. Undefined then.
 */
export async function overrides(
  session: Session,
  roomId: string,
  asked: Readonly<Record<string, unknown>>,
): Promise<Override[] | undefined> {
  try {
    const room = await readRoom(session, roomId)
    return overridable
      .map((field) => ({field, asked: asked[field], got: room[field]}))
      .filter(({asked: wanted, got}) => wanted !== undefined && got !== undefined && got !== null && got !== wanted)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    session.warn(`the room was created, but could not be read back\n${failureWarning(session, error)}`)
    session.endWith(error.facts.exit)
    return undefined
  }
}
