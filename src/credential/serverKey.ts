import {classifyContent, copyServerKey} from './content.js'
import {type CredentialFinding, error, warning} from './finding.js'

/** The shape that every legacy server key known in public has. */
const usual = /^AAAA[\w-]{7}:[\w-]{140}$/

/** Checks the form of an FCM server key (push §8: fcm_server_key). No finding contains the key. */
export function checkServerKey(key: string): CredentialFinding[] {
  return [...shapeOf(key), shutdown]
}

/** When Google began to shut down the FCM interface for server keys, and its announcement. */
export const legacyFcm = {
  shutdown: '2024-07-22',
  source: 'https://firebase.google.com/docs/cloud-messaging/migrate-v1',
} as const

export const legacyFcmShutdown = `Google shut down the FCM interface for server keys (from ${legacyFcm.shutdown} on, ${legacyFcm.source})`

export const legacyKey = 'legacy-key'

const shutdown = warning(
  legacyKey,
  legacyFcmShutdown,
  'ask the operator of the push service whether it still uses server keys; no other credential is documented',
)

function shapeOf(key: string): CredentialFinding[] {
  if (key.trim() === '') return [error('empty', 'the server key is empty', copyServerKey)]
  const content = classifyContent(Buffer.from(key), 'a server key')
  if (content.form === 'foreign') return [{...content.finding, try: copyServerKey}]
  if (key.includes('-----BEGIN ')) return [error('pem', 'it is a PEM file; expected a server key', copyServerKey)]
  if (/\s/u.test(key)) {
    return [error('white-space', 'the server key contains white space; a server key has none', copyServerKey)]
  }
  if (/^AIza[\w-]{35}$/.test(key)) {
    const message = 'this looks like a Google API key (it begins with AIza), which FCM does not accept'
    return [warning('api-key', message, copyServerKey)]
  }
  return usual.test(key)
    ? []
    : [warning('unusual-key', 'it does not look like a server key: AAAA…:APA91b…', copyServerKey)]
}
