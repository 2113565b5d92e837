import type {ApnsCertificate, ExpectedCertificate} from './apnsCertificate.js'
import type {ApnsKey, ExpectedKey} from './apnsKey.js'
import type {Finding} from './finding.js'

/** A file that is neither a .p8 nor a .p12. */
export interface OtherFile {
  readonly kind: 'service-account' | 'google-services' | 'unknown'
  readonly findings: readonly Finding[]
}

export type Inspected = ApnsKey | ApnsCertificate | OtherFile

export interface InspectOptions extends ExpectedKey, ExpectedCertificate {
  /** The password that was given. */
  readonly password?: string | undefined
  /** Asks for the password, where none was given and no empty one opens the file. */
  readonly ask?: (() => Promise<string>) | undefined
}

/** Says what a credential file is and what is wrong with it (product §7). Nothing that a file holds makes it raise an error. */
export async function inspect(fileName: string, bytes: Uint8Array, options: InspectOptions): Promise<Inspected> {
  throw new Error(`not yet: ${fileName} ${bytes.length} ${options.now}`)
}
