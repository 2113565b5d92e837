import {adviceText} from '../../advice.js'
import {afterChange, hasStdoutTaken, presentList} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import type {RunItem} from '../../selection/run.js'
import {safeText, tally} from '../../text/text.js'
import type {ListView} from '../../view/format/columns.js'
import {drawList} from '../../view/format/output.js'
import {type BulkSnapshot, bulkSummary} from '../../view/room/changes.js'
import {nextSteps} from '../../view/system/failure.js'
import type {BulkSettings} from './flags.js'

export interface EndedRun<Row extends RunItem> {
  readonly rows: readonly Row[]
  readonly view: ListView<Row>
  /** Rows that cause exit 11 and stay on the screen; default: those not done. */
  readonly isUndone?: (row: Row) => boolean
  /** The counts for `--progress json`, if that was chosen. */
  readonly finished?: object | undefined
  /** All outcomes in one line. */
  readonly sum?: string | undefined
  /** How to resume; by default shown only after an interruption. */
  readonly rest?: string | undefined
  /** The command that shows all rows if they do not fit the screen; null: all are shown. */
  readonly see?: string | null
}

/**
 * Presents a run, once and last: its rows, the sum, and what to do next about the failures. Ends the command: 0, 11, or the exit of the
 * signal.
 */
export async function presentRun<Row extends RunItem>(session: Session, run: EndedRun<Row>): Promise<void> {
  const {rows, view, isUndone = isNotDone, see} = run
  const {output, runtime} = session
  if (runtime.signal.aborted) session.endWith('interrupted')
  else if (rows.some(isUndone)) session.endWith('partial')
  // With -q the next command of a pipe receives only ids of done targets.
  const shown = output.format === 'ids' ? rows.filter((row) => !isUndone(row)) : foldUnchanged(session, rows)
  if (shown.length > 0 || rows.length === 0) {
    await afterChange(session, (showing) => presentResults(showing, shown, {view, isUndone, see}))
  }
  summarize(session, run)
}

/** Below the rows: the sum, advice on the failures, and how to resume. */
function summarize<Row extends RunItem>({output, warn, progress, style}: Session, run: EndedRun<Row>): void {
  const {rows, view, isUndone = isNotDone, finished, sum, rest} = run
  const unlisted = output.format === 'ids' && !finished ? rows.filter(isUndone) : []
  for (const {error} of unlisted) if (error) warn(`error: ${safeText(error.message)}`)
  if (finished) progress(JSON.stringify({event: 'finished', ...finished}))
  else if (sum !== undefined) warn(sum)
  const isSaid = finished || isMachineFormat(output.format)
  for (const line of isSaid ? [] : nextSteps(rows, view.id, style)) warn(line)
  if (rest !== undefined) warn(rest)
}

/** Unchanged targets are no rows for people: a nightly run has thousands, and the sum counts them. */
function foldUnchanged<Row extends RunItem>({output}: Session, rows: readonly Row[]): readonly Row[] {
  const changed = rows.filter((row) => row.reason !== 'unchanged')
  return output.format === 'table' && rows.length - changed.length > 1 ? changed : rows
}

function isNotDone({outcome}: RunItem): boolean {
  return outcome !== 'done'
}

/** Presents a change to several targets. `past`: `ended`. */
export async function presentBulk<Row extends RunItem>(
  session: Session,
  {progress: kind}: BulkSettings,
  {rows, snapshot, view, past}: {rows: readonly Row[]; snapshot: BulkSnapshot; view: ListView<Row>; past: string},
): Promise<void> {
  const {targets: _, active: __, ...counts} = snapshot
  const isForPeople = kind !== 'json' && rows.length > 0 && !isMachineFormat(session.output.format)
  const isCut = session.runtime.signal.aborted && snapshot.not_tried > 0
  await presentRun(session, {
    ...{rows, view},
    finished: kind === 'json' ? counts : undefined,
    sum: isForPeople ? bulkSummary(snapshot, past, rows) : undefined,
    rest: isForPeople && isCut ? 'to resume, run the same command again' : undefined,
  })
}

/** On a terminal, whose first lines scroll away. */
function isOnScreen(session: Session): boolean {
  return session.runtime.stdout.isTerminal && session.output.format === 'table' && !hasStdoutTaken(session)
}

/** Rows of a terminal of unknown height. */
const usualHeight = 24
/** Rows for what surrounds a table: the summary, notes, a question, the next prompt. */
const surroundings = 6

/**
 * Presents results in the order of the targets. On a terminal failures come last, and alone if not all fit; the number not started
 * is a note. `see`: the command that shows the rest, default `history`; null: all is shown.
 */
async function presentResults<Row extends {readonly outcome: string; readonly reason?: string}>(
  session: Session,
  rows: readonly Row[],
  {view, isUndone, see}: {view: ListView<Row>; isUndone: (row: Row) => boolean; see: string | null | undefined},
): Promise<void> {
  if (!isOnScreen(session) || rows.length === 0) return presentList(session, rows, view)
  const isStarted = ({outcome}: Row) => outcome !== 'not-tried'
  const undone = rows.filter((row) => isStarted(row) && isUndone(row))
  const ordered = [...rows.filter((row) => isStarted(row) && !isUndone(row)), ...undone]
  const room = (session.runtime.stdout.rows ?? usualHeight) - surroundings
  const fits = ordered.length <= room && (await drawnLines(ordered, view, session.output, session.view)).length <= room
  const shown = fits || see === null ? ordered : undone
  if (shown.length > 0) await presentList(session, shown, view, {mayPage: false})
  if (shown.length < ordered.length) {
    const place = see ?? `use -o json, or: ${adviceText(session.advise({command: ['history', '--outcome', 'done']}))}`
    session.warn(`not shown: ${ordered.length - shown.length} done; ${place}`)
  }
  const reasons = rows.flatMap((row) => (isStarted(row) ? [] : [safeText(row.reason ?? 'not started')]))
  if (reasons.length > 0) session.warn(tally(reasons).join('; '))
}

/** Shows targets on stderr before a question, as many as leave room for it. Returns how many. */
export async function showTargets<Row>(
  {runtime, view, style}: Session,
  rows: readonly Row[],
  list: ListView<Row>,
): Promise<number> {
  const {stderr} = runtime
  const options = {format: 'table', header: true} as const
  const context = {...view, style, columns: view.plain ? undefined : stderr.columns}
  const room = Math.max(2, (stderr.rows ?? usualHeight) - surroundings)
  let shown = Math.min(rows.length, room - 1)
  let lines = await drawnLines(rows.slice(0, shown), list, options, context)
  for (; lines.length > room && shown > 1; shown -= 1) {
    lines = await drawnLines(rows.slice(0, shown - 1), list, options, context)
  }
  const more = rows.length - shown
  await stderr.write([...lines, ...(more > 0 ? [`${more} more not shown`] : [])].map((line) => `${line}\n`).join(''))
  return shown
}

async function drawnLines<Row>(
  rows: readonly Row[],
  list: ListView<Row>,
  options: Session['output'],
  {note: _, ...context}: Session['view'],
): Promise<string[]> {
  let text = ''
  for await (const piece of drawList(rows, list, options, context)) text += piece
  return text.trimEnd().split('\n')
}
