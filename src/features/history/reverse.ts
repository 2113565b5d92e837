import {shellWord} from '../../advice.js'
import type {ReversibleChange} from '../../api/contract/operations.js'
import {type Updatable, updatable} from '../../api/contract/roomChanges.js'
import type {JournalEntry} from '../../storage/journal.js'
import {isSameValue} from '../../text/time.js'

/** The arguments and flags of the reversing command; undefined if the journal does not hold what was there before. */
interface Reverse {
  readonly command: string
  readonly args: readonly string[]
  readonly flags?: readonly string[]
}

/**
 * The command line that puts back what was there before a change, for a POSIX shell; undefined without one. `isAhead`: whether a
 * scheduled push is still to be sent.
 */
export function reverseOf(entry: JournalEntry, isAhead: (uuid: string) => boolean): string | undefined {
  if (entry.outcome !== 'done' || !Object.hasOwn(reverses, entry.operation)) return undefined
  const reverse = reverses[entry.operation as ReversibleChange](entry, isAhead)
  if (reverse === undefined) return undefined
  const {command, args, flags = []} = reverse
  const values = args.some((arg) => arg.startsWith('-')) ? ['--', ...args] : args
  return ['roomctl', ...command.split(' '), '-p', ...[entry.profile, ...flags, ...values].map(shellWord)].join(' ')
}

const reverses: Readonly<
  Record<ReversibleChange, (entry: JournalEntry, isAhead: (uuid: string) => boolean) => Reverse | undefined>
> = {
  'attendee.block': (entry) => ofUsers('attendee restore', entry),
  'attendee.restore': (entry) => ofUsers('attendee block', entry),
  'room.update': updateBack,
  'room.delegate': ({targets: {roomId}, before, as}) => {
    const host = before?.host ?? as
    return isText(roomId) && isText(host) ? {command: 'room delegate', args: [roomId, host]} : undefined
  },
  'push.broadcast': ({targets: {request_uuid: uuid, application_id: application}}, isAhead) =>
    isText(uuid) && isText(application) && isAhead(uuid)
      ? {command: 'push cancel', args: [uuid], flags: ['--application-id', application]}
      : undefined,
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function ofUsers(command: string, {targets: {roomId, attendees}}: JournalEntry): Reverse | undefined {
  if (!isText(roomId) || !Array.isArray(attendees) || attendees.length === 0) return undefined
  return {command, args: [roomId, ...attendees.map(String)]}
}

/** The flag of each field whose flag has another name. */
const flagNames: Readonly<Partial<Record<Updatable, string>>> = {
  reserved_start_time: 'start',
  reserved_end_time: 'end',
  max_attendee_count: 'max',
  is_public: 'public',
  is_joinable: 'joinable',
}

/** The flag that sets a field again; undefined for a value that no flag sets. */
function flagOf(field: Updatable, value: unknown): string | undefined {
  const name = flagNames[field] ?? field
  if (typeof value === 'boolean') return switchOf(name, value)
  // The default of the description is an empty text (room, Room).
  const text = field === 'description' ? (value ?? '') : value
  return isText(text) || typeof text === 'number' ? `--${name}=${text}` : undefined
}

function switchOf(name: string, isOn: boolean): string {
  if (isOn) return `--${name}`
  return name === 'public' ? '--private' : `--no-${name}`
}

/** Undefined if the room was not read before the update, or a former value cannot be set again. */
function updateBack({targets, before}: JournalEntry): Reverse | undefined {
  const {roomId} = targets
  if (!isText(roomId) || before === undefined) return undefined
  const changed = updatable.filter((field) => field in targets && !isSameValue(before[field], targets[field]))
  const flags = changed.map((field) => (field in before ? flagOf(field, before[field]) : undefined))
  if (flags.length === 0 || flags.includes(undefined)) return undefined
  return {command: 'room update', args: [roomId], flags: flags.filter((flag) => flag !== undefined)}
}
