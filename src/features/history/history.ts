import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {operations} from '../../api/contract/operations.js'
import {repeatable, repeatableFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {parsePastFlag} from '../../cli/flags/parsePastFlag.js'
import {parseChoice, parseWholeNumber} from '../../cli/flags/parseValues.js'
import {presentList} from '../../cli/output/present.js'
import {readHistory} from '../../cli/session/journal.js'
import type {CommonFlags, Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal.js'
import {type HistoryRow, historyList} from '../../view/system/history.js'
import {reverseOf} from './reverse.js'

export const historyFlags = {
  since: valueFlag('TIME', 'only entries since 2h (ago) or 2026-12-01T09:00+09:00'),
  until: valueFlag('TIME', 'only entries before this time'),
  operation: repeatableFlag('ID', 'only these operations or topics: room.end, push'),
  outcome: Flags.string({options: ['done', 'failed', 'unknown'], ...repeatable, summary: 'only this outcome'}),
  limit: valueFlag('N', 'only the newest N'),
  asc: switchFlag('the oldest first'),
}

type HistoryFlags = InferredFlags<typeof historyFlags> &
  Pick<CommonFlags, 'profile'> & {readonly room?: string | undefined}

/** Operations that change something, `api` for raw requests, and their topics. */
const changing = operations.filter(({effect}) => effect !== 'read').map(({id}) => id)
const topics = [...new Set(changing.map((id) => id.split('.')[0] ?? id))]

/** Shows the changes of the journal that fit the flags, the newest first. Throws Failure (usage, file). */
export async function showHistory(session: Session, flags: HistoryFlags): Promise<void> {
  const seen = {count: 0, isMore: false}
  const newest = await newestRows(session, flags, seen)
  const isFiltered = [flags.since, flags.until, flags.operation, flags.room, flags.outcome, flags.profile].some(Boolean)
  const view = isFiltered ? {...historyList, empty: 'no changes match'} : historyList
  await presentList(session, flags.asc ? newest.reverse() : newest, view)
  if (seen.isMore && session.output.format === 'table')
    session.view.note?.(`showing the newest ${seen.count}; for more, raise --limit`)
}

async function newestRows(
  session: Session,
  flags: HistoryFlags,
  seen: {count: number; isMore: boolean},
): Promise<HistoryRow[]> {
  const {room} = flags
  const rows: HistoryRow[] = []
  const fits = filterOf(session, flags)
  const limit = flags.limit === undefined ? undefined : parseWholeNumber('--limit', flags.limit, {min: 1})
  const changes = new LaterChanges(session.runtime.now())
  for await (const entry of readHistory(session, {mentions: room})) {
    changes.add(entry)
    if (!fits(entry)) continue
    seen.isMore = seen.count === limit
    if (seen.isMore) break
    seen.count += 1
    if (session.output.format !== 'ids' || entry.id !== undefined) rows.push(changes.rowOf(entry))
  }
  return rows
}

/** What the entries after one say of it, for a journal that is read from its end. */
class LaterChanges {
  readonly #undoings = new Map<string, string>()
  /** The `dispatch_date` of each request to push by its newest change; undefined: sent at once, or cancelled. */
  readonly #dispatches = new Map<unknown, unknown>()
  readonly #now: Date

  constructor(now: Date) {
    this.#now = now
  }

  add(entry: JournalEntry): void {
    const {id, undoes, outcome, targets} = entry
    if (outcome !== 'done') return
    if (undoes !== undefined && id !== undefined) this.#undoings.set(undoes, id)
    const {request_uuid: uuid, request_uuids: uuids = [uuid], dispatch_date: date} = targets
    for (const known of Array.isArray(uuids) ? uuids : []) {
      if (!this.#dispatches.has(known)) this.#dispatches.set(known, date)
    }
  }

  rowOf(entry: JournalEntry): HistoryRow {
    const undone_by = this.#undoings.get(entry.id ?? '')
    if (undone_by !== undefined) return {...entry, undone_by}
    const reverse = reverseOf(entry, (uuid) => this.#isAhead(uuid))
    return reverse === undefined ? entry : {...entry, reverse}
  }

  #isAhead(uuid: string): boolean {
    const date = this.#dispatches.get(uuid)
    return typeof date === 'string' && withoutSeparators(date) > withoutSeparators(this.#now.toISOString())
  }
}

/** Both forms of `dispatch_date` and the clock's, comparable as texts. */
function withoutSeparators(utc: string): string {
  return utc.replaceAll(/[-:]|\..*/g, '')
}

function filterOf(session: Session, flags: HistoryFlags): (entry: JournalEntry) => boolean {
  const {room, profile, outcome: outcomes} = flags
  const since = flags.since === undefined ? undefined : parsePastFlag(session, '--since', flags.since)
  const until = flags.until === undefined ? undefined : parsePastFlag(session, '--until', flags.until)
  const wanted = flags.operation?.map((text) => parseChoice('--operation', text, [...changing, 'api', ...topics]))
  return (entry) =>
    (since === undefined || Date.parse(entry.at) >= since) &&
    (until === undefined || Date.parse(entry.at) < until) &&
    (wanted === undefined || wanted.some((id) => entry.operation === id || entry.operation.startsWith(`${id}.`))) &&
    (room === undefined || entry.targets.roomId === room) &&
    (outcomes === undefined || outcomes.includes(entry.outcome)) &&
    (profile === undefined || entry.profile === profile)
}
