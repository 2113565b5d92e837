import {isDeepStrictEqual} from 'node:util'
import type {InferredFlags} from '@oclif/core/interfaces'
import type {PushConfiguration} from '../../api/contract/push.js'
import {requiredFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {mustName, questionOf, requireApplicationId} from '../../cli/prompts/confirm.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Effect, Failure, failureWith, withFacts} from '../../failure.js'
import {safeText} from '../../text/text.js'
import type {ProofRow} from '../../view/push/proof.js'
import {presentPreviews, previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {ask, isAsked} from '../mutation/mutate.js'
import type {MutationResult} from '../mutation/mutation.js'
import {isAsSent, lookFor, readConfiguration, type Seen} from './configuration.js'
import {type CredentialIds, idFlags, passwordFlags} from './credentialInput.js'
import {type ProofTarget, proofFlags, proofTargets, registeringFlags} from './flags.js'
import {assertProven, idWords, previewProof, proveCredential} from './prove.js'
import {acceptedBy, type RegisteringFlags} from './registerCredential.js'
import {
  assertNamed,
  isEitherKind,
  notRegistered,
  openRotationFiles,
  type RotationCandidate,
  type RotationFiles,
  type RotationPhase,
  registeredWord,
  rotationCandidates,
  rotationPhase,
} from './rotationCandidates.js'
import {
  type Changing,
  changedElsewhere,
  notKept,
  type RotationRecord,
  type RotationState,
  readRotation,
  whileChanging,
  writeRotation,
} from './rotationRecord.js'

export const rotateFlags = {
  'rollback-file': requiredFlag('OLD', 'file of the registered credential, to put back'),
  'rollback-password-file': valueFlag('FILE', 'password of OLD, if it is a .p12'),
  ...idFlags,
  ...passwordFlags,
  'no-prove': switchFlag('do not ask Apple, neither about OLD nor about NEW'),
  environment: {...proofFlags.environment, exclusive: ['no-prove']},
  server: {...proofFlags.server, exclusive: ['no-prove']},
  ...registeringFlags,
}

type RotateFlags = InferredFlags<typeof rotateFlags> & Pick<RegisteringFlags, 'route'>

interface Rotation extends Changing {
  readonly old: RotationCandidate
  readonly next: RotationCandidate
  readonly targets: readonly ProofTarget[]
  readonly registered: PushConfiguration | null
  /** The last one of this application; that of this rotation once it has kept one. */
  record: RotationRecord | undefined
}

const members = [
  ...['application_id', 'rotation', 'registered', 'ios_apns_type', 'bundle_id', 'team_id', 'key_id'],
  ...['certificate_expiry_date', 'fingerprint', 'replaced', 'verified', 'proof'],
]

/**
 * Replaces the registered iOS credential, which the service never returns: its file must exist and work before anything is
 * sent. The new one is registered, read back and proven, or else the old one is put back. A record lets the same command finish a
 * killed rotation. Throws Failure: file, state beside another rotation, found or network.
 */
export async function rotateCredential(
  session: Session,
  flags: RotateFlags,
  file: string,
  ids: CredentialIds,
): Promise<void> {
  const applicationId = await requireApplicationId(session)
  const doing = `rotate the iOS credential of application ${safeText(applicationId)}`
  const view = await resultView(session, members)
  if (!flags['dry-run']) mustName(session, flags, doing, applicationId)
  const targets = flags['no-prove'] ? [] : await proofTargets(session, flags)
  const files = await openRotationFiles(session, flags, file, {ids, doing})
  const rotate = async () => {
    const registered = await readConfiguration(session, applicationId)
    if (!isEitherKind(registered, files)) throw notRegistered(doing, registered, flags['rollback-file'])
    const record = readRotation(session, applicationId)
    const both = await rotationCandidates(session, applicationId, files, {registered, record, ids, doing})
    const rotation = {session, applicationId, doing, targets, registered, record, ...both}
    const phase = rotationPhase(record, both, registered)
    if (flags['dry-run']) return presentPreviews(session, await previewsOf(rotation, phase))
    if (phase === 'conflict') throw notRegistered(doing, registered, flags['rollback-file'])
    if (phase === 'start') await confirmRotation(rotation, flags, files)
    const {value, id, sentence} = await carryOut(rotation, phase)
    await presentDone(session, view, value, id, sentence)
  }
  return flags['dry-run'] ? rotate() : whileChanging({session, applicationId, doing}, rotate)
}

async function confirmRotation(rotation: Rotation, flags: RotateFlags, files: RotationFiles): Promise<void> {
  const {session, applicationId, doing, targets, old, next} = rotation
  if (targets.length === 0) assertNamed(files, doing)
  if (!isMachineFormat(session.output.format)) session.warn(`this replaces ${safeText(old.what)}`)
  const confirmed = {...next, confirmation: {word: applicationId}}
  if (isAsked(session, flags, () => doing, confirmed)) await ask(session, flags, confirmed, {text: questionOf(doing)})
}

type Proof = readonly ProofRow[] | undefined

interface RotationStep {
  /** The requests that a dry run shows. */
  readonly preview: (rotation: Rotation) => readonly RequestPreview[] | Promise<readonly RequestPreview[]>
  /** Returns the proof of the new credential, if it makes one. */
  readonly take: (rotation: Rotation) => Promise<Proof>
}

const proveOld: RotationStep = {
  preview: ({old, targets}) => previewProof(old.credential, targets),
  take: async ({session, doing, old, targets}) => {
    if (targets.length === 0) return undefined
    const without = 'add --no-prove to rotate without a proof'
    assertProven(await proveCredential(session, old.credential, targets), {doing, what: old.what, without})
    return undefined
  },
}

const registerNext: RotationStep = {
  preview: async ({session, next}) => [await previewRequest(session, next.operation, next.input)],
  take: async (rotation) => {
    const {session, applicationId, doing, next, record} = rotation
    const now = await readConfiguration(session, applicationId)
    if (rotationPhase(record, rotation, now) !== 'start') {
      throw otherRegistered(`cannot ${doing}: nothing was sent`, applicationId, now, 'none')
    }
    keep(rotation, 'begun')
    const {failed, seen} = await sendAndLook(rotation, next)
    return seen.kind === 'shown' ? undefined : putBack(rotation, failed ?? notShown(seen))
  },
}

/** Asks Apple about the new, registered credential, and restores the old one if it is not accepted. */
const proveNext: RotationStep = {
  preview: ({next, targets}) => previewProof(next.credential, targets),
  take: async (rotation) => {
    const {session, applicationId, doing, next, targets} = rotation
    keep(rotation, 'registered')
    if (targets.length === 0) return undefined
    const proof = await proveCredential(session, next.credential, targets).catch((error: unknown) => {
      assertRunning(rotation, next.label)
      throw withFacts(error, () => ({why: notProven, try: again, outcome: 'unknown', registered: next.label}))
    })
    if (proof.exit !== undefined) return putBack(rotation, proof.notes.join('; '))
    // Another admin may have registered another one meanwhile.
    const seen = await look(rotation, next)
    const attempted = `cannot ${doing}: ${next.what} was registered and proven`
    if (seen.kind === 'other') throw otherRegistered(attempted, applicationId, seen.found, 'applied')
    if (seen.kind === 'unreadable') {
      throw notReadBack(`${attempted}, and could not be read back; registered: unknown`, seen.why, again)
    }
    keep(rotation, 'proven')
    return proof.rows
  },
}

/** What a run does, by the phase in which it finds a rotation. */
const steps: Readonly<Partial<Record<RotationPhase, readonly RotationStep[]>>> = {
  start: [proveOld, registerNext, proveNext],
  resume: [proveNext],
}

async function previewsOf(rotation: Rotation, phase: RotationPhase): Promise<RequestPreview[]> {
  return (await Promise.all((steps[phase] ?? []).map((step) => step.preview(rotation)))).flat()
}

async function carryOut(rotation: Rotation, phase: RotationPhase): Promise<MutationResult> {
  const {session, targets, next} = rotation
  if (phase === 'done' || (phase === 'resume' && targets.length === 0)) return rotated(rotation, false)
  if (phase === 'resume') session.warn(`resuming the rotation to ${safeText(next.what)}, which is registered`)
  let proof: Proof
  for (const step of steps[phase] ?? []) proof = await step.take(rotation)
  return rotated(rotation, true, proof)
}

/** Throws Failure (state) if a process that was stopped for long has lost its lock to another one (fencing token). */
function assertOurs(rotation: Rotation, outcome: Effect): void {
  const found = readRotation(rotation.session, rotation.applicationId)
  if (!isDeepStrictEqual(found, rotation.record)) throw changedElsewhere(rotation, found, outcome)
}

/** Journals it as done only if the configuration shows it. Throws the Failure of a request that was certainly not made. */
async function sendAndLook(rotation: Rotation, candidate: RotationCandidate) {
  const {session, registered} = rotation
  const isNext = candidate === rotation.next
  assertOurs(rotation, isNext ? 'none' : 'unknown')
  let [failed, seen]: [string?, Seen?] = []
  try {
    const judge = async () => {
      seen = await look(rotation, candidate)
      if (seen.kind !== 'shown') throw notReadBack(notShown(seen), 'the service accepted it', again)
      return undefined
    }
    await sendJournaled(session, candidate.operation, candidate.input, {judge, ...(isNext ? {before: registered} : {})})
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    assertRunning(rotation)
    if (isNext && error.facts.outcome !== 'unknown' && error.facts.outcome !== 'applied') {
      keep(rotation, 'rolled-back')
      throw new Failure({...error.facts, registered: rotation.old.label}, {cause: error})
    }
    if (seen === undefined) failed = error.facts.message
  }
  return {failed, seen: seen ?? (await look(rotation, candidate))}
}

async function look(rotation: Rotation, {expected}: RotationCandidate): Promise<Seen> {
  const seen = await lookFor(rotation.session, rotation.applicationId, expected)
  assertRunning(rotation)
  return seen
}

function notShown(seen: Seen): string {
  return seen.kind === 'unreadable'
    ? `the configuration cannot be read: ${seen.why}`
    : 'the service shows another credential'
}

/** Ctrl-C changes nothing: the same command finishes the rotation. `registered`: the credential, in words. */
function assertRunning({session, applicationId}: Rotation, registered = 'unknown'): void {
  const {signal, interruption} = session.runtime
  if (!signal.aborted) return
  throw failureWith(interruption() ?? 'interrupted', `the rotation of application ${applicationId} was interrupted`, {
    code: 'interrupted',
    why: registered === 'unknown' ? 'the old or the new credential is registered' : notProven,
    try: again,
    outcome: 'unknown',
    registered,
  })
}

const notProven = 'the new credential is registered, and not proven'
const again = 'run the same command again to finish it'

/** Whether a third credential is registered now, which this rotation must not replace. False if that cannot be read. */
async function readOther({session, applicationId, old, next}: Rotation): Promise<PushConfiguration | undefined> {
  const found = await readConfiguration(session, applicationId).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  const isOther = [old, next].every(({expected}) => !isAsSent(found, expected))
  return isOther ? (found ?? undefined) : undefined
}

/** Registers the old credential again, reads it back and says so. Throws Failure in any case: the rotation did not succeed. */
async function putBack(rotation: Rotation, why: string): Promise<never> {
  const {session, applicationId, doing, old, next} = rotation
  const attempted = `cannot ${doing}: ${next.what} was registered but not proven`
  const other = await readOther(rotation)
  assertRunning(rotation)
  if (other) throw otherRegistered(`${attempted}; ${old.what} was not put back`, applicationId, other, 'unknown')
  session.progress(`putting back ${safeText(old.what)}`)
  const {failed, seen} = await sendAndLook(rotation, old)
  const show = `roomctl push show --application-id ${applicationId}`
  if (seen.kind === 'shown') {
    keep(rotation, 'rolled-back')
    const message = `${attempted}; ${old.what} was put back; registered: ${old.label}`
    throw failureWith('found', message, {code: 'rolled-back', why, registered: old.label, try: show})
  }
  const more = failed === undefined ? why : `${why}; ${failed}`
  const register = `roomctl push ios FILE --application-id ${applicationId}${idWords(old.credential)}`
  const byHand = `run the same command again, or register the old file: ${register}`
  if (seen.kind === 'unreadable') {
    const message = `${attempted}; putting back ${old.what} could not be verified; registered: unknown`
    throw notReadBack(message, `${more}; ${seen.why}`, `${show}; then ${byHand}`)
  }
  const registered = registeredWord(seen.found)
  const message = `${attempted}; ${old.what} was not put back; registered: ${registered}`
  const facts = {why: more, registered, outcome: 'unknown', try: byHand} as const
  throw failureWith('found', message, {code: 'not-rolled-back', ...facts})
}

/** Stores the phase of the rotation. If that fails, it stops before the first request, and warns after it. */
function keep(rotation: Rotation, state: RotationState): void {
  try {
    rotation.record = writeRotation(rotation, state)
  } catch (error) {
    const failure = notKept(rotation, error)
    if (state === 'begun') throw failure
    rotation.session.warn(`warning: the state of the rotation cannot be kept: ${failure.facts.why}`)
  }
}

/** `isChanged`: false if the new credential was registered already. */
function rotated({applicationId, old, next}: Rotation, isChanged: boolean, proof?: Proof): MutationResult {
  const value = {
    application_id: applicationId,
    rotation: (proof ? 'proven' : 'registered') satisfies RotationState,
    registered: next.label,
    ...next.expected,
    fingerprint: next.kept.fingerprint,
    replaced: isChanged ? old.expected : null,
    verified: true,
    ...(proof ? {proof} : {}),
  }
  const accepted = acceptedBy(proof && {rows: proof})
  const sentence = isChanged
    ? `rotated application ${applicationId} to ${next.what} (read back: equal${accepted})`
    : `${next.what} is already registered in application ${applicationId}`
  return {value, id: applicationId, sentence: safeText(sentence)}
}

/** The Failure (state) for a third credential at the service. `attempted`: the progress, as a sentence. */
function otherRegistered(
  attempted: string,
  applicationId: string,
  found: PushConfiguration | null,
  outcome: Effect,
): Failure {
  const registered = registeredWord(found)
  const message = `${attempted}; registered: ${registered}`
  const why = 'somebody else has registered another credential meanwhile'
  const show = `roomctl push show --application-id ${applicationId}`
  return failureWith('state', message, {code: 'other-registered', why, try: show, registered, outcome})
}

/** The Failure (network) of a change that cannot be read. */
function notReadBack(message: string, why: string, advice: string): Failure {
  const unknown = {registered: 'unknown', outcome: 'unknown'} as const
  return failureWith('network', message, {code: 'not-read-back', why, try: advice, ...unknown})
}
