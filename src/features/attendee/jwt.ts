import {unlessError} from '../../text/text.js'
/** The claims of a JSON Web Token (RFC 7519), not verified; undefined for a token of another form (room §7). */
export function claimsOf(token: string): unknown {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  return unlessError(() => JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')), undefined)
}
