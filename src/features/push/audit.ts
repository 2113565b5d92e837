import type {InferredFlags} from '@oclif/core/interfaces'
import type {PushConfiguration} from '../../api/contract/push.js'
import {applicationFlags, defaultedFlag, inputFileFlag, rowFlags, valueFlag} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import {presentList} from '../../cli/output/present.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {legacyFcm, legacyFcmShutdown} from '../../credential/serverKey.js'
import {Failure} from '../../failure.js'
import {shortly} from '../../text/text.js'
import {wholeDaysUntil} from '../../text/time.js'
import {type AuditRow, type AuditState, auditList} from '../../view/push/audit.js'
import {dateOf} from '../../view/push/configuration.js'
import {readConfiguration} from './configuration.js'

export const auditFlags = {
  ...rowFlags,
  ...applicationFlags,
  profiles: valueFlag('a,b', 'audit these profiles', {exclusive: ['profile']}),
  'applications-from': inputFileFlag('application ids, one per line; - is stdin', {
    exclusive: ['application-id'],
  }),
  'expires-within': defaultedFlag('30d', '30d', 'due if it expires within this time'),
}

interface Audit {
  readonly now: Date
  readonly withinMs: number
}

/** States that end the command with 15. `missing` is no such state: an application may have no Android. */
const reported: ReadonlySet<AuditState> = new Set(['due', 'expired', 'dead interface', 'unreadable'])

/**
 * Two rows for each application. None has an outcome, so this is no run of features/bulk. A credential is due `withinMs` before
 * its end. Ends with `found` for one that is due, expired, shut down or unreadable, or if an application has none. Throws Failure (usage, file, configuration; of a single profile unauthenticated).
 */
export async function auditCredentials(
  session: Session,
  profiles: readonly Session[],
  flags: InferredFlags<typeof auditFlags>,
  withinMs: number,
): Promise<void> {
  const isOfSeveral = profiles.length > 0
  const audit: Audit = {now: session.runtime.now(), withinMs}
  const applications = await applicationsOf(isOfSeveral ? profiles : [session], flags['applications-from'])
  const {concurrency} = session.resolved.values
  // Of a single profile, every other application would fail alike.
  const isFatal = ({facts: {exit}}: Failure) => !isOfSeveral && (exit === 'unauthenticated' || exit === 'configuration')
  const judged = await session.waiting.readEach('applications', applications, concurrency, async ({owner, id}) => {
    const rows = applicationRows(id, await readOrReason(owner, id, isFatal), audit)
    return isOfSeveral ? rows.map((row) => ({profile: owner.resolved.name, ...row})) : rows
  })
  const rows = judged.flat()
  const hasNone = judged.some((both) => both.every(({state}) => state === 'missing'))
  if (hasNone || rows.some(({state}) => reported.has(state))) session.endWith('found')
  const shown = session.output.format === 'ids' ? judged.flatMap((both) => both.slice(0, 1)) : rows
  await presentList(session, shown, auditList(isOfSeveral))
  if (rows.some(({state}) => state === 'dead interface')) session.warn(`note: ${legacyFcmShutdown}`)
}

async function applicationsOf(sessions: readonly Session[], from: string | undefined) {
  const [first] = sessions
  const listed = from === undefined || !first ? undefined : (await readIds(first, 'APPLICATION', [], from)).ids
  const applications: {readonly owner: Session; readonly id: string}[] = []
  for (const owner of sessions) {
    const ids = listed ?? [await requireApplicationId(owner)]
    if (ids.length > 0) {
      // Opened before the first row, so that a wrong address is not found among the rows.
      const {authorize} = await owner.api.access('push')
      // And the token of each profile is known before the service of another one could repeat it; a failure is a row.
      await authorize?.().catch(() => undefined)
    }
    applications.push(...ids.map((id) => ({owner, id})))
  }
  return applications
}

/** A configuration as it was read, null if nothing is registered; or why it cannot be read. */
type ReadConfiguration = {readonly configuration: PushConfiguration | null} | {readonly unreadable: string}

/** `isFatal`: whether a failure ends the command. Throws Failure. */
async function readOrReason(
  session: Session,
  id: string,
  isFatal: (failure: Failure) => boolean,
): Promise<ReadConfiguration> {
  const {secrets, runtime} = session
  try {
    return {configuration: secrets.maskKnownIn(await readConfiguration(session, id))}
  } catch (error) {
    if (!(error instanceof Failure) || runtime.signal.aborted || isFatal(error)) throw error
    return {unreadable: shortly(secrets.mask(error.message))}
  }
}

const emptyRow: Omit<AuditRow, 'state'> = {
  application_id: '',
  platform: 'ios',
  kind: null,
  key_id: null,
  bundle_id: null,
  expires: null,
  days_left: null,
  reason: null,
}

function applicationRows(id: string, read: ReadConfiguration, audit: Audit): AuditRow[] {
  if ('configuration' in read) {
    const configuration = read.configuration ?? {}
    return [iosRow(id, configuration, audit), androidRow(id, configuration, audit)]
  }
  const platforms = ['ios', 'android'] as const
  return platforms.map((platform) => ({...emptyRow, application_id: id, platform, ...unreadable(read.unreadable)}))
}

function unreadable(reason: string): Pick<AuditRow, 'state' | 'reason'> {
  return {state: 'unreadable', reason}
}

function iosRow(id: string, read: PushConfiguration, audit: Audit): AuditRow {
  const row = {...emptyRow, application_id: id}
  const kind = iosKind(read)
  if (kind === undefined)
    return {...row, ...unreadable(`unknown ios_apns_type: ${shortly(String(read.ios_apns_type))}`)}
  if (kind === null) return {...row, state: 'missing'}
  const bundle_id = read.bundle_id ?? null
  if (kind === 'key') return {...row, kind, key_id: read.key_id ?? null, bundle_id, state: 'ok'}
  const date = dateOf(read.certificate_expiry_date)?.toISOString().slice(0, 10) ?? null
  const known = {...row, kind, bundle_id, expires: date}
  return {...known, ...expiryState(date, audit)}
}

const kinds = new Map([
  ['TOKEN', 'key' as const],
  ['CERTIFICATE', 'certificate' as const],
  ['NONE', null],
])

/** Null if no iOS credential is registered, undefined for an undocumented kind. */
function iosKind({ios_apns_type: type, key_id: key, certificate_expiry_date: date}: PushConfiguration) {
  if (type) return kinds.get(type)
  if (key) return 'key'
  return date ? 'certificate' : null
}

/** A package without a server key registers nothing that could be sent with. */
function androidRow(id: string, {fcm_server_key: key}: PushConfiguration, {now}: Audit): AuditRow {
  const row = {...emptyRow, application_id: id, platform: 'android'} as const
  if (!key) return {...row, state: 'missing'}
  const expires = legacyFcm.shutdown
  const days = wholeDaysUntil(new Date(expires), now)
  return {...row, kind: 'server-key', expires, days_left: days, state: 'dead interface'}
}

/** The state of a certificate by its expiry; one without a date cannot be judged. */
function expiryState(expires: string | null, {now, withinMs}: Audit): Pick<AuditRow, 'days_left' | 'state'> {
  const end = dateOf(expires)
  if (end === undefined) return {days_left: null, ...unreadable('the service shows no expiry date')}
  const days = wholeDaysUntil(end, now)
  // The date has no time: count from its start, rather early than late.
  const isDue = end.getTime() - now.getTime() <= withinMs
  return {days_left: days, state: days < 0 ? 'expired' : isDue ? 'due' : 'ok'}
}
