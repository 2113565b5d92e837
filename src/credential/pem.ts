import {createPrivateKey, type KeyObject} from 'node:crypto'
import {unlessError} from '../text/text.js'
import {exportBoth, useIssued} from './content.js'
import {type CredentialFinding, error, warning} from './finding.js'
import {readDer} from './p12/der.js'
import {isReadableKeyType, keyTypeName} from './p12/keyType.js'

/** The one private key of a text in PKCS#8 PEM with findings about its lines, or what the text is instead. */
export async function readKeyText(
  fileName: string,
  text: string,
): Promise<
  {readonly key: KeyObject; readonly lines: readonly CredentialFinding[]} | {readonly wrong: CredentialFinding}
> {
  const wrong = wrongText(fileName, text)
  if (wrong) return {wrong}
  const match = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(text)
  if (!match) return {wrong: truncated}
  const [whole, body = ''] = match
  const der = Buffer.from(body.replaceAll(/\s/gu, ''), 'base64')
  const key = keyIn(der)
  if (key) return {key, lines: lineFindings(text, whole)}
  if (isCut(der)) return {wrong: truncated}
  const type = await keyTypeOf(der)
  return {wrong: type === undefined || isReadableKeyType(type) ? damaged : notForApns(keyTypeName(type))}
}

function keyIn(der: Buffer): KeyObject | undefined {
  return unlessError(() => createPrivateKey({key: der, format: 'der', type: 'pkcs8'}), undefined)
}

/** The object identifier of the key's type in PrivateKeyInfo (RFC 5208 §5). */
export async function keyTypeOf(der: Buffer): Promise<string | undefined> {
  const info = await readDer(der).catch(() => undefined)
  return info && unlessError(() => info.at(1).at(0).oid, undefined)
}

/** `key`: `a DSA key`. */
export function notForApns(key: string, code = 'not-ec'): CredentialFinding {
  return error(code, `its key is ${key}; ${apnsKey}`, useIssued)
}

const apnsKey = 'a .p8 for APNs is an EC key on P-256'

/** An RSA key belongs to a certificate, unless its name says that a .p8 is meant. */
export function rsaKey(fileName: string, code = 'not-ec'): CredentialFinding {
  if (/\.p8$/iu.test(fileName)) return notForApns('an RSA key', code)
  return error(code, `it is an RSA key in PEM text, without its certificate; ${apnsKey}`, joinCertificate)
}

const joinCertificate =
  'download its certificate (aps.cer) at developer.apple.com/account, Certificates, then: openssl x509 -inform DER -in aps.cer | openssl pkcs12 -export -inkey FILE -out new.p12'

/**
 * The file is sent unchanged, and the service may read PEM by the strict grammar (RFC 7468 §3), by which a
 * key is lines of at most 64 characters of base64 between the two others. Longer lines are only a warning: OpenSSL reads them.
 */
function lineFindings(text: string, whole: string): CredentialFinding[] {
  const at = text.indexOf(whole)
  const after = /[\r\n]|$/u.exec(text.slice(at + whole.length))?.index ?? 0
  const block = text.slice(text.lastIndexOf('\n', at) + 1, at + whole.length + after)
  const lines = block.replace(/^\ufeff/u, '').split(/\r?\n/u)
  if (lines[0]?.trim() !== begin || lines.at(-1)?.trim() !== end) {
    return [notLines('one-line', 'its first and last line are not on lines of their own')]
  }
  if (lines.some((line) => /^[ \t]/u.test(line))) return [notLines('indented', 'its lines are indented')]
  const base64 = lines.slice(1, -1).map((line) => /^([\w+/=]+)[ \t]*$/u.exec(line)?.[1]?.length)
  if (base64.includes(undefined)) return [notLines('base64-lines', 'its base64 has blanks or empty lines')]
  const isLong = base64.some((length = 0) => length > 64)
  return [
    ...(isLong ? [notLines('long-lines', 'its base64 is in lines of more than 64 characters', warning)] : []),
    ...(text.trim() === whole && !text.startsWith('\ufeff') ? [] : [textAround]),
  ]
}

const begin = '-----BEGIN PRIVATE KEY-----'
const end = '-----END PRIVATE KEY-----'

function notLines(code: string, what: string, level = error): CredentialFinding {
  return level(code, `${what}, and the service may not read it`, rewriteLines)
}

const rewriteLines = `{ echo '${begin}'; sed 's/-----[^-]*-----//g' FILE | tr -cd 'A-Za-z0-9+/=' | fold -w 64; echo; echo '${end}'; } > new.p8`

const textAround = warning(
  'text-around',
  'text or a byte order mark surrounds the key, which the service may refuse',
  'keep only the lines from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----',
)

const copyAgain =
  'copy it again, whole; Apple gives it only once, so only if no whole copy is left, create a new key at developer.apple.com/account, Keys'
const truncated = error('truncated', 'the key is truncated: its end is missing', copyAgain)
const damaged = error(
  'damaged',
  'the key is damaged: the text between its BEGIN and END lines is not a private key',
  copyAgain,
)

/** What a text is that is not one private key in PKCS#8 PEM. */
function wrongText(fileName: string, text: string): CredentialFinding | undefined {
  const labels = [...text.matchAll(/-----BEGIN ([^-\r\n]*)-----/g)].map(([, label = '']) => label)
  const [label = ''] = labels
  if (labels.length === 0) return withoutLines(text)
  if (/-----BEGIN [^-\r\n]*-----\s*\\[nr]/u.test(text)) return kinds.escaped
  const keys = labels.filter((label) => label.endsWith('PRIVATE KEY'))
  if (labels.includes('CERTIFICATE')) return keys.length > 0 ? kinds.both : kinds.CERTIFICATE
  if (keys.length > 1) return kinds.several
  const [key] = keys
  if (key === undefined) return kinds[label] ?? otherPem(label)
  return key === 'PRIVATE KEY' ? wrongBlocks(labels) : wrongKind(fileName, text, key)
}

/** `label`: of a private key in another form than PKCS#8. */
function wrongKind(fileName: string, text: string, label: string): CredentialFinding {
  const isEncrypted = label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: 4,ENCRYPTED/mu.test(text)
  if (isEncrypted) return /\.(?:p12|pfx)$/iu.test(fileName) ? encryptedP12 : encrypted
  return label === 'RSA PRIVATE KEY' ? rsaKey(fileName, 'rsa') : (kinds[label] ?? otherPem(label))
}

function wrongBlocks(labels: readonly string[]): CredentialFinding | undefined {
  if (labels.length === 1) return undefined
  const message = `it contains ${labels.length} PEM blocks (${labels.join(', ')}); a .p8 contains one`
  return error('several-blocks', message, onlyKey)
}

function otherPem(label: string): CredentialFinding {
  return error('other-pem', `it is a PEM file with ${label || 'nothing'}, not PRIVATE KEY`, useIssued)
}

const onlyKey = 'openssl pkey -in FILE -out new.p8'

const encrypted = error('encrypted', 'its key is encrypted; the service accepts no password for a .p8', onlyKey)
const encryptedP12 = error(
  'encrypted',
  'it is an encrypted private key in PEM text, without its certificate; expected a .p12',
  joinCertificate,
)

const kinds: Readonly<Record<string, CredentialFinding>> = {
  escaped: error(
    'escaped',
    'its line breaks are written as \\n, as in JSON',
    `printf '%b\\n' "$(tr -d '"' < FILE)" > new.p8`,
  ),
  several: error('several-blocks', 'it contains several private keys', 'keep only the one for APNs'),
  both: error(
    'pem',
    'it is PEM text with a certificate and a key; expected a .p12',
    'openssl pkcs12 -export -in FILE -out new.p12',
  ),
  CERTIFICATE: error('pem-certificate', 'it is a certificate without a key, in PEM text', exportBoth),
  'EC PRIVATE KEY': error(
    'sec1',
    'its key is in SEC1 form (EC PRIVATE KEY); a .p8 is in PKCS#8 form (PRIVATE KEY)',
    'openssl pkcs8 -topk8 -nocrypt -in FILE -out new.p8',
  ),
  'PUBLIC KEY': error('public-key', 'it contains only a public key; APNs needs the private key', useIssued),
  'OPENSSH PRIVATE KEY': error('openssh', `it is an SSH key; ${apnsKey}`, useIssued),
  'CERTIFICATE REQUEST': error(
    'request',
    'it is a signing request; Apple issues the certificate for it',
    'upload it at developer.apple.com/account, Certificates, open the certificate in Keychain Access, and export it with its key as .p12',
  ),
  'PGP MESSAGE': error('pgp', 'it is encrypted by PGP', 'gpg --output new.p8 --decrypt FILE'),
}

function withoutLines(text: string): CredentialFinding {
  if (text.includes('-----END ')) return error('truncated', 'the key is truncated: its beginning is missing', copyAgain)
  const bare = text.replaceAll(/\s/gu, '')
  if (/^[\w+/=-]{40,}$/.test(bare)) {
    const isKey = keyIn(Buffer.from(bare, 'base64')) !== undefined
    const message = `it is base64 without the line ${begin} before and the END line after it`
    return error('bare-base64', message, isKey ? rewriteLines : useIssued)
  }
  return error('not-pem', `it is text, but not a key: a .p8 begins with ${begin}`, useIssued)
}

/** Whether the outermost length of DER names more bytes than there are. */
function isCut(der: Buffer): boolean {
  const length = der[1] ?? 0
  if (der[0] !== 0x30) return der.length === 0
  if (length < 0x80) return 2 + length > der.length
  const size = length - 0x80
  return size > 4 || der.length < 2 + size || 2 + size + der.readUIntBE(2, Math.max(1, size)) > der.length
}
