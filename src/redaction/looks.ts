const uuid = /^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/iu

/** A JSON web token, the token after Bearer, or a long text of letters and digits that is no UUID. */
export function looksLikeToken(text: string): boolean {
  if (/^bearer\s/iu.test(text) || /^[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/u.test(text)) return true
  return !uuid.test(text) && /^(?=.*\d)(?=.*[a-z])[\w+/=~.-]{32,}$/iu.test(text)
}

/** Whether to keep a text off screens and logs: also one named as a secret, and an address with a password. */
export function looksSecret(text: string): boolean {
  return (
    looksLikeToken(text) ||
    /s[e3]cr[e3]t|passw|token|-----BEGIN|:\/\/[^/\s]*@/iu.test(text) ||
    (!uuid.test(text) && /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=~-]{24,}$/u.test(text))
  )
}

/** Whether the value of this flag is a secret; `--token-file` and `--key-id` take none. */
export function isSecretFlag(flag: string): boolean {
  return /token|secret|password|key/iu.test(flag) && !/-(?:file|stdin|command|id)$/u.test(flag)
}
