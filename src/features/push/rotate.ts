import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {Failure} from '../../api/contract/failure.js'
import {iosCertificate, iosKey, type PushConfiguration} from '../../api/contract/push.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {
  askName,
  assertWritable,
  mustName,
  noteDeployment,
  questionOf,
  requireApplicationId,
} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {reasonOf} from '../../storage/disk/reason.js'
import {safeText} from '../../text/text.js'
import type {Proof} from '../../view/push/proof.js'
import {presentPreviews, type RequestPreview} from '../mutation/dryRun.js'
import {readConfiguration} from './configuration.js'
import {type CredentialIds, idFlags, type OpenedFile, openCredentialFile, passwordFlags} from './credentialInput.js'
import {type ProofTarget, proofFlags, proofTargets, registeringFlags} from './flags.js'
import {assertProven, previewProof, proveCredential} from './prove.js'
import {assertRouteKnown, differencesOf, type RegisteringFlags, readSettled} from './registerCredential.js'
import {
  type Position,
  type RotationCandidate,
  type RotationState,
  readRotation,
  rotationCandidates,
  rotationPosition,
  writeRotation,
} from './rotationCandidates.js'

export const rotateFlags = {
  'rollback-file': Flags.string({
    required: true,
    helpValue: 'OLD',
    summary: 'the .p8 or .p12 file of the registered credential, to put back',
  }),
  'rollback-password-file': Flags.string({
    helpValue: 'FILE',
    summary: 'read the password of a .p12 given by --rollback-file from a file',
  }),
  ...idFlags,
  ...passwordFlags,
  'no-prove': Flags.boolean({summary: 'do not ask Apple, neither about OLD nor about NEW'}),
  environment: {...proofFlags.environment, exclusive: ['no-prove']},
  server: {...proofFlags.server, exclusive: ['no-prove']},
  ...registeringFlags,
}

type RotateFlags = InferredFlags<typeof rotateFlags> & Pick<RegisteringFlags, 'route'>

interface Rotation {
  readonly session: Session
  readonly applicationId: string
  /** Follows `cannot`. */
  readonly doing: string
  readonly old: RotationCandidate
  readonly next: RotationCandidate
  readonly targets: readonly ProofTarget[]
}

const members = [
  ...['application_id', 'rotation', 'registered', 'ios_apns_type', 'bundle_id', 'team_id', 'key_id'],
  ...['certificate_expiry_date', 'fingerprint', 'replaced', 'verified', 'proof'],
]

/**
 * Puts a new iOS credential in the place of the registered one, which the service never gives back: so its file has to be there,
 * and has to work, before anything is sent. The new one is registered, read back and proven; where that is not shown, the old one is
 * put back. A record in the state folder says how far it came, so that the same command finishes what was killed. Raises a Failure:
 * file for files that do not fit what is registered, found or network where the new one does not stay.
 */
export async function rotateCredential(
  session: Session,
  flags: RotateFlags,
  file: string,
  ids: CredentialIds,
): Promise<void> {
  const proves = !flags['no-prove']
  const applicationId = await requireApplicationId(session)
  const doing = `rotate the iOS credential of application ${safeText(applicationId)}`
  await resultView(session, members)
  const isDry = flags['dry-run'] === true
  if (!isDry) assertWritable(session)
  const asks = !isDry && mustName(session, flags, doing, applicationId)
  const targets = proves ? await proofTargets(session, flags) : []
  const files = await openFiles(session, flags, {file, ids, doing})
  const registered = await readConfiguration(session, applicationId)
  if (!isEitherKind(registered, files)) throw notRegistered(doing, registered, flags['rollback-file'])
  const both = await rotationCandidates(session, {...files, applicationId, doing, ids, registered})
  const rotation = {session, applicationId, doing, targets, ...both}
  const where = rotationPosition(readRotation(session, applicationId), both, registered)
  if (isDry) return presentPreviews(session, await previewsOf(rotation, where))
  if (where === 'other') throw notRegistered(doing, registered, flags['rollback-file'])
  if (where === 'begin') return confirmed(rotation, files.previous, asks)
  if (where === 'done' || !proves) return presentRotated(rotation, {state: 'registered', isChanged: false})
  session.warn(`resuming the rotation to ${safeText(both.next.name)}, which is registered`)
  return proveNext(rotation)
}

async function openFiles(
  session: Session,
  flags: RotateFlags,
  {file, ids, doing}: {readonly file: string; readonly ids: CredentialIds; readonly doing: string},
) {
  const opened = await openCredentialFile(session, file, ids, {doing, password: flags})
  const rollback = {'password-file': flags['rollback-password-file']}
  const prompt = 'Password of the rollback certificate:'
  const previous = await openCredentialFile(session, flags['rollback-file'], {}, {doing, password: rollback, prompt})
  assertDifferent(opened, previous, doing)
  for (const {found} of [opened, previous]) {
    await assertRouteKnown(session, flags, found.kind === 'apns-key' ? iosKey : iosCertificate, doing)
  }
  return {opened, previous}
}

/** The rotation from its beginning, once it is known which key the old file holds, and confirmed. */
async function confirmed(rotation: Rotation, {file, found}: OpenedFile, asks: boolean): Promise<void> {
  const {session, applicationId, doing, old, targets} = rotation
  if (targets.length === 0 && found.kind === 'apns-key' && found.keyId === undefined) throw unnamed(doing, file)
  if (asks) {
    session.warn(`this replaces ${safeText(old.name)}`)
    await askName(session, 'push', questionOf(doing), applicationId)
  } else noteDeployment(session, 'push')
  return rotate(rotation)
}

/** Whether one of the files is of the kind that is registered: else no ids are needed to know that neither is. */
function isEitherKind(
  registered: PushConfiguration | null,
  {opened, previous}: Readonly<Record<'opened' | 'previous', OpenedFile>>,
) {
  const kinds = {TOKEN: 'apns-key', CERTIFICATE: 'apns-certificate'}
  const kind: unknown = Reflect.get(kinds, registered?.ios_apns_type ?? '')
  return opened.found.kind === kind || previous.found.kind === kind
}

function assertDifferent(one: OpenedFile, other: OpenedFile, doing: string): void {
  const isSame = one.found.fingerprint !== undefined && one.found.fingerprint === other.found.fingerprint
  if (!isSame && !Buffer.from(one.bytes).equals(other.bytes)) return
  const message = `cannot ${doing}: ${one.file} and ${other.file} hold the same credential; nothing was sent`
  throw new Failure({exit: 'file', code: 'same-credential', message, try: 'name the file of the new credential first'})
}

/** What `--dry-run` shows: the requests in their order. */
async function previewsOf({old, next, targets}: Rotation, where: Position): Promise<RequestPreview[]> {
  if (where === 'done' || where === 'other') return []
  const proof = previewProof(next.credential, targets)
  if (where === 'unfinished') return proof
  return [...previewProof(old.credential, targets), await next.preview(), ...proof]
}

async function rotate(rotation: Rotation): Promise<void> {
  const {session, doing, old, next, targets} = rotation
  if (targets.length > 0) {
    const proof = await proveCredential(session, old.credential, targets)
    assertProven(proof, doing, old.name)
  }
  keep(rotation, 'begun')
  const failed = await sent(rotation, next)
  const seen = await look(rotation, next)
  if (seen.kind !== 'shown') return putBack(rotation, failed ?? notShown(seen))
  keep(rotation, 'registered')
  return proveNext(rotation)
}

/** Why a registration did not succeed, in words; undefined where it did. Raises the Failure of one that was certainly not made. */
async function sent(rotation: Rotation, candidate: RotationCandidate): Promise<string | undefined> {
  try {
    await candidate.send()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    assertRunning(rotation)
    if (candidate === rotation.next && error.facts.outcome !== 'unknown' && error.facts.outcome !== 'applied') {
      keep(rotation, 'rolled-back')
      throw new Failure({...error.facts, registered: rotation.old.word}, {cause: error})
    }
    return error.facts.message
  }
}

/** What the configuration shows of a credential that was sent. */
type Seen =
  | {readonly kind: 'shown' | 'other'; readonly found: PushConfiguration | null}
  | {readonly kind: 'unreadable'; readonly why: string}

async function look(rotation: Rotation, {expected}: RotationCandidate): Promise<Seen> {
  const {session, applicationId} = rotation
  try {
    const found = await readSettled(session, applicationId, expected)
    assertRunning(rotation)
    return {kind: differencesOf(found, expected).length === 0 ? 'shown' : 'other', found}
  } catch (error) {
    assertRunning(rotation)
    if (!(error instanceof Failure)) throw error
    return {kind: 'unreadable', why: error.facts.message}
  }
}

function notShown(seen: Seen): string {
  return seen.kind === 'unreadable'
    ? `the configuration cannot be read: ${seen.why}`
    : 'the service shows another credential'
}

/** Ctrl-C leaves what is registered as it is: the record tells, and the same command finishes it. */
function assertRunning({session, applicationId}: Rotation): void {
  const {signal, interruption} = session.runtime
  if (!signal.aborted) return
  throw new Failure({
    exit: interruption() ?? 'interrupted',
    code: 'interrupted',
    message: `the rotation of application ${applicationId} was interrupted`,
    why: 'the old or the new credential is registered',
    try: 'run the same command again to finish it',
    outcome: 'unknown',
  })
}

/** Asks Apple about the new credential, which is registered, and puts the old one back where it is not accepted. */
async function proveNext(rotation: Rotation): Promise<void> {
  const {session, next, targets} = rotation
  if (targets.length === 0) return presentRotated(rotation, {state: 'registered', isChanged: true})
  const proof = await proveCredential(session, next.credential, targets)
  if (proof.exit !== undefined) return putBack(rotation, proof.notes.join('; '))
  keep(rotation, 'proven')
  return presentRotated(rotation, {state: 'proven', isChanged: true, proof: proof.rows})
}

/** Registers the old credential again, reads it back and says so. Raises a Failure in any case: the rotation did not succeed. */
async function putBack(rotation: Rotation, why: string): Promise<never> {
  const {session, applicationId, doing, old, next} = rotation
  session.progress(`putting back ${safeText(old.name)}`)
  const failed = await sent(rotation, old)
  const seen = await look(rotation, old)
  const attempted = `cannot ${doing}: ${next.name} was sent and not shown to work`
  const show = `roomctl push show --application-id ${applicationId}`
  if (seen.kind === 'shown') {
    keep(rotation, 'rolled-back')
    const message = `${attempted}; ${old.name} was put back; registered: ${old.word}`
    throw new Failure({exit: 'found', code: 'rolled-back', message, why, registered: old.word, try: show})
  }
  const more = failed === undefined ? why : `${why}; ${failed}`
  const again = 'run the same command again, or register the old file by push ios-key or push ios-cert'
  if (seen.kind === 'unreadable') {
    const message = `${attempted}; putting back ${old.name} could not be verified; registered: unknown`
    throw new Failure({
      exit: 'network',
      code: 'not-read-back',
      message,
      why: `${more}; ${seen.why}`,
      registered: 'unknown',
      outcome: 'unknown',
      try: `${show}; then ${again}`,
    })
  }
  const word = registeredWord(seen.found)
  const message = `${attempted}; ${old.name} was not put back; registered: ${word}`
  throw new Failure({
    exit: 'found',
    code: 'not-rolled-back',
    message,
    why: more,
    registered: word,
    outcome: 'unknown',
    try: again,
  })
}

/** Keeps the state of the rotation. Before anything is sent a state that cannot be kept stops it; later it is said. */
function keep({session, applicationId, doing, old, next}: Rotation, state: RotationState): void {
  try {
    writeRotation(session, {application_id: applicationId, state, old: old.kept, new: next.kept})
  } catch (error) {
    const why = reasonOf(error) ?? (error instanceof Error ? error.message : 'unknown reason')
    if (state !== 'begun') {
      session.warn(`warning: the state of the rotation cannot be kept: ${why}`)
      return
    }
    const message = `cannot ${doing}: its record cannot be written to ${session.places.state}; nothing was sent`
    throw new Failure({exit: 'file', message, why}, {cause: error})
  }
}

interface Rotated {
  readonly state: RotationState
  /** False where the new credential was registered already. */
  readonly isChanged: boolean
  readonly proof?: readonly Proof[]
}

async function presentRotated(
  {session, applicationId, old, next}: Rotation,
  {state, isChanged, proof}: Rotated,
): Promise<void> {
  const value = {
    application_id: applicationId,
    rotation: state,
    registered: next.word,
    ...next.expected,
    fingerprint: next.kept.fingerprint,
    replaced: isChanged ? old.expected : null,
    verified: true,
    ...(proof ? {proof} : {}),
  }
  const where = proof ? `; accepted by Apple in ${proof.map(({environment}) => environment).join(' and ')}` : ''
  const sentence = isChanged
    ? `rotated application ${applicationId} to ${next.name} (read back: equal${where})`
    : `${next.name} is already registered in application ${applicationId}`
  await presentDone(session, {members}, value, applicationId, safeText(sentence))
}

/** What the service shows, in a word. */
function registeredWord(found: PushConfiguration | null): string {
  return safeText(
    found?.key_id ??
      (found?.certificate_expiry_date ? `certificate, expiry ${found.certificate_expiry_date}` : 'nothing'),
  )
}

function notRegistered(doing: string, registered: PushConfiguration | null, rollbackFile: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'not-registered',
    message: `cannot ${doing}: ${rollbackFile} is not the registered credential; nothing was sent`,
    why: `registered: ${registeredWord(registered)}`,
    try: 'give the file of the registered credential with --rollback-file; without one, use push ios-key or push ios-cert',
    registered: registeredWord(registered),
  })
}

function unnamed(doing: string, rollbackFile: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'not-registered',
    message: `cannot ${doing}: ${rollbackFile} cannot be matched with the registered key; nothing was sent`,
    why: 'its name is not AuthKey_<KEYID>.p8, and without a proof nothing else tells its id',
    try: 'rename it to AuthKey_<KEYID>.p8, or leave --no-prove out',
  })
}
