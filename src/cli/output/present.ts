import {Failure} from '../../api/contract/failure.js'
import {isPlain} from '../../terminal/color.js'
import type {Pager} from '../../terminal/output.js'
import {safeText} from '../../text/text.js'
import type {CardView, ListView, Rows, ViewContext} from '../../view/format/columns.js'
import {checkOutput, drawList, drawOne} from '../../view/format/output.js'
import type {Session} from '../session/session.js'
import {hasStdoutTaken} from './outputFile.js'

interface ListOptions {
  /** Asked when all rows are drawn: how many were shown, and how many there are without the limit. */
  readonly counted?: () => {readonly shown: number; readonly total: number}
  /** False for the results of a change: they stay on the screen, with what is said after them. */
  readonly mayPage?: boolean
}

/** Writes a list to stdout in the format that was asked for. */
export async function presentList<Row>(
  session: Session,
  rows: Rows<Row>,
  view: ListView<Row>,
  {counted, mayPage}: ListOptions = {},
): Promise<void> {
  keepNames(session, view)
  await present(session, (context) => drawList(rows, view, session.output, context), mayPage)
  const {shown, total} = counted?.() ?? {shown: 0, total: 0}
  if (shown < total && session.output.format === 'table') session.view.note?.(`${shown} of ${total}`)
}

/** Writes one object to stdout: a card, or the object itself in a machine format. */
export async function presentOne<T>(session: Session, value: T, view: CardView<T>): Promise<void> {
  keepNames(session, view)
  await present(session, (context) => drawOne(value, view, session.output, context))
}

/** A service that repeats a secret which is a field's name leaves the names as they are. */
function keepNames({secrets}: Session, {columns}: {readonly columns: readonly {readonly name: string}[]}): void {
  secrets.keep(ownWords)
  secrets.keep(columns.map(({name}) => name))
}

/** Members of an error in a row, and outcomes. */
const ownWords = ['message', 'http_status', 'retryable', 'exit_code', 'outcome', 'registered', 'not-tried', 'skipped']

/** The members that the result of a change will have; known, and checked against the flags, before it is made. */
export interface ResultView<Member extends string> {
  readonly members: readonly Member[]
}

/** Refuses what could not be drawn of a result, before the change is made. Raises a ViewProblem. */
export async function resultView<const Member extends string>(
  {output}: Session,
  members: readonly Member[],
): Promise<ResultView<Member>> {
  await checkOutput(columnsOf(members), output)
  return {members}
}

/**
 * Writes what a change did: one sentence for people, the object for programs, or the columns that were asked for. `id` is
 * what `-q` prints.
 */
export async function presentDone<Member extends string>(
  session: Session,
  view: ResultView<Member>,
  value: Readonly<Partial<Record<Member, unknown>>>,
  id: string | readonly string[],
  sentence: string,
): Promise<void> {
  await afterChange(() => presentResult(session, view, value, id, sentence))
}

/** The same for what was only looked up. */
export async function presentResult<Member extends string>(
  session: Session,
  {members}: ResultView<Member>,
  value: Readonly<Partial<Record<Member, unknown>>>,
  id: string | readonly string[],
  sentence: string,
): Promise<void> {
  const {format, columns} = session.output
  if (format === 'table' && columns === undefined) return presentText(session, sentence)
  if (format === 'ids') return presentIds(session, typeof id === 'string' ? [id] : id)
  await presentOne(session, value, {title: () => '', id: () => '', columns: columnsOf(members)})
}

/** Writes ids, one per line. */
export async function presentIds(session: Session, ids: readonly string[]): Promise<void> {
  if (!hasStdoutTaken(session)) await session.runtime.stdout.write(ids.map((id) => `${safeText(id)}\n`).join(''))
}

/** What goes wrong in showing a result does not undo the change, and must not look as if it did. */
export async function afterChange(present: () => Promise<void>): Promise<void> {
  try {
    await present()
  } catch (error) {
    const {toFailure} = await import('../errors/errorHandler.js')
    const {facts} = toFailure(error)
    const why = 'the change was made; only its result cannot be shown'
    throw new Failure({...facts, why: facts.why ? `${facts.why}; ${why}` : why, outcome: 'applied'}, {cause: error})
  }
}

/** Writes lines for people. */
export async function presentText(session: Session, text: string): Promise<void> {
  if (!hasStdoutTaken(session)) await session.runtime.stdout.write(`${text}\n`)
}

/** Writes a text that may be longer than the screen. */
export function presentLong(session: Session, text: string): Promise<void> {
  return writeChunks(
    session,
    (async function* () {
      yield text
    })(),
  )
}

function columnsOf(members: readonly string[]) {
  return members.map((name) => ({name, value: (whole: object) => Reflect.get(whole, name) as unknown}))
}

/** Writes what is drawn, and then what there is to note about it: while a pager runs the screen is its own. */
async function present(
  session: Session,
  draw: (context: ViewContext) => AsyncGenerator<string>,
  mayPage?: boolean,
): Promise<void> {
  const notes: string[] = []
  await writeChunks(session, draw({...session.view, note: (text) => notes.push(text)}), mayPage)
  for (const text of notes) session.view.note?.(text)
}

/**
 * On a terminal through a pager: the one that is set takes all of it, else `less` what is longer than the screen, where there is
 * one and somebody to press its keys.
 */
async function writeChunks(session: Session, chunks: AsyncGenerator<string>, mayPage = true): Promise<void> {
  const held: string[] = []
  const isShown = !hasStdoutTaken(session)
  const pager = mayPage && isShown ? await pagerFor(session, chunks, held) : undefined
  const output = pager?.output ?? session.runtime.stdout
  try {
    await output.write(held.join(''))
    for await (const chunk of chunks) {
      if (output.closed) return
      // Rows that are not shown are drawn all the same: what is kept of them is kept as they pass.
      if (isShown) await output.write(chunk)
    }
  } finally {
    await pager?.close()
  }
  if (pager && session.runtime.signal.aborted) session.endWith('interrupted')
}

/** The pager for a text, of which as much goes to `held` as had to be drawn to know whether it fits the screen. */
async function pagerFor(session: Session, chunks: AsyncGenerator<string>, held: string[]): Promise<Pager | undefined> {
  const command = pagerOf(session)
  if (command === 'off') return undefined
  if (command !== 'auto') return openPager(session, command)
  const {rows = Number.POSITIVE_INFINITY} = session.runtime.stdout
  for (let lines = 0; lines < rows; ) {
    const {value, done} = await chunks.next()
    if (done) return undefined
    held.push(value)
    lines += value.split('\n').length - 1
  }
  return openPager(session, undefined, isHeading(held[0]))
}

/** A table begins with a piece of one line, its heading, where it has one (`drawTable`). */
function isHeading(first = ''): boolean {
  return first.indexOf('\n') === first.length - 1
}

/** The pager that is set, `auto` for the one that is there, or `off`. */
function pagerOf(session: Session): string {
  const {runtime, resolved, output, view} = session
  const {pager: command = 'auto'} = resolved.values
  // A pager draws the screen again and again, and a screen reader reads it again and again.
  if (output.pager === false || view.plain || !runtime.stdout.isTerminal || output.format !== 'table') return 'off'
  return command === 'auto' && (isPlain(runtime.env) || !session.mayAsk) ? 'off' : command
}

async function openPager({runtime, warn}: Session, command?: string, hasHeading = false): Promise<Pager | undefined> {
  const pager = await runtime.pager(command, hasHeading)
  const {filter: mask} = runtime.stdout
  const arrange = pager?.output.filter
  // What is masked on stdout is masked there, too.
  if (pager && mask) pager.output.filter = arrange ? (text) => arrange(mask(text)) : mask
  if (!pager && command !== undefined) warn(`the pager cannot be started: ${command}`)
  return pager
}
