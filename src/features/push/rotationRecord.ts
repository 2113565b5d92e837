import {createHash} from 'node:crypto'
import {dirname, join} from 'node:path'
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

interface RotatedCredentials {
  readonly session: Session
  readonly applicationId: string
  readonly old: {readonly kept: RotatedCredential}
  readonly next: {readonly kept: RotatedCredential}
}

/** Replaces the record, and returns it. Throws the system's error. */
export function writeRotation(
  {session, applicationId, old, next}: RotatedCredentials,
  state: RotationState,
): RotationRecord {
  const at = session.runtime.now().toISOString()
  const record: RotationRecord = {
    ...{version: recordVersion, state, at, pid: process.pid},
    ...{old: old.kept, new: next.kept},
  }
  writeDocument(fileOf(session, applicationId), record)
  return record
}

/** The lock of a killed process expires after this time without a heartbeat; a longer wait is for a living one. */
const staleMs = 2_000
const waitMs = 3_000

/** `doing` follows `cannot`. */
export interface Changing {
  readonly session: Session
  readonly applicationId: string
  readonly doing: string
}

/**
 * Runs `work` while no other process of this machine changes the credential of the application: two never replace what the other has
 * just registered unseen. Without a state folder that can be written there is no lock. @throws Failure (state) if another process
 * holds it
 */
export async function whileChanging<T>(changing: Changing, work: () => Promise<T>): Promise<T> {
  const {session, applicationId} = changing
  const file = fileOf(session, applicationId)
  const hasFolder = unlessError(() => {
    makePrivateFolder(dirname(file))
    return true
  }, false)
  if (!hasFolder) return work()
  const lockedOut = () => changedElsewhere(changing, readRotation(session, applicationId))
  const cannotLock = (error: unknown) => notKept(changing, error)
  return whileFileLocked(file, work, {waitMs, staleMs, lockedOut, cannotLock})
}

export function notKept({session, doing}: Changing, error: unknown): Failure {
  const message = `cannot ${doing}: its record cannot be written to ${session.paths.state}; nothing was sent`
  const why = reasonOf(error) ?? (error instanceof Error ? error.message : 'unknown reason')
  return fileFailure(message, {why}, {cause: error})
}

/** The Failure (state) of a change beside another one, which its record names if it is an unfinished rotation. */
export function changedElsewhere(
  {doing, applicationId}: Changing,
  record: RotationRecord | undefined,
  outcome: Effect = 'none',
): Failure {
  const {pid, at, state, new: made} = record ?? {}
  const isUnfinished = state === 'begun' || state === 'registered'
  const what = made && (made.key_id ? `the key ${made.key_id}` : `the certificate for ${made.bundle_id}`)
  const who = pid === undefined ? 'another process' : `process ${pid}`
  return new Failure({
    exit: 'state',
    code: 'rotation-running',
    message: `cannot ${doing}: another change of it runs at the same time${outcome === 'none' ? '; nothing was sent' : ''}`,
    why: isUnfinished
      ? safeText(`${who} rotates it to ${what} (${state}, ${at})`)
      : 'another process registers or rotates its credential',
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
