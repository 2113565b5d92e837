/** Names whose value is a secret in JSON, queries and form bodies, wherever it comes from. */
const NAMES =
  'token|access_token|refresh_token|id_token|push_token|client_secret|secret|password|passphrase|apns_certificate_password|fcm_server_key'

const secretName = new RegExp(`^(?:${NAMES})$`, 'i')

/** Whether what a member is called says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/**
 * What is secret by its shape. Every quantifier is bounded or starts where nothing else can, so that no text takes long.
 * Each pattern keeps its first group.
 */
export const shapes: readonly RegExp[] = [
  // Authorization values with or without a scheme, as a header, in JSON or escaped in a text.
  /(\b(?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)(?:[A-Za-z][\w-]{0,31} {1,8})?[^\s"'\\,;|]{1,16384}/gi,
  /(\bbearer )[\w.~+/=-]{12,16384}/gi,
  // JSON web tokens, also cut ones.
  /()(?<![\w-])eyJ[\w-]{8,16384}(?:\.[\w-]{0,16384}){0,2}/g,
  // JSON, and JSON escaped within a JSON text. A route says of a secret where it goes, which is none.
  new RegExp(
    `((?<![A-Za-z0-9])(?:${NAMES})"\\s{0,8}:\\s{0,8}")(?!(?:query|body|form|header)")(?:[^"\\\\]|\\\\.){1,16384}`,
    'gi',
  ),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})\\\\"\\s{0,8}:\\s{0,8}\\\\")(?:[^"\\\\]|\\\\[^"]){1,16384}`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})=)[^\\s&"'|]{1,16384}`, 'gi'),
  // Server keys and device tokens of FCM, whatever a service calls them.
  /()(?<![\w-])[\w-]{7,64}:APA91b[\w-]{60,400}/g,
  // With a part of the key behind it: alone it is what a sentence says of such a file.
  /()-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?=(?:[\r\n]|\\[nr]|%0[AD])*[\w+/=]{3}|\s{0,8}[\w+/=]{16})[^-]{0,16384}(?:-----END [A-Z ]{0,32}-----)?/g,
]
