import {Failure} from '../../failure.js'
import {isPlain} from '../../terminal/output.js'
import type {Pager} from '../../terminal/pager.js'
import {counted} from '../../text/text.js'
import type {CardView, Column, ListView, ViewContext} from '../../view/format/columns.js'
import {checkOutput, drawList, drawOne, idLine} from '../../view/format/output.js'
import {UnfitQuery} from '../../view/format/query.js'
import {overlay} from '../runtime/runtime.js'
import type {Session} from '../session/session.js'
import {stdoutName} from './outputFile.js'

interface ListOptions {
  /** The number of rows without the limit. */
  readonly total?: number
  /** False for results of a change: they stay on the screen with the messages after them. */
  readonly mayPage?: boolean
}

export async function presentList<Row>(
  session: Session,
  rows: readonly Row[],
  view: ListView<Row>,
  {total, mayPage}: ListOptions = {},
): Promise<void> {
  await present(session, (context) => drawList(rows, view, session.output, context), mayPage)
  const isCut = total !== undefined && rows.length < total
  if (isCut && session.output.format === 'table') session.view.note?.(`${rows.length} of ${total}`)
}

export async function presentOne<T>(session: Session, value: T, view: CardView<T>): Promise<void> {
  await present(session, (context) => drawOne(value, view, session.output, context))
}

/** The members of the result of a change, checked against the flags before the change is made. */
export interface ResultView<Member extends string> {
  readonly members: readonly Member[]
}

type Members<Member extends string> = Readonly<Partial<Record<Member, unknown>>>

/** Throws Failure before the change is made if its result could not be drawn. */
export async function resultView<const Member extends string>(
  {output}: Session,
  members: readonly Member[],
): Promise<ResultView<Member>> {
  await checkOutput(columnsOf(members), output)
  return {members}
}

/**
 * Writes the result of a change: one sentence for people, the object for programs, or the requested columns. `id` is what `-q`
 * prints.
 */
export async function presentDone<Member extends string>(
  session: Session,
  view: ResultView<Member>,
  value: Members<Member>,
  id: string | readonly string[],
  sentence: string,
): Promise<void> {
  await afterChange(session, (shown) => presentResult(shown, view, value, id, sentence))
}

export async function presentResult<Member extends string>(
  session: Session,
  {members}: ResultView<Member>,
  value: Members<Member>,
  id: string | readonly string[],
  sentence: string,
): Promise<void> {
  if (isForPeople(session)) return presentText(session, sentence)
  const {format} = session.output
  if (format === 'ids') return presentIds(session, typeof id === 'string' ? [id] : id)
  await presentOne(session, value, {title: () => '', id: () => '', columns: columnsOf(members)})
}

/** Whether a sentence may replace the table: no flag names a column. */
export function isForPeople({output: {format, columns, sort}}: Session): boolean {
  return format === 'table' && columns === undefined && sort === undefined
}

export async function presentIds(session: Session, ids: readonly string[]): Promise<void> {
  await present(session, async function* (context) {
    yield ids.map((id) => idLine(id, context)).join('')
  })
}

/** Presents the result of a change, whole if the query does not fit it. Any other error says that the change was made. */
export async function afterChange(session: Session, present: (session: Session) => Promise<void>): Promise<void> {
  try {
    await present(session)
  } catch (error) {
    if (error instanceof UnfitQuery) {
      session.warn(`warning: ${error.message}; the result of the change is shown whole`)
      return present(overlay(session, {output: {...session.output, query: undefined, raw: undefined}}))
    }
    const {toFailure} = await import('../errors/errorHandler.js')
    const {facts} = toFailure(error)
    const why = 'the change was made; only its result cannot be shown'
    throw new Failure({...facts, why: facts.why ? `${facts.why}; ${why}` : why, outcome: 'applied'}, {cause: error})
  }
}

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

/** Whether a flag names stdout, so that the result of the command is not shown. */
export function hasStdoutTaken({outputs}: Pick<Session, 'outputs'>): boolean {
  return outputs.has(stdoutName)
}

function columnsOf<Member extends string>(members: readonly Member[]): readonly Column<Members<Member>>[] {
  return members.map((name) => ({name}))
}

/** The notes follow the output: a pager owns the screen. */
async function present(
  session: Session,
  draw: (context: ViewContext) => AsyncGenerator<string>,
  mayPage?: boolean,
): Promise<void> {
  const notes: string[] = []
  let lost = 0
  const countLost = () => {
    lost += 1
  }
  const unlisted = session.runtime.stdout.isTerminal ? undefined : countLost
  await writeChunks(session, draw({...session.view, unlisted, note: (text) => notes.push(text)}), mayPage)
  for (const text of notes) session.view.note?.(text)
  if (lost === 0) return
  session.warn(
    `error: ${counted(lost, 'id')} with a line break or another control character cannot be listed; use -o json`,
  )
  session.endWith('partial')
}

/** On a terminal through the pager of PAGER, else `less`, if the text is longer than the screen and keys can be read. */
async function writeChunks(session: Session, chunks: AsyncGenerator<string>, mayPage = true): Promise<void> {
  const held: string[] = []
  const isShown = !hasStdoutTaken(session)
  const pager = mayPage && isShown ? await pagerFor(session, chunks, held) : undefined
  if (pager) return writePaged(session, pager, held, chunks)
  await writeDirectly(session, held, chunks, isShown)
}

/** Rows that are not shown are drawn nevertheless: reports collect them on the way. */
async function writeDirectly(
  {runtime: {stdout}}: Session,
  held: readonly string[],
  chunks: AsyncGenerator<string>,
  isShown = true,
): Promise<void> {
  await stdout.write(held.join(''))
  for await (const chunk of chunks) {
    if (stdout.closed) return
    if (isShown) await stdout.write(chunk)
  }
}

/** What a pager that failed was given goes to the terminal, and the rest after it. */
async function writePaged(session: Session, pager: Pager, held: string[], chunks: AsyncGenerator<string>) {
  const release = session.waiting.hold()
  let failed: string | undefined
  try {
    await pager.output.write(held.join(''))
    while (!pager.output.closed) {
      const {value, done} = await chunks.next()
      if (done) break
      held.push(value)
      await pager.output.write(value)
    }
  } finally {
    failed = await pager.close()
    release()
  }
  if (session.runtime.signal.aborted) return session.endWith('interrupted')
  if (failed === undefined) return void (await chunks.return(undefined))
  session.warn(`the pager ${failed}; without it:`)
  await writeDirectly(session, held, chunks)
}

/** The pager for a text; `held` receives the lines drawn to find out whether it fits the screen. */
async function pagerFor(session: Session, chunks: AsyncGenerator<string>, held: string[]): Promise<Pager | undefined> {
  const {runtime, output, view} = session
  const {rows} = runtime.stdout
  // First, as the question whether roomctl may ask opens stdin and stderr, which takes milliseconds.
  if (rows === undefined || output.pager === false || output.format !== 'table') return undefined
  const line = (runtime.env.PAGER ?? 'less').trim()
  // A pager repaints the screen, and a screen reader reads it again each time.
  if (view.plain || isPlain(runtime.env) || !session.mayAsk || ['', 'cat'].includes(line)) return undefined
  for (let lines = 0; lines < rows; ) {
    const {value, done} = await chunks.next()
    if (done) return undefined
    held.push(value)
    lines += value.split('\n').length - 1
  }
  const pager = await runtime.pager(line === 'less' ? undefined : line)
  pager?.output.masks.unshift((text) => runtime.stdout.masked(text))
  return pager
}
