import type {PeerCertificate} from 'node:tls'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import type {SeenTls} from './connection.js'
import {fail, ok, warn} from './finding.js'

const dayMs = 86_400_000
/** Days before its end from which a certificate is a finding. */
const soon = 30

/** A text of certificates that are trusted besides Node's own, and what names it: `caFile`. */
export interface Authorities {
  readonly name: string
  readonly fingerprints: ReadonlySet<string>
}

/** What there is to say of the certificate of a service: whether it is trusted and by whom, and how long it is valid. */
export function checkCertificate(
  check: string,
  {chain, protocol, distrust}: SeenTls,
  {host, now, authorities}: {readonly host: string; readonly now: Date; readonly authorities: readonly Authorities[]},
): Diagnosis {
  const [own] = chain
  if (own === undefined) return fail(check, `${host} showed no certificate`, 'ask those who run the service')
  const days = Math.floor((Date.parse(own.valid_to) - now.getTime()) / dayMs)
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
  const what = `${protocol}, certificate of ${details.subject} by ${details.issuer}, trusted by ${by}, ${daysLeft(days)}`
  if (days >= soon) return ok(check, what, details)
  return warn(check, what, 'have the certificate of the service renewed', details)
}

function daysLeft(days: number): string {
  return `${days} day${days === 1 ? '' : 's'} left`
}

function trustedBy(chain: readonly PeerCertificate[], authorities: readonly Authorities[]): string {
  const given = authorities.find(({fingerprints}) => chain.some((one) => fingerprints.has(one.fingerprint256)))
  return given?.name ?? "Node's own authorities"
}

function adviceOn(code: string, {subjectaltname: names, valid_to: end}: PeerCertificate): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `call it by a name that it is for: ${names ?? 'it names none'}`
  if (code === 'CERT_HAS_EXPIRED') return `have it renewed (it ended ${timeOf(end)}), or set this machine's clock right`
  if (code === 'CERT_NOT_YET_VALID') return "set this machine's clock right, or have the certificate issued anew"
  return 'name a PEM file of its authority: roomctl config set caFile FILE; an incomplete chain is for those who run the service'
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
