/** A key has 300 bytes, a certificate with its chain 10 KiB: what is larger is no credential, and is not looked into. */
export const maxCredentialBytes = 1024 * 1024
