import {jsonKind} from './content.js'
import {type CredentialFinding, error, warning} from './finding.js'

/** The shape that every legacy server key known in public has. */
const usual = /^AAAA[\w-]{7}:[\w-]{140}$/
const where =
  'copy the server key of the Cloud Messaging API (Legacy): Firebase console, Project settings, Cloud Messaging'

/** What is wrong with a server key of FCM, by its shape alone (push §8: fcm_server_key). The key stands in no finding. */
export function checkServerKey(key: string): CredentialFinding[] {
  return [...shapeOf(key), shutdown]
}

const shutdown = warning(
  'legacy-key',
  'server keys belong to the legacy interface of FCM, whose shutdown by Google began in July 2024',
  'ask whoever runs the push service whether it still sends with server keys; the document has no other credential',
)

function shapeOf(key: string): CredentialFinding[] {
  if (key.trim() === '') return [error('empty', 'the server key is empty', where)]
  const kind = jsonKind(key)
  if (kind === 'service-account') {
    return [error(kind, 'this is the JSON of a service account, where a server key is asked', where)]
  }
  if (kind === 'google-services') {
    return [error(kind, 'this is google-services.json, a file for the application, where a server key is asked', where)]
  }
  if (kind === 'json') return [error(kind, 'this is JSON, where a server key is asked', where)]
  if (key.includes('-----BEGIN ')) return [error('pem', 'this is a PEM file, where a server key is asked', where)]
  if (/\s/u.test(key))
    return [error('white-space', 'the server key has white space in it; a server key has none', where)]
  if (/^AIza[\w-]{35}$/.test(key)) {
    return [
      warning(
        'api-key',
        'this looks like an API key of Google (it begins with AIza), with which FCM sends nothing',
        where,
      ),
    ]
  }
  return usual.test(key)
    ? []
    : [
        warning(
          'unusual-key',
          'it does not have the usual shape of a server key: AAAA and more, a colon, APA91b and more',
          where,
        ),
      ]
}
