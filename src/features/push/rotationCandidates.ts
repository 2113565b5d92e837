import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked} from '../../api/rules/evidence.js'
import type {Session} from '../../cli/session/session.js'
import type {ApnsCertificate} from '../../credential/apnsCertificate.js'
import {makePrivateFolder, readPrivateFile} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import {previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {type CheckedFile, type CredentialIds, type OpenedFile, withIds} from './credentialInput.js'
import {certificateRegistration, differencesOf, keyRegistration, type Registration} from './registerCredential.js'

/** One of the two credentials: what the configuration shows when it is registered, and how it is registered. */
export interface RotationCandidate {
  readonly credential: CheckedFile['credential']
  readonly expected: Readonly<Partial<PushConfiguration>>
  readonly kept: RotatedCredential
  /** `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`. */
  readonly name: string
  /** What tells it from others in one word: the key id. */
  readonly word: string
  readonly send: () => Promise<unknown>
  readonly preview: () => Promise<RequestPreview>
}

/** What the two credentials are made of. */
export interface RotationFiles {
  readonly applicationId: string
  readonly doing: string
  readonly ids: CredentialIds
  readonly opened: OpenedFile
  readonly previous: OpenedFile
  readonly registered: PushConfiguration | null
}

/** Both credentials with their ids: of the new one the given ones, else those registered; of the old one what a record or the service says. */
export async function rotationCandidates(
  session: Session,
  {applicationId, doing, ids, opened, previous, registered}: RotationFiles,
): Promise<{readonly old: RotationCandidate; readonly next: RotationCandidate}> {
  const record = readRotation(session, applicationId)
  const known = record?.old.fingerprint === previous.found.fingerprint ? record?.old : undefined
  const {bundle_id: bundleId, team_id: teamId, key_id: keyId} = known ?? registered ?? {}
  // What neither knows is not what is registered, and is not asked for.
  const own =
    previous.found.kind === 'apns-key'
      ? {
          teamId: text(teamId) ?? 'unknown',
          keyId: previous.found.keyId ?? text(keyId) ?? 'none',
          bundleId: text(bundleId) ?? 'unknown',
        }
      : {bundleId: ownBundleId(previous.found, text(bundleId))}
  const next = await withIds(
    session,
    opened,
    opened.found.kind === 'apns-key'
      ? {...ids, bundleId: ids.bundleId ?? text(registered?.bundle_id), teamId: ids.teamId ?? text(registered?.team_id)}
      : {...ids, bundleId: ids.bundleId ?? sameBundleId(opened.found, text(registered?.bundle_id), doing)},
    doing,
  )
  const old = await withIds(session, previous, own, doing)
  return {old: candidateOf(session, applicationId, old), next: candidateOf(session, applicationId, next)}
}

/** The registered bundle id where it is a topic of the certificate, else the certificate's own. */
function ownBundleId({bundleId, topics}: ApnsCertificate, registered: string | undefined): string | undefined {
  return registered !== undefined && topics.includes(registered) ? registered : bundleId
}

/** Raises a Failure (file) for a certificate of another application than the registered credential, which nobody asked for. */
function sameBundleId(found: ApnsCertificate, registered: string | undefined, doing: string): string | undefined {
  const own = ownBundleId(found, registered)
  if (registered === undefined || own === undefined || own === registered) return own
  throw new Failure({
    exit: 'file',
    code: 'other-bundle-id',
    message: `cannot ${doing}: the new certificate is for ${own}; nothing was sent`,
    why: `the registered credential is for ${registered}`,
    try: `give the certificate for ${registered}, or add --bundle-id ${own}`,
  })
}

/** A member of the configuration that can be used; the service may mask it. */
function text(value: string | null | undefined): string | undefined {
  return isUnmasked(value) ? (value ?? undefined) : undefined
}

function candidateOf(session: Session, applicationId: string, {credential, found}: CheckedFile): RotationCandidate {
  const fingerprint = found.fingerprint ?? ''
  if (credential.kind === 'key') {
    const registration = keyRegistration(applicationId, credential, fingerprint)
    const kept = {...registration.expected, fingerprint}
    return {...sendable(session, registration), credential, kept, word: credential.keyId}
  }
  const registration = certificateRegistration(applicationId, credential, found)
  const {certificate_expiry_date: expiry, ...ids} = registration.expected
  const kept = {...ids, fingerprint}
  return {...sendable(session, registration), credential, kept, word: `certificate, expiry ${expiry}`}
}

function sendable<O extends Operation>(
  session: Session,
  {operation, input, expected, what}: Pick<Registration<O>, 'operation' | 'input' | 'expected' | 'what'>,
): Pick<RotationCandidate, 'expected' | 'name' | 'send' | 'preview'> {
  return {
    expected,
    name: what,
    send: () => sendJournaled(session, operation, input),
    preview: () => previewRequest(session, operation, input),
  }
}

/**
 * Where a rotation begins: the old credential is registered; the new one is, and a record says that its proof is missing; it is, and
 * that is all; neither is.
 */
export type Position = 'begin' | 'unfinished' | 'done' | 'other'

export function rotationPosition(
  record: RotationRecord | undefined,
  {old, next}: {readonly old: RotationCandidate; readonly next: RotationCandidate},
  registered: PushConfiguration | null,
): Position {
  const isOurs = record?.new.fingerprint === next.kept.fingerprint
  const isOld = isRegistered(registered, old)
  // Two certificates may have one date of expiry, and a key whose file has no name takes the id that is registered.
  const isTold = !isOld || next.credential.kind === 'key' || (isOurs && record?.state === 'registered')
  if (!isTold || !isRegistered(registered, next)) return isOld ? 'begin' : 'other'
  return isOurs && (record?.state === 'begun' || record?.state === 'registered') ? 'unfinished' : 'done'
}

/** Whether the configuration shows all that tells this credential from another. */
function isRegistered(found: PushConfiguration | null, {expected}: RotationCandidate): boolean {
  if (found === null || Object.keys(expected).some((name) => !isUnmasked(Reflect.get(found, name)))) return false
  return differencesOf(found, expected).length === 0
}

/** How far a rotation has come: the new credential is about to be sent, registered, accepted by Apple, or the old one is back. */
export const rotationStates = ['begun', 'registered', 'proven', 'rolled-back'] as const

export type RotationState = (typeof rotationStates)[number]

/** A credential as a record names it; nothing of it is secret. */
export interface RotatedCredential {
  readonly ios_apns_type: string
  readonly bundle_id: string
  readonly team_id?: string | undefined
  readonly key_id?: string | undefined
  /** SHA-256 of the public key or the certificate. */
  readonly fingerprint: string
}

/** What is kept of the last rotation of an application, so that a killed one can be seen and finished. */
export interface RotationRecord {
  readonly application_id: string
  /** The address of the push service, for an id may be used by several. */
  readonly service: string
  readonly state: RotationState
  /** ISO 8601. */
  readonly at: string
  readonly old: RotatedCredential
  readonly new: RotatedCredential
}

/** A record is a few hundred bytes; what is larger is none. */
const maxBytes = 64 * 1024

/**
 * The record of the last rotation of an application at the push service of the session; undefined where there is none, or no
 * whole one. Raises nothing.
 */
export function readRotation(session: Session, applicationId: string): RotationRecord | undefined {
  try {
    const bytes = readPrivateFile(fileOf(session, applicationId), {maxBytes})
    const record: unknown = bytes && JSON.parse(bytes.toString('utf8'))
    return isRecord(record) && record.application_id === applicationId ? record : undefined
  } catch {
    return undefined
  }
}

/** Keeps how far a rotation has come, in place of what was kept before. Raises the system's error. */
export function writeRotation(session: Session, record: Omit<RotationRecord, 'service' | 'at'>): void {
  const file = fileOf(session, record.application_id)
  makePrivateFolder(join(file, '..'))
  const whole = {...record, service: serviceOf(session), at: session.runtime.now().toISOString()}
  replaceFile(file, Buffer.from(`${JSON.stringify(whole)}\n`))
}

/** A file for each application: ids may hold what no file name can. */
function fileOf(session: Session, applicationId: string): string {
  const name = createHash('sha256')
    .update(`${serviceOf(session)}\n${applicationId}`)
    .digest('hex')
    .slice(0, 32)
  return join(session.places.state, 'rotations', `${name}.json`)
}

function serviceOf({resolved}: Session): string {
  return resolved.isSandbox ? 'sandbox' : (resolved.values['push.url'] ?? '')
}

function isRecord(value: unknown): value is RotationRecord {
  if (typeof value !== 'object' || value === null) return false
  const {application_id, state, old, new: made}: Partial<Record<keyof RotationRecord, unknown>> = value
  const isState = rotationStates.some((one) => one === state)
  return typeof application_id === 'string' && isState && isCredential(old) && isCredential(made)
}

function isCredential(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'fingerprint' in value && typeof value.fingerprint === 'string'
}
