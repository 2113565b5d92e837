import {createHash} from 'node:crypto'
import {dirname, join} from 'node:path'
import {isDeepStrictEqual} from 'node:util'
import * as z from 'zod/mini'
import type {Session} from '../../cli/session/session.js'
import {type Effect, Failure, fileFailure} from '../../failure.js'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {makePrivateFolder, reasonOf} from '../../storage/disk/privateFile.js'
import {
  DamagedDocument,
  type DocumentForm,
  ForeignDocument,
  readDocument,
  writeDocument,
} from '../../storage/document.js'
import {safeText, unlessError} from '../../text/text.js'

/** The phase of a rotation: the new credential is about to be sent, registered, accepted by Apple, or the old one is restored. */
const rotationStates = ['begun', 'registered', 'proven', 'rolled-back'] as const

export type RotationState = (typeof rotationStates)[number]

/** A credential in a record, without secrets. `fingerprint`: SHA-256 of the public key or the certificate. */
const rotatedCredential = z.object({
  ios_apns_type: z.string(),
  bundle_id: z.string(),
  team_id: z.optional(z.string()),
  key_id: z.optional(z.string()),
  certificate_expiry_date: z.optional(z.string()),
  fingerprint: z.string(),
})

export type RotatedCredential = z.infer<typeof rotatedCredential>

const recordVersion = 2

/** The record of the last rotation of an application at one push service, to show and finish a killed one. */
const rotationRecord = z.strictObject({
  /** Absent in version 1. */
  version: z.optional(z.literal(recordVersion)),
  state: z.enum(rotationStates),
  at: z.string(),
  /** Absent in those of 0.2, which have `application_id` and `service` instead. */
  pid: z.optional(z.number()),
  application_id: z.optional(z.string()),
  service: z.optional(z.string()),
  old: rotatedCredential,
  new: rotatedCredential,
})

export type RotationRecord = z.infer<typeof rotationRecord>

/** A record has a few hundred bytes; reject larger files. */
const recordForm: DocumentForm<RotationRecord> = {shape: rotationRecord, version: recordVersion, maxBytes: 64 * 1024}

/** The record of the last rotation of an application, if any. @throws Failure (file) */
export function readRotation(session: Session, applicationId: string): RotationRecord | undefined {
  const file = fileOf(session, applicationId)
  try {
    return readDocument(file, recordForm)
  } catch (error) {
    const why = error instanceof DamagedDocument ? `${file} ${error.message}` : (reasonOf(error) ?? String(error))
    const message = `cannot read the record of the last rotation of application ${applicationId}`
    const proveFirst = `remove ${file} once what is registered is proven`
    const advice = error instanceof ForeignDocument ? `use the roomctl that wrote it, or ${proveFirst}` : proveFirst
    throw fileFailure(message, {code: 'damaged-record', why, try: advice}, {cause: error})
  }
}

/** The record while no other process of this machine rotates the same application. */
export interface LockedRecord {
  /** Replaces the record. Throws the system's error. */
  readonly keep: (state: RotationState) => void
  /** Throws Failure (state) if a process that was stopped for long has lost its lock to another one (fencing token). */
  readonly assertOurs: (outcome: Effect) => void
}

export interface Rotating {
  readonly session: Session
  readonly applicationId: string
  /** Follows `cannot`. */
  readonly doing: string
  readonly old: {readonly kept: RotatedCredential}
  readonly next: {readonly kept: RotatedCredential}
  /** As it was when the position was judged. */
  readonly record: RotationRecord | undefined
}

/** The lock of a killed rotation expires after this time without a heartbeat; a longer wait is for a living process. */
const staleMs = 2_000
const waitMs = 3_000

/** Throws Failure: state if another process rotates, or did since the record was read; file if no record can be stored. */
export async function whileRotating<T>(rotating: Rotating, work: (held: LockedRecord) => Promise<T>): Promise<T> {
  const {session, applicationId, doing, record: before} = rotating
  const file = fileOf(session, applicationId)
  const read = () => readRotation(session, applicationId)
  const cannotLock = (error: unknown) => notKept(rotating, error)
  try {
    makePrivateFolder(dirname(file))
  } catch (error) {
    throw cannotLock(error)
  }
  const locked = async () => {
    let last = read()
    if (!isDeepStrictEqual(last, before)) throw rotatedElsewhere(doing, applicationId, last)
    const keep = (state: RotationState) => {
      const at = session.runtime.now().toISOString()
      const record: RotationRecord = {
        ...{version: recordVersion, state, at, pid: process.pid},
        ...{old: rotating.old.kept, new: rotating.next.kept},
      }
      writeDocument(file, record)
      last = record
    }
    const assertOurs = (outcome: Effect) => {
      if (!isDeepStrictEqual(read(), last)) throw rotatedElsewhere(doing, applicationId, read(), outcome)
    }
    return work({keep, assertOurs})
  }
  const lockedOut = () => {
    const found = read()
    return rotatedElsewhere(doing, applicationId, found && unfinished.has(found.state) ? found : undefined)
  }
  return whileFileLocked(file, locked, {waitMs, staleMs, lockedOut, cannotLock})
}

const unfinished: ReadonlySet<RotationState> = new Set(['begun', 'registered'])

/**
 * Registers a credential under the lock of a rotation: two processes of this machine never replace what the other has just registered
 * unseen. Without a state folder that can be written there is no lock. @throws Failure (state) if another process holds it
 */
export function whileRegistering<T>(
  session: Session,
  {applicationId, doing}: Pick<Rotating, 'applicationId' | 'doing'>,
  work: () => Promise<T>,
): Promise<T> {
  const file = fileOf(session, applicationId)
  const hasFolder = unlessError(() => {
    makePrivateFolder(dirname(file))
    return true
  }, false)
  if (!hasFolder) return work()
  const lockedOut = () => rotatedElsewhere(doing, applicationId, undefined)
  const cannotLock = (error: unknown) => notKept({session, doing}, error)
  return whileFileLocked(file, work, {waitMs, staleMs, lockedOut, cannotLock})
}

export function notKept({session, doing}: Pick<Rotating, 'session' | 'doing'>, error: unknown): Failure {
  const message = `cannot ${doing}: its record cannot be written to ${session.paths.state}; nothing was sent`
  const why = reasonOf(error) ?? (error instanceof Error ? error.message : 'unknown reason')
  return fileFailure(message, {why}, {cause: error})
}

/** The Failure (state) of a rotation beside another one, which the record names. */
function rotatedElsewhere(
  doing: string,
  applicationId: string,
  record: RotationRecord | undefined,
  outcome: Effect = 'none',
): Failure {
  const {pid, at, state, new: made} = record ?? {}
  const what = made && (made.key_id ? `the key ${made.key_id}` : `the certificate for ${made.bundle_id}`)
  const who = pid === undefined ? 'another process' : `process ${pid}`
  const changes = made ? 'another rotation of it runs' : 'another change of it runs'
  const named = what && `${who} rotates it to ${what} (${state}, ${at})`
  return new Failure({
    exit: 'state',
    code: 'rotation-running',
    message: `cannot ${doing}: ${changes} at the same time${outcome === 'none' ? '; nothing was sent' : ''}`,
    why: named === undefined ? 'another process registers or rotates its credential' : safeText(named),
    outcome,
    try: `wait for it, then: roomctl push show --application-id ${applicationId}`,
  })
}

/** A file for each application of each service: ids may hold what no file name can. */
function fileOf({paths, resolved}: Session, applicationId: string): string {
  const service = resolved.isSandbox ? 'sandbox' : (resolved.values['push.url'] ?? '')
  const name = createHash('sha256').update(`${service}\n${applicationId}`).digest('hex').slice(0, 32)
  return join(paths.state, 'rotations', `${name}.json`)
}
