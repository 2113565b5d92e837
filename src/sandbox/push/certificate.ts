import {X509Certificate} from 'node:crypto'
import {Duplex} from 'node:stream'
import {createSecureContext, TLSSocket} from 'node:tls'
import {refusePlain} from '../wire/plain.js'

/**
 * The day on which a .p12 certificate expires, YYYY-MM-DD in UTC; undefined for one whose encryption nothing here opens.
 * Refuses with 400 what is no DER, and a password that does not open it (push §7).
 */
export async function expiryOf(bytes: Uint8Array, password: string): Promise<string | undefined> {
  // A SEQUENCE, with which PKCS#12 begins.
  if (bytes[0] !== 0x30 || bytes.length < 4) refusePlain(400, 'certificate_file: expected a PKCS#12 file (.p12)')
  try {
    return dayOf(openedByTls(bytes, password))
  } catch (error) {
    if (/mac verify failure/i.test(String(error))) {
      refusePlain(400, 'apns_certificate_password: does not open certificate_file')
    }
    return openedByForge(bytes, password).then(dayOf, () => undefined)
  }
}

function dayOf(certificate: X509Certificate): string {
  return new Date(certificate.validTo).toISOString().slice(0, 10)
}

/** The certificate with the private key of the file, without a connection. Throws what OpenSSL says. */
function openedByTls(bytes: Uint8Array, password: string): X509Certificate {
  const secureContext = createSecureContext({pfx: Buffer.from(bytes), passphrase: password})
  const nobody = new Duplex({read() {}, write: (_chunk, _encoding, done) => done()})
  const socket = new TLSSocket(nobody, {isServer: true, secureContext})
  const certificate = socket.getX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new Error('no certificate')
  return certificate
}

/** RC2-40, which macOS writes, is none of OpenSSL's ciphers any more. */
async function openedByForge(bytes: Uint8Array, password: string): Promise<X509Certificate> {
  const {default: forge} = await import('node-forge')
  const der = forge.asn1.fromDer(Buffer.from(bytes).toString('latin1'))
  const file = forge.pkcs12.pkcs12FromAsn1(der, false, password)
  const {certBag = ''} = forge.pki.oids
  const [bag] = file.getBags({bagType: certBag})[certBag] ?? []
  if (!bag?.cert) throw new Error('no certificate')
  return new X509Certificate(forge.pki.certificateToPem(bag.cert))
}
