import {createHash} from 'node:crypto'
import {join} from 'node:path'
import type {Session} from '../../cli/session/session.js'
import {makePrivateFolder, readPrivateFile} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'

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
