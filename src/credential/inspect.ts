import {utcSecond} from '../text/time.js'
import {type ApnsCertificate, needsPassword, readApnsCertificate} from './apnsCertificate.js'
import {type ApnsKey, type ExpectedKey, readApnsKey} from './apnsKey.js'
import type {ExpectedCertificate} from './certificate.js'
import {classifyContent, foreignContent, pemInstead} from './content.js'
import {type CredentialFinding, error} from './finding.js'

export interface OtherFile {
  readonly kind: 'service-account' | 'google-services' | 'unknown'
  readonly findings: readonly CredentialFinding[]
}

export type Inspected = ApnsKey | ApnsCertificate | OtherFile

export interface InspectOptions extends ExpectedKey, ExpectedCertificate {
  /** Reads the password that was given. Called for a .p12 only. */
  readonly password?: (() => Promise<string>) | undefined
  /** Asks for the password, if none was given and the file needs one. */
  readonly ask?: (() => Promise<string>) | undefined
}

/** Identifies and checks a credential file (product §7), by its bytes, else by its name. Throws the errors of `password` and `ask`. */
export async function inspect(fileName: string, bytes: Uint8Array, options: InspectOptions): Promise<Inspected> {
  const content = classifyContent(bytes)
  const found = foreignContent(content)
  const {form} = content
  if (found) {
    return {kind: form === 'service-account' || form === 'google-services' ? form : 'unknown', findings: [found]}
  }
  const text = content.form === 'text' ? content.text : ''
  const kind = kindOf(fileName, form, text)
  if (kind === 'certificate') return certificate(bytes, options)
  if (kind === 'key') return readApnsKey(fileName, bytes, options)
  return {kind: 'unknown', findings: [kind === 'pem' ? pemInstead(text) : neither]}
}

function kindOf(fileName: string, form: string, text: string): 'key' | 'certificate' | 'pem' | undefined {
  if (form === 'pkcs12') return 'certificate'
  const isPemCertificate = text.includes('-----BEGIN CERTIFICATE-----')
  if (text.includes('PRIVATE KEY-----') && !isPemCertificate) return 'key'
  const extension = /\.([a-z0-9]+)$/iu.exec(fileName)?.[1]?.toLowerCase()
  if (extension === 'p8') return 'key'
  if (extension === 'p12' || extension === 'pfx') return 'certificate'
  if (isPemCertificate) return 'pem'
  return text.includes('-----BEGIN ') ? 'key' : undefined
}

async function certificate(bytes: Uint8Array, options: InspectOptions): Promise<ApnsCertificate> {
  const {password, ask} = options
  const read = password ?? (ask && (await needsPassword(bytes)) ? ask : undefined)
  return readApnsCertificate(bytes, read ? await read() : '', options)
}

const neither = error('unknown', 'it is neither a .p8 key nor a .p12 certificate', 'check that this is the right file')

/** The findings about a file for JSON, without members that its kind does not have. */
export type CredentialReport = ReturnType<typeof detailsOf> & {
  readonly file: string
  readonly kind: Inspected['kind']
  readonly usable: boolean
  readonly findings: readonly CredentialFinding[]
}

/** The report of a file. It holds no secret. */
export function reportOf(file: string, found: Inspected): CredentialReport {
  const {kind, findings} = found
  const usable = !findings.some(({level}) => level === 'error')
  const sorted = (['error', 'warning', 'note'] as const).flatMap((wanted) =>
    findings.filter(({level}) => level === wanted),
  )
  return {file, kind, usable, ...detailsOf(found), findings: sorted}
}

function detailsOf(found: Inspected) {
  if (found.kind === 'apns-key') return {key_id: found.keyId, curve: found.curve, fingerprint: found.fingerprint}
  if (found.kind !== 'apns-certificate') return {}
  const {notBefore, notAfter, topics, environments, encryption, opened, fingerprint} = found
  return {
    certificate_kind: found.certificateKind,
    name: found.name,
    bundle_id: found.bundleId,
    team_id: found.teamId,
    topics,
    environments,
    not_before: notBefore && utcSecond(notBefore.getTime()),
    not_after: notAfter && utcSecond(notAfter.getTime()),
    days_left: found.daysLeft,
    encryption,
    opened,
    fingerprint,
  }
}
