import {maskErrorJson} from '../../cli/output/failures.js'
import {presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {type DownloadRow, downloadResults} from '../../view/asset/download.js'

/** Writes what came of each resource of a run, and ends with the exit that its failures ask for. */
export async function presentDownloads(session: Session, rows: readonly DownloadRow[]): Promise<void> {
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  else if (rows.some(({outcome}) => outcome !== 'done')) session.endWith('partial')
  // With -q the next command of a pipe gets the files that are there.
  const shown = session.output.format === 'ids' ? rows.filter(({outcome}) => outcome === 'done') : rows
  const safe = shown.map((row) => (row.error ? {...row, error: maskErrorJson(session, row.error)} : row))
  await presentList(session, safe, downloadResults)
}
