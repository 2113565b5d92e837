import type {Operation} from '../../contract/operation.js'
import {type Parameter, parametersOf} from '../../contract/parameters.js'
import {type Route, routeParameters, type SendPlace} from '../../http/route/route.js'

/** A parameter of an operation, where a route puts it, and under which name. */
export interface PlacedParameter {
  readonly parameter: Parameter
  readonly place: 'path' | SendPlace
  /** Its name on the wire; in the path it has none. */
  readonly sentAs: string
}

const placements = new WeakMap<Operation, WeakMap<Route, readonly PlacedParameter[]>>()

/**
 * Where each parameter of an operation stands along a route: in the path where that names it, else where `send` puts it, else
 * where the document has it. Files stand in a form. That the route fits the operation is for the caller to check. Worked out
 * once: a run makes many calls along one route.
 */
export function placeParameters(operation: Operation, route: Route): readonly PlacedParameter[] {
  const along = placements.get(operation) ?? new WeakMap<Route, readonly PlacedParameter[]>()
  const placed = along.get(route) ?? place(operation, route)
  placements.set(operation, along.set(route, placed))
  return placed
}

function place(operation: Operation, route: Route): PlacedParameter[] {
  const inPath = new Set(routeParameters(route.path))
  return parametersOf(operation).map((parameter) => {
    const {name} = parameter
    return {parameter, place: placeOf(parameter, route, inPath), sentAs: route.rename?.[name] ?? name}
  })
}

function placeOf({name, place}: Parameter, {send = {}}: Route, inPath: ReadonlySet<string>): PlacedParameter['place'] {
  if (inPath.has(name)) return 'path'
  if (place === 'file') return 'form'
  return (Object.hasOwn(send, name) ? send[name] : undefined) ?? place
}
