import type {PlacedParameter} from '../../api/client/request/placement.js'
import type {Operation} from '../../api/contract/operation.js'
import type {Route} from '../../api/http/route/route.js'

/** A route of the user's own with the operation that it is for. */
export interface OwnRoute {
  readonly operation: Operation
  readonly route: Route
  /** The parameters that the path names. */
  readonly named: readonly string[]
  /** Where every parameter would stand. */
  readonly placed: readonly PlacedParameter[]
}

/** What is wrong with a route. */
export interface RouteProblem {
  readonly message: string
  readonly why: string
}

export type RouteRule = (own: OwnRoute) => RouteProblem | undefined

/** What a parameter is that cannot stand everywhere. */
export function kindOf({parameter}: PlacedParameter): string {
  return parameter.place === 'file' ? 'a file' : 'a list or an object'
}
