import type {PlacedParameter} from '../../api/client/request/placement.js'
import type {Operation} from '../../api/contract/operation.js'
import {parametersOf} from '../../api/contract/parameters.js'
import {routeParameters} from '../../api/http/route/route.js'
import {kindOf, type OwnRoute, type RouteProblem, type RouteRule} from './routeValidationRouteRule.js'

/** What the path of a route must be for its operation. */
export const pathRules: readonly RouteRule[] = [namesNoOther, namesAll, namesOnce, namesWhatAPathHolds]

function namesNoOther({operation, named}: OwnRoute): RouteProblem | undefined {
  const names = parametersOf(operation).map(({name}) => name)
  const foreign = named.find((name) => !names.includes(name))
  return foreign === undefined
    ? undefined
    : {message: `the path for ${operation.id} names {${foreign}}, which it does not have`, why: mayName(operation)}
}

function namesAll({operation, named}: OwnRoute): RouteProblem | undefined {
  const lost = routeParameters(operation.route).find((name) => !named.includes(name))
  return lost === undefined
    ? undefined
    : {message: `the path for ${operation.id} does not name {${lost}}`, why: mayName(operation)}
}

function namesOnce({operation, named}: OwnRoute): RouteProblem | undefined {
  const double = named.find((name, at) => named.indexOf(name) !== at)
  return double === undefined
    ? undefined
    : {message: `the path for ${operation.id} names {${double}} twice`, why: 'each value is sent once'}
}

function namesWhatAPathHolds({operation, placed}: OwnRoute): RouteProblem | undefined {
  const unfit = placed.find((one) => one.place === 'path' && (!one.parameter.isScalar || isSecret(operation, one)))
  if (!unfit) return undefined
  const what = isSecret(operation, unfit) ? 'a secret' : kindOf(unfit)
  const why = isSecret(operation, unfit)
    ? 'a path is written into the logs of every server and proxy on the way'
    : 'a path holds one text between two slashes'
  return {message: `the path for ${operation.id} names {${unfit.parameter.name}}, which is ${what}`, why}
}

function mayName(operation: Operation): string {
  const fit = parametersOf(operation).filter(({name, isScalar}) => isScalar && !operation.secrets?.includes(name))
  const needed = routeParameters(operation.route)
  const free = fit.map(({name}) => name).filter((name) => !needed.includes(name))
  const words = [
    ...(needed.length === 0 ? [] : [`it names ${needed.map(braced).join(' and ')}`]),
    ...(free.length === 0 ? [] : [`it may name ${free.map(braced).join(', ')}${needed.length === 0 ? '' : ' too'}`]),
  ]
  return words.length === 0 ? `${operation.id} has no parameters for a path` : words.join(', ')
}

function braced(name: string): string {
  return `{${name}}`
}

function isSecret({secrets = []}: Operation, {parameter}: PlacedParameter): boolean {
  return secrets.includes(parameter.name)
}
