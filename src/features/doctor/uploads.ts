import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import type {Diagnosis} from '../../view/tool/doctor.js'
import {fail, ok, warn} from './checks/finding.js'

const check = 'uploads'
const dayMs = 86_400_000

/** An upload that was begun on this machine. */
export interface BegunUpload {
  readonly container: string
  /** RFC 3339. */
  readonly begun_at: string
  readonly state: 'done' | 'unfinished'
}

/** As `checkUploads`, of what `read` gives; where the ledger cannot be read, that is the finding. */
export async function readUploads({runtime}: Session, read: () => Promise<readonly BegunUpload[]>): Promise<Diagnosis> {
  try {
    return checkUploads(await read(), runtime.now())
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'file') throw error
    const {message, why, try: advice} = error.facts
    return fail(check, why === undefined ? message : `${message} (${why})`, advice ?? 'roomctl asset uploads')
  }
}

/** Whether uploads were begun and not finished. */
export function checkUploads(uploads: readonly BegunUpload[], now: Date): Diagnosis {
  const begun = uploads
    .filter(({state}) => state === 'unfinished')
    .map(({begun_at}) => begun_at)
    .sort()
  const [oldest] = begun
  if (oldest === undefined) return ok(check, 'no upload is unfinished')
  const days = Math.floor((now.getTime() - Date.parse(oldest)) / dayMs)
  const since = days < 1 ? 'begun less than a day ago' : `the oldest begun ${days} day${days === 1 ? '' : 's'} ago`
  const what = `${begun.length} upload${begun.length === 1 ? ' is' : 's are'} not finished, ${since}`
  return warn(check, what, 'roomctl asset resume goes on with them, roomctl asset forget ID drops one', {
    count: begun.length,
    oldest,
  })
}
