import * as z from 'zod/mini'
import {roomOperation, setsSame} from './defineOperation.js'
import {hostSelectionTypes, id, optionalBoolean, optionalNumber} from './shapes.js'

const applicationPath = z.strictObject({applicationId: id})

/** room, Application configuration: all optional. */
export const configuration = z.strictObject({
  config_max_attendee_count: optionalNumber,
  config_is_joinable_view: optionalBoolean,
  config_host_selection_type: z.optional(z.enum(hostSelectionTypes)),
  config_is_elect_host: optionalBoolean,
  config_is_download_record: optionalBoolean,
})

export const createConfiguration = roomOperation({
  id: 'appConfig.create',
  purpose: 'Create the application configuration',
  action: 'create the configuration of application {applicationId}',
  source: 'room, Operations outside the list',
  request: 'POST /v1/applications/{applicationId}/config',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'create',
  path: applicationPath,
  body: configuration,
  requester: 'none',
  states: 'any',
  change: {
    mayHave: 'the configuration of application {applicationId} may have been created',
    ifUnknown: 'the service does not show the configuration; if it was created, config app update changes it',
    journal: [],
    isShown: false,
  },
})

export const updateConfiguration = roomOperation({
  id: 'appConfig.update',
  purpose: 'Update the application configuration',
  action: 'update the configuration of application {applicationId}',
  source: 'room, Operations outside the list',
  request: 'PATCH /v1/applications/{applicationId}/config',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'state',
  path: applicationPath,
  body: configuration,
  meanings: {
    CE002: {
      condition: 'the application has no configuration',
      open: 'all codes of this operation',
      why: 'a configuration is created before it is updated',
      try: {command: ['config app create', '--application-id', '{applicationId}']},
    },
  },
  requester: 'none',
  states: 'any',
  change: {
    mayHave: 'the configuration of application {applicationId} may have been updated',
    ifUnknown: setsSame,
    journal: [],
    isShown: false,
  },
})
