import {readFileSync} from 'node:fs'
import type {PeerCertificate, SecureContext} from 'node:tls'
import {createTrustContext, extraCaCertificates} from '../../api/http/network/caCertificates.js'
import type {Environment} from '../../cli/runtime/runtime.js'
import {counted} from '../../text/text.js'
import {wholeDaysUntil} from '../../text/time.js'
import {type Diagnosis, fail, ok, warn} from '../../view/tool/doctor.js'
import type {TlsDetails} from './connection.js'

/** Days before its end from which a certificate is a finding. */
const soonDays = 30

/** A text of certificates that are trusted besides Node's own, and what names it: `caFile`. */
export interface NamedAuthorities {
  readonly name: string
  readonly fingerprints: ReadonlySet<string>
}

/** What there is to say of the certificate of a service: whether it is trusted and by whom, and how long it is valid. */
export function checkCertificate(
  check: string,
  {chain, protocol, distrust}: TlsDetails,
  {
    host,
    now,
    authorities,
  }: {readonly host: string; readonly now: Date; readonly authorities: readonly NamedAuthorities[]},
): Diagnosis {
  const [own] = chain
  if (own === undefined) return fail(check, `${host} showed no certificate`, 'ask the operator of the service')
  const days = wholeDaysUntil(new Date(own.valid_to), now)
  const by = trustedBy(chain, authorities)
  const details = {
    protocol,
    subject: nameOf(own, 'subject'),
    names: own.subjectaltname ?? null,
    issuer: nameOf(own, 'issuer'),
    valid_from: timeOf(own.valid_from),
    valid_to: timeOf(own.valid_to),
    days_left: days,
    chain: chain.map((one) => nameOf(one, 'subject')),
    trusted_by: distrust ? null : by,
    reason: distrust?.code ?? null,
  }
  if (distrust) return fail(check, distrust.message, adviceOn(distrust.code, own), details)
  const what = `${protocol}, certificate of ${details.subject} by ${details.issuer}, trusted by ${by}, ${counted(days, 'day')} left`
  if (days >= soonDays) return ok(check, what, details)
  return warn(check, what, 'have the certificate of the service renewed', details)
}

function trustedBy(chain: readonly PeerCertificate[], authorities: readonly NamedAuthorities[]): string {
  const given = authorities.find(({fingerprints}) => chain.some((one) => fingerprints.has(one.fingerprint256)))
  return given?.name ?? "Node's own CAs"
}

function adviceOn(code: string, {subjectaltname: names, valid_to: end}: PeerCertificate): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `use a name it is valid for: ${names ?? 'none'}`
  if (code === 'CERT_HAS_EXPIRED') return `have it renewed (it expired ${timeOf(end)}), or correct this machine's clock`
  if (code === 'CERT_NOT_YET_VALID') return "correct this machine's clock, or have the certificate reissued"
  return 'trust its CA: roomctl config set caFile FILE; an incomplete chain must be fixed by the operator of the service'
}

/** The common name, or whatever else a name has. */
function nameOf(certificate: PeerCertificate, whose: 'subject' | 'issuer'): string {
  // Node's types give every member a text; a name can lack them, or have several.
  const name: Readonly<Record<string, unknown>> = {...certificate[whose]}
  return String(name.CN ?? name.O ?? Object.values(name)[0] ?? 'nobody')
}

function timeOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** What is trusted besides Node's own CAs. */
export interface TrustedCertificates {
  /** Undefined where Node's own context is right. */
  readonly secureContext: SecureContext | undefined
  readonly authorities: readonly NamedAuthorities[]
  readonly found: readonly Diagnosis[]
}

const caFileCheck = 'ca file'

/** Reads the files of certificates that a setting and NODE_EXTRA_CA_CERTS name, as a call would. */
export async function readTrusted(caFile: string | undefined, env: Environment): Promise<TrustedCertificates> {
  const extra = await certificatesOf('NODE_EXTRA_CA_CERTS', env.NODE_EXTRA_CA_CERTS)
  if (caFile === undefined) return {secureContext: undefined, authorities: extra, found: []}
  try {
    const text = readFileSync(caFile, 'utf8')
    const secureContext = await createTrustContext(extraCaCertificates([text], env))
    const own = await certificatesOf('caFile', caFile)
    return {
      secureContext,
      authorities: [...own, ...extra],
      found: [ok(caFileCheck, `${caFile} is also trusted`, {path: caFile})],
    }
  } catch (error) {
    const isUnread = error instanceof Error && 'code' in error
    const what = isUnread
      ? `${caFile} cannot be read (${String(error.code)})`
      : `${caFile} contains no usable certificate`
    const advice = 'name a PEM file with --ca-file, ROOMCTL_CA_FILE or roomctl config set caFile'
    return {secureContext: undefined, authorities: extra, found: [fail(caFileCheck, what, advice, {path: caFile})]}
  }
}

/** The certificates of a file by their fingerprints; none where it is no such file, which another check tells. */
async function certificatesOf(name: string, path: string | undefined): Promise<NamedAuthorities[]> {
  if (!path) return []
  try {
    const {X509Certificate} = await import('node:crypto')
    const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    return [{name, fingerprints: new Set(blocks.map((block) => new X509Certificate(block).fingerprint256))}]
  } catch {
    return []
  }
}
