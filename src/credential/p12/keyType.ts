/** Types of keys by their object identifiers: those that Node 20 reads, and the others that files have. */
const readable: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'an RSA key',
  '1.2.840.113549.1.1.10': 'an RSA-PSS key',
  '1.2.840.10045.2.1': 'an EC key',
  '1.2.840.10040.4.1': 'a DSA key',
  '1.2.840.113549.1.3.1': 'a DH key',
  '1.3.101.110': 'an X25519 key',
  '1.3.101.111': 'an X448 key',
  '1.3.101.112': 'an Ed25519 key',
  '1.3.101.113': 'an Ed448 key',
}
const others: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.3.17': 'an ML-DSA-44 key',
  '2.16.840.1.101.3.4.3.18': 'an ML-DSA-65 key',
  '2.16.840.1.101.3.4.3.19': 'an ML-DSA-87 key',
  '1.2.643.7.1.1.1.1': 'a GOST key',
}

/** `an RSA key`, or `a key of the type 1.2.3` for one that has no name here. */
export function keyTypeName(oid: string): string {
  return readable[oid] ?? others[oid] ?? `a key of the type ${oid}`
}

/** Whether Node reads keys of this type, so that one it does not read is damaged. */
export function isReadableKeyType(oid: string): boolean {
  return readable[oid] !== undefined
}
