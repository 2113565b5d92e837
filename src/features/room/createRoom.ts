import type {InferredFlags} from '@oclif/core/interfaces'
import type {Input} from '../../api/contract/operation.js'
import {createRoom} from '../../api/contract/roomChanges.js'
import {changeFlags, inputFileFlag, repeatableFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {readIds} from '../../cli/input/readIds.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {CommonFlags, Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {readRoom} from '../bulk/readRooms.js'
import {mutate} from '../mutation/mutate.js'
import {parseHostSelection, parseReservation, requireUser, roomFieldFlags, tenantFlag} from './roomFlags.js'

export const createFlags = {
  ...changeFlags,
  'created-by': valueFlag('USER', 'user id of the creator'),
  attendee: repeatableFlag('USER', 'attendee; repeatable', {char: 'a'}),
  'attendees-from': inputFileFlag('read attendees from FILE, one per line; - is stdin'),
  ...roomFieldFlags,
  host: {...roomFieldFlags.host, default: 'creator'},
  'elect-host': {...roomFieldFlags['elect-host'], default: true},
  joinable: {...roomFieldFlags.joinable, default: true},
  end: {...roomFieldFlags.end, exclusive: ['for']},
  for: valueFlag('1h', 'reserved duration'),
  'biz-id': tenantFlag,
  token: switchFlag('also request an access token for the creator'),
  check: switchFlag('read the room back and show overridden values'),
}

export type CreateFlags = InferredFlags<typeof createFlags> & CommonFlags

export async function createRoomNamed(session: Session, name: string, flags: CreateFlags): Promise<void> {
  const body = await bodyOf(session, name, flags)
  const {created_by} = body
  await mutate(session, flags, {
    operation: createRoom,
    input: () => ({body}),
    members: ['room_id', 'created_by', ...(flags.token ? ['token'] : []), ...(flags.check ? ['overridden'] : [])],
    result: async ({reply: {room_id, token: roomToken}}) => {
      const token = roomToken?.trim() ? roomToken : null
      const overridden = flags.check ? await readOverrides(session, room_id, body) : undefined
      const value = {
        room_id,
        created_by,
        ...(flags.token ? {token} : {}),
        ...(flags.check ? {overridden: overridden ?? null} : {}),
      }
      const sentence = `created room ${safeText(room_id)} "${safeText(name)}" as ${safeText(created_by)}`
      const lines = [sentence, ...(flags.token ? tokenLines(token) : []), ...overrideLines(overridden)]
      return {value, id: room_id, sentence: lines.join('\n')}
    },
  })
}

/** The request: the three fields that one reference calls required are always in it (room §1). */
async function bodyOf(session: Session, name: string, flags: CreateFlags): Promise<Input<typeof createRoom>['body']> {
  const {bizId} = session.resolved.values
  const {host_selection_type, ...limits} = readCreateFlags(session, flags)
  const created_by = await requireUser(session, flags['created-by'], {
    flag: '--created-by',
    role: 'creator',
    need: 'a room needs a creator',
  })
  const isPrivate = flags.private === true
  // The document wants the creator among them (room §1 rules 3 and 4).
  const first = host_selection_type === 'CREATOR' || isPrivate ? [created_by] : []
  const {ids} = await readIds(session, 'USER', flags.attendee ?? [], flags['attendees-from'])
  const attendees = [...first.filter((user) => !ids.includes(user)), ...ids]
  return {
    name,
    created_by,
    is_public: !isPrivate,
    host_selection_type,
    is_elect_host: flags['elect-host'],
    is_joinable: flags.joinable,
    ...(attendees.length > 0 ? {attendees} : {}),
    ...limits,
    ...(flags.description === undefined ? {} : {description: flags.description}),
    ...(bizId ? {biz_id: bizId} : {}),
    is_token_receive: flags.token === true,
  }
}

/** Validates these flags before any question. Throws Failure (usage). */
export function readCreateFlags(session: Session, flags: Pick<CreateFlags, 'host' | 'max' | 'start' | 'end' | 'for'>) {
  return {
    host_selection_type: parseHostSelection(flags.host ?? 'creator'),
    ...(flags.max === undefined ? {} : {max_attendee_count: parseWholeNumber('--max', flags.max, {min: 1})}),
    ...parseReservation(session, flags, session.runtime.now()),
  }
}

function tokenLines(token: string | null): string[] {
  return [token ? `token: ${safeText(token)}` : 'the service returned no token']
}

function overrideLines(overridden: Awaited<ReturnType<typeof readOverrides>>): string[] {
  if (overridden === undefined) return []
  if (overridden.length === 0) return ['the service kept every value']
  return overridden.map(
    ({field, asked, got}) => `the service overrode ${field}: ${safeText(asked)} became ${safeText(got)}`,
  )
}

/** The values of a create request that the console's settings can override (room, What the service does). */
const overridable = ['max_attendee_count', 'is_joinable', 'host_selection_type', 'is_elect_host', 'is_public'] as const

/** Reads a created room back. A failure becomes a warning and the exit code: the room's id must still be printed. */
async function readOverrides(session: Session, roomId: string, asked: Readonly<Record<string, unknown>>) {
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
