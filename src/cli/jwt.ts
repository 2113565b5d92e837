import {Failure} from '../contract/failure.js'

/**
 * The claims of a JSON Web Token (RFC 7519), read and not verified: the key is the service's.
 * Raises a Failure (network) when the token has another form, which the document leaves open.
 */
export function claimsOf(token: string): unknown {
  const [, payload, signature] = token.split('.')
  try {
    if (payload === undefined || signature === undefined) throw new Error('not three parts')
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch (error) {
    throw new Failure(
      {
        exit: 'network',
        code: 'not-a-jwt',
        message: 'the token is not a JWT, so it has no claims to show',
        why: 'the form of a room access token is not shown in the document',
        try: 'leave --decode out to get the token itself',
        outcome: 'applied',
      },
      {cause: error},
    )
  }
}
