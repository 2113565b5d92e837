import {readFileSync} from 'node:fs'
import type {SecureContext} from 'node:tls'
import {WireError} from '../wire/transport.js'

/**
 * The authorities to trust beside Node's own roots: the given PEM texts, and then also the file that `NODE_EXTRA_CA_CERTS`
 * names. Node uses that variable only where no authorities are given. An unreadable file is passed over
 * as Node passes over it (with a warning at its start).
 */
export function extraCaCertificates(
  ca: readonly string[] = [],
  env: Readonly<NodeJS.ProcessEnv> = {},
): readonly string[] {
  const {NODE_EXTRA_CA_CERTS: file} = env
  if (ca.length === 0 || !file) return ca
  try {
    return [...ca, readFileSync(file, 'utf8')]
  } catch {
    return ca
  }
}

/** What a client shows of itself by TLS: PEM texts of its private key, and of its certificate with those above it. */
export interface ClientCertificate {
  readonly key: string
  readonly certificate: string
}

/**
 * The TLS context that trusts Node's roots and the given PEM texts and shows `client`, or undefined when there are none and
 * Node's default is right. Raises a `WireError` 'tls' for a text that holds no readable certificate.
 */
export async function createTrustContext(
  ca: readonly string[] = [],
  client?: ClientCertificate,
): Promise<SecureContext | undefined> {
  if (ca.length === 0 && !client) return undefined
  const {X509Certificate} = await import('node:crypto')
  for (const text of ca) checkCertificates(text, (block) => new X509Certificate(block))
  const {createSecureContext, rootCertificates} = await import('node:tls')
  return createSecureContext({
    ...(ca.length === 0 ? {} : {ca: [...rootCertificates, ...ca]}),
    ...(client ? {key: client.key, cert: client.certificate} : {}),
  })
}

function checkCertificates(text: string, read: (block: string) => unknown): void {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    for (const block of blocks) read(block)
  } catch (error) {
    throw new WireError('tls', 'no', 'a CA certificate is damaged', {cause: error})
  }
  if (blocks.length === 0) throw new WireError('tls', 'no', 'the CA file contains no PEM certificate')
}
