import type {Finding} from './finding.js'

/** What is in a .p8 file; nothing of the private key. */
export interface ApnsKey {
  readonly kind: 'apns-key'
  /** From the name of the file. */
  readonly keyId: string | undefined
  /** `P-256` for a key that will do, the name of what it is instead, or undefined where no key could be read. */
  readonly curve: string | undefined
  /** SHA-256 of the public key (SubjectPublicKeyInfo), hexadecimal with colons, for two people to compare. */
  readonly fingerprint: string | undefined
  readonly findings: readonly Finding[]
}

/** The ids that somebody means to register the key with. */
export interface ExpectedKey {
  readonly keyId?: string | undefined
  readonly teamId?: string | undefined
}

/** Reads a .p8 file (product §7): an EC P-256 private key in PKCS#8, which signs once to prove that it works. */
export function readApnsKey(fileName: string, bytes: Uint8Array, expected: ExpectedKey): ApnsKey {
  throw new Error(`not yet: ${fileName} ${bytes.length} ${expected.keyId}`)
}
