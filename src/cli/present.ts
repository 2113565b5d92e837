import type {CardView, ListView} from '../view/columns.js'
import {drawList, drawOne} from '../view/output.js'
import type {Session} from './session.js'

/** Writes a list to stdout in the format that was asked for. */
export async function presentList<Row>(session: Session, rows: readonly Row[], view: ListView<Row>): Promise<void> {
  await pour(session, drawList(rows, view, session.output, session.view))
}

/** Writes one object to stdout: a card, or the object itself in a machine format. */
export async function presentOne<T>(session: Session, value: T, view: CardView<T>): Promise<void> {
  await pour(session, drawOne(value, view, session.output, session.view))
}

/** Writes what a change did: one sentence for people, the object for programs. */
export async function presentDone(session: Session, value: object, id: string, sentence: string): Promise<void> {
  if (session.output.format === 'table') return presentText(session, sentence)
  const columns = Object.keys(value).map((name) => ({
    name,
    value: (whole: object) => Reflect.get(whole, name) as unknown,
  }))
  await presentOne(session, value, {title: () => id, id: () => id, columns})
}

/** Writes a line for people. */
export async function presentText({runtime}: Session, text: string): Promise<void> {
  await runtime.stdout.write(`${text}\n`)
}

async function pour({runtime}: Session, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (runtime.stdout.closed) return
    await runtime.stdout.write(chunk)
  }
}
