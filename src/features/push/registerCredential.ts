import {type Exit, Failure} from '../../api/contract/failure.js'
import type {Input, Operation} from '../../api/contract/operation.js'
import {iosCertificate, iosKey, type PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked, settlingPausesMs} from '../../api/rules/evidence.js'
import {resultView} from '../../cli/output/present.js'
import {assertWritable, describeChange, mustName, requireApplicationId} from '../../cli/prompts/confirm.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import {routeFlags} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import type {ApnsCertificate} from '../../credential/apnsCertificate.js'
import type {CredentialFinding} from '../../credential/finding.js'
import {safeText, shortly} from '../../text/text.js'
import {credentialText, isSameDay, maskedKey} from '../../view/push/configuration.js'
import {routeWithSource} from '../config/routes.js'
import {type MutationFlags, mutate} from '../mutation/mutate.js'
import {readConfiguration} from './configuration.js'
import {assertProven, type CredentialProof, previewProof, proveCredential, type RequiredProof} from './prove.js'

/** A registration whose circumstances are settled; nothing of its credential is read yet. */
export interface Registering {
  readonly applicationId: string
  /** In words, to follow `cannot`. */
  readonly doing: string
  /** The members of the result. */
  readonly members: readonly string[]
  /** Whether it is asked about also where it replaces nothing. */
  readonly asks?: boolean
}

/** The flags that say where a credential goes, and whether it may. */
export interface RegisteringFlags extends MutationFlags {
  readonly route?: readonly string[] | undefined
  readonly 'allow-assumed'?: boolean
}

/** A credential that may be registered, as far as its file tells. */
export interface Registration<O extends Operation> {
  readonly operation: O
  readonly platform: 'ios' | 'android'
  readonly input: Input<O>
  /** What the configuration must show afterwards. */
  readonly expected: Readonly<Partial<PushConfiguration>>
  /** What the checks of the file found; no errors among it. */
  readonly findings: readonly CredentialFinding[]
  /** Members of the result, beside those that every registration has. */
  readonly result: Readonly<Record<string, unknown>>
  /** What is registered, for people: `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`. */
  readonly what: string
  /** What APNs must accept before it is sent, where that was asked for. */
  readonly proof?: RequiredProof | undefined
}

/** What registers an iOS key, with its file or by its ids alone. `fingerprint`: that of the file. */
export function keyRegistration(
  application_id: string,
  {bundleId, teamId, keyId, bytes}: Readonly<Record<'bundleId' | 'teamId' | 'keyId', string>> & {bytes?: Uint8Array},
  fingerprint: string | undefined,
) {
  const ids = {bundle_id: bundleId, team_id: teamId, key_id: keyId}
  const stored = {ios_apns_type: 'TOKEN', ...ids}
  return {
    operation: iosKey,
    platform: 'ios' as const,
    input: {query: {application_id, ...ids}, files: bytes ? {auth_key_file: Uint8Array.from(bytes)} : {}},
    expected: stored,
    result: {...stored, fingerprint: fingerprint ?? null},
    what: `the iOS key ${keyId} of team ${teamId} for ${bundleId}${bytes ? '' : ' without its file'}`,
  }
}

/** What of a certificate its checks may have found. */
type CertificateFacts = {readonly [Fact in 'notAfter' | 'teamId' | 'fingerprint']?: ApnsCertificate[Fact] | undefined}

/** What registers an iOS certificate. */
export function certificateRegistration(
  application_id: string,
  {bundleId: bundle_id, password, bytes}: {readonly bundleId: string; password: string; bytes: Uint8Array},
  {notAfter, teamId, fingerprint}: CertificateFacts,
) {
  const expiry = notAfter?.toISOString().slice(0, 10)
  const certificate_expiry_date = expiry ?? null
  const stored = {ios_apns_type: 'CERTIFICATE', bundle_id, ...(expiry ? {certificate_expiry_date} : {})}
  const query = {application_id, apns_certificate_password: password, bundle_id}
  return {
    operation: iosCertificate,
    platform: 'ios' as const,
    input: {query, files: {certificate_file: Uint8Array.from(bytes)}},
    expected: stored,
    result: {...stored, team_id: teamId ?? null, certificate_expiry_date, fingerprint: fingerprint ?? null},
    what: `the iOS certificate for ${bundle_id}${expiry ? `, which expires on ${expiry},` : ''}`,
  }
}

/** The members of the result of each, beside those that every registration has. */
const ownMembers: Readonly<Record<string, readonly string[]>> = {
  'push.iosKey': ['ios_apns_type', 'bundle_id', 'team_id', 'key_id', 'fingerprint'],
  'push.iosCertificate': ['ios_apns_type', 'bundle_id', 'team_id', 'certificate_expiry_date', 'fingerprint'],
  'push.android': ['package_name'],
}

/**
 * Refuses what can be refused before a file or a password is looked at: no application id, a profile that is read-only, an
 * output that cannot be drawn, a route that is only assumed, a question
 * that nobody can answer on a protected profile. Raises a Failure.
 */
export async function beginRegistering(
  session: Session,
  flags: RegisteringFlags,
  operation: Operation,
): Promise<Registering> {
  const applicationId = await requireApplicationId(session)
  const doing = describeChange(operation, {query: {application_id: applicationId}})
  const members = ['application_id', ...(ownMembers[operation.id] ?? []), 'replaced', 'verified']
  await resultView(session, members)
  if (!flags['dry-run']) assertWritable(session)
  await assertRouteKnown(session, flags, operation, doing)
  if (flags['dry-run']) return {applicationId, doing, members}
  const isAnswered = flags.confirm !== undefined
  if (isAnswered || session.resolved.values.protected) mustName(session, flags, doing, applicationId)
  return {applicationId, doing, members}
}

/**
 * A secret goes to no route that is only a guess (docs/decisions/0010): a service that is not meant to get it could keep or log it.
 * The sandbox is ours. A dry run says it. Raises a Failure (unconfirmed).
 */
export async function assertRouteKnown(
  {resolved, warn}: Session,
  flags: RegisteringFlags,
  operation: Operation,
  doing: string,
): Promise<void> {
  if (resolved.isSandbox || flags['allow-assumed']) return
  const {route, source} = routeWithSource(resolved, await routeFlags(flags.route ?? []), operation)
  if (source !== 'assumed') return
  const guess = `${route.method} ${route.path}`
  if (flags['dry-run']) {
    warn(`note: the route ${guess} is assumed, so the real run requires --allow-assumed or roomctl config route set`)
    return
  }
  throw new Failure({
    exit: 'unconfirmed',
    code: 'assumed-route',
    message: `cannot ${doing}: the route ${guess} is assumed; nothing was sent`,
    why: 'the document shows no route, and the wrong one would receive the credential',
    try: `roomctl config route set ${operation.id} 'METHOD /path', or add --allow-assumed`,
  })
}

/**
 * Registers a credential of an application (push §6 to §8): reads what it replaces, asks, sends, journals, reads it back and
 * compares. With `--dry-run` shows the request, and what it would replace. Raises a Failure.
 */
export async function registerCredential<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  registering: Registering,
  registration: Registration<O>,
): Promise<void> {
  const {applicationId, doing, members, asks} = registering
  const {operation, input, platform, expected, findings, result, what, proof} = registration
  let proven: CredentialProof | undefined
  let read: ReadBack = {verified: false, words: 'not read back'}
  const asking = proof ? `would ask ${proof.targets.map(({origin}) => origin.host).join(' and ')} first; ` : ''
  // What the request itself is refused for comes before anything is read or asked.
  await session.api.plan(operation, input)
  const before = await currentCredential(session, applicationId, platform)
  if (!flags['dry-run']) announce(session, before)
  // Only what takes the place of something is asked about, or what may (product §5).
  const isSmall = before.kind === 'nothing' && flags.confirm === undefined && !session.resolved.values.protected
  await mutate(session, flags, {
    operation,
    doing,
    input: () => input,
    confirmation: isSmall ? (asks ? 'yes' : undefined) : {word: applicationId},
    previewed: {
      replaces: replacedBy(before),
      findings,
      note: `${asking}${wouldReplace(before)}`,
      ...(proof ? {proof: previewProof(proof.credential, proof.targets)} : {}),
    },
    beforeSend: async () => {
      if (!proof) return
      proven = await proveCredential(session, proof.credential, proof.targets)
      assertProven(proven, doing)
    },
    verify: async () => {
      read = await readBack(session, applicationId, {expected, platform, before})
    },
    members: proof ? [...members, 'proof'] : members,
    result: () => {
      const {verified, words} = read
      const told = {application_id: applicationId, ...result, replaced: replacedBy(before), verified}
      const value = proven ? {...told, proof: proven.rows} : told
      const where = proven?.rows.map(({environment}) => environment).join(' and ')
      const accepted = where === undefined ? '' : `; accepted by Apple in ${where}`
      const sentence = `registered ${safeText(what)} in application ${safeText(applicationId)} (${words}${accepted})`
      return {value, id: applicationId, sentence}
    },
  })
}

function replacedBy(before: CurrentCredential): Readonly<Record<string, unknown>> | null {
  return before.kind === 'credential' ? before.replaced : null
}

/** To people; programs find it in the result. */
function announce({warn, output}: Session, before: CurrentCredential): void {
  if (before.kind === 'unknown') warn(`warning: cannot determine what this replaces: ${before.why}`)
  else if (before.kind === 'credential' && !isMachineFormat(output.format)) warn(`this replaces ${before.text}`)
}

function wouldReplace(before: CurrentCredential): string {
  if (before.kind === 'nothing') return 'nothing would be replaced'
  return before.kind === 'credential'
    ? `would replace ${before.text}`
    : `cannot determine what this would replace: ${before.why}`
}

/** What is registered before a credential is: nothing of its platform, a credential, or nobody knows. */
export type CurrentCredential =
  | {readonly kind: 'nothing'}
  /** `replaced`: its members, the server key masked. `text`: in words, as `the iOS key KEY1234567 of team TEAM123456`. */
  | {readonly kind: 'credential'; readonly replaced: Readonly<Record<string, unknown>>; readonly text: string}
  /** `why`: why it cannot be read. */
  | {readonly kind: 'unknown'; readonly why: string}

const members = {
  ios: ['ios_apns_type', 'bundle_id', 'team_id', 'key_id', 'certificate_expiry_date'],
  android: ['package_name', 'fcm_server_key'],
} as const

/** Failures of a read that say nothing against the change that is to follow. */
const passing: ReadonlySet<Exit> = new Set(['missing', 'forbidden', 'refused', 'state', 'temporary', 'network'])

/** Reads what a credential would replace. A configuration that cannot be read is said, and does not stop the change. */
export async function currentCredential(
  session: Session,
  applicationId: string,
  platform: 'ios' | 'android',
): Promise<CurrentCredential> {
  try {
    const found = await readConfiguration(session, applicationId)
    const text = found === null ? undefined : credentialText(found, platform, session.runtime.now())
    if (found === null || text === undefined) return {kind: 'nothing'}
    return {kind: 'credential', replaced: partOf(found, platform), text: shortly(text)}
  } catch (error) {
    if (!(error instanceof Failure) || !passing.has(error.facts.exit)) throw error
    return {kind: 'unknown', why: safeText(error.facts.message)}
  }
}

function partOf(found: PushConfiguration, platform: 'ios' | 'android'): Readonly<Record<string, unknown>> {
  const told = members[platform].filter((name) => found[name])
  return Object.fromEntries(
    told.map((name) => [name, name === 'fcm_server_key' ? maskedKey(found[name] ?? '') : found[name]]),
  )
}

/** `words` stand behind the sentence about the change. */
interface ReadBack {
  readonly verified: boolean
  readonly words: string
}

/**
 * Reads the configuration after a registration and compares it with what was sent. Raises a Failure (network) where the service
 * shows something else; where it shows nothing to compare, that is said and the change stands.
 */
async function readBack(
  session: Session,
  applicationId: string,
  sent: Pick<Registration<Operation>, 'expected' | 'platform'> & {readonly before: CurrentCredential},
): Promise<ReadBack> {
  const {expected, platform, before} = sent
  const found = await readSettled(session, applicationId, expected).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    session.warn(`warning: it was registered but cannot be read back: ${safeText(error.facts.message)}`)
    return undefined
  })
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  if (found === undefined) return {verified: false, words: 'not read back'}
  const differences = differencesOf(found, expected)
  if (found === null || differences.length > 0) {
    const text = found === null ? undefined : credentialText(found, platform, session.runtime.now())
    const isAsBefore = before.kind === 'credential' && text !== undefined && shortly(text) === before.text
    throw storedOtherwise(applicationId, differences, text === undefined || isAsBefore)
  }
  const untold = Object.keys(expected).filter((name) => !isUnmasked(found[name]))
  if (untold.length === 0) return {verified: true, words: 'read back: equal'}
  session.warn(`warning: the service does not show ${untold.join(', ')}, so that was not compared`)
  return {verified: false, words: 'read back: what is shown is equal'}
}

/** Reads until the configuration shows what was sent, or has shown something else for as long as a service may need (product §11). */
export async function readSettled(
  session: Session,
  applicationId: string,
  expected: Readonly<Partial<PushConfiguration>>,
) {
  const {sleep, signal} = session.runtime
  let found: PushConfiguration | null = null
  for (const pauseMs of settlingPausesMs) {
    await sleep(pauseMs, signal)
    found = await readConfiguration(session, applicationId)
    if (signal.aborted || differencesOf(found, expected).length === 0) break
  }
  return found
}

/** What differs, in words, of what the service shows. */
export function differencesOf(
  found: PushConfiguration | null,
  expected: Readonly<Partial<PushConfiguration>>,
): string[] {
  if (found === null) return ['nothing is registered']
  return Object.entries(expected)
    .filter(([name, sent]) => {
      const isSame = name === 'certificate_expiry_date' ? isSameDay : Object.is
      return isUnmasked(found[name]) && !isSame(found[name], sent)
    })
    .map(([name, sent]) => difference(name, found[name], sent))
}

function difference(name: string, found: unknown, sent: unknown): string {
  if (name === 'fcm_server_key') return 'fcm_server_key differs from the one sent'
  return `${name} is ${shortly(String(found))}, where ${String(sent)} ${name === 'certificate_expiry_date' ? 'stands in the file' : 'was sent'}`
}

/** `isUnchanged`: nothing is shown, or what was there before, so that the answer of success proves no registration. */
function storedOtherwise(applicationId: string, differences: readonly string[], isUnchanged: boolean): Failure {
  return new Failure({
    exit: 'network',
    code: 'stored-otherwise',
    message: `cannot verify the registration in application ${applicationId}: ${differences.join('; ')}`,
    why: isUnchanged
      ? 'the service accepted it and does not show it, so it may not be registered'
      : 'the service stored something different, or somebody has registered another credential since',
    try: `roomctl push show --application-id ${applicationId}`,
    outcome: isUnchanged ? 'unknown' : 'applied',
  })
}
