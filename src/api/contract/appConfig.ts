import * as z from 'zod/mini'
import {operation} from './operation.js'
import {hostSelectionTypes} from './room.js'
import {boolean, envelopeOnly, id, none} from './shapes.js'

const applicationPath = z.strictObject({applicationId: id})

/** room, Application configuration: all optional. */
export const configuration = z.strictObject({
  config_max_attendee_count: z.optional(z.number()),
  config_is_joinable_view: z.optional(boolean),
  config_host_selection_type: z.optional(z.enum(hostSelectionTypes)),
  config_is_elect_host: z.optional(boolean),
  config_is_download_record: z.optional(boolean),
})

export const createConfiguration = operation({
  id: 'appConfig.create',
  service: 'room',
  purpose: 'Create the application configuration',
  doing: 'create the configuration of application {applicationId}',
  source: 'room, Operations outside the list',
  method: 'POST',
  route: '/v1/applications/{applicationId}/config',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'create',
  path: applicationPath,
  query: none,
  body: configuration,
  reply: envelopeOnly,
  fails: [],
})

export const updateConfiguration = operation({
  id: 'appConfig.update',
  service: 'room',
  purpose: 'Update the application configuration',
  doing: 'update the configuration of application {applicationId}',
  source: 'room, Operations outside the list',
  method: 'PATCH',
  route: '/v1/applications/{applicationId}/config',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'state',
  path: applicationPath,
  query: none,
  body: configuration,
  reply: envelopeOnly,
  fails: [],
})
