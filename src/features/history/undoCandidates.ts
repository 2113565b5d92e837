import {Failure} from '../../api/contract/failure.js'
import {fillAdvice} from '../../api/rules/templates.js'
import {journalPlace, readHistory, userAtHost} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {RequestsFromEnd} from '../push/scheduledRequests.js'
import {type InHistory, mayHaveBeen} from './inverse.js'

/** The changes made with a profile, read from the journal's end, and of them no more than is asked for. */
export class Changes {
  readonly #profile: string
  readonly #unread: AsyncGenerator<JournalEntry>
  /** The newest first, as are those of each room. */
  readonly #read: JournalEntry[] = []
  readonly #rooms = new Map<unknown, JournalEntry[]>()
  readonly #undoings = new Map<string, JournalEntry>()
  /** The outcomes of the pushes of the changes that were read. */
  readonly requests: RequestsFromEnd

  /** `mentions`: only changes whose line holds this text. */
  constructor(session: Session, mentions?: string) {
    this.#profile = session.resolved.name
    this.#unread = readHistory(session, mentions, {newestFirst: true})
    this.requests = new RequestsFromEnd(this.#profile)
  }

  /** The newest first. Raises a Failure (file) where the journal cannot be read. */
  async *newestFirst(): AsyncGenerator<JournalEntry> {
    for (let at = 0; ; at += 1) {
      const entry = this.#read[at] ?? (await this.#next())
      if (entry === undefined) return
      yield entry
    }
  }

  /** What was done to the room of an entry that was read. Raises a Failure (file) where the journal cannot be read. */
  async historyOf(entry: JournalEntry): Promise<InHistory> {
    const later = () => {
      const room = this.#inRoomOf(entry)
      return room.slice(0, room.indexOf(entry))
    }
    if (entry.operation !== 'room.presenter') return {entry, later}
    return {entry, later, earlierPresenter: await this.#presenterBefore(entry)}
  }

  /** The one that has undone an entry that was read. */
  undoingOf({id}: JournalEntry): JournalEntry | undefined {
    return id === undefined ? undefined : this.#undoings.get(id)
  }

  /** Lets go of the journal. */
  async close(): Promise<void> {
    await this.#unread.return(undefined)
  }

  async #presenterBefore(entry: JournalEntry): Promise<JournalEntry | undefined> {
    const room = this.#inRoomOf(entry)
    for (let at = room.indexOf(entry) + 1; ; at += 1) {
      while (room.length <= at) if ((await this.#next()) === undefined) return undefined
      const earlier = room[at]
      if (earlier && mayHaveBeen(earlier, 'room.presenter')) return earlier
    }
  }

  #inRoomOf({targets}: JournalEntry): JournalEntry[] {
    const room = this.#rooms.get(targets.roomId) ?? []
    if (room.length === 0) this.#rooms.set(targets.roomId, room)
    return room
  }

  async #next(): Promise<JournalEntry | undefined> {
    for (;;) {
      const {done, value: entry} = await this.#unread.next()
      if (done === true) return undefined
      if (entry.profile !== this.#profile) continue
      this.#read.push(entry)
      this.#inRoomOf(entry).push(entry)
      this.requests.add(entry)
      const {undoes, outcome} = entry
      if (undoes !== undefined && outcome === 'done' && !this.#undoings.has(undoes)) this.#undoings.set(undoes, entry)
      return entry
    }
  }
}

/**
 * The changes that have to do with the one of that id. Raises a Failure where there is none of the profile or more than one
 * (missing), and where the journal cannot be read (file).
 */
export async function changesAbout(session: Session, id: string): Promise<Changes> {
  const found: JournalEntry[] = []
  const {places, resolved} = session
  for await (const entry of readHistory({places, resolved, warn: () => undefined}, id.toLowerCase())) {
    if (entry.id === id.toLowerCase()) found.push(entry)
  }
  const [own, ...more] = found.filter(({profile}) => profile === resolved.name)
  if (own === undefined || more.length > 0) throw noEntry(session, id, own ?? found[0])
  const {roomId, request_uuid: uuid} = own.targets
  // All that its inverse depends on was done to the same room or push.
  return new Changes(
    session,
    [roomId, uuid, own.id].find((text) => typeof text === 'string'),
  )
}

/**
 * The entry of that id. Raises a Failure where there is none (missing), where it was undone already or changed nothing, and where
 * its outcome is unknown (state).
 */
export async function entryNamed(session: Session, changes: Changes, id: string): Promise<JournalEntry> {
  for await (const entry of changes.newestFirst()) {
    if (entry.id !== id.toLowerCase()) continue
    const why = whyNot(entry, changes)
    if (why === undefined) return entry
    throw new Failure({exit: 'state', code: 'not-undoable', message: `cannot undo ${entry.operation} ${id}`, ...why})
  }
  throw noEntry(session, id)
}

/** `entry`: one of that id, where it is the profile's one of several, else another profile's. */
function noEntry({resolved: {name}}: Session, id: string, entry?: JournalEntry): Failure {
  const other = entry?.profile
  return new Failure({
    exit: 'missing',
    code: 'no-entry',
    message: `there is ${other === name ? 'more than one' : 'no'} change ${id} of profile ${name} in the journal`,
    ...(other === undefined || other === name
      ? {try: 'roomctl history'}
      : {why: `profile ${other} made it`, try: fillAdvice('roomctl undo {id} -p {other}', {id, other})}),
  })
}

function whyNot(entry: JournalEntry, changes: Changes): {why: string; try?: string} | undefined {
  const undoing = changes.undoingOf(entry)
  if (undoing) return {why: `it was undone by ${undoing.id ?? 'another'} at ${undoing.at}`}
  if (entry.outcome === 'failed') return {why: 'it failed, so it changed nothing'}
  if (entry.outcome === 'done') return undefined
  return {why: 'its answer was lost, so its outcome is unknown', try: 'check the current state first'}
}

/** An entry, and the newer ones that were passed over for it since they have no inverse. */
export interface Newest {
  readonly entry: JournalEntry
  readonly passed: readonly JournalEntry[]
}

/**
 * The newest change of one's own that `obstacle` finds nothing against and that was not undone; no undoing is undone unasked. Raises
 * a Failure (missing) where there is none.
 */
export async function newestUndoable(
  session: Session,
  changes: Changes,
  obstacle: (entry: JournalEntry) => Promise<(() => Failure) | undefined>,
): Promise<Newest> {
  const own = journalPlace(session).isShared ? userAtHost() : undefined
  const passed: JournalEntry[] = []
  for await (const entry of changes.newestFirst()) {
    const isOwn = own === undefined || entry.by === own
    if (!isOwn || entry.undoes !== undefined || whyNot(entry, changes)) continue
    if (entry.id !== undefined && !(await obstacle(entry))) return {entry, passed}
    passed.push(entry)
  }
  const [newest] = passed
  const against = newest && (await obstacle(newest))?.()
  throw new Failure({
    exit: 'missing',
    code: 'nothing-to-undo',
    message: `nothing to undo: no change of profile ${session.resolved.name} in the journal can be undone`,
    ...(against ? {why: `the newest: ${against.message}, ${against.facts.why}`} : {}),
    try: against?.facts.try ?? 'roomctl history',
  })
}
