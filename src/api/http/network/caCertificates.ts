import {readFileSync} from 'node:fs'
import type {SecureContext} from 'node:tls'
import {WireError} from '../wire/transport.js'

/**
 * The given authorities (PEM), and the file of `NODE_EXTRA_CA_CERTS`, which Node itself ignores once any are given. An unreadable
 * file is ignored, as Node does.
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

/** PEM texts of a private key, and of its certificate with those above it. */
export interface ClientCertificate {
  readonly key: string
  readonly certificate: string
}

/**
 * The TLS context that trusts Node's roots and the given PEM texts and shows `client`; undefined if Node's default is right.
 * Throws a `WireError` 'tls' for a text without a readable certificate.
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
