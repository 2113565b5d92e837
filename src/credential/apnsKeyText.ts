import {createPrivateKey, type KeyObject} from 'node:crypto'
import {error, type Finding} from './finding.js'

/** The first line of a .p8 file. */
const begin = '-----BEGIN PRIVATE KEY-----'
const original = 'take the file as Apple gave it out; it can be downloaded once only, so make a new key if it is lost'

/** What stands in the text of a .p8 file: a key, or why there is none. `aside`: there is text around the key. */
export type KeyText = {readonly key: KeyObject; readonly aside: boolean} | {readonly wrong: Finding}

/** Reads the one private key in PKCS#8 PEM that a .p8 file holds, and says of every other text what it is. */
export function readKeyText(text: string): KeyText {
  const wrong = wrongText(text)
  if (wrong) return {wrong}
  const match = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(text)
  if (!match) return {wrong: truncated}
  const [whole, body = ''] = match
  const der = Buffer.from(body.replaceAll(/\s/gu, ''), 'base64')
  try {
    const key = createPrivateKey({key: der, format: 'der', type: 'pkcs8'})
    return {key, aside: text.trim() !== whole}
  } catch {
    return {wrong: isCut(der) ? truncated : damaged}
  }
}

const truncated = error('truncated', 'the key is cut off: its end is missing', original)
const damaged = error('damaged', 'the key is damaged: what stands between its lines is no private key', original)

function wrongText(text: string): Finding | undefined {
  const labels = [...text.matchAll(/-----BEGIN ([^-\r\n]*)-----/g)].map(([, label = '']) => label)
  const [label] = labels
  if (label === undefined) return withoutLines(text)
  if (/-----BEGIN [^-\r\n]*-----\s*\\[nr]/u.test(text)) {
    return error('escaped', 'its line ends are written as \\n, as in JSON', 'write a line end for each \\n')
  }
  if (/^Proc-Type: 4,ENCRYPTED/mu.test(text)) return kinds['ENCRYPTED PRIVATE KEY']
  if (labels.includes('EC PRIVATE KEY')) return kinds['EC PRIVATE KEY']
  if (labels.length > 1) {
    return error(
      'several-blocks',
      `it holds ${labels.length} PEM blocks (${labels.join(', ')}); a .p8 holds one`,
      original,
    )
  }
  if (label === 'PRIVATE KEY') return undefined
  return (
    kinds[label] ?? error('other-pem', `it is a PEM file that holds ${label || 'nothing'}, not PRIVATE KEY`, original)
  )
}

const kinds: Readonly<Record<string, Finding>> = {
  'EC PRIVATE KEY': error(
    'sec1',
    'its key is in the form of SEC1 (EC PRIVATE KEY), a .p8 is in the form of PKCS#8 (PRIVATE KEY)',
    'openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey_KEYID.p8',
  ),
  'ENCRYPTED PRIVATE KEY': error(
    'encrypted',
    'its key is encrypted; the service takes no password for a .p8',
    'openssl pkey -in FILE -out AuthKey_KEYID.p8',
  ),
  'PUBLIC KEY': error('public-key', 'it holds a public key only; APNs signs with the private key', original),
  'RSA PRIVATE KEY': error('rsa', 'it holds an RSA key; a .p8 for APNs is an EC key on P-256', original),
  'OPENSSH PRIVATE KEY': error('openssh', 'it is an SSH key; a .p8 for APNs is an EC key on P-256', original),
  CERTIFICATE: error(
    'certificate',
    'it is a certificate without a key',
    'export certificate and key together as a .p12, and register that: roomctl push ios-cert FILE',
  ),
  'CERTIFICATE REQUEST': error('request', 'it is a signing request, which Apple answers with a certificate', original),
}

function withoutLines(text: string): Finding {
  if (text.includes('-----END ')) return error('truncated', 'the key is cut off: its beginning is missing', original)
  const bare = text.replaceAll(/\s/gu, '')
  if (/^[\w+/=-]{40,}$/.test(bare)) {
    return error('bare-base64', `it is base64 alone, without the line ${begin} before and the END line after`, original)
  }
  return error('not-pem', `it is text, but not a key: a .p8 begins with ${begin}`, original)
}

/** Whether the outermost length of DER names more bytes than there are. */
function isCut(der: Buffer): boolean {
  const length = der[1] ?? 0
  if (der[0] !== 0x30) return der.length === 0
  if (length < 0x80) return 2 + length > der.length
  const size = length - 0x80
  return size > 4 || der.length < 2 + size || 2 + size + der.readUIntBE(2, Math.max(1, size)) > der.length
}
