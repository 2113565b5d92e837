import {Failure} from '../../api/contract/failure.js'
import {fillAdvice} from '../../api/rules/templates.js'
import {journalPlace, readHistory, userAtHost} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal/entry.js'

/** The changes made with a profile, so that of many thousands each is looked at once. */
export interface Changes {
  /** The oldest first. */
  readonly all: readonly JournalEntry[]
  /** Those done to the same room as an entry. */
  readonly inRoomOf: (entry: JournalEntry) => readonly JournalEntry[]
  /** The one that has undone an entry. */
  readonly undoingOf: (entry: JournalEntry) => JournalEntry | undefined
  /** The other profile that the entry asked for was made with. */
  readonly elsewhere?: string
}

/**
 * The changes made with the profile. `wanted`: the id of an entry, which may be another profile's. Raises a Failure (file) where
 * the journal cannot be read.
 */
export async function changesOfProfile(session: Session, wanted?: string): Promise<Changes> {
  const all: JournalEntry[] = []
  const rooms = new Map<unknown, JournalEntry[]>()
  const undoings = new Map<string | undefined, JournalEntry>()
  let elsewhere: string | undefined
  for await (const entry of readHistory(session)) {
    if (entry.profile === session.resolved.name) keep(entry)
    else if (entry.id !== undefined && entry.id === wanted?.toLowerCase()) elsewhere = entry.profile
  }
  return {
    all,
    inRoomOf: ({targets}) => rooms.get(targets.roomId) ?? [],
    undoingOf: ({id}) => undoings.get(id),
    ...(elsewhere === undefined ? {} : {elsewhere}),
  }

  function keep(entry: JournalEntry): void {
    all.push(entry)
    const room = rooms.get(entry.targets.roomId)
    if (room) room.push(entry)
    else rooms.set(entry.targets.roomId, [entry])
    if (entry.undoes !== undefined && entry.outcome === 'done') undoings.set(entry.undoes, entry)
  }
}

/**
 * The entry of that id. Raises a Failure where there is none (missing), where it was undone already or changed nothing, and where
 * nobody knows what came of it (state).
 */
export function entryNamed(changes: Changes, id: string, profile: string): JournalEntry {
  const found = changes.all.filter((entry) => entry.id === id.toLowerCase())
  const [entry] = found
  if (entry === undefined || found.length > 1) {
    const other = entry === undefined ? changes.elsewhere : undefined
    throw new Failure({
      exit: 'missing',
      code: 'no-entry',
      message: `there is ${entry ? 'more than one' : 'no'} change ${id} of profile ${profile} in the journal`,
      ...(other === undefined
        ? {try: 'roomctl history'}
        : {why: `profile ${other} made it`, try: fillAdvice('roomctl undo {id} -p {other}', {id, other})}),
    })
  }
  const why = whyNot(entry, changes)
  if (why === undefined) return entry
  throw new Failure({exit: 'state', code: 'not-undoable', message: `cannot undo ${entry.operation} ${id}`, ...why})
}

function whyNot(entry: JournalEntry, {undoingOf}: Changes): {why: string; try?: string} | undefined {
  const undoing = undoingOf(entry)
  if (undoing) return {why: `it was undone by ${undoing.id ?? 'another'} at ${undoing.at}`}
  if (entry.outcome === 'failed') return {why: 'it failed, so it changed nothing'}
  if (entry.outcome === 'done') return undefined
  return {
    why: 'its answer was lost, so its outcome is unknown',
    try: 'check the current state first',
  }
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
export function newestUndoable(
  session: Session,
  changes: Changes,
  obstacle: (entry: JournalEntry) => Failure | undefined,
): Newest {
  const own = journalPlace(session).isShared ? userAtHost() : undefined
  const passed: JournalEntry[] = []
  for (const entry of changes.all.toReversed()) {
    const isOwn = own === undefined || entry.by === own
    if (!isOwn || entry.undoes !== undefined || whyNot(entry, changes)) continue
    if (entry.id !== undefined && !obstacle(entry)) return {entry, passed}
    passed.push(entry)
  }
  const [newest] = passed
  const against = newest && obstacle(newest)
  throw new Failure({
    exit: 'missing',
    code: 'nothing-to-undo',
    message: `nothing to undo: no change of profile ${session.resolved.name} in the journal can be undone`,
    ...(against ? {why: `the newest: ${against.message}, ${against.facts.why}`} : {}),
    try: against?.facts.try ?? 'roomctl history',
  })
}
