import type {CertificateFacts, CertificateKind} from './certificateFacts.js'
import {error, type Finding, warning} from './finding.js'
import type {Opened} from './p12/open.js'

const dayMs = 86_400_000
/** A certificate that has fewer days left is told of (product §7). */
const enoughDays = 30

/** What somebody means to register the certificate for, and the time at which it must be valid. */
export interface ExpectedCertificate {
  readonly bundleId?: string | undefined
  readonly teamId?: string | undefined
  readonly now: Date
}

/** Whole days between two times, below 0 for one that is past. */
export function daysUntil(then: Date, now: Date): number {
  return Math.floor((then.getTime() - now.getTime()) / dayMs)
}

/** What is wrong with a certificate as a push certificate, now and for this bundle id (product §7). */
export function certificateFindings(facts: CertificateFacts, expected: ExpectedCertificate): Finding[] {
  if (facts.certificateKind === 'other') return [notPush(facts), ...timeFindings(facts, expected.now)]
  return [
    ...timeFindings(facts, expected.now),
    ...expectationFindings(facts, expected),
    ...kindFindings(facts.certificateKind),
    ...environmentFindings(facts),
  ]
}

function notPush({name}: CertificateFacts): Finding {
  const message = `its certificate is not for push${name === undefined ? '' : `: ${name}`}`
  return error(
    'not-push',
    message,
    'make one for the Apple Push Notification service: developer.apple.com/account, Certificates',
  )
}

function timeFindings({notBefore, notAfter}: CertificateFacts, now: Date): Finding[] {
  const days = daysUntil(notAfter, now)
  if (notAfter <= now) {
    return [error('expired', `it expired on ${day(notAfter)}`, renew)]
  }
  const early = notBefore > now ? [warning('not-yet-valid', `it is not valid before ${day(notBefore)}`, clock)] : []
  if (days >= enoughDays) return early
  return [...early, warning('expires-soon', `it expires on ${day(notAfter)}, in ${count(days, 'day')}`, renew)]
}

const renew = 'make a new one at developer.apple.com/account, Certificates'
const clock = 'wait until then, or see whether the clock of this machine is right'

function expectationFindings(facts: CertificateFacts, {bundleId, teamId}: ExpectedCertificate): Finding[] {
  const found: Finding[] = []
  if (bundleId !== undefined && bundleId !== facts.bundleId && !facts.topics.includes(bundleId)) {
    const message = `it is for the bundle id ${facts.bundleId ?? '(none)'}, and ${bundleId} was given`
    found.push(
      error('other-bundle-id', message, 'give the bundle id of the certificate, or the certificate of the bundle id'),
    )
  }
  if (teamId !== undefined && teamId !== facts.teamId) {
    const message = `it belongs to team ${facts.teamId ?? '(none)'}, and ${teamId} was given`
    found.push(error('other-team-id', message, 'give the team id of the certificate, or the certificate of the team'))
  }
  return found
}

const oddKinds: Readonly<Partial<Record<CertificateKind, string>>> = {
  voip: 'it is a VoIP certificate: it reaches the calls of an application, not its notifications',
  complication: 'it is a certificate for a watch face, not for the notifications of an application',
  pass: 'it is a certificate for passes in Wallet, not for the notifications of an application',
  website: 'it is a certificate for a website, not for the notifications of an application',
}

function kindFindings(kind: CertificateKind): Finding[] {
  const message = oddKinds[kind]
  return message === undefined ? [] : [warning(kind, message, 'see whether this is the certificate that is meant')]
}

function environmentFindings({environments}: CertificateFacts): Finding[] {
  if (environments.length !== 1 || environments[0] !== 'sandbox') return []
  const message = 'it is for the sandbox of APNs only, which applications from the App Store do not use'
  return [warning('sandbox-only', message, 'for those, make one for Sandbox and Production')]
}

/** What a service may stumble over in how the file is encrypted. */
export function encryptionFindings({ciphers, closed, bareKey, hasMac}: Opened): Finding[] {
  const old = [...ciphers, ...closed].filter((name) => /^(?:RC[24]|3?DES)/.test(name))
  return [
    ...(old.length > 0 ? [warning('old-encryption', oldMessage(old), reencrypt)] : []),
    ...(bareKey
      ? [warning('bare-key', 'its private key is not encrypted: the password protects nothing', reencrypt)]
      : []),
    ...(hasMac
      ? []
      : [warning('no-mac', 'it has no MAC, without which some programs say that the password is wrong', reencrypt)]),
  ]
}

function oldMessage(names: readonly string[]): string {
  return `it is encrypted with ${names.join(' and ')}, which a service with a newer OpenSSL may refuse to open`
}

/** The file between the two lines is encrypted as well: openssl asks for a pass phrase of it. */
const reencrypt =
  'openssl pkcs12 -legacy -in FILE -out BETWEEN.pem, then openssl pkcs12 -export -in BETWEEN.pem -out NEW.p12'

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
