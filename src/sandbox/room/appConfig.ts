import {refuse} from '../wire/refusal.js'
import type {Configuration} from '../world/options.js'
import type {Handlers, RoomOperationId} from './handler.js'
import {checkSeats} from './rules.js'

function checkValues({config_max_attendee_count: seats}: Configuration): void {
  if (seats !== undefined) checkSeats('config_max_attendee_count', seats)
}

/**
 * The application configuration (room, Operations outside the list). The sandbox is one application, so there is one;
 * the first call names the application. That a second create is refused with CE001, and an update before the first
 * create with CE002, is not shown: those are the codes for a wrong value and for something that does not exist.
 */
export const appConfigHandlers: Handlers<Extract<RoomOperationId, `appConfig.${string}`>> = {
  'appConfig.create': ({path, body}, {world}) => {
    checkValues(body)
    if (world.configuration !== undefined) {
      refuse(
        'CE001',
        `applicationId: ${world.configuration.applicationId} has a configuration already; update it instead`,
      )
    }
    world.configuration = {applicationId: path.applicationId, values: body}
  },

  'appConfig.update': ({path, body}, {world}) => {
    checkValues(body)
    if (world.configuration?.applicationId !== path.applicationId) {
      return refuse('CE002', `application ${path.applicationId} has no configuration; create it first`)
    }
    Object.assign(world.configuration.values, body)
  },
}
