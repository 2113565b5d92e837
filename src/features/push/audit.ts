import type {InferredFlags} from '@oclif/core/interfaces'
import type {Api} from '../../api/client/api.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {applicationFlags, defaultedFlag, overwriteFlag, rowFlags, valueFlag} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import {outputFile} from '../../cli/output/outputFile.js'
import {presentList} from '../../cli/output/present.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import {onceApi} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {legacyFcm, legacyFcmShutdown} from '../../credential/serverKey.js'
import {Failure} from '../../failure.js'
import {inOrder} from '../../selection/run.js'
import {counted, safeText, shortly} from '../../text/text.js'
import {wholeDaysUntil} from '../../text/time.js'
import {rowsInParts} from '../../view/format/columns.js'
import {
  type AuditRow,
  type AuditState,
  auditList,
  type CalendarEvent,
  calendar,
  calendarEvents,
  calendarText,
} from '../../view/push/audit.js'
import {dateOf} from '../../view/push/configuration.js'
import {type CallBudget, readCallBudget} from '../watch/flags.js'
import {emptyRow, type LocalCredential, readCredentialFolder, takeFile} from './auditFiles.js'
import {readConfiguration} from './configuration.js'
import {type RotationRecord, readRotation} from './rotationRecord.js'

export const auditFlags = {
  ...rowFlags,
  ...applicationFlags,
  profiles: valueFlag('a,b', 'audit these profiles', {exclusive: ['profile']}),
  'applications-from': valueFlag('FILE', 'application ids, one per line, # for comments; - is stdin', {
    exclusive: ['application-id'],
  }),
  files: valueFlag('DIR', 'folder of .p8 and .p12 files'),
  'expires-within': defaultedFlag('30d', '30d', 'due if it expires within this time'),
  budget: defaultedFlag('N/s', '10/s', 'at most N calls per second (/m: minute, /h: hour)'),
  ics: valueFlag('FILE', 'write an iCalendar file of the expiry dates'),
  overwrite: overwriteFlag('ics'),
}

interface Audit {
  readonly now: Date
  readonly withinMs: number
  readonly files: LocalCredential[]
  readonly isOfSeveral: boolean
}

/** After this many network failures in a row a service is not asked about the other applications. */
const maxConsecutiveFailures = 8

/** States that end the command with 15. `missing` is no such state: an application may have no Android. */
const found: ReadonlySet<AuditState> = new Set(['due', 'expired', 'dead interface', 'unreadable'])

/**
 * Two rows for each application, read within the call budget. Only a few are held in memory, and none has an outcome, so this is no run
 * of features/bulk. A credential is due `withinMs` before its end. Ends with `found` for one that is due, expired, shut down or
 * unreadable, or if an application has none. Throws Failure (usage, file, configuration; of a single profile unauthenticated).
 */
export async function auditCredentials(
  session: Session,
  profiles: readonly Session[],
  flags: InferredFlags<typeof auditFlags>,
  withinMs: number,
): Promise<void> {
  const {runtime, output, warn} = session
  const budget = readCallBudget(runtime, flags.budget)
  const {ics: given, overwrite} = flags
  const ics = given === undefined ? undefined : outputFile(session, given, {flag: '--ics', kind: calendar, overwrite})
  const isOfSeveral = profiles.length > 0
  const view = auditList(isOfSeveral)
  const files = flags.files === undefined ? [] : await readCredentialFolder(session, flags.files)
  const audit: Audit = {now: runtime.now(), withinMs, files, isOfSeveral}
  const readers = await readersOf(isOfSeveral ? profiles : [session], flags['applications-from'], {budget, isOfSeveral})
  const count = readers.reduce((sum, {ids}) => sum + ids.length, 0)
  const tally: Tally = {states: new Set(), events: new Map(), isWhole: false}
  const parts = tallied(session, auditRows(readers, audit), tally)
  // Formats of lines need no sample of the first rows, which a budget may delay.
  const isOfLines = output.format === 'ndjson' || output.format === 'ids'
  await session.waiting.during(
    () => `reading applications: ${readers.reduce((sum, {done}) => sum + done, 0)} of ${count}`,
    async () => presentList(session, isOfLines ? {sample: [], parts} : await rowsInParts(parts), view),
  )
  if (tally.states.has('dead interface')) warn(`note: ${legacyFcmShutdown}`)
  // A reader that went away, as `head` does, has not seen all ends.
  if (ics === undefined || !tally.isWhole) return
  await ics.write(calendarText([...tally.events.values()], audit.now))
  if (ics.isStdout || isMachineFormat(output.format)) return
  warn(`${counted(tally.events.size, 'event')} in ${safeText(ics.path)}`)
}

interface Tally {
  readonly states: Set<AuditState>
  readonly events: Map<string, CalendarEvent>
  isWhole: boolean
}

/** Passes the rows on, tallies them, and sets the exit code. */
async function* tallied(
  session: Session,
  parts: AsyncIterable<readonly AuditRow[]>,
  tally: Tally,
): AsyncGenerator<readonly AuditRow[]> {
  for await (const rows of parts) {
    const isMissing = rows.every(({state}) => state === 'missing')
    if (isMissing || rows.some(({state}) => found.has(state))) session.endWith('found')
    for (const {state} of rows) tally.states.add(state)
    for (const event of rows.flatMap(calendarEvents)) tally.events.set(event.uid, event)
    yield session.output.format === 'ids' ? rows.slice(0, 1) : rows
  }
  tally.isWhole = true
}

async function readersOf(
  sessions: readonly Session[],
  from: string | undefined,
  {budget, isOfSeveral}: {readonly budget: CallBudget; readonly isOfSeveral: boolean},
): Promise<ConfigurationReader[]> {
  const [first] = sessions
  const listed = from === undefined || !first ? undefined : (await readIds(first, 'APPLICATION', [], from)).ids
  const readers: ConfigurationReader[] = []
  for (const session of sessions) {
    const ids = listed ?? [await requireApplicationId(session)]
    // Opened before the first row, so that a wrong address or a missing token is not found among the rows.
    if (ids.length > 0) await session.api.access('push')
    readers.push(new ConfigurationReader(session, ids, budget, isOfSeveral))
  }
  return readers
}

/** A configuration as it was read, null if nothing is registered; or why it cannot be read. */
type ReadConfiguration = {readonly found: PushConfiguration | null} | {readonly unreadable: string}

class ConfigurationReader {
  done = 0
  #inARow = 0
  #ending: Failure | undefined
  readonly #api: Api

  constructor(
    readonly session: Session,
    readonly ids: readonly string[],
    private readonly budget: CallBudget,
    private readonly isOfSeveral: boolean,
  ) {
    const {runtime, resolved, api} = session
    this.#api = onceApi({runtime, resolved, api, secrets: {add: () => undefined}}, (access) => access)
  }

  /** The phase of the last rotation of the iOS credential on this machine; none if another key is registered by now. */
  rotationOf({application_id: id, platform, key_id: key}: AuditRow): Pick<AuditRow, 'rotation'> {
    const record = platform === 'ios' && id !== null ? this.#recordOf(id) : undefined
    if (record === undefined) return {}
    const registered = {proven: record.new, 'rolled-back': record.old, begun: undefined, registered: undefined}
    const expected = registered[record.state]?.key_id
    return expected === undefined || expected === key ? {rotation: record.state} : {}
  }

  #recordOf(id: string): RotationRecord | undefined {
    try {
      return readRotation(this.session, id)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.session.warn(`warning: ${safeText(error.message)}: ${safeText(error.facts.why)}`)
      return undefined
    }
  }

  /** Each try takes its turn in the budget. */
  async read(id: string, retries = this.session.resolved.values.retries): Promise<ReadConfiguration> {
    try {
      if (this.#ending) throw this.#ending
      const found = await this.#readOnce(id)
      this.#inARow = 0
      return {found}
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const {exit} = error.facts
      if (exit === 'interrupted' || this.session.runtime.signal.aborted) throw error
      if (retries > 0 && error !== this.#ending && (exit === 'network' || exit === 'temporary')) {
        return this.read(id, retries - 1)
      }
      this.#countFailure(error)
      return {unreadable: shortly(this.session.secrets.mask(error.message))}
    }
  }

  /** Within the budget. The server key is in nothing that is shown, and so it is not remembered: of a thousand there would be many. */
  async #readOnce(id: string): Promise<PushConfiguration | null> {
    await this.budget.acquire()
    const {secrets} = this.session
    const found = await readConfiguration({api: this.#api}, id)
    if (found === null) return null
    const hidden = Object.entries(found).map(([name, value]): [string, unknown] => {
      const key = found.fcm_server_key
      return [name, typeof value === 'string' ? secrets.maskKnown(key ? value.replaceAll(key, '***') : value) : value]
    })
    // Every member keeps its type: a text stays one.
    return Object.fromEntries(hidden) as PushConfiguration
  }

  /** A refused token, and too many network failures in a row, end the reading; of a single profile the first does at once. */
  #countFailure(failure: Failure): void {
    const {exit} = failure.facts
    const isRefused = exit === 'unauthenticated' || exit === 'configuration'
    if (isRefused && !this.isOfSeveral) throw failure
    this.#inARow = exit === 'network' ? this.#inARow + 1 : 0
    if (isRefused || this.#inARow >= maxConsecutiveFailures) this.#ending = failure
  }
}

/** The rows of each application, in order, and last those of the files that belong to none. */
async function* auditRows(readers: readonly ConfigurationReader[], audit: Audit): AsyncGenerator<readonly AuditRow[]> {
  for (const reader of readers) {
    const {name, values} = reader.session.resolved
    const profile = audit.isOfSeveral ? {profile: name} : {}
    yield* inOrder(reader.ids, values.concurrency, async (id) => {
      const rows = applicationRows(id, await reader.read(id), audit)
      reader.done += 1
      return rows.map((row) => ({...profile, ...row, ...reader.rotationOf(row)}))
    })
  }
  for (const {row, isTaken} of audit.files) if (!isTaken) yield [{...row, ...stateOf(row, audit)}]
}

function applicationRows(id: string, read: ReadConfiguration, audit: Audit): AuditRow[] {
  if ('found' in read) return [iosRow(id, read.found ?? {}, audit), androidRow(id, read.found ?? {}, audit)]
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
  if (kind === 'key') {
    const registered = {kind, key_id: read.key_id ?? null, bundle_id}
    const file = takeFile(audit.files, {...registered, expires: null})
    return {...row, ...registered, file: file?.row.file ?? null, state: 'ok'}
  }
  const date = dateOf(read.certificate_expiry_date)?.toISOString().slice(0, 10) ?? null
  const file = takeFile(audit.files, {kind, key_id: null, bundle_id, expires: date})?.row
  const known = {...row, kind, bundle_id, expires: date ?? file?.expires ?? null, file: file?.file ?? null}
  return {...known, ...stateOf({...known, state: 'ok'}, audit)}
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

/** The state of a credential by its expiry: a key has none, a certificate without one cannot be judged. */
function stateOf(
  {kind, expires, state}: Pick<AuditRow, 'kind' | 'expires' | 'state'>,
  {now, withinMs}: Audit,
): Partial<AuditRow> & Pick<AuditRow, 'days_left' | 'state'> {
  if (state === 'unreadable' || kind !== 'certificate') return {days_left: null, state}
  const end = dateOf(expires)
  if (end === undefined) return {days_left: null, ...unreadable('the service shows no expiry date')}
  const days = wholeDaysUntil(end, now)
  // The date has no time: count from its start, rather early than late.
  const isDue = end.getTime() - now.getTime() <= withinMs
  return {days_left: days, state: days < 0 ? 'expired' : isDue ? 'due' : 'ok'}
}
