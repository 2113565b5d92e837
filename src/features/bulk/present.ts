import {writePrivate} from '../../cli/files/writeFile.js'
import {afterChange, presentList} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import type {ListView} from '../../view/format/columns.js'
import type {BulkRow} from '../../view/format/outcome.js'
import {drawList} from '../../view/format/output.js'
import {type BulkSnapshot, bulkSummary} from '../../view/room/changes.js'
import type {BulkSettings} from './flags.js'

/**
 * Writes the ids of what failed or was not tried, one a line, each after a comment that says why: the commands that take ids on
 * stdin pass over comments. Raises a Failure (file).
 */
export function writeFailed<Row extends BulkRow>(path: string, rows: readonly Row[], id: (row: Row) => string): void {
  const lines = rows
    .filter(({outcome}) => outcome !== 'done')
    .flatMap((row) => {
      const why = row.error ? `${row.error.message} (${row.error.code})` : (row.reason ?? row.outcome)
      const target = id(row)
      // A line break in an id would make two of one.
      return [`# ${safeText(why)}`, safeText(target) === target ? target : `# ${safeText(target)}`]
    })
  writePrivate(path, lines.map((line) => `${line}\n`).join(''))
}

/**
 * Writes one result for each target to stdout, what was not done to the file of `--failed-out`, and a line about all of them to
 * stderr; ends the command: 0, 11 where something was not done, the exit of the signal that interrupted it. `past`: what
 * happened to a target, `ended`.
 */
export async function presentBulk<Row extends BulkRow>(
  session: Session,
  {progress: kind, failedOut}: BulkSettings,
  {rows, snapshot, view, past}: {rows: readonly Row[]; snapshot: BulkSnapshot; view: ListView<Row>; past: string},
): Promise<void> {
  const {output, warn, progress, runtime} = session
  if (runtime.signal.aborted) session.endWith('interrupted')
  else if (rows.some(({outcome}) => outcome !== 'done')) session.endWith('partial')
  // With -q the next command of a pipe gets what was done, not what failed.
  const shown = output.format === 'ids' ? rows.filter(({outcome}) => outcome === 'done') : rows
  await afterChange(async () => {
    try {
      await presentList(session, shown, view)
    } finally {
      if (failedOut !== undefined) writeFailed(failedOut, rows, view.id)
    }
  })
  const {done, failed, skipped, ms} = snapshot
  if (kind === 'json') progress(JSON.stringify({event: 'finished', done, failed, skipped, ms}))
  else if (rows.length > 0 && !isMachineFormat(output.format)) warn(bulkSummary(snapshot, past))
}

/** Shows targets on stderr, before a question about them. */
export async function showTargets<Row>(
  {runtime, view, style}: Session,
  rows: readonly Row[],
  list: ListView<Row>,
  columns?: readonly string[],
): Promise<void> {
  const {stderr} = runtime
  const options = {format: 'table', header: true, ...(columns ? {columns: [...columns]} : {})} as const
  const context = {...view, style, columns: view.plain ? undefined : stderr.columns}
  for await (const chunk of drawList(rows, list, options, context)) await stderr.write(chunk)
}
