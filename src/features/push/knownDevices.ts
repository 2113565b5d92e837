import {readHistory} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import type {SentRow} from '../../view/push/requests.js'

/** Adds to failed rows whether a device of the user was registered from this machine, which the service does not show. */
export async function withKnownDevices(
  session: Session,
  rows: readonly SentRow[],
  pushType: string,
): Promise<readonly SentRow[]> {
  const failed = rows.filter(({error}) => error?.code === 'transaction-failed')
  if (failed.length === 0) return rows
  const registered = await registeredUsers(session, pushType)
  const explained = (row: SentRow): SentRow => {
    const {error, recipient_id: id} = row
    if (!error || id === null || !failed.includes(row)) return row
    const known = registered.has(id) ? 'a device of the user was' : 'no device of the user was'
    return {...row, error: {...error, message: `${error.message}; ${known} registered from this machine`}}
  }
  return rows.map(explained)
}

/** By the journal of this profile; the send has warned already if it cannot be read. */
async function registeredUsers(session: Session, pushType: string): Promise<ReadonlySet<unknown>> {
  const {places, resolved} = session
  const users = new Set<unknown>()
  try {
    for await (const {profile, operation, outcome, targets} of readHistory({places, resolved}, 'push.register')) {
      const isOwn = profile === resolved.name && operation === 'push.register' && outcome === 'done'
      if (isOwn && targets.push_type === pushType) users.add(targets.user_id)
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return users
}
