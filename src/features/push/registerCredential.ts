import {isDeepStrictEqual} from 'node:util'
import {type Advice, adviceText} from '../../advice.js'
import type {Input, Operation} from '../../api/contract/operation.js'
import {type android, iosCertificate, iosKey, type PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked} from '../../api/rules/evidence.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {describeChange, mustName, questionOf, requireApplicationId} from '../../cli/prompts/confirm.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import type {CredentialFinding} from '../../credential/finding.js'
import {Failure, failureWith} from '../../failure.js'
import {safeText, shortly} from '../../text/text.js'
import {credentialName, credentialText} from '../../view/push/configuration.js'
import type {ProofRow} from '../../view/push/proof.js'
import {routeWithSource} from '../config/routes.js'
import {presentLed, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {ask, isAsked, type MutationFlags} from '../mutation/mutate.js'
import {type CurrentCredential, currentCredential, differencesOf, lookFor} from './configuration.js'
import type {CheckedFile} from './credentialInput.js'
import {assertProven, previewProof, proveCredential, type RequiredProof} from './prove.js'

/** `asks`: also if it replaces nothing. */
export type PreparedRegistration = Awaited<ReturnType<typeof prepareRegistration>> & {readonly asks?: boolean}

interface RegisteringFlags extends MutationFlags {
  readonly 'allow-assumed'?: boolean
}

type CredentialOperation = typeof iosKey | typeof iosCertificate | typeof android

/** The request that registers a credential, and the expected configuration. */
export interface Registration {
  readonly operation: CredentialOperation
  readonly input: Input<CredentialOperation>
  readonly expected: Readonly<Partial<PushConfiguration>>
  /** Members of the result, beside those that every registration has. */
  readonly result: Readonly<Record<string, unknown>>
  /** For people: `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`. */
  readonly what: string
}

/** The registration of a file, or of a key by its ids alone. */
export function registrationOf(
  application_id: string,
  {credential, inspected}: CheckedFile | {readonly credential: KeyWithoutFile; readonly inspected?: undefined},
): Registration {
  const fingerprint = inspected?.fingerprint ?? null
  if (credential.kind === 'key') {
    const {bundleId, teamId, keyId, bytes} = credential
    const ids = {bundle_id: bundleId, team_id: teamId, key_id: keyId}
    const expected = {ios_apns_type: 'TOKEN', ...ids}
    return {
      operation: iosKey,
      input: {query: {application_id, ...ids}, files: bytes ? {auth_key_file: Uint8Array.from(bytes)} : {}},
      expected,
      result: {...expected, fingerprint},
      what: `the iOS key ${keyId} of team ${teamId} for ${bundleId}${bytes ? '' : ' without its file'}`,
    }
  }
  const {bundleId: bundle_id, password, bytes} = credential
  const {notAfter, teamId: team_id = null} = inspected?.kind === 'apns-certificate' ? inspected : {}
  const expiry = notAfter?.toISOString().slice(0, 10)
  const expected = {
    ios_apns_type: 'CERTIFICATE',
    bundle_id,
    ...(expiry ? {certificate_expiry_date: expiry} : {}),
  }
  return {
    operation: iosCertificate,
    input: {
      query: {application_id, apns_certificate_password: password, bundle_id},
      files: {certificate_file: Uint8Array.from(bytes)},
    },
    expected,
    result: {ios_apns_type: 'CERTIFICATE', bundle_id, team_id, certificate_expiry_date: expiry ?? null, fingerprint},
    what: `the iOS certificate for ${bundle_id}${expiry ? `, which expires on ${expiry},` : ''}`,
  }
}

type KeyWithoutFile = Readonly<Record<'bundleId' | 'teamId' | 'keyId', string>> & {
  readonly kind: 'key'
  readonly bytes?: undefined
}

/** Refuses what can be refused before anything is read or sent. `known`: the application. @throws Failure */
export async function prepareRegistration(
  session: Session,
  flags: RegisteringFlags,
  operation: Operation,
  known?: string,
) {
  const applicationId = known ?? (await requireApplicationId(session))
  const doing = describeChange(operation, {query: {application_id: applicationId}})
  await assertRouteKnown(session, flags, operation, doing)
  const isAnswered = flags.confirm !== undefined || session.resolved.values.protected
  if (isAnswered && !flags['dry-run']) mustName(session, flags, doing, applicationId)
  return {applicationId, doing}
}

/** A secret goes to no guessed route (docs/decisions/0010): a wrong service could keep or log it. Throws Failure (unconfirmed). */
export async function assertRouteKnown(
  {resolved, warn}: Session,
  flags: RegisteringFlags,
  operation: Operation,
  doing: string,
): Promise<void> {
  if (resolved.isSandbox || flags['allow-assumed']) return
  const {route, source} = routeWithSource(resolved, operation)
  if (source !== 'assumed') return
  const guess = `${route.method} ${route.path}`
  if (flags['dry-run']) {
    warn(
      `note: the route ${guess} is assumed, so the real run requires --allow-assumed, or the setting route.${operation.id}`,
    )
    return
  }
  throw failureWith('unconfirmed', `cannot ${doing}: the route ${guess} is assumed; nothing was sent`, {
    code: 'assumed-route',
    why: 'the document shows no route, and the wrong one would receive the credential',
    try: `add --allow-assumed, or set route.${operation.id} to the route of the service`,
  })
}

/** Registers a credential (push §6 to §8): reads what it replaces, asks, proves, sends, reads it back. Throws Failure. */
export async function registerCredential(
  session: Session,
  flags: MutationFlags,
  prepared: PreparedRegistration,
  registration: Registration,
  {findings, proof}: {readonly findings: readonly CredentialFinding[]; readonly proof?: RequiredProof | undefined},
): Promise<void> {
  const {applicationId, doing} = prepared
  const {operation, input, result, what} = registration
  const members = ['application_id', ...Object.keys(result), 'replaced', 'verified', ...(proof ? ['proof'] : [])]
  const view = await resultView(session, members)
  // Refuse the request itself before reading or asking anything.
  await session.api.plan(operation, input)
  const before = await currentCredential(session, applicationId, platformOf(operation))
  const replaced = before.kind === 'credential' ? before.replaced : null
  if (flags['dry-run']) {
    const answer = answerTo(applicationId, registration, before, proof)
    const preview = await previewRequest(session, operation, input)
    const asked = proof ? {proof: previewProof(proof.credential, proof.targets)} : {}
    const plan = {...preview, ...{replaces: replaced, findings}, note: answer.join('; '), ...asked}
    return presentLed(session, [plan], answer)
  }
  announce(session, applicationId, before)
  const isQuestion = await askToRegister(session, flags, prepared, operation, before)
  const proven = proof && (await proveCredential(session, proof.credential, proof.targets))
  if (proven) assertProven(proven, {doing})
  if (isQuestion || proven) await assertNotReplaced(session, {applicationId, doing, operation}, before)
  let read: ReadBack = {verified: false, words: 'not read back'}
  const judge = async () => {
    read = await readBack(session, applicationId, registration, before)
    return undefined
  }
  await sendJournaled(session, operation, input, {judge, before: before.configuration})
  const made = {application_id: applicationId, ...result, replaced, verified: read.verified}
  const sentence = `registered ${safeText(what)} in application ${safeText(applicationId)} (${read.words}${acceptedBy(proven)})`
  await presentDone(session, view, proven ? {...made, proof: proven.rows} : made, applicationId, sentence)
}

/** Asks about what takes the place of something, or may. False if nothing is asked. */
async function askToRegister(
  session: Session,
  flags: MutationFlags,
  {applicationId, doing, asks}: PreparedRegistration,
  operation: Registration['operation'],
  before: CurrentCredential,
): Promise<boolean> {
  const isSmall = before.kind === 'nothing' && flags.confirm === undefined && !session.resolved.values.protected
  const small = asks ? ('yes' as const) : undefined
  const confirmed = {operation, confirmation: isSmall ? small : {word: applicationId}}
  const isQuestion = isAsked(session, flags, () => doing, confirmed)
  if (isQuestion) await ask(session, flags, confirmed, {text: questionOf(doing)})
  return isQuestion
}

/** `; accepted by Apple in production`. */
export function acceptedBy(proven: {readonly rows: readonly ProofRow[]} | undefined): string {
  return proven ? `; accepted by Apple in ${proven.rows.map(({environment}) => environment).join(' and ')}` : ''
}

function platformOf({id}: CredentialOperation): 'ios' | 'android' {
  return id === 'push.android' ? 'android' : 'ios'
}

/** To people; programs find it in the result. */
function announce({warn, output, advise}: Session, applicationId: string, before: CurrentCredential): void {
  if (before.kind === 'unknown') warn(`warning: cannot determine what this replaces: ${before.why}`)
  if (before.kind !== 'credential' || isMachineFormat(output.format)) return
  warn(`this replaces ${before.text}`)
  const back = wayBack(applicationId, before.configuration)
  if (back !== undefined) warn(`to go back, keep its file: ${safeText(adviceText(advise(back)))}`)
}

/** The command that registers an iOS credential again; the service does not return its file. */
function wayBack(applicationId: string, configuration: PushConfiguration): Advice | undefined {
  const {key_id, bundle_id, team_id, ios_apns_type: type} = configuration
  if (type === 'CERTIFICATE') return 'push ios with the .p12 that is registered now'
  if (type !== 'TOKEN' || ![key_id, bundle_id, team_id].every(isUnmasked)) return undefined
  const flags = ['--application-id', applicationId, '--bundle-id', String(bundle_id), '--team-id', String(team_id)]
  return {command: ['push ios', `AuthKey_${key_id}.p8`, ...flags]}
}

/** The question and the proof take time, in which another one may have been registered. Throws Failure (state). */
async function assertNotReplaced(
  session: Session,
  {applicationId, doing, operation}: {applicationId: string; doing: string; operation: CredentialOperation},
  before: CurrentCredential,
): Promise<void> {
  if (before.kind === 'unknown') return
  const now = await currentCredential(session, applicationId, platformOf(operation))
  if (now.kind === 'unknown' || isDeepStrictEqual(now, before)) return
  throw failureWith('state', `cannot ${doing}: another credential was registered meanwhile; nothing was sent`, {
    code: 'other-registered',
    why: now.kind === 'nothing' ? 'nothing is registered now' : `registered now: ${now.text}`,
    try: {command: ['push show', '--application-id', applicationId]},
  })
}

/** What a dry run says first: `ABC123DEFG would replace OLD9876543 in shop`. */
function answerTo(
  applicationId: string,
  {operation, expected, what}: Registration,
  before: CurrentCredential,
  proof: RequiredProof | undefined,
): string[] {
  const platform = platformOf(operation)
  const name = credentialName(expected, platform) ?? what
  const hosts = proof?.targets.map(({origin}) => origin.host).join(' and ')
  const asks = hosts === undefined ? [] : [`would ask ${hosts} first`]
  if (before.kind === 'credential') {
    const old = credentialName(before.configuration, platform) ?? before.text
    return [`${name} would replace ${old} in ${applicationId}`, `registered now: ${before.text}`, ...asks]
  }
  const replaces =
    before.kind === 'nothing' ? 'nothing would be replaced' : `cannot determine what this would replace: ${before.why}`
  return [`${name} would be registered in ${applicationId}`, replaces, ...asks]
}

/** `words` follow the sentence about the change. */
interface ReadBack {
  readonly verified: boolean
  readonly words: string
}

/** Throws Failure (network) if the service shows something else; if it shows nothing to compare, a warning says so. */
async function readBack(
  session: Session,
  applicationId: string,
  {operation, expected}: Registration,
  before: CurrentCredential,
): Promise<ReadBack> {
  const seen = await lookFor(session, applicationId, expected)
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  if (seen.kind === 'unreadable') {
    session.warn(`warning: it was registered but cannot be read back: ${safeText(seen.why)}`)
    return {verified: false, words: 'not read back'}
  }
  const {kind, configuration} = seen
  if (kind === 'other' || configuration === null) {
    const text =
      configuration === null ? undefined : credentialText(configuration, platformOf(operation), session.runtime.now())
    const isAsBefore = before.kind === 'credential' && text !== undefined && shortly(text) === before.text
    throw storedOtherwise(applicationId, differencesOf(configuration, expected), text === undefined || isAsBefore)
  }
  const hidden = Object.keys(expected).filter((name) => !isUnmasked(configuration[name]))
  if (hidden.length === 0) return {verified: true, words: 'read back: equal'}
  session.warn(`warning: the service does not show ${hidden.join(', ')}, so that was not compared`)
  return {verified: false, words: 'read back: what is shown is equal'}
}

/** `isUnchanged`: the configuration is empty or as before, so the success proves no registration. */
function storedOtherwise(applicationId: string, differences: readonly string[], isUnchanged: boolean): Failure {
  return new Failure({
    exit: 'network',
    code: 'stored-otherwise',
    message: `cannot verify the registration in application ${applicationId}: ${differences.join('; ')}`,
    why: isUnchanged
      ? 'the service accepted it and does not show it, so it may not be registered'
      : 'the service stored something different, or somebody has registered another credential since',
    try: {command: ['push show', '--application-id', applicationId]},
    outcome: isUnchanged ? 'unknown' : 'applied',
  })
}
