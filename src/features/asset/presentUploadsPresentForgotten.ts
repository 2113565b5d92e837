import {type Failure, failureJson} from '../../api/contract/failure.js'
import {afterChange, presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {forgottenUploads} from '../../view/asset/uploadEntry.js'

interface Forgotten {
  readonly entry: {readonly id: string; readonly name: string}
  readonly failure?: Failure
}

/**
 * Writes one result for each upload that was to be forgotten, and what that does not do; ends the command with 11 where some could
 * not be. `isAlone`: one that could not be is raised as what it is.
 */
export async function presentForgotten(
  session: Session,
  forgotten: readonly Forgotten[],
  isAlone: boolean,
): Promise<void> {
  const failures = forgotten.flatMap(({failure}) => failure ?? [])
  if (isAlone && failures[0]) throw failures[0]
  if (failures.length > 0) session.endWith('partial')
  const rows = forgotten.map(({entry: {id, name}, failure}) => ({
    id,
    file: name,
    outcome: failure ? ('failed' as const) : ('done' as const),
    ...(failure ? {error: failureJson(failure)} : {}),
  }))
  const shown = session.output.format === 'ids' ? rows.filter(({outcome}) => outcome === 'done') : rows
  await afterChange(() => presentList(session, shown, forgottenUploads))
  const count = rows.length - failures.length
  if (count === 0) return
  const what = count === 1 ? 'the upload' : `these ${count} uploads`
  session.warn(`what the service holds of ${what} stays: it offers no way to delete it`)
}
