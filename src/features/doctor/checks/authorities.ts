import {readFileSync} from 'node:fs'
import type {SecureContext} from 'node:tls'
import {createTrustContext, extraCaCertificates} from '../../../api/http/network/trust.js'
import type {Environment} from '../../../cli/runtime/runtime.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import type {Authorities} from './certificate.js'
import {fail, ok} from './finding.js'

/** What is trusted besides Node's own authorities. */
export interface Trusted {
  /** Undefined where Node's own context is right. */
  readonly secureContext: SecureContext | undefined
  readonly authorities: readonly Authorities[]
  readonly found: readonly Diagnosis[]
}

const check = 'ca file'

/** Reads the files of certificates that a setting and NODE_EXTRA_CA_CERTS name, as a call would. */
export async function trustedHere(caFile: string | undefined, env: Environment): Promise<Trusted> {
  const extra = await namedBy('NODE_EXTRA_CA_CERTS', env.NODE_EXTRA_CA_CERTS)
  if (caFile === undefined) return {secureContext: undefined, authorities: extra, found: []}
  try {
    const text = readFileSync(caFile, 'utf8')
    const secureContext = await createTrustContext(extraCaCertificates([text], env))
    const own = await namedBy('caFile', caFile)
    return {
      secureContext,
      authorities: [...own, ...extra],
      found: [ok(check, `${caFile} is trusted as well`, {path: caFile})],
    }
  } catch (error) {
    const isUnread = error instanceof Error && 'code' in error
    const what = isUnread ? `${caFile} cannot be read (${String(error.code)})` : `${caFile} holds no usable certificate`
    const advice = 'name a PEM file with --ca-file, ROOMCTL_CA_FILE or roomctl config set caFile'
    return {secureContext: undefined, authorities: extra, found: [fail(check, what, advice, {path: caFile})]}
  }
}

/** The certificates of a file by their fingerprints; none where it is no such file, which another check tells. */
async function namedBy(name: string, path: string | undefined): Promise<Authorities[]> {
  if (!path) return []
  try {
    const {X509Certificate} = await import('node:crypto')
    const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    return [{name, fingerprints: new Set(blocks.map((block) => new X509Certificate(block).fingerprint256))}]
  } catch {
    return []
  }
}
