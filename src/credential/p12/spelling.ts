/** A password as bytes. The parts of one .p12 ask for it in two ways. */
export interface Spelling {
  /** Two bytes for each character and two at the end (BMPString), for the MAC and the older ciphers. */
  readonly wide: Buffer
  /** For PBES2. */
  readonly narrow: Buffer
}

/**
 * Every way in which programs write this password, the usual one first. An empty one is written with its end (openssl) or
 * as nothing at all (Keychain). In one beyond ASCII, the older openssl took the bytes of UTF-8 for characters, and a
 * shell in Latin-1 gives one byte for each character.
 */
export function spellings(password: string): Spelling[] {
  const utf8 = Buffer.from(password, 'utf8')
  if (password === '') {
    return [
      {wide: wide(''), narrow: utf8},
      {wide: Buffer.alloc(0), narrow: utf8},
    ]
  }
  const usual = {wide: wide(password), narrow: utf8}
  if (utf8.length === password.length) return [usual]
  const latin1 = Buffer.from(password, 'latin1')
  const fits = latin1.toString('latin1') === password
  return [
    usual,
    ...(fits ? [{wide: usual.wide, narrow: latin1}] : []),
    {wide: wide(utf8.toString('latin1')), narrow: utf8},
  ]
}

function wide(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16()
}
