import type {X509Certificate} from 'node:crypto'
import {type Der, readDer} from './p12/der.js'

/** What a push certificate is for; `other` is no push certificate. */
export type CertificateKind = 'app' | 'voip' | 'complication' | 'pass' | 'website' | 'other'

export type Environment = 'sandbox' | 'production'

/** What a certificate tells of itself. */
export interface CertificateFacts {
  readonly certificateKind: CertificateKind
  /** The subject's UID, else what its CN ends with. */
  readonly bundleId: string | undefined
  /** The subject's OU. */
  readonly teamId: string | undefined
  /** The subject's CN. */
  readonly name: string | undefined
  /** The topics of a certificate for several: the bundle id itself, `com.example.rooms.voip` and the like. */
  readonly topics: readonly string[]
  readonly environments: readonly Environment[]
  readonly notBefore: Date
  readonly notAfter: Date
  /** SHA-256 of the certificate, hexadecimal with colons. */
  readonly fingerprint: string
}

/** How Apple begins the CN of its push certificates. */
const names: readonly {begins: string; kind: CertificateKind; environments: readonly Environment[]}[] = [
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
]

/** The extensions by which Apple marks what a certificate may do. */
const marks = {
  sandbox: '1.2.840.113635.100.6.3.1',
  production: '1.2.840.113635.100.6.3.2',
  voip: '1.2.840.113635.100.6.3.4',
  topics: '1.2.840.113635.100.6.3.6',
}

/** Reads what a certificate tells of itself. Raises an error where its names or times cannot be read. */
export async function factsOf(certificate: X509Certificate): Promise<CertificateFacts> {
  const {subject} = certificate.toLegacyObject()
  const name = first(subject, 'CN')
  const uid = first(subject, 'UID')
  const found = names.find(({begins}) => name?.startsWith(begins))
  const extensions = await extensionsOf(certificate)
  const marked = (['sandbox', 'production'] as const).filter((environment) => extensions.has(marks[environment]))
  return {
    certificateKind: found?.kind ?? kindByMarks(extensions, uid),
    bundleId: uid ?? (found && name?.slice(found.begins.length)),
    teamId: first(subject, 'OU'),
    name,
    topics: await topicsOf(extensions.get(marks.topics)),
    environments: marked.length > 0 ? marked : (found?.environments ?? []),
    notBefore: dateOf(certificate.validFrom),
    notAfter: dateOf(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

function kindByMarks(extensions: ReadonlyMap<string, Der>, uid: string | undefined): CertificateKind {
  if (extensions.has(marks.voip) || (extensions.has(marks.production) && uid?.endsWith('.voip'))) return 'voip'
  return Object.values(marks).some((mark) => extensions.has(mark)) ? 'app' : 'other'
}

/** The types of Node do not know UID, and a name may have a member several times. */
function first(subject: object, member: string): string | undefined {
  const value: unknown = Reflect.get(subject, member)
  const [text] = Array.isArray(value) ? value : [value]
  return typeof text === 'string' && text !== '' ? text : undefined
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new Error(`${text} is no time`)
  return date
}

/** The extensions of a certificate by their object identifiers (RFC 5280 §4.1). */
async function extensionsOf({raw}: X509Certificate): Promise<Map<string, Der>> {
  const contents = (await readDer(raw)).at(0).parts
  const list = contents.find((part) => part.isTagged(3))?.at(0).parts ?? []
  return new Map(list.map((extension) => [extension.at(0).oid, extension]))
}

/** SEQUENCE {UTF8String topic, SEQUENCE {UTF8String kind}, …}. */
async function topicsOf(extension: Der | undefined): Promise<string[]> {
  if (extension === undefined) return []
  const value = extension.parts.at(-1)
  const list = value ? (await readDer(value.bytes)).parts : []
  return list.filter(({isUtf8}) => isUtf8).map(({bytes}) => bytes.toString('utf8'))
}
