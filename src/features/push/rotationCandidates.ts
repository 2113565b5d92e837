import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked} from '../../api/rules/evidence.js'
import type {Session} from '../../cli/session/session.js'
import type {ApnsCertificate} from '../../credential/apnsCertificate.js'
import {previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {type CheckedFile, type CredentialIds, type OpenedFile, withIds} from './credentialInput.js'
import {certificateRegistration, differencesOf, keyRegistration, type Registration} from './registerCredential.js'
import type {RotatedCredential, RotationRecord} from './rotationRecord.js'

/** One of the two credentials: what the configuration shows when it is registered, and how it is registered. */
export interface RotationCandidate {
  readonly credential: CheckedFile['credential']
  readonly expected: Readonly<Partial<PushConfiguration>>
  readonly kept: RotatedCredential
  /** `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`. */
  readonly name: string
  /** What tells it from others in one word: the key id. */
  readonly word: string
  /** `verify` reads what an answer of success left behind. */
  readonly send: (verify: () => Promise<void>) => Promise<unknown>
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
  readonly record: RotationRecord | undefined
}

/** Raises a Failure (file) where two files hold one credential. */
export function assertDifferent(one: OpenedFile, other: OpenedFile, doing: string): void {
  const isSame = one.found.fingerprint !== undefined && one.found.fingerprint === other.found.fingerprint
  if (!isSame && !Buffer.from(one.bytes).equals(other.bytes)) return
  const message = `cannot ${doing}: ${one.file} and ${other.file} hold the same credential; nothing was sent`
  throw new Failure({exit: 'file', code: 'same-credential', message, try: 'name the file of the new credential first'})
}

/** Both credentials with their ids: of the new one the given ones, else those registered; of the old one what a record or the service says. */
export async function rotationCandidates(
  session: Session,
  {applicationId, doing, ids, opened, previous, registered, record}: RotationFiles,
): Promise<{readonly old: RotationCandidate; readonly next: RotationCandidate}> {
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
    send: (verify) => sendJournaled(session, operation, input, {verify}),
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
