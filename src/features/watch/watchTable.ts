import {questionOn} from '../../cli/prompts/confirm.js'
import {overlay} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure, wrongUsage} from '../../failure.js'
import {formatDuration} from '../../selection/quantity.js'
import {isPlain} from '../../terminal/output.js'
import {counted, safeText} from '../../text/text.js'
import {utcSecond} from '../../text/time.js'
import {cut, displayWidth} from '../../text/width.js'
import type {ListView} from '../../view/format/columns.js'
import {drawnLines} from '../bulk/present.js'
import type {CallBudget} from './flags.js'
import {outageNotes, poll} from './poll.js'

/** Milliseconds between two looks at the size of the terminal. */
const sizeMs = 200

export interface TableWatch<Row> {
  readonly read: (session: Session) => Promise<readonly Row[]>
  readonly view: ListView<Row>
  readonly intervalMs: number
  readonly budget: CallBudget
  /** The age of the oldest row in milliseconds, if it is older than the last poll. */
  readonly since: () => number | undefined
  /** Whether other lines go to the terminal, too. */
  readonly withTrace: boolean
}

/** Refuses a watched table that could not be repainted. Throws Failure (usage). */
export function checkTerminal({runtime, output}: Session): void {
  if (runtime.stdout.isTerminal && output.format === 'table') return
  throw wrongUsage('--watch repaints a table on a terminal', {
    why: output.format === 'table' ? 'stdout is not a terminal' : `${output.format} is written once`,
    try: 'roomctl room watch',
  })
}

/** Repaints a list in place until Ctrl-C; below the last one if the cursor cannot move. Throws permanent failures. */
export async function watchTable<Row>(session: Session, watch: TableWatch<Row>): Promise<void> {
  const {env, signal} = session.runtime
  const isEnd = ({facts}: Failure) => facts.exit === 'interrupted' && signal.aborted
  const first = await watch.read(session).catch(onFailure(isEnd, () => undefined))
  const plain = isPlain(env) || watch.withTrace
  if (first) await (plain ? writeAgain(session, watch, first) : repaint(session, watch, first))
  if (signal.aborted) session.endWith('interrupted')
}

async function writeAgain<Row>(
  session: Session,
  {read, view, intervalMs, budget}: TableWatch<Row>,
  first: readonly Row[],
) {
  const {stdout, now} = session.runtime
  let shown: string | undefined
  const show = async (rows: readonly Row[]) => {
    const text = (await tableLines(session, rows, view)).join('\n')
    if (text === shown) return
    shown = text
    const when = session.view.time(utcSecond(now().getTime()))
    await stdout.write(`${questionOn(session, 'room', when)}\n${text}\n\n`)
  }
  await show(first)
  await poll(session, {
    intervalMs,
    look: async () => {
      await show(await read(session))
      return {isLast: stdout.closed, budgetMs: budget.takeSpent()}
    },
    ...outageNotes(session),
  })
}

async function repaint<Row>(session: Session, watch: TableWatch<Row>, first: readonly Row[]) {
  const {read, view, intervalMs, budget, since} = watch
  const {stdout, now, every} = session.runtime
  const {Live} = await import('../../terminal/live.js')
  const live = new Live(stdout, displayWidth)
  const quiet = overlay(session, {warn: () => undefined})
  let rows = first
  let at = now()
  let trouble: Failure | undefined
  let size = ''
  let over = false

  const draw = async (isLast = false) => {
    size = sizeOf(session)
    const columns = stdout.columns ?? 80
    const table = upTo((stdout.rows ?? 24) - 2, await tableLines(session, rows, view), columns)
    if (over === isLast) live.draw([...table, cut(statusLine(), columns - 1)])
  }
  const note = (failure?: Failure) => {
    trouble = failure
    void draw()
  }
  const stop = every(sizeMs, () => {
    if (sizeOf(session) !== size) void draw()
  })
  try {
    await draw()
    await poll(session, {intervalMs, look, lost: note, back: () => note()})
  } finally {
    stop()
    over = true
    await draw(true)
    live.leave()
  }

  async function look() {
    rows = await read(quiet)
    at = now()
    await draw()
    return {isLast: stdout.closed, budgetMs: budget.takeSpent()}
  }

  function statusLine(): string {
    const when = session.view.time(utcSecond(at.getTime()))
    if (trouble)
      return `${questionOn(session, 'room', `no response since ${when}`)}: ${safeText(trouble.facts.message)}`
    const oldest = since()
    const counts =
      oldest === undefined
        ? ''
        : `, counts up to ${formatDuration(Math.ceil((at.getTime() - oldest) / 1000) * 1000)} old`
    const known = `${when}, ${questionOn(session, 'room', counted(rows.length, 'room'))}${counts}`
    const stops = '; Ctrl-C to stop'
    const forms = over ? [] : [`${known}, every ${formatDuration(intervalMs)}${stops}`, `${known}${stops}`]
    return forms.find((form) => displayWidth(form) < (stdout.columns ?? 80)) ?? known
  }
}

function sizeOf({runtime}: Session): string {
  return `${runtime.stdout.columns} ${runtime.stdout.rows}`
}

/** The table as lines that are narrower than the terminal, since a full last column wraps on some; whole for a screen reader. */
async function tableLines<Row>(session: Session, rows: readonly Row[], view: ListView<Row>): Promise<string[]> {
  if (rows.length === 0) return [view.empty]
  const columns = session.view.plain ? undefined : (session.runtime.stdout.columns ?? 80) - 1
  return drawnLines(rows, view, session.output, {...session.view, columns, now: session.runtime.now()})
}

/** The lines that fit this many rows of the terminal, and the number of the others. */
function upTo(room: number, lines: readonly string[], columns: number): string[] {
  const heights = lines.map((line) => Math.max(1, Math.ceil(displayWidth(line) / columns)))
  if (heights.reduce((sum, height) => sum + height, 0) <= room) return [...lines]
  let left = room - 1
  const shown = lines.filter((_, at) => {
    left -= heights[at] ?? 1
    return left >= 0
  })
  return [...shown, cut(`${lines.length - shown.length} more; enlarge the window`, columns - 1)]
}
