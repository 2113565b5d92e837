import type {Documented} from './witness.js'

/** The four operations whose method and path the document does not show. */
const assumed: Readonly<Record<string, string>> = {
  'room.send': 'POST /v1/rooms/{roomId}/send-data',
  'room.adminUpdate': 'PATCH /v1/applications/{applicationId}/rooms/{roomId}',
  'appConfig.create': 'POST /v1/applications/{applicationId}/config',
  'appConfig.update': 'PATCH /v1/applications/{applicationId}/config',
}

/** Method and path template of an operation, in the document's own words where it has some. */
export function literalRoute({id, method, path}: Documented): readonly [method: string, path: string] {
  if (method !== null && path !== null) return [method, path]
  const [verb = '', template = ''] = (assumed[id] ?? '').split(' ')
  return [verb, template]
}
