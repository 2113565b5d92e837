import {get} from '../contract/room.js'
import type {Session} from './session.js'

/** A value that the service did not keep. */
export interface Override {
  readonly field: string
  readonly asked: unknown
  readonly got: unknown
}

/** The values of a create request that the console's settings can override (room, What the service does). */
const overridable = ['max_attendee_count', 'is_joinable', 'host_selection_type', 'is_elect_host', 'is_public'] as const

/** Reads a room back and compares it with what was asked for. */
export async function overrides(
  {api}: Session,
  roomId: string,
  asked: Readonly<Record<string, unknown>>,
): Promise<Override[]> {
  const room = await api.call(get, {path: {roomId}})
  return overridable
    .map((field) => ({field, asked: asked[field], got: room[field]}))
    .filter(({asked: wanted, got}) => wanted !== undefined && got !== undefined && got !== null && got !== wanted)
}
