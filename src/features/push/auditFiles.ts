import {readdirSync} from 'node:fs'
import path from 'node:path'
import type {Session} from '../../cli/session/session.js'
import {inspect, reportOf} from '../../credential/inspect.js'
import {Failure, fileFailure} from '../../failure.js'
import {mapConcurrently} from '../../selection/run.js'
import {reasonOf} from '../../storage/disk/privateFile.js'
import type {AuditRow} from '../../view/push/audit.js'
import {dateOf, isSameDay} from '../../view/push/configuration.js'
import {isPasswordGiven, readCredentialFile, readPassword} from './credentialInput.js'

export interface LocalCredential {
  /** The row of a file that belongs to no application. */
  readonly row: AuditRow & {readonly file: string}
  isTaken: boolean
}

/** The .p8, .p12 and .pfx files of a folder. A .p12 is opened with ROOMCTL_P12_PASSWORD, or without a password. Throws Failure (file). */
export async function readCredentialFolder(session: Session, folder: string): Promise<LocalCredential[]> {
  const password = isPasswordGiven(session, {}) ? await readPassword(session, {}) : undefined
  return mapConcurrently(namesIn(folder), session.resolved.values.concurrency, async (name) => ({
    row: await fileRow(session, path.join(folder, name), password),
    isTaken: false,
  }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(?:p8|p12|pfx)$/iu.test(name))
      .sort()
  } catch (error) {
    const why = reasonOf(error) ?? 'not a folder, or missing'
    throw fileFailure(`cannot read the folder ${folder}`, {why}, {cause: error})
  }
}

export const emptyRow: Omit<AuditRow, 'state'> = {
  application_id: null,
  platform: 'ios',
  kind: null,
  key_id: null,
  bundle_id: null,
  expires: null,
  days_left: null,
  file: null,
  reason: null,
}

async function fileRow(
  {runtime}: Session,
  file: string,
  password: string | undefined,
): Promise<AuditRow & {readonly file: string}> {
  const isKey = /\.p8$/iu.test(file)
  const row = {...emptyRow, kind: isKey ? 'key' : 'certificate', file} as const
  try {
    const options = {now: runtime.now(), password: async () => password ?? ''}
    const report = reportOf(file, await inspect(path.basename(file), await readCredentialFile(file), options))
    const {key_id: key = null, bundle_id: bundle = null, not_after: end} = report
    // A certificate that has expired cannot be registered, and yet can be read.
    const isRead = isKey ? report.usable : end !== undefined
    const reason = isRead ? null : (report.findings[0]?.message ?? 'it has no expiry date')
    return {
      ...row,
      key_id: key,
      bundle_id: bundle,
      expires: end?.slice(0, 10) ?? null,
      state: isRead ? 'ok' : 'unreadable',
      reason,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return {...row, state: 'unreadable', reason: error.facts.why ?? error.message}
  }
}

/** The file of a registered credential: a key by its id, a certificate by bundle id and end. It belongs to no other row then. */
export function takeFile(
  files: readonly LocalCredential[],
  {kind, key_id: key, bundle_id: bundle, expires}: Pick<AuditRow, 'kind' | 'key_id' | 'bundle_id' | 'expires'>,
): LocalCredential | undefined {
  const fits = files.filter(({row}) => {
    if (row.kind !== kind || row.state === 'unreadable') return false
    return kind === 'key'
      ? row.key_id === key
      : row.bundle_id === bundle && (dateOf(expires) === undefined || isSameDay(row.expires, expires))
  })
  const [file, ...others] = fits
  // Several certificates, and the service does not show the end of its own.
  if (!file || (expires === null && kind === 'certificate' && others.length > 0)) return undefined
  file.isTaken = true
  return file
}
