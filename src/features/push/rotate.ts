import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {Failure, withFacts} from '../../api/contract/failure.js'
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
import {safeText} from '../../text/text.js'
import type {ProofRow} from '../../view/push/proof.js'
import {presentPreviews, type RequestPreview} from '../mutation/dryRun.js'
import {readConfiguration} from './configuration.js'
import {type CredentialIds, idFlags, type OpenedFile, openCredentialFile, passwordFlags} from './credentialInput.js'
import {type ProofTarget, proofFlags, proofTargets, registeringFlags} from './flags.js'
import {assertProven, previewProof, proveCredential} from './prove.js'
import {assertRouteKnown, differencesOf, type RegisteringFlags, readSettled} from './registerCredential.js'
import {
  assertDifferent,
  type Position,
  type RotationCandidate,
  rotationCandidates,
  rotationPosition,
} from './rotationCandidates.js'
import {notReadBack, notRegistered, otherRegistered, registeredWord, unnamed} from './rotationFailures.js'
import {
  type HeldRecord,
  notKept,
  type RotationRecord,
  type RotationState,
  readRotation,
  whileRotating,
} from './rotationRecord.js'

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
  /** As it was when the position was judged. */
  readonly record: RotationRecord | undefined
}

/** A rotation that no other process of this machine makes at the same time. */
interface HeldRotation extends Rotation {
  readonly held: HeldRecord
}

const members = [
  ...['application_id', 'rotation', 'registered', 'ios_apns_type', 'bundle_id', 'team_id', 'key_id'],
  ...['certificate_expiry_date', 'fingerprint', 'replaced', 'verified', 'proof'],
]

/**
 * Puts a new iOS credential in the place of the registered one, which the service never gives back: so its file has to be there,
 * and has to work, before anything is sent. The new one is registered, read back and proven; where that is not shown, the old one is
 * put back. A record in the state folder says how far it came, so that the same command finishes what was killed. Raises a Failure:
 * file for files that do not fit what is registered, state beside another rotation, found or network where the new one does not stay.
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
  const record = readRotation(session, applicationId)
  const both = await rotationCandidates(session, {...files, applicationId, doing, ids, registered, record})
  const rotation = {session, applicationId, doing, targets, record, ...both}
  const where = rotationPosition(record, both, registered)
  if (isDry) return presentPreviews(session, await previewsOf(rotation, where))
  if (where === 'other') throw notRegistered(doing, registered, flags['rollback-file'])
  if (where === 'done' || (where === 'unfinished' && !proves)) {
    return presentRotated(rotation, {state: 'registered', isChanged: false})
  }
  if (where === 'begin') await confirmAndProve(rotation, files.previous, asks)
  else session.warn(`resuming the rotation to ${safeText(both.next.name)}, which is registered`)
  return whileRotating(rotation, async (held) => {
    if (where === 'begin') return register({...rotation, held})
    keep({...rotation, held}, 'registered')
    return proveNext({...rotation, held})
  })
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

/** What comes before a rotation is begun: it is known which key the old file holds, somebody confirms, Apple accepts the old one. */
async function confirmAndProve(rotation: Rotation, {file, found}: OpenedFile, asks: boolean): Promise<void> {
  const {session, applicationId, doing, old, targets} = rotation
  if (targets.length === 0 && found.kind === 'apns-key' && found.keyId === undefined) throw unnamed(doing, file)
  if (asks) {
    session.warn(`this replaces ${safeText(old.name)}`)
    await askName(session, 'push', questionOf(doing), applicationId)
  } else noteDeployment(session, 'push')
  if (targets.length > 0) assertProven(await proveCredential(session, old.credential, targets), doing, old.name)
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

/** What `--dry-run` shows: the requests in their order. */
async function previewsOf({old, next, targets}: Rotation, where: Position): Promise<RequestPreview[]> {
  if (where === 'done' || where === 'other') return []
  const proof = previewProof(next.credential, targets)
  if (where === 'unfinished') return proof
  return [...previewProof(old.credential, targets), await next.preview(), ...proof]
}

/** Sends the new credential, where the old one is still registered. */
async function register(rotation: HeldRotation): Promise<void> {
  const {session, applicationId, doing, next, record} = rotation
  const now = await readConfiguration(session, applicationId)
  if (rotationPosition(record, rotation, now) !== 'begin') {
    throw otherRegistered(`cannot ${doing}: nothing was sent`, applicationId, now, 'none')
  }
  keep(rotation, 'begun')
  const {failed, seen} = await sendAndLook(rotation, next)
  if (seen.kind !== 'shown') return putBack(rotation, failed ?? notShown(seen))
  keep(rotation, 'registered')
  return proveNext(rotation)
}

/**
 * Registers a credential, which the journal calls done only where the configuration shows it. `failed`: why the request did not
 * succeed, in words. Raises the Failure of one that was certainly not made.
 */
async function sendAndLook(rotation: HeldRotation, candidate: RotationCandidate) {
  rotation.held.assertOurs(candidate === rotation.next ? 'none' : 'unknown')
  let [failed, seen]: [string?, Seen?] = []
  try {
    await candidate.send(async () => {
      seen = await look(rotation, candidate)
      if (seen.kind !== 'shown') throw notReadBack(notShown(seen), 'the service accepted it', again)
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    assertRunning(rotation)
    if (candidate === rotation.next && error.facts.outcome !== 'unknown' && error.facts.outcome !== 'applied') {
      keep(rotation, 'rolled-back')
      throw new Failure({...error.facts, registered: rotation.old.word}, {cause: error})
    }
    if (seen === undefined) failed = error.facts.message
  }
  return {failed, seen: seen ?? (await look(rotation, candidate))}
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

/** Ctrl-C leaves what is registered as it is: the record tells, and the same command finishes it. `registered`: what that is. */
function assertRunning({session, applicationId}: Rotation, registered = 'unknown'): void {
  const {signal, interruption} = session.runtime
  if (!signal.aborted) return
  throw new Failure({
    exit: interruption() ?? 'interrupted',
    code: 'interrupted',
    message: `the rotation of application ${applicationId} was interrupted`,
    why: registered === 'unknown' ? 'the old or the new credential is registered' : notProven,
    try: again,
    outcome: 'unknown',
    registered,
  })
}

const notProven = 'the new credential is registered, and not proven'
const again = 'run the same command again to finish it'

/** Asks Apple about the new credential, which is registered, and puts the old one back where it is not accepted. */
async function proveNext(rotation: HeldRotation): Promise<void> {
  const {session, applicationId, doing, next, targets} = rotation
  if (targets.length === 0) return presentRotated(rotation, {state: 'registered', isChanged: true})
  const proof = await proveCredential(session, next.credential, targets).catch((error: unknown) => {
    assertRunning(rotation, next.word)
    throw withFacts(error, () => ({why: notProven, try: again, outcome: 'unknown', registered: next.word}))
  })
  if (proof.exit !== undefined) return putBack(rotation, proof.notes.join('; '))
  // Somebody else may have registered another one while Apple was asked.
  const seen = await look(rotation, next)
  const attempted = `cannot ${doing}: ${next.name} was registered and proven`
  if (seen.kind === 'other') throw otherRegistered(attempted, applicationId, seen.found, 'applied')
  if (seen.kind === 'unreadable') {
    const message = `${attempted}, and could not be read back; registered: unknown`
    throw notReadBack(message, seen.why, again)
  }
  keep(rotation, 'proven')
  return presentRotated(rotation, {state: 'proven', isChanged: true, proof: proof.rows})
}

/** Whether another credential than the two is registered now: it is not this rotation's to replace. Nobody knows where it cannot be read. */
async function readOther({session, applicationId, old, next}: Rotation): Promise<PushConfiguration | undefined> {
  const found = await readConfiguration(session, applicationId).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  const isOther = [old, next].every(({expected}) => differencesOf(found, expected).length > 0)
  return isOther ? (found ?? undefined) : undefined
}

/** Registers the old credential again, reads it back and says so. Raises a Failure in any case: the rotation did not succeed. */
async function putBack(rotation: HeldRotation, why: string): Promise<never> {
  const {session, applicationId, doing, old, next} = rotation
  const attempted = `cannot ${doing}: ${next.name} was sent and not shown to work`
  const other = await readOther(rotation)
  assertRunning(rotation)
  if (other) throw otherRegistered(`${attempted}; ${old.name} was not put back`, applicationId, other, 'unknown')
  session.progress(`putting back ${safeText(old.name)}`)
  const {failed, seen} = await sendAndLook(rotation, old)
  const show = `roomctl push show --application-id ${applicationId}`
  if (seen.kind === 'shown') {
    keep(rotation, 'rolled-back')
    const message = `${attempted}; ${old.name} was put back; registered: ${old.word}`
    throw new Failure({exit: 'found', code: 'rolled-back', message, why, registered: old.word, try: show})
  }
  const more = failed === undefined ? why : `${why}; ${failed}`
  const byHand = 'run the same command again, or register the old file by push ios-key or push ios-cert'
  if (seen.kind === 'unreadable') {
    const message = `${attempted}; putting back ${old.name} could not be verified; registered: unknown`
    throw notReadBack(message, `${more}; ${seen.why}`, `${show}; then ${byHand}`)
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
    try: byHand,
  })
}

/** Keeps the state of the rotation. Before anything is sent a state that cannot be kept stops it; later it is said. */
function keep(rotation: HeldRotation, state: RotationState): void {
  try {
    rotation.held.keep(state)
  } catch (error) {
    const failure = notKept(rotation, error)
    if (state === 'begun') throw failure
    rotation.session.warn(`warning: the state of the rotation cannot be kept: ${failure.facts.why}`)
  }
}

interface Rotated {
  readonly state: RotationState
  /** False where the new credential was registered already. */
  readonly isChanged: boolean
  readonly proof?: readonly ProofRow[]
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
