import type {PreparedRequest} from '../../../../../src/api/client/request/request.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {type Route, routeText} from '../../../../../src/api/http/route/route.js'
import {parseOwnRoute} from '../../../../../src/cli/session/routes.js'
import {stage} from '../stage.js'

/** The request of an operation along a route that was checked for it. */
export async function planned(operation: Operation, route: Route, input: object): Promise<PreparedRequest> {
  const {api} = stage([], {route: parseOwnRoute(operation, routeText(route))})
  // The arguments are those of the operation, which the compiler cannot see through the general type.
  return api.plan(operation, input as never)
}
