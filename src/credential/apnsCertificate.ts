import type {KeyObject, X509Certificate} from 'node:crypto'
import {wholeDaysUntil} from '../text/time.js'
import {
  type ApnsEnvironment,
  type CertificateFacts,
  certificateFindings,
  type ExpectedCertificate,
  encryptionFindings,
  factsOf,
} from './certificate.js'
import {classifyContent, exportBoth} from './content.js'
import {type CredentialFinding, error, warning} from './finding.js'
import {Unsupported} from './p12/derive.js'
import {type Opened, openP12, WrongPassword} from './p12/reader.js'

/** The contents of a .p12 file, without its password and private key. */
export interface ApnsCertificate extends Partial<Omit<CertificateFacts, 'topics' | 'environments'>> {
  readonly kind: 'apns-certificate'
  readonly topics: readonly string[]
  readonly environments: readonly ApnsEnvironment[]
  /** Days of UTC from today to `notAfter`; below 0 if it has expired. */
  readonly daysLeft?: number
  /** How the file is encrypted: `AES-256`, `RC2-40 and 3DES`, `none`. */
  readonly encryption?: string
  /** False if the file was not opened, or not all of it: a cipher that is not known here, or an error. */
  readonly opened: boolean
  readonly findings: readonly CredentialFinding[]
}

/** Checks that the password opens a .p12, and that APNs accepts its certificate. Problems are findings. */
export async function readApnsCertificate(
  bytes: Uint8Array,
  password: string,
  expected: ExpectedCertificate,
): Promise<ApnsCertificate> {
  try {
    return await judged(await openP12(bytes, password), expected)
  } catch (problem) {
    const findings = [problemFinding(problem)]
    return {kind: 'apns-certificate', topics: [], environments: [], opened: false, findings}
  }
}

/** Key and certificates of a .p12 as TLS takes them, the certificate of the key first. Throws an error for a file with errors. */
export async function clientCertificateOf(
  bytes: Uint8Array,
  password: string,
  expected: ExpectedCertificate,
): Promise<{readonly key: string; readonly certificate: string}> {
  const {certificates, keys} = await openP12(bytes, password)
  const leaf = await leafOf(certificates, keys, expected)
  const key = leaf && keys.find((key) => fits(leaf.certificate, key))
  if (!key) throw new Error('the file has no certificate with its key')
  const chain = [leaf.certificate, ...certificates.filter((certificate) => certificate !== leaf.certificate)]
  const pem = key.export({type: 'pkcs8', format: 'pem'}).toString()
  return {key: pem, certificate: chain.map((certificate) => certificate.toString()).join('')}
}

/** Whether the password is to be read: the file is a .p12, and one was given, or no empty password opens it. */
export async function needsPassword(bytes: Uint8Array, isGiven: boolean): Promise<boolean> {
  if (classifyContent(bytes).form !== 'pkcs12') return false
  if (isGiven) return true
  try {
    await openP12(bytes, '')
    return false
  } catch (problem) {
    return problem instanceof WrongPassword
  }
}

function problemFinding(problem: unknown): CredentialFinding {
  if (problem instanceof WrongPassword) {
    return error(
      'wrong-password',
      'wrong password, or the file is damaged',
      'use the password chosen at export; if it is lost, export the file again',
    )
  }
  if (problem instanceof Unsupported) {
    return notOpened(`roomctl cannot open it (${problem.message}), so it was not checked`)
  }
  const why = problem instanceof Error && problem.name === 'Damaged' ? `: ${problem.message}` : ''
  return error('damaged', `it is a damaged .p12${why}`, 'export it again, or copy it again (in binary mode)')
}

function notOpened(message: string): CredentialFinding {
  const advice = 'the service may be able to open it; to check it here, export it again with another encryption'
  return warning('not-opened', message, advice)
}

async function judged(opened: Opened, expected: ExpectedCertificate): Promise<ApnsCertificate> {
  const {certificates, keys, closed} = opened
  const whole = closed.size === 0
  const leaf = await leafOf(certificates, keys, expected)
  const facts = leaf?.facts
  const shown = facts
    ? {...facts, daysLeft: wholeDaysUntil(facts.notAfter, expected.now)}
    : {topics: [], environments: []}
  return {
    kind: 'apns-certificate',
    ...shown,
    encryption: [...opened.ciphers].join(' and ') || (whole ? 'none' : 'unknown'),
    opened: whole,
    findings: [
      ...(whole
        ? contentsFindings(opened, leaf)
        : [notOpened(`roomctl cannot open all of it (${[...closed].join(', ')}), so its key was not checked`)]),
      ...(facts ? certificateFindings(facts, expected) : []),
      ...encryptionFindings(opened),
    ],
  }
}

function contentsFindings({certificates, keys}: Opened, leaf: Leaf): CredentialFinding[] {
  if (certificates.length === 0 && keys.length === 0) return [error('empty-p12', 'it is empty', exportBoth)]
  if (certificates.length === 0) return [error('no-certificate', 'it contains a key but no certificate', exportBoth)]
  if (keys.length === 0) return [error('no-key', 'it contains a certificate but no private key', exportBoth)]
  if (!leaf?.isOfKey) return [error('key-mismatch', 'its private key does not match its certificate', exportBoth)]
  const taken = `this is about ${leaf.facts.name ?? 'one without a name'}, which ends on ${leaf.facts.notAfter.toISOString().slice(0, 10)}`
  if (keys.length > 1) {
    const message = `it contains ${keys.length} private keys, and the service may use a different one; ${taken}`
    return [warning('several-keys', message, onlyOne)]
  }
  if (leaf.others === 0) return []
  const message = `it contains ${leaf.others + 1} certificates of its key, and the service may use a different one; ${taken}`
  return [warning('several-certificates', message, onlyOne)]
}

const onlyOne = 'export only the one certificate with its key'

type Leaf = Awaited<ReturnType<typeof leafOf>>

/**
 * The certificate of a key, a push certificate first: for the bundle id that is expected, valid now, ending last. Else the likeliest one
 * without a key.
 */
async function leafOf(
  certificates: readonly X509Certificate[],
  keys: readonly KeyObject[],
  expected: ExpectedCertificate,
) {
  const pairs = certificates.filter((certificate) => keys.some((key) => fits(certificate, key)))
  const isOfKey = pairs.length > 0
  const candidates = isOfKey ? pairs : certificates
  const described = await Promise.all(
    candidates.map(async (certificate) => ({certificate, facts: await factsOf(certificate)})),
  )
  const [first] = described
    .map((candidate) => ({one: candidate, ranks: ranksOf(candidate.certificate, candidate.facts, expected)}))
    .sort(({ranks: some}, {ranks: other}) => other.map((rank, at) => rank - (some[at] ?? 0)).find(Boolean) ?? 0)
  return (
    first && {
      ...first.one,
      isOfKey,
      /** How many other certificates have a key in the file. */
      others: isOfKey ? new Set(pairs.map(({fingerprint256}) => fingerprint256)).size - 1 : 0,
    }
  )
}

/** What decides between certificates, the larger number first. */
function ranksOf(
  {ca}: X509Certificate,
  {certificateKind, bundleId, topics, notBefore, notAfter}: CertificateFacts,
  {bundleId: wanted, now}: ExpectedCertificate,
): number[] {
  const isWanted = wanted === undefined || wanted === bundleId || topics.includes(wanted)
  const isValid = notBefore <= now && now < notAfter
  return [certificateKind !== 'other', !ca, isWanted, isValid].map(Number).concat(notAfter.getTime())
}

function fits(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key)
  } catch {
    return false
  }
}
