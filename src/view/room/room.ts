import type {RecordingFile} from '../../api/contract/record.js'
import {type RoomDetail, type RoomSummary, summaryFields} from '../../api/contract/room.js'
import {beginningOf, presentCount} from '../../api/contract/roomFacts.js'
import type {Answer} from '../../api/contract/states.js'
import {isUnreadable} from '../../api/contract/unreadable.js'
import {fileSize, grouped, type Style, safeText} from '../../text/text.js'
import {ago, nanoseconds, toTheMinute, utcMoment} from '../../text/time.js'
import {type CardView, type Column, type ListView, unreadableCell, type ViewContext} from '../format/columns.js'
import {section} from '../format/table.js'
import {attendeeList} from './attendee.js'

type RoomColumn = Column<RoomSummary>

const id: RoomColumn = {name: 'room_id', label: 'ID', id: true}
const name: RoomColumn = {name: 'name', fit: 'name'}
const status: RoomColumn = {name: 'room_status', label: 'Status', paint: paintStatus, kept: true}
const description: RoomColumn = {name: 'description', fit: 'prose'}
const isPublic: RoomColumn = {name: 'is_public', label: 'Public'}
const isJoinable: RoomColumn = {name: 'is_joinable', label: 'Joinable'}
const createdBy: RoomColumn = {name: 'created_by'}

const times = (['reserved_start_time', 'reserved_end_time', 'start_time', 'end_time'] as const).map(
  (wireName): RoomColumn => ({name: wireName, time: 'second'}),
)

const present: RoomColumn = {
  name: 'present_count',
  label: 'Present',
  value: presentCount,
  right: true,
}

/** Known for a room that was read by itself (room §3), and in a list when the command asked for each room's counts. */
const counts: readonly RoomColumn[] = [
  present,
  {name: 'reserved_count', label: 'Reserved', value: (room) => countOf(room, 'reserved_count'), right: true},
  {name: 'invited_count', label: 'Invited', value: (room) => countOf(room, 'invited_count'), right: true},
]

export function isCount({name: column}: Pick<RoomColumn, 'name'>): boolean {
  return counts.some(({name: count}) => count === column)
}

/** Seconds since the room began, and in a RESERVED room since its reserved start. */
const age: RoomColumn = {
  name: 'age',
  value: (room, {now}) => {
    const begin = beginOf(room)
    return begin && Math.floor((now.getTime() - begin.getTime()) / 1000)
  },
  show: (room, {now}) => ageOf(room, now),
  right: true,
}

export function ageOf(room: RoomSummary, now: Date): string {
  const begin = beginOf(room)
  return begin === undefined ? '' : ago(begin, now)
}

const listed: readonly RoomColumn[] = [
  listedTime('start'),
  listedTime('end'),
  ...times.map((column): RoomColumn => ({...column, only: 'csv'})),
  {name: 'max_attendee_count', label: 'Max', right: true},
  isPublic,
  createdBy,
]

/** Fields of the contract without a column of their own, on request. */
function otherFields(columns: readonly {readonly name: string}[]): readonly RoomColumn[] {
  const names = new Set(columns.map(({name: column}) => column))
  return Object.keys(summaryFields)
    .filter((field) => !names.has(field))
    .map((field) => ({name: field, extra: true}))
}

const listColumns: readonly RoomColumn[] = [
  id,
  name,
  status,
  {...age, only: 'table'},
  {...present, only: 'table', ifKnown: true},
  ...listed,
  ...[description, isJoinable, ...counts.slice(1)].map(asExtra),
]

/** Of a sandbox, which has none before it is seeded. */
export const noSandboxRooms = 'no rooms; add some: roomctl sandbox seed'

/** The rooms of an application (room §2). In a table `start` and `end` are the actual times, else the reserved ones; CSV has the four by name. */
export const roomList: ListView<RoomSummary> = {
  columns: [...listColumns, ...otherFields(listColumns)],
  id: (room) => room.room_id,
  empty: 'no rooms',
}

/** The same with the counts among the ordinary columns, for rooms that carry `attendee_count`. */
export const roomListWithCounts: ListView<RoomSummary> = {
  ...roomList,
  columns: [
    ...roomList.columns.filter((column) => !isCount(column)),
    ...counts.map((column): RoomColumn => ({...column, kept: true})),
  ],
}

export const roomCard: CardView<RoomDetail> = {
  title: (room) => safeText(room.name) || safeText(room.room_id),
  titleColumn: 'name',
  columns: [
    id,
    name,
    status,
    {...description, ifKnown: true},
    together('reserved', span('reserved_start_time', 'reserved_end_time')),
    together('met', span('start_time', 'end_time')),
    ...times.map(forScripts),
    {name: 'attendee_count', label: 'People', show: people, ifKnown: true},
    forScripts({name: 'max_attendee_count', label: 'Max attendees'}),
    together('access', access),
    ...[isPublic, isJoinable].map(forScripts),
    together('hosting', hosting, 'Host'),
    forScripts({name: 'host', value: (room) => hosts(room).join(' '), show: (room) => hosts(room).join(', ')}),
    {...createdBy, ifKnown: true},
    forScripts({name: 'host_selection_type', label: 'Host selection'}),
    forScripts({name: 'is_elect_host', label: 'Elects a host'}),
    ...[age, ...counts].map(asExtra),
    ...otherFields(listColumns),
  ],
  id: (room) => room.room_id,
  sections: (room) => (room.attendees ? [section(undefined, room.attendees, attendeeList)] : []),
}

/** Fields of a card that belong together, in one row; CSV and `--columns` have them one by one. */
function together(
  name: string,
  show: (room: RoomDetail, context: ViewContext) => string,
  label = name,
): Column<RoomDetail> {
  return {name, label, value: () => undefined, show, only: 'table', ifKnown: true}
}

function forScripts(column: Column<RoomDetail>): Column<RoomDetail> {
  return {...column, only: 'csv'}
}

/** `from – to`, as far as known; `to` as a word for a screen reader. */
function span(...limits: readonly (keyof RoomDetail)[]) {
  return (room: RoomDetail, {time, plain}: ViewContext): string => {
    const [from, to] = limits.map((limit) => (room[limit] ? time(room[limit]) : ''))
    if (!from && !to) return ''
    return `${from || '?'}${to ? ` ${plain ? 'to' : '\u2013'} ${to}` : ''}`
  }
}

function access({is_public: open, is_joinable: joinable}: RoomDetail): string {
  const text = [
    open === true ? 'public' : open === false ? 'private' : '',
    joinable === true ? 'joinable' : joinable === false ? 'not joinable' : '',
  ]
  return text.filter((word) => word !== '').join(', ')
}

/** `ann (CREATOR, elects a successor)`. */
function hosting({host_selection_type: selection, is_elect_host: elects, ...room}: RoomDetail): string {
  const text = [
    safeText(selection),
    elects === true ? 'elects a successor' : elects === false ? 'elects no successor' : '',
  ]
  const known = text.filter((word) => word !== '').join(', ')
  const host = room.attendees ? hosts(room).join(', ') || 'none' : 'unknown'
  return [host, ...(known === '' ? [] : [`(${known})`])].join(' ')
}

/** The actual time, else the reserved one. */
function listedTime(limit: 'start' | 'end'): RoomColumn {
  const actual = `${limit}_time` as const
  const value = (room: RoomSummary) =>
    isUnreadable(room, actual) ? unreadableCell : (room[actual] ?? room[`reserved_${actual}`])
  return {name: limit, value, time: 'minute', fit: 'whole', only: 'table'}
}

function asExtra(column: RoomColumn): RoomColumn {
  return {...column, extra: true}
}

function paintStatus(text: string, room: RoomSummary, style: Style): string {
  switch (room.room_status) {
    case 'MEETING':
      return style.green(text)
    case 'RESERVED':
      return style.cyan(text)
    case 'IDLE':
      return style.yellow(text)
    default:
      return style.dim(text)
  }
}

function beginOf(room: RoomSummary): Date | undefined {
  return utcMoment(beginningOf(room))
}

function countOf(room: RoomSummary, count: string): unknown {
  const all = room.attendee_count
  return typeof all === 'object' && all !== null ? Reflect.get(all, count) : undefined
}

function people(room: RoomDetail): string {
  const known = counts.flatMap((count) => {
    const number = count === present ? presentCount(room) : countOf(room, count.name)
    const most = count === present && room.max_attendee_count ? ` of ${safeText(room.max_attendee_count)}` : ''
    return number === undefined || number === null ? [] : [`${safeText(number)}${most} ${count.label?.toLowerCase()}`]
  })
  return known.length === 0 && room.max_attendee_count
    ? `at most ${safeText(room.max_attendee_count)}`
    : known.join(', ')
}

function hosts(room: RoomDetail): string[] {
  return (room.attendees ?? []).filter((attendee) => attendee.is_host === true).map(({user_id}) => safeText(user_id))
}

/** A user with a fact from the journal. */
export interface SetHere {
  readonly user: string
  readonly at: string
}

/** Facts of the journal that the service has no field for. */
export interface LastKnown {
  readonly blocked: readonly SetHere[]
  /** Without a time if the service itself shows it. */
  readonly presenter: SetHere | Pick<SetHere, 'user'> | undefined
}

/** The card with a sentence for each fact of the journal; another machine may have changed it since. */
export function withLastKnown<T>(card: CardView<T>, {blocked, presenter}: LastKnown): CardView<T> {
  return {
    ...card,
    notes: (value, context) => [
      ...(card.notes?.(value, context) ?? []),
      ...(presenter
        ? [`presenter: ${safeText(presenter.user)}${'at' in presenter ? `, set ${fromHere(presenter, context)}` : ''}`]
        : []),
      ...blocked.map((block) => `${safeText(block.user)} was blocked ${fromHere(block, context)}`),
    ],
  }
}

function fromHere({at}: SetHere, {time}: ViewContext): string {
  return `from this machine at ${toTheMinute(time(at))}`
}

/** The recording files of rooms (room §16), with the `room_id` that the command put there. */
export const recordingList: ListView<RecordingFile> = recordingsOf('csv')

/** `only`: formats that show the room; the table of one room omits it. */
export function recordingsOf(only?: 'csv'): ListView<RecordingFile> {
  return {
    columns: [
      {name: 'room_id', label: 'Room', id: true, ...(only ? {only} : {})},
      {name: 'file_name', label: 'File', id: true},
      {name: 'file_size', label: 'Size', show: (row) => measured(row.file_size, fileSize), right: true},
      {name: 'duration', show: (row) => measured(row.duration, nanoseconds), right: true},
    ],
    id: (row) => row.file_name,
    empty: 'no recordings',
  }
}

function measured(value: unknown, draw: (amount: number) => string): string {
  return typeof value === 'number' && Number.isFinite(value) ? draw(value) : safeText(value)
}

/** Whether an action is predicted to be accepted. */
interface Ability {
  readonly action: string
  readonly allowed: Answer
  readonly why: string
  /** The requester; null if none is named, or no user has the role. */
  readonly as: string | null
  readonly code: string | null
  /** Whether the documents state the answer and its code; else `why` says so. */
  readonly documented: boolean
  readonly source: string | null
}

const headings: Readonly<Record<Answer, string>> = {
  yes: 'allowed now',
  no: 'refused now',
  unknown: 'depends on the service',
}

/** The card with one sentence each for allowed, refused and undecided actions. `as`: the user, if that is not the host. */
export function withAbilities<T>(card: CardView<T>, abilities: readonly Ability[], as?: string): CardView<T> {
  const whom = as === undefined ? '' : ` as ${safeText(as)}`
  const notes = (['yes', 'no', 'unknown'] as const).flatMap((answer) => {
    const those = abilities.filter(({allowed}) => allowed === answer)
    // Of a state that no document knows.
    const isShared = those.length === abilities.length && new Set(those.map(({why}) => why)).size === 1
    const why = isShared ? ` (${safeText(those[0]?.why)})` : ''
    return those.length === 0 ? [] : [`${headings[answer]}${whom}${why}: ${byTopic(those.map(({action}) => action))}`]
  })
  return {...card, notes: (value, context) => [...(card.notes?.(value, context) ?? []), ...notes]}
}

/** `room.end`, `room.send`, `record.stop` as `room end, send; record stop`. */
function byTopic(ids: readonly string[]): string {
  const topics = grouped(ids, (id) => id.split('.')[0] ?? '')
  const actions = (all: readonly string[]) => all.map((id) => id.split('.')[1]).join(', ')
  return Array.from(topics, ([topic, all]) => `${topic} ${actions(all)}`).join('; ')
}
