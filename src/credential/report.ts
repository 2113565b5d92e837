import type {ApnsCertificate} from './apnsCertificate.js'
import type {ApnsKey} from './apnsKey.js'
import type {Inspected} from './inspect.js'

/** What was found about a file, in the names and plain values that programs read. It holds no secret. */
export function reportOf(file: string, found: Inspected) {
  const {kind, findings} = found
  const usable = !findings.some(({level}) => level === 'error')
  const sorted = (['error', 'warning', 'note'] as const).flatMap((wanted) =>
    findings.filter(({level}) => level === wanted),
  )
  return {file, kind, usable, ...detailsOf(found), findings: sorted}
}

function detailsOf(found: Inspected) {
  if (found.kind === 'apns-key') return keyDetails(found)
  return found.kind === 'apns-certificate' ? certificateDetails(found) : {}
}

function keyDetails({keyId, curve, fingerprint}: ApnsKey) {
  return {key_id: keyId, curve, fingerprint}
}

function certificateDetails(certificate: ApnsCertificate) {
  const {topics, environments, encryption, opened, fingerprint} = certificate
  return {
    certificate_kind: certificate.certificateKind,
    name: certificate.name,
    bundle_id: certificate.bundleId,
    team_id: certificate.teamId,
    topics,
    environments,
    not_before: certificate.notBefore && utc(certificate.notBefore),
    not_after: certificate.notAfter && utc(certificate.notAfter),
    days_left: certificate.daysLeft,
    encryption,
    opened,
    fingerprint,
  }
}

function utc(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}
