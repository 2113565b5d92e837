import type {Finding} from './finding.js'

/** What a push certificate is for; `other` is no push certificate. */
export type CertificateKind = 'app' | 'voip' | 'complication' | 'pass' | 'website' | 'other'

/** What is in a .p12 file; nothing of its password or its private key. */
export interface ApnsCertificate {
  readonly kind: 'apns-certificate'
  readonly certificateKind: CertificateKind | undefined
  /** The subject's UID. */
  readonly bundleId: string | undefined
  /** The subject's OU. */
  readonly teamId: string | undefined
  /** The subject's CN. */
  readonly name: string | undefined
  /** The further topics of a certificate for several: `com.example.rooms.voip` and the like. */
  readonly topics: readonly string[]
  readonly environments: readonly ('sandbox' | 'production')[]
  readonly notBefore: Date | undefined
  readonly notAfter: Date | undefined
  /** Whole days from now to `notAfter`; below 0 where it has expired. */
  readonly daysLeft: number | undefined
  /** SHA-256 of the certificate, hexadecimal with colons. */
  readonly fingerprint: string | undefined
  /** How the file is encrypted: `AES-256`, `RC2-40 and 3DES`, `none`. */
  readonly encryption: string | undefined
  /** False where the file was not opened: a cipher that is not known here, or an error. */
  readonly opened: boolean
  readonly findings: readonly Finding[]
}

/** What somebody means to register the certificate for, and the time at which it must be valid. */
export interface ExpectedCertificate {
  readonly bundleId?: string | undefined
  readonly now: Date
}

/** Reads a .p12 file (product §7). An empty password is tried both ways that an empty password is written. */
export async function readApnsCertificate(
  bytes: Uint8Array,
  password: string,
  expected: ExpectedCertificate,
): Promise<ApnsCertificate> {
  throw new Error(`not yet: ${bytes.length} ${password.length} ${expected.now}`)
}

/** Whether a password must be asked for: the file is a .p12 that no empty password opens. */
export async function needsPassword(bytes: Uint8Array): Promise<boolean> {
  throw new Error(`not yet: ${bytes.length}`)
}
