import {createPrivateKey, createPublicKey, X509Certificate} from 'node:crypto'
import type {TestCredentials} from '../../../scripts/testCredentials.js'

/** Makes what the files hold: node:crypto, or openssl. */
export type Maker = Pick<TestCredentials, 'key'> & {certificate(): string; p12(): Buffer}

export interface WrongFile {
  readonly what: string
  readonly file: string
  readonly make: (made: Maker) => string | Buffer
  readonly code: string
  readonly says: string
  /** A part of its advice if that is a sentence; else the flags by which its command asks for no password. */
  readonly advice: string | readonly string[]
}

const p8 = 'AuthKey_ABC123DEFG.p8'
const apns = (made: Maker) => made.key('p256', 'P-256')
const p256 = (made: Maker) => createPrivateKey(apns(made))
const der = (made: Maker) => p256(made).export({type: 'pkcs8', format: 'der'})
const bare = (made: Maker) => der(made).toString('base64')
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64')
const secret = {cipher: 'aes-128-cbc', passphrase: 'secret'}
const linesOf = (made: Maker) => apns(made).trimEnd().split('\n')
const rtf = (text: string) => `{\\rtf1\\ansi\\ansicpg1252\n\\f0\\fs24 ${text.replaceAll('\n', '\\\n')}}`

const decrypting = ['-passin', 'pass:secret']
const exporting = ['-passout', 'pass:secret']
const issued = 'begins with AuthKey_'
const inKeychain = 'Keychain Access'
/** Only a key that is lost is made anew. */
export const onlyCopy = 'only if no whole copy is left'
const legacyKey = 'server key of the Cloud Messaging API'

/** Files that people take for a credential. */
export const wrongFiles: readonly WrongFile[] = [
  row('a key of a certificate in PEM', 'TEAM123456.p12', (made) => made.key('key'), 'not-ec', 'RSA key', exporting),
  row('the same in PKCS#1', 'a.p12', (made) => pkcs1(made), 'rsa', 'without its certificate', exporting),
  row('the same, encrypted', 'a.p12', (made) => sealed(made.key('key')), 'encrypted', 'an encrypted private key', [
    ...decrypting,
    ...exporting,
  ]),
  row('certificate and key in PEM', 'a.p12', pair, 'pem', 'a certificate and a key', exporting),
  row('the same, called .p8', p8, pair, 'pem', 'a certificate and a key', exporting),
  row('a certificate in PEM', 'a.p12', (made) => made.certificate(), 'pem-certificate', 'without a key', inKeychain),
  row(
    'a certificate',
    'a.cer',
    (made) => certificateDer(made),
    'certificate',
    'a certificate without a key',
    inKeychain,
  ),
  row('a signing request', 'a.p12', () => block('CERTIFICATE REQUEST'), 'request', 'signing request', inKeychain),
  row('base64 of a .p8', p8, (made) => base64(apns(made)), 'base64', 'base64 of a whole .p8', []),
  row('the same, wrapped', p8, (made) => wrapped(base64(apns(made))), 'base64', 'base64 of a whole .p8', []),
  row('the same in quotes, with CRLF', p8, (made) => `"${base64(apns(made))}"\r\n`, 'base64', 'base64 of', []),
  row('a data address of a .p12', 'a.p12', dataAddress, 'base64', 'base64 of a .p12', []),
  row('base64 of a .p12', 'secret.txt', (made) => base64(made.p12()), 'base64', 'base64 of a .p12', []),
  row('base64 of a service account', 'a', () => base64(account), 'service-account', 'base64 of the JSON', legacyKey),
  row('base64 without its lines', p8, bare, 'bare-base64', 'base64 without the line', []),
  row('base64 of something else', p8, () => 'A'.repeat(64), 'bare-base64', 'base64 without the line', issued),
  row('RTF', p8, (made) => rtf(apns(made)), 'rtf', 'rich text (RTF)', 'Make Plain Text'),
  row('UTF-16', p8, (made) => Buffer.from(`\ufeff${apns(made)}`, 'utf16le'), 'utf-16', 'UTF-16', []),
  row('UTF-16, the high bytes first', p8, (made) => swapped(apns(made)), 'utf-16', 'UTF-16', []),
  row('an RSA key called .p8', p8, (made) => made.key('rsa'), 'not-ec', 'its key is an RSA key', issued),
  row('an RSA key in PKCS#1 called .p8', p8, (made) => pkcs1(made), 'rsa', 'its key is an RSA key', issued),
  row('Ed25519', p8, (made) => made.key('ed', 'ed25519'), 'not-ec', 'an Ed25519 key', issued),
  row(
    'a type that Node does not know',
    p8,
    (made) => typed(made, '63'),
    'not-ec',
    'the type 1.2.840.10045.2.99',
    issued,
  ),
  row('P-384', p8, (made) => made.key('p384', 'P-384'), 'not-p256', 'an EC key on P-384', issued),
  row('secp256k1', p8, (made) => made.key('k1', 'secp256k1'), 'not-p256', 'on secp256k1', issued),
  row('a key that is not that of its public key', p8, brokenPair, 'cannot-sign', 'cannot sign', issued),
  row('a key of App Store Connect', 'a.json', () => '{"issuer_id": "1"}', 'app-store-connect', 'Connect', issued),
  row('an encrypted key', p8, (made) => sealed(apns(made)), 'encrypted', 'its key is encrypted', decrypting),
  row('an encrypted key in SEC1', p8, (made) => sec1(made, secret), 'encrypted', 'its key is encrypted', decrypting),
  row('SEC1', p8, (made) => sec1(made), 'sec1', 'EC PRIVATE KEY', []),
  row('SEC1 with its parameters', p8, (made) => parameters + sec1(made), 'sec1', 'SEC1', []),
  row('a key with its parameters', p8, (made) => parameters + apns(made), 'several-blocks', 'EC PARAMETERS', []),
  row('two keys', p8, (made) => apns(made) + apns(made), 'several-blocks', 'several private keys', 'keep only the one'),
  row('a key in DER', p8, der, 'der-key', 'a private key in DER', []),
  row('a public key', p8, publicKey, 'public-key', 'only a public key', issued),
  row('an SSH key', p8, () => block('OPENSSH PRIVATE KEY'), 'openssh', 'an SSH key', issued),
  row('another PEM file', p8, () => block('X509 CRL'), 'other-pem', 'a PEM file with X509 CRL', issued),
  row('line ends as in JSON', p8, (made) => apns(made).replaceAll('\n', '\\n'), 'escaped', 'as \\n', []),
  row('the same in quotes', p8, (made) => JSON.stringify(apns(made)), 'escaped', 'as \\n', []),
  row('no end', p8, (made) => linesOf(made).slice(0, 2).join('\n'), 'truncated', 'its end is missing', onlyCopy),
  row('no beginning', p8, (made) => linesOf(made).slice(1).join('\n'), 'truncated', 'its beginning', onlyCopy),
  row('no middle', p8, (made) => linesOf(made).toSpliced(2, 1).join('\n'), 'truncated', 'truncated', onlyCopy),
  row('a damaged key', p8, (made) => apns(made).replace('MIG', 'AAA'), 'damaged', 'damaged', onlyCopy),
  row('a letter', p8, () => 'Dear customer,', 'not-pem', 'it is text, but not a key', issued),
  row('a letter by another name', 'a.txt', () => 'Dear customer,', 'unknown', 'neither', inKeychain),
  row('a picture', 'a.p12', () => Buffer.of(0x89, 0x50, 0), 'unknown', 'neither', inKeychain),
  row('google-services.json', 'a.json', () => '{"project_info": {}}', 'google-services', 'Android', legacyKey),
  row('a service account', 'a.json', () => account, 'service-account', 'a service account', legacyKey),
  row('GoogleService-Info.plist', 'a', () => plist, 'plist', 'a property list', issued),
  row('a provisioning profile', 'a', () => Buffer.from(`0\x80\0${plist}`), 'profile', 'provisioning profile', issued),
  row('other JSON', 'a.p8', () => '\ufeff[1]', 'json', 'it is JSON', issued),
  row('a web page', p8, () => '\n<html><body>Sign in', 'web-page', 'a web page', 'signed in at developer.apple.com'),
  row('a pointer of Git LFS', p8, () => 'version https://git-lfs.github.com/spec/v1', 'git-lfs', 'LFS', 'git lfs pull'),
  row('a ZIP archive', 'a.p8', () => Buffer.from('PK\x03\x04\0'), 'zip', 'a ZIP archive', 'unzip a.p8'),
  row('a keystore of Java', 'a.p12', () => Buffer.of(0xfe, 0xed, 0xfe, 0xed), 'keystore', 'Java', 'keytool'),
  row('nothing', 'a.p12', () => ' \n', 'empty', 'it is empty', 'the download or copy was complete'),
  ...otherLines(),
]

function row(...[what, file, make, code, says, advice]: readonly [...RowOf<WrongFile>]): WrongFile {
  return {what, file, make, code, says, advice}
}

type RowOf<W extends WrongFile> = [W['what'], W['file'], W['make'], W['code'], W['says'], W['advice']]

/** A key whose lines are not those in which Apple's service takes it. */
function otherLines(): WrongFile[] {
  const arranged: readonly (readonly [string, (good: string, lines: readonly string[]) => string, string])[] = [
    ['one line', (good) => good.replaceAll('\n', ''), 'one-line'],
    ['one line with blanks', (good) => good.replaceAll('\n', ' '), 'one-line'],
    ['line ends of old Macs', (good) => good.replaceAll('\n', '\r'), 'one-line'],
    ['the end on the last line', (_, lines) => lines.slice(0, -1).join('\n') + lines.at(-1), 'one-line'],
    ['indented', (good) => good.replaceAll(/^(?=.)/gm, '  '), 'indented'],
    ['only the base64 indented', (_, lines) => lines.join('\n\t').replace('\t-----END', '-----END'), 'indented'],
    ['only the end indented', (good) => good.replace('-----END', ' -----END'), 'indented'],
    ['an empty line within', (good) => good.replace('\n', '\n\n'), 'base64-lines'],
    ['a blank within a line', (good) => good.replace('MIG', 'M IG'), 'base64-lines'],
  ]
  return arranged.map(([what, arrange, code]) => {
    const make = (made: Maker) => arrange(apns(made), linesOf(made))
    return row(what, p8, make, code, 'the service may not read it', [])
  })
}

function block(label: string): string {
  return `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`
}

const account = '{"type": "service_account", "private_key": "-----BEGIN "}'
const plist = '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "">\n<plist></plist>'
/** The object identifier of P-256, as `openssl ecparam -genkey` puts it first. */
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'

function pkcs1(made: Maker): string {
  return createPrivateKey(made.key('key')).export({type: 'pkcs1', format: 'pem'}).toString()
}

function sec1(made: Maker, sealing = {}): string {
  return p256(made)
    .export({type: 'sec1', format: 'pem', ...sealing})
    .toString()
}

function sealed(key: string): string {
  return createPrivateKey(key)
    .export({type: 'pkcs8', format: 'pem', ...secret})
    .toString()
}

function pair(made: Maker): string {
  return made.certificate() + made.key('key')
}

function certificateDer(made: Maker): Buffer {
  return new X509Certificate(made.certificate()).raw
}

function publicKey(made: Maker): string {
  return createPublicKey(apns(made)).export({type: 'spki', format: 'pem'}).toString()
}

function dataAddress(made: Maker): string {
  return `data:application/x-pkcs12;base64,${base64(made.p12())}`
}

function wrapped(text: string): string {
  return text.replaceAll(/.{76}/g, '$&\n')
}

function swapped(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
}

/** A key whose type is another object identifier below that of ANSI X9.62. */
function typed(made: Maker, last: string): string {
  const bytes = Buffer.from(der(made).toString('hex').replace('06072a8648ce3d0201', `06072a8648ce3d02${last}`), 'hex')
  return `-----BEGIN PRIVATE KEY-----\n${wrapped(bytes.toString('base64'))}\n-----END PRIVATE KEY-----\n`
}

/** A key that ends with the public key of another one. */
function brokenPair(made: Maker): string {
  const another = createPrivateKey(made.key('p256b', 'P-256')).export({type: 'pkcs8', format: 'der'})
  const mixed = Buffer.concat([der(made).subarray(0, -65), another.subarray(-65)])
  return `-----BEGIN PRIVATE KEY-----\n${wrapped(mixed.toString('base64'))}\n-----END PRIVATE KEY-----\n`
}
