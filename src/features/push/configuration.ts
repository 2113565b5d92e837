import type {Operation} from '../../api/contract/operation.js'
import {type PushConfiguration, show} from '../../api/contract/push.js'
import {isUnmasked, settlingPausesMs} from '../../api/rules/evidence.js'
import {isForPeople, presentList, presentOne, presentText} from '../../cli/output/present.js'
import {describeChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, Failure, failureWith} from '../../failure.js'
import {safeText, shortly} from '../../text/text.js'
import {
  configurationCard,
  configurationFields,
  credentialText,
  isSameDay,
  maskedKey,
} from '../../view/push/configuration.js'

/** Null if nothing is registered. Throws Failure, also for an unknown object, which must not pass for null. */
export async function readConfiguration(
  {api}: Pick<Session, 'api'>,
  applicationId: string,
): Promise<PushConfiguration | null> {
  const configuration = await api.call(show, {query: {application_id: applicationId}})
  if (configuration === null) return null
  const names = Object.keys(configuration)
  if (names.some((name) => configurationFields.some((field) => field.name === name))) return configuration
  const doing = describeChange(show, {query: {application_id: applicationId}})
  throw notARecord(show, doing, 'the configuration record', names)
}

/** The Failure (network) for an object that has none of the members of a record. `doing` follows `cannot`. */
export function notARecord({source}: Operation, doing: string, record: string, names: readonly string[]): Failure {
  return failureWith('network', `cannot ${doing}: the answer is not what the document describes`, {
    code: 'broken-answer',
    why: `it is an object without any field of ${record}; it has ${shortly(names.slice(0, 5).join(', ')) || 'none at all'} (${source})`,
    try: 'run the command again with --debug to see the response',
  })
}

/** The credential that a registration would replace: none, one, or unknown. */
export type CurrentCredential =
  | {readonly kind: 'nothing'; readonly configuration: PushConfiguration | null}
  /** `replaced`: its members, the server key masked. `text`: in words, as `the iOS key KEY1234567 of team TEAM123456`. */
  | {
      readonly kind: 'credential'
      readonly configuration: PushConfiguration
      readonly replaced: Readonly<Record<string, unknown>>
      readonly text: string
    }
  | {readonly kind: 'unknown'; readonly configuration?: undefined; readonly why: string}

const membersOf = {
  ios: ['ios_apns_type', 'bundle_id', 'team_id', 'key_id', 'certificate_expiry_date'],
  android: ['package_name', 'fcm_server_key'],
} as const

/** Failures of a read that say nothing against the change that is to follow. */
const ignorableExits: ReadonlySet<Exit> = new Set(['missing', 'forbidden', 'refused', 'state', 'temporary', 'network'])

/** Reads the credential that would be replaced. If the configuration cannot be read, a warning says so, and the change continues. */
export async function currentCredential(
  session: Session,
  applicationId: string,
  platform: 'ios' | 'android',
): Promise<CurrentCredential> {
  try {
    const configuration = await readConfiguration(session, applicationId)
    const text = configuration === null ? undefined : credentialText(configuration, platform, session.runtime.now())
    if (configuration === null || text === undefined) return {kind: 'nothing', configuration}
    const registered = membersOf[platform].filter((name) => configuration[name])
    const shown = (name: (typeof registered)[number]) =>
      name === 'fcm_server_key' ? maskedKey(configuration[name] ?? '') : configuration[name]
    return {
      kind: 'credential',
      configuration,
      replaced: Object.fromEntries(registered.map((name) => [name, shown(name)])),
      text: shortly(text),
    }
  } catch (error) {
    if (!(error instanceof Failure) || !ignorableExits.has(error.facts.exit)) throw error
    return {kind: 'unknown', why: safeText(error.facts.message)}
  }
}

export type Seen =
  | {readonly kind: 'shown' | 'other'; readonly configuration: PushConfiguration | null}
  | {readonly kind: 'unreadable'; readonly why: string}

/** Reads until the configuration shows what was sent, or has shown something else for as long as a service may need. */
export async function lookFor(
  session: Session,
  applicationId: string,
  expected: Readonly<Partial<PushConfiguration>>,
): Promise<Seen> {
  const {sleep, signal} = session.runtime
  let configuration: PushConfiguration | null = null
  try {
    for (const pauseMs of settlingPausesMs) {
      await sleep(pauseMs, signal)
      configuration = await readConfiguration(session, applicationId)
      if (signal.aborted || isAsSent(configuration, expected)) break
    }
    return {kind: isAsSent(configuration, expected) ? 'shown' : 'other', configuration}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return {kind: 'unreadable', why: error.facts.message}
  }
}

/** Whether the configuration equals the credential that was sent; masked values are not compared. */
export function isAsSent(
  configuration: PushConfiguration | null,
  expected: Readonly<Partial<PushConfiguration>>,
): boolean {
  return differencesOf(configuration, expected).length === 0
}

export function differencesOf(
  configuration: PushConfiguration | null,
  expected: Readonly<Partial<PushConfiguration>>,
): string[] {
  if (configuration === null) return ['nothing is registered']
  return Object.entries(expected)
    .filter(([name, sent]) => {
      const isSame = name === 'certificate_expiry_date' ? isSameDay : Object.is
      return isUnmasked(configuration[name]) && !isSame(configuration[name], sent)
    })
    .map(([name, sent]) => difference(name, configuration[name], sent))
}

function difference(name: string, value: unknown, sent: unknown): string {
  if (name === 'fcm_server_key') return 'fcm_server_key differs from the one sent'
  const origin = name === 'certificate_expiry_date' ? 'is in the file' : 'was sent'
  return `${name} is ${shortly(String(value))}, but ${String(sent)} ${origin}`
}

/** Shows the credentials of an application; with `reveal` the server key unmasked. Throws Failure. */
export async function showConfiguration(session: Session, applicationId: string, reveal: boolean): Promise<void> {
  const configuration = await readConfiguration(session, applicationId)
  if (configuration === null || (isForPeople(session) && isEmpty(session, configuration)))
    return presentNothing(session, applicationId)
  if (reveal && configuration.fcm_server_key) session.secrets.reveal(configuration.fcm_server_key)
  const shown = reveal ? configuration : withoutSecrets(session, configuration)
  await presentOne(session, shown, configurationCard(applicationId))
}

function isEmpty({runtime}: Session, configuration: PushConfiguration): boolean {
  return (['ios', 'android'] as const).every(
    (platform) => credentialText(configuration, platform, runtime.now()) === undefined,
  )
}

/** The server key masked, and whatever else would give it away. */
function withoutSecrets({secrets}: Session, configuration: PushConfiguration): PushConfiguration {
  const {fcm_server_key: key} = configuration
  const masked = Object.entries(configuration).map(([name, value]) => [name, secrets.maskIn(value)])
  // Every member keeps its type: a text stays one.
  const shown = Object.fromEntries(masked) as PushConfiguration
  return key ? {...shown, fcm_server_key: maskedKey(key)} : shown
}

/** JSON has null for it, a list has no rows, and people read a sentence. */
async function presentNothing(session: Session, applicationId: string): Promise<void> {
  const {format} = session.output
  if (format === 'json' || format === 'ndjson' || format === 'yaml') return presentText(session, 'null')
  if (isForPeople(session)) {
    return presentText(session, `no credential is registered for application ${safeText(applicationId)}`)
  }
  await presentList<PushConfiguration>(session, [], {columns: configurationFields, id: () => applicationId, empty: ''})
}
