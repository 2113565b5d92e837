import {utcSecond} from '../text/time.js'
import {type ApnsCertificate, readApnsCertificate} from './apnsCertificate.js'
import {type ApnsKey, type ExpectedKey, keyIdOf, readApnsKey} from './apnsKey.js'
import type {ExpectedCertificate} from './certificate.js'
import {classifyContent, exportBoth} from './content.js'
import {type CredentialFinding, error, forFile} from './finding.js'

export interface OtherFile {
  readonly kind: 'service-account' | 'google-services' | 'unknown'
  readonly findings: readonly CredentialFinding[]
}

export type Inspected = ApnsKey | ApnsCertificate | OtherFile

interface InspectOptions extends ExpectedKey, ExpectedCertificate {
  /** Of a .p12. */
  readonly password?: string
}

/** Identifies and checks a credential file, by its bytes, else by its name. */
export async function inspect(file: string, bytes: Uint8Array, options: InspectOptions): Promise<Inspected> {
  const content = classifyContent(bytes)
  if (content.form === 'pkcs12') {
    const {findings, ...certificate} = await readApnsCertificate(bytes, options.password ?? '', options)
    return {...certificate, findings: forFile(findings, file)}
  }
  const text = content.form === 'text' ? content.text : ''
  const isCertificate = text.includes('-----BEGIN CERTIFICATE-----')
  const isKey = text.includes('-----BEGIN ') || (text !== '' && /\.p8$/iu.test(file))
  const key = isKey ? await readApnsKey(file, text, options) : undefined
  if (key && !isCertificate) return key
  const finding = key?.findings[0] ?? (content.form === 'foreign' ? content.finding : neither)
  const kind = finding.code === 'service-account' || finding.code === 'google-services' ? finding.code : 'unknown'
  return {kind, findings: forFile([finding], file, keyIdOf(file))}
}

const neither = error('unknown', 'it is neither a .p8 key nor a .p12 certificate', exportBoth)

/** The findings about a file for JSON, without members that its kind does not have. */
export type CredentialReport = ReturnType<typeof detailsOf> & {
  readonly file: string
  readonly kind: Inspected['kind']
  readonly usable: boolean
  readonly findings: readonly CredentialFinding[]
}

/** The report of a file. It holds no secret. */
export function reportOf(file: string, inspected: Inspected): CredentialReport {
  const {kind, findings} = inspected
  const usable = !findings.some(({level}) => level === 'error')
  const sorted = (['error', 'warning', 'note'] as const).flatMap((wanted) =>
    findings.filter(({level}) => level === wanted),
  )
  return {file, kind, usable, ...detailsOf(inspected), findings: sorted}
}

function detailsOf(inspected: Inspected) {
  if (inspected.kind === 'apns-key')
    return {key_id: inspected.keyId, curve: inspected.curve, fingerprint: inspected.fingerprint}
  if (inspected.kind !== 'apns-certificate') return {}
  const {notBefore, notAfter, topics, environments, encryption, opened, fingerprint} = inspected
  return {
    certificate_kind: inspected.certificateKind,
    name: inspected.name,
    bundle_id: inspected.bundleId,
    team_id: inspected.teamId,
    topics,
    environments,
    not_before: notBefore && utcSecond(notBefore.getTime()),
    not_after: notAfter && utcSecond(notAfter.getTime()),
    days_left: inspected.daysLeft,
    encryption,
    opened,
    fingerprint,
  }
}
