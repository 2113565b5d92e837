import type {X509Certificate} from 'node:crypto'
import {daysText, wholeDaysUntil} from '../text/time.js'
import {type CredentialFinding, error, warning} from './finding.js'
import {Damaged, type Der, readDer} from './p12/der.js'
import type {Mac, Opened} from './p12/reader.js'

/** The use of a push certificate; `other`: not a push certificate. */
export type CertificateKind = 'app' | 'voip' | 'complication' | 'pass' | 'website' | 'mdm' | 'other'

export type ApnsEnvironment = 'sandbox' | 'production'

export type CertificateFacts = Awaited<ReturnType<typeof factsOf>>

/** The prefixes of the CN in Apple's push certificates. */
const names: readonly {begins: string; kind: CertificateKind; environments: readonly ApnsEnvironment[]}[] = [
  {begins: 'Apple Push Services: ', kind: 'app', environments: ['sandbox', 'production']},
  {begins: 'Apple Sandbox Push Services: ', kind: 'app', environments: ['sandbox']},
  {begins: 'Apple Development IOS Push Services: ', kind: 'app', environments: ['sandbox']},
  {begins: 'Apple Production IOS Push Services: ', kind: 'app', environments: ['production']},
  {begins: 'Apple Development Mac Push Services: ', kind: 'app', environments: ['sandbox']},
  {begins: 'Apple Production Mac Push Services: ', kind: 'app', environments: ['production']},
  {begins: 'VoIP Services: ', kind: 'voip', environments: ['sandbox', 'production']},
  {begins: 'WatchKit Services: ', kind: 'complication', environments: ['sandbox', 'production']},
  {begins: 'Pass Type ID: ', kind: 'pass', environments: ['production']},
  {begins: 'Website Push ID: ', kind: 'website', environments: ['production']},
  {begins: 'APSP:', kind: 'mdm', environments: ['production']},
]

/** The topics of device management. */
const mdmTopics = 'com.apple.mgmt.'

/** The extension by which Apple marks a certificate for passes. */
const passMark = '1.2.840.113635.100.6.1.16'

/** The extensions by which Apple says what a certificate may do. */
const marks = {
  sandbox: '1.2.840.113635.100.6.3.1',
  production: '1.2.840.113635.100.6.3.2',
  voip: '1.2.840.113635.100.6.3.4',
  topics: '1.2.840.113635.100.6.3.6',
}

/** Throws an error if names or times cannot be read. */
export async function factsOf(certificate: X509Certificate) {
  const contents = await contentsOf(certificate)
  const subject = subjectOf(contents)
  const [name, uid] = [subject.get(attributeTypes.CN), subject.get(attributeTypes.UID)]
  const kind = names.find(({begins}) => name?.startsWith(begins))
  const extensions = extensionsOf(contents)
  const marked = (['sandbox', 'production'] as const).filter((environment) => extensions.has(marks[environment]))
  return {
    certificateKind: uid?.startsWith(mdmTopics) ? 'mdm' : (kind?.kind ?? kindByMarks(extensions, uid)),
    /** The subject's UID, else what its CN ends with. */
    bundleId: uid ?? (kind && name?.slice(kind.begins.length)),
    teamId: subject.get(attributeTypes.OU),
    name,
    /** Of a certificate for several: the bundle id itself, `com.example.rooms.voip` and the like. */
    topics: await topicsOf(extensions.get(marks.topics)),
    environments: marked.length > 0 ? marked : (kind?.environments ?? []),
    notBefore: dateOf(certificate.validFrom),
    notAfter: dateOf(certificate.validTo),
    /** SHA-256, hexadecimal with colons. */
    fingerprint: certificate.fingerprint256,
  }
}

function kindByMarks(extensions: ReadonlyMap<string, Der>, uid: string | undefined): CertificateKind {
  if (extensions.has(passMark)) return 'pass'
  if (extensions.has(marks.voip) || (extensions.has(marks.production) && uid?.endsWith('.voip'))) return 'voip'
  return Object.values(marks).some((mark) => extensions.has(mark)) ? 'app' : 'other'
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new Error(`${text} is not a time`)
  return date
}

/** TBSCertificate (RFC 5280 §4.1) from its serial number on; the version before it is optional. */
async function contentsOf({raw}: X509Certificate): Promise<Der[]> {
  const contents = (await readDer(raw)).at(0).parts
  return contents[0]?.isTagged(0) ? contents.slice(1) : contents
}

/** Attribute names in a subject (RFC 4519). */
const attributeTypes = {CN: '2.5.4.3', OU: '2.5.4.11', UID: '0.9.2342.19200300.100.1.1'}

/** The names of the subject, the first of each. Not by `toLegacyObject`, which crashes Node 24 if the public key is damaged. */
function subjectOf(contents: readonly Der[]): Map<string, string> {
  const subject = contents[4]?.parts.flatMap(({parts}) => parts) ?? []
  return new Map(subject.reverse().map((name) => [name.at(0).oid, name.at(1).text]))
}

function extensionsOf(contents: readonly Der[]): Map<string, Der> {
  const list = contents.find((part) => part.isTagged(3))?.at(0).parts ?? []
  return new Map(list.map((extension) => [extension.at(0).oid, extension]))
}

/** SEQUENCE {UTF8String topic, SEQUENCE {UTF8String kind}, …}. Apple does not document it: any other form has no topics. */
async function topicsOf(extension: Der | undefined): Promise<string[]> {
  try {
    const value = extension?.parts.at(-1)
    const list = value ? (await readDer(value.bytes)).parts : []
    return list.filter(({isUtf8}) => isUtf8).map(({text}) => text)
  } catch (problem) {
    if (problem instanceof Damaged) return []
    throw problem
  }
}

/** With fewer days left there is a finding. */
const enoughDays = 30

export interface ExpectedCertificate {
  readonly bundleId?: string | undefined
  readonly teamId?: string | undefined
  readonly now: Date
}

export function certificateFindings(facts: CertificateFacts, expected: ExpectedCertificate): CredentialFinding[] {
  if (facts.certificateKind === 'other') {
    const named = facts.name === undefined ? '' : `: ${facts.name}`
    const notPush = error('not-push', `its certificate is not for push${named}`, make)
    return [notPush, ...timeFindings(facts, expected.now)]
  }
  const odd = oddKinds[facts.certificateKind]
  return [
    ...(odd ? [odd] : []),
    ...timeFindings(facts, expected.now),
    ...expectationFindings(facts, expected),
    ...environmentFindings(facts),
  ]
}

function timeFindings({notBefore, notAfter}: CertificateFacts, now: Date): CredentialFinding[] {
  const days = wholeDaysUntil(notAfter, now)
  if (notAfter <= now) {
    return [error('expired', `it expired on ${dayOf(notAfter)}`, renew)]
  }
  const early = notBefore > now ? [warning('not-yet-valid', `it is not valid before ${dayOf(notBefore)}`, clock)] : []
  if (days >= enoughDays) return early
  return [...early, warning('expires-soon', `it expires on ${dayOf(notAfter)}, ${daysText(days)}`, renew)]
}

const renew = 'create a new one at developer.apple.com/account, Certificates'
const clock = 'wait until then, or check the clock of this machine'

function expectationFindings(facts: CertificateFacts, {bundleId, teamId}: ExpectedCertificate): CredentialFinding[] {
  const findings: CredentialFinding[] = []
  if (bundleId !== undefined && bundleId !== facts.bundleId && !facts.topics.includes(bundleId)) {
    const message = `it is for the bundle id ${facts.bundleId ?? '(none)'}, but ${bundleId} was given`
    const advice = 'give the bundle id of the certificate, or the certificate of the bundle id'
    findings.push(error('other-bundle-id', message, advice))
  }
  if (teamId !== undefined && teamId !== facts.teamId) {
    const message = `it belongs to team ${facts.teamId ?? '(none)'}, but ${teamId} was given`
    findings.push(
      error('other-team-id', message, 'give the team id of the certificate, or the certificate of the team'),
    )
  }
  return findings
}

const meant = 'check that this is the right certificate'
const make = 'create one for the Apple Push Notification service: developer.apple.com/account, Certificates'

const oddKinds: Readonly<Partial<Record<CertificateKind, CredentialFinding>>> = {
  voip: warning(
    'voip',
    'it is a VoIP certificate: it is for calls of an application, not for its notifications',
    meant,
  ),
  complication: warning(
    'complication',
    'it is a certificate for a watch face, not for the notifications of an application',
    meant,
  ),
  pass: error('pass', 'it is a Pass Type certificate: it is for passes in Wallet, not for an application', make),
  mdm: error('mdm', 'it is an MDM certificate: it is for device management, not for an application', make),
  website: error('website', 'it is a Website Push certificate: it is for a website, not for an application', make),
}

function environmentFindings({environments}: CertificateFacts): CredentialFinding[] {
  if (environments.length !== 1 || environments[0] !== 'sandbox') return []
  const message = 'it is for the sandbox of APNs only, which applications from the App Store do not use'
  return [warning('sandbox-only', message, 'for those, create one for Sandbox and Production')]
}

export function encryptionFindings({ciphers, closed, mac}: Opened): CredentialFinding[] {
  const old = [...ciphers, ...closed].filter((name) => /^(?:RC[24]|3?DES)/.test(name))
  const oldMessage = `it is encrypted with ${old.join(' and ')}, which a service with a newer OpenSSL may refuse to open`
  return [
    ...(old.length > 0 ? [warning('old-encryption', oldMessage, rewriteOld)] : []),
    ...macFindings(mac, ciphers.size > 0),
  ]
}

/** `isProven`: the password has opened a part of the file. */
function macFindings({kind, oid = ''}: Mac, isProven: boolean): CredentialFinding[] {
  if (kind === 'none') return [warning('no-mac', 'it has no MAC, so some programs report a wrong password', rewrite)]
  if (kind === 'PBMAC1') {
    const message = 'its MAC is PBMAC1, which older programs cannot check: OpenSSL before 3.4 reports a wrong password'
    return [warning('new-mac', message, `with OpenSSL 3.4 or later: ${rewrite}`)]
  }
  if (kind === 'usual') return []
  const message = `its MAC (${oid}) cannot be checked here`
  return isProven
    ? [warning('mac-not-checked', `${message}, so damage to it may go unnoticed`, rewrite)]
    : [error('mac-not-checked', `${message}, and nothing else in it proves the password`, rewrite)]
}

/** The file between is encrypted as well: openssl asks for a pass phrase. Without the ciphers LibreSSL would write RC2. */
const rewrite =
  'openssl pkcs12 -in FILE -out between.pem && openssl pkcs12 -export -keypbe AES-256-CBC -certpbe AES-256-CBC -in between.pem -out new.p12'
/** OpenSSL 3 and later open old ciphers with -legacy alone; LibreSSL, as on macOS, and OpenSSL 1 do not know it. */
const rewriteOld = rewrite.replace('pkcs12', "pkcs12 $(openssl version | sed -n 's/^OpenSSL [3-9].*/-legacy/p')")

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
