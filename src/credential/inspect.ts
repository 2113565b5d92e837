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
  /** What the file must be, whatever its name and its bytes say. */
  readonly kind?: Inspected['kind'] | undefined
  /** Reads the password that was given. Called for a .p12 only. */
  readonly password?: (() => Promise<string>) | undefined
  /** Asks for the password, where none was given and no empty one opens the file. */
  readonly ask?: (() => Promise<string>) | undefined
}

const wanted = 'a .p8 key or a .p12 certificate'

/** What a credential file is and what is wrong with it (product §7), by name and bytes. Raises what `password` and `ask` raise. */
export async function inspect(fileName: string, bytes: Uint8Array, options: InspectOptions): Promise<Inspected> {
  if (options.kind === 'apns-key') return readApnsKey(fileName, bytes, options)
  if (options.kind === 'apns-certificate') return certificate(bytes, options)
  const content = classifyContent(bytes)
  const found = foreignContent(content, wanted)
  const {form} = content
  if (found) {
    return {kind: form === 'service-account' || form === 'google-services' ? form : 'unknown', findings: [found]}
  }
  const extension = /\.([a-z0-9]+)$/iu.exec(fileName)?.[1]?.toLowerCase()
  if (extension === 'p8') return readApnsKey(fileName, bytes, options)
  if (extension === 'p12' || extension === 'pfx' || form === 'pkcs12') return certificate(bytes, options)
  if (content.form !== 'text' || !content.text.includes('-----BEGIN ')) return {kind: 'unknown', findings: [neither]}
  if (content.text.includes('-----BEGIN CERTIFICATE-----'))
    return {kind: 'unknown', findings: [pemInstead(content.text)]}
  return readApnsKey(fileName, bytes, options)
}

async function certificate(bytes: Uint8Array, options: InspectOptions): Promise<ApnsCertificate> {
  const {password, ask} = options
  const read = password ?? (ask && (await needsPassword(bytes)) ? ask : undefined)
  return readApnsCertificate(bytes, read ? await read() : '', options)
}

const neither = error('unknown', 'it is neither a .p8 key nor a .p12 certificate', 'check that this is the right file')

/** What was found about a file, in the names and plain values that programs read. Members that its kind does not have are left out. */
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
    not_before: notBefore && utc(notBefore),
    not_after: notAfter && utc(notAfter),
    days_left: found.daysLeft,
    encryption,
    opened,
    fingerprint,
  }
}

function utc(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}
