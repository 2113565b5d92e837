import type {InferredFlags} from '@oclif/core/interfaces'
import {adviceAfter} from '../../advice.js'
import {roomStates} from '../../api/contract/states.js'
import {type roomSelectionFlags, roomSelectionNames, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice, parseDurationFlag, parseInstantFlag, parseWireName} from '../../cli/flags/parseValues.js'
import {requireId} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {type RoomFilter, roomFilter} from '../../selection/roomFilter.js'
import {nearest} from '../../text/nearest.js'

/** The states that a flag names, each by a flag of its own or with a comma. Throws Failure (usage). */
export function readStates(texts: readonly string[] | undefined, flag = '--status'): string[] | undefined {
  return texts?.flatMap((text) => text.split(',')).map((word) => readState(word, flag))
}

/** A service may have more states than the document: a word that is near none of them is taken as it is, in capitals. */
function readState(word: string, flag: string): string {
  const isOther = /^[a-z]{2,20}(?:[_-][a-z]{2,20})?$/iu.test(word) && nearest(word, roomStates) === undefined
  return isOther ? word.toUpperCase().replaceAll('-', '_') : parseChoice(flag, word, roomStates)
}

export type RoomSelection = Partial<InferredFlags<typeof roomSelectionFlags>>

/** The first flag that selects rooms, such as `--match`, if any. */
export function selectionFlag(flags: RoomSelection): string | undefined {
  const name = roomSelectionNames.find((flag) => flags[flag] !== undefined && flags[flag] !== false)
  return name && `--${name}`
}

/** Throws Failure (usage) if rooms are both named and chosen. */
export function assertNamedOrChosen(named: readonly string[], flags: RoomSelection): void {
  const flag = selectionFlag(flags)
  if (flag === undefined || named.length === 0) return
  throw wrongUsage(`ROOM and ${flag} cannot be given together`)
}

/** The filter that the flags make, if any. Throws Failure (usage). */
export function readSelection(flags: RoomSelection): RoomFilter | undefined {
  const {status, match, 'created-by': createdBy, 'older-than': olderThan, empty} = flags
  if (match === '') throw wrongUsage('--match is empty', {try: "--match '*' matches every name"})
  return roomFilter({
    status: readStates(status),
    match,
    createdBy: createdBy === undefined ? undefined : requireId('USER', createdBy),
    olderThan:
      olderThan === undefined ? undefined : {ms: parseDurationFlag('--older-than', olderThan), text: olderThan},
    empty,
  })
}

export const intervalFlag = valueFlag('5s', 'polling interval, 1s–1h; longer if the service is slow')

export const tenantFlag = valueFlag('ID', 'tenant, if the service has tenants')

/** The fields of a room as flags, to create, change, or preset them for an application (room §1, §4). */
export const roomFieldFlags = {
  description: valueFlag('TEXT', 'description of the room'),
  start: valueFlag('TIME', 'reserved start: 2026-12-01T09:00+09:00 or +2h'),
  end: valueFlag('TIME', 'reserved end'),
  max: valueFlag('N', 'maximum number of attendees'),
  public: switchFlag('open to anyone', {exclusive: ['private']}),
  private: switchFlag('only attendees may join', {exclusive: ['public']}),
  joinable: switchFlag('whether participants may enter', {allowNo: true}),
  host: valueFlag('creator|first', 'who becomes host: the creator or the first to enter'),
  'elect-host': switchFlag('elect a new host when the host leaves; else continue without', {allowNo: true}),
}

/** host_selection_type (room, Enumerations), as people say it. */
const hostSelections = {creator: 'CREATOR', first: 'FIRST_ENTER_USER'} as const

export function parseHostSelection(text: string) {
  return parseWireName<(typeof hostSelections)[keyof typeof hostSelections]>('--host', text, hostSelections)
}

type ReservationFlags = Readonly<Partial<Record<'start' | 'end' | 'for', string | undefined>>>

/** A reserved time span (room §1), never reversed. `from`: when it starts without `--start`, if known. Throws Failure (usage). */
export function parseReservation(
  session: Session,
  flags: ReservationFlags,
  from?: Date,
): {reserved_start_time?: string; reserved_end_time?: string} {
  const start = flags.start === undefined ? undefined : parseInstantFlag(session, '--start', flags.start)
  const begins = start ?? from?.toISOString()
  const end = endOf(session, flags, begins)
  if (end !== undefined && begins !== undefined && Date.parse(end) <= Date.parse(begins)) {
    throw wrongUsage('the end is not after the start', {why: `the room would be reserved from ${begins} to ${end}`})
  }
  return {
    ...(start === undefined ? {} : {reserved_start_time: start}),
    ...(end === undefined ? {} : {reserved_end_time: end}),
  }
}

function endOf(session: Session, flags: ReservationFlags, begins: string | undefined): string | undefined {
  if (flags.end !== undefined) return parseInstantFlag(session, '--end', flags.end)
  if (flags.for === undefined || begins === undefined) return undefined
  return new Date(Date.parse(begins) + parseDurationFlag('--for', flags.for)).toISOString()
}

/** The user of a flag, else the profile's requester, else one who is asked for. `role`: `creator`. Throws Failure (usage). */
export async function requireUser(
  session: Session,
  typed: string | undefined,
  {flag, role, need}: Readonly<Record<'flag' | 'role' | 'need', string>>,
): Promise<string> {
  const {requireText, toSet, userOrRequester} = await import('../../cli/prompts/confirm.js')
  const missing = () =>
    wrongUsage(`no ${role} given`, {
      why: `${need}, and neither ${flag} nor the profile’s requester names one`,
      try: adviceAfter(`add ${flag}, or`, toSet(session, 'requester')),
    })
  const label = `${role.charAt(0).toUpperCase()}${role.slice(1)} (user id)`
  return requireText(session, 'room', {given: userOrRequester(session, typed), label, missing})
}
