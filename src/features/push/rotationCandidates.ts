import {iosCertificate, iosKey, type PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked} from '../../api/rules/evidence.js'
import type {Session} from '../../cli/session/session.js'
import type {ApnsCertificate} from '../../credential/apnsCertificate.js'
import {type Failure, fileFailure} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {isAsSent} from './configuration.js'
import {
  assertProvable,
  type CheckedFile,
  type CredentialIds,
  type OpenedFile,
  openCredentialFile,
  type ReadingOptions,
  withIds,
} from './credentialInput.js'
import {assertRouteKnown, type RegisteringFlags, type Registration, registrationOf} from './registerCredential.js'
import type {RotatedCredential, RotationRecord} from './rotationRecord.js'

/** One of the two credentials, and how it is registered. */
export interface RotationCandidate extends Registration {
  readonly credential: CheckedFile['credential']
  readonly kept: RotatedCredential
  readonly label: string
}

/** Both files, each of another credential. Throws Failure (file). */
export async function openRotationFiles(
  session: Session,
  flags: RotationFileFlags,
  file: string,
  {ids, doing}: {readonly ids: CredentialIds; readonly doing: string},
): Promise<RotationFiles> {
  const next = await openCredentialFile(session, file, ids, {doing, password: flags})
  const password = {'password-file': flags['rollback-password-file']}
  const prompt = 'Password of the rollback certificate:'
  const old = await openCredentialFile(session, flags['rollback-file'], {}, {doing, password, prompt})
  for (const opened of [next, old]) {
    assertProvable(opened, doing)
    await assertRouteKnown(session, flags, opened.found.kind === 'apns-key' ? iosKey : iosCertificate, doing)
  }
  const isSame = next.found.fingerprint !== undefined && next.found.fingerprint === old.found.fingerprint
  if (!isSame && !Buffer.from(next.bytes).equals(old.bytes)) return {old, next}
  const message = `cannot ${doing}: ${next.file} and ${old.file} hold the same credential; nothing was sent`
  throw fileFailure(message, {code: 'same-credential', try: 'name the file of the new credential first'})
}

type RotationFileFlags = RegisteringFlags &
  ReadingOptions['password'] & {
    readonly 'rollback-file': string
    readonly 'rollback-password-file'?: string | undefined
  }

/** The files of the registered and the new credential. */
export type RotationFiles = Readonly<Record<'old' | 'next', OpenedFile>>

export interface RotationBefore {
  readonly registered: PushConfiguration | null
  readonly record: RotationRecord | undefined
}

/** Whether one of the files is of the registered kind; otherwise neither is registered, whatever their ids. */
export function isEitherKind(registered: PushConfiguration | null, {old, next}: RotationFiles): boolean {
  const kinds = {TOKEN: 'apns-key', CERTIFICATE: 'apns-certificate'}
  const kind: unknown = Reflect.get(kinds, registered?.ios_apns_type ?? '')
  return next.found.kind === kind || old.found.kind === kind
}

export function registeredWord(found: PushConfiguration | null): string {
  return safeText(
    found?.key_id ??
      (found?.certificate_expiry_date ? `certificate, expiry ${found.certificate_expiry_date}` : 'nothing'),
  )
}

export function notRegistered(doing: string, found: PushConfiguration | null, rollbackFile: string): Failure {
  const registered = registeredWord(found)
  return fileFailure(`cannot ${doing}: ${rollbackFile} is not the registered credential; nothing was sent`, {
    code: 'not-registered',
    why: `registered: ${registered}`,
    try: 'give the file of the registered credential with --rollback-file; without one: roomctl push ios FILE',
    registered,
  })
}

/** Refuses an old key that nothing matches with the registered one. Throws Failure (file). */
export function assertNamed({old: {file, found}}: RotationFiles, doing: string): void {
  if (found.kind !== 'apns-key' || found.keyId !== undefined) return
  throw fileFailure(`cannot ${doing}: ${file} cannot be matched with the registered key; nothing was sent`, {
    code: 'not-registered',
    why: 'its name is not AuthKey_<KEYID>.p8, and without a proof nothing else says its id',
    try: 'rename it to AuthKey_<KEYID>.p8, or leave --no-prove out',
  })
}

/** Both credentials with their ids: of the new one from flags, else the registered ids; of the old one from the record or the service. */
export async function rotationCandidates(
  session: Session,
  applicationId: string,
  {old, next}: RotationFiles,
  {registered, record, ids, doing}: RotationBefore & {readonly ids: CredentialIds; readonly doing: string},
): Promise<Readonly<Record<'old' | 'next', RotationCandidate>>> {
  const known = record?.old.fingerprint === old.found.fingerprint ? record?.old : undefined
  const {bundle_id: bundleId, team_id: teamId, key_id: keyId} = known ?? registered ?? {}
  // An id in neither is not registered, and not asked for.
  const own =
    old.found.kind === 'apns-key'
      ? {
          teamId: unmasked(teamId) ?? 'unknown',
          keyId: old.found.keyId ?? unmasked(keyId) ?? 'none',
          bundleId: unmasked(bundleId) ?? 'unknown',
        }
      : {bundleId: ownBundleId(old.found, unmasked(bundleId))}
  const current = unmasked(registered?.bundle_id)
  const given =
    next.found.kind === 'apns-key'
      ? {...ids, bundleId: ids.bundleId ?? current, teamId: ids.teamId ?? unmasked(registered?.team_id)}
      : {...ids, bundleId: ids.bundleId ?? sameBundleId(next.found, current, doing)}
  const checked = await withIds(session, next, given, doing)
  return {
    old: candidateOf(applicationId, await withIds(session, old, own, doing)),
    next: candidateOf(applicationId, checked),
  }
}

/** The registered bundle id if it is a topic of the certificate, else the certificate's own. */
function ownBundleId({bundleId, topics}: ApnsCertificate, registered: string | undefined): string | undefined {
  return registered !== undefined && topics.includes(registered) ? registered : bundleId
}

/** Throws Failure (file) for a certificate of another application than the registered credential, unless requested. */
function sameBundleId(found: ApnsCertificate, registered: string | undefined, doing: string): string | undefined {
  const own = ownBundleId(found, registered)
  if (registered === undefined || own === undefined || own === registered) return own
  throw fileFailure(`cannot ${doing}: the new certificate is for ${own}; nothing was sent`, {
    code: 'other-bundle-id',
    why: `the registered credential is for ${registered}`,
    try: `give the certificate for ${registered}, or add --bundle-id ${own}`,
  })
}

/** A member of the configuration that can be used; the service may mask it. */
function unmasked(value: string | null | undefined): string | undefined {
  return isUnmasked(value) ? (value ?? undefined) : undefined
}

function candidateOf(applicationId: string, checked: CheckedFile): RotationCandidate {
  const {credential, found} = checked
  const registration = registrationOf(applicationId, checked)
  // Of an iOS credential these are always there.
  const shown = registration.expected as Omit<RotatedCredential, 'fingerprint'>
  const label = credential.kind === 'key' ? credential.keyId : `certificate, expiry ${shown.certificate_expiry_date}`
  return {...registration, credential, kept: {...shown, fingerprint: found.fingerprint ?? ''}, label}
}

/** `start`: the old one is registered. `resume`: the new one is, unproven. `done`: the new one is. `conflict`: neither is. */
export type RotationPhase = 'start' | 'resume' | 'done' | 'conflict'

export function rotationPhase(
  record: RotationRecord | undefined,
  {old, next}: {readonly old: RotationCandidate; readonly next: RotationCandidate},
  registered: PushConfiguration | null,
): RotationPhase {
  const isOurs = record?.new.fingerprint === next.kept.fingerprint
  const isOld = isRegistered(registered, old)
  // Two certificates may share a date of expiry, and a key file without an id takes the registered one.
  const isTold = !isOld || next.credential.kind === 'key' || (isOurs && record?.state === 'registered')
  if (!isTold || !isRegistered(registered, next)) return isOld ? 'start' : 'conflict'
  return isOurs && (record?.state === 'begun' || record?.state === 'registered') ? 'resume' : 'done'
}

/** Whether the configuration shows all that identifies this credential. */
function isRegistered(found: PushConfiguration | null, {expected}: RotationCandidate): boolean {
  if (found === null || Object.keys(expected).some((name) => !isUnmasked(Reflect.get(found, name)))) return false
  return isAsSent(found, expected)
}
