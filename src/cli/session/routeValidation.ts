import {type PlacedParameter, placeParameters} from '../../api/client/request/requestParts.js'
import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {parametersOf} from '../../api/contract/operation.js'
import {parseRoute, type Route, routeParameters} from '../../api/http/route/route.js'

/** A route of the user's own with the operation that it is for. */
interface OwnRoute {
  readonly operation: Operation
  readonly route: Route
  /** The parameters that the path names. */
  readonly named: readonly string[]
  /** Where every parameter would stand. */
  readonly placed: readonly PlacedParameter[]
}

/** What is wrong with a route. */
interface RouteProblem {
  readonly message: string
  readonly why: string
}

type RouteRule = (own: OwnRoute) => RouteProblem | undefined

/** What a parameter is that cannot stand everywhere. */
function kindOf({parameter}: PlacedParameter): string {
  return parameter.place === 'file' ? 'a file' : 'a list or an object'
}

/**
 * A route of the user's own for an operation, `METHOD /path` or JSON, checked: of the right form, and with one place for every
 * parameter of the operation that can hold it. What it lost, or put where something else stands, would send another request
 * than was asked for. Raises a Failure (usage) or a RouteError.
 */
export function parseOwnRoute(operation: Operation, text: string): Route {
  const route = parseRoute(text)
  const own = {operation, route, named: routeParameters(route.path), placed: placeParameters(operation, route)}
  for (const rule of rules) {
    const problem = rule(own)
    if (problem) throw new Failure({exit: 'usage', ...problem})
  }
  return route
}

/** What the path of a route must be for its operation, and then what its `send` and `rename` must be. */
const rules: readonly RouteRule[] = [
  namesNoOther,
  namesAll,
  namesOnce,
  namesWhatAPathHolds,
  movesParameters,
  keepsFiles,
  keepsLists,
  hasOneBody,
  hasNoBodyForReads,
  hasGoodHeaders,
  keepsNamesApart,
]

function namesNoOther({operation, named}: OwnRoute): RouteProblem | undefined {
  const names = parametersOf(operation).map(({name}) => name)
  const foreign = named.find((name) => !names.includes(name))
  return foreign === undefined
    ? undefined
    : {
        message: `the path for ${operation.id} names {${foreign}}, which is not one of its parameters`,
        why: mayName(operation),
      }
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
  const why = isSecret(operation, unfit) ? 'servers and proxies log paths' : 'a path segment is one string'
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

/** Headers that the exchange itself needs, or that carry the credential. */
const reserved =
  /^(?:authorization|cookie|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|(?:content|proxy)-.*)$/i

/** `send` and `rename` are about parameters of the operation that do not stand in the path. */
function movesParameters({operation, route, named}: OwnRoute): RouteProblem | undefined {
  const names = parametersOf(operation).map(({name}) => name)
  const told = (['send', 'rename'] as const).flatMap((member) =>
    Object.keys(route[member] ?? {}).map((name) => ({member, name})),
  )
  const foreign = told.find(({name}) => !names.includes(name))
  if (foreign) {
    const movable = names.filter((name) => !named.includes(name))
    const why = movable.length === 0 ? `${operation.id} has none that could be moved` : `it has ${movable.join(', ')}`
    return {message: `"${foreign.member}" names ${foreign.name}, which is no parameter of ${operation.id}`, why}
  }
  const inPath = told.find(({name}) => named.includes(name))
  if (!inPath) return undefined
  return {
    message: `"${inPath.member}" names ${inPath.name}, which is already in the path of ${operation.id}`,
    why: 'a value is sent once, and a path has no parameter names',
  }
}

function keepsFiles({operation, route, placed}: OwnRoute): RouteProblem | undefined {
  const moved = placed.find(
    ({parameter: {name, place}}) =>
      place === 'file' && Object.hasOwn(route.send ?? {}, name) && route.send?.[name] !== 'form',
  )
  return (
    moved && {
      message: `"send" moves ${moved.parameter.name} of ${operation.id}, which is a file`,
      why: 'a file is sent in a form; only its name may change',
    }
  )
}

function keepsLists({operation, placed}: OwnRoute): RouteProblem | undefined {
  const unfit = placed.find(({parameter, place}) => !parameter.isScalar && (place === 'query' || place === 'header'))
  return (
    unfit && {
      message: `${unfit.parameter.name} of ${operation.id} cannot be in the ${unfit.place}: it is ${kindOf(unfit)}`,
      why: 'a list or an object goes in the body or in a form',
    }
  )
}

function hasOneBody({operation, placed}: OwnRoute): RouteProblem | undefined {
  const inBody = placed.find(({place}) => place === 'body')
  if (!inBody || placed.every(({place}) => place !== 'form')) return undefined
  const {name} = inBody.parameter
  return {
    message: `${name} of ${operation.id} cannot be in a JSON body: the request has a form`,
    why: operation.files
      ? 'a file is sent in a form, which can hold the other values too'
      : `a request has one body; send all of it as a form, ${name} too`,
  }
}

function hasNoBodyForReads({operation, route, placed}: OwnRoute): RouteProblem | undefined {
  if (operation.body || operation.files || (route.method !== 'GET' && route.method !== 'HEAD')) return undefined
  const unfit = placed.find(({place}) => place === 'body' || place === 'form')
  return (
    unfit && {
      message: `${unfit.parameter.name} of ${operation.id} cannot be in the ${unfit.place} of a ${route.method} request`,
      why: 'servers and proxies ignore or refuse the body of such a request',
    }
  )
}

function hasGoodHeaders({operation, placed}: OwnRoute): RouteProblem | undefined {
  const inHeaders = placed.filter(({place}) => place === 'header')
  const taken = inHeaders.find(({sentAs}) => reserved.test(sentAs))
  if (taken) {
    return {
      message: `${taken.parameter.name} of ${operation.id} cannot be in the header ${taken.sentAs}`,
      why: 'HTTP or the credential uses that header',
    }
  }
  // RFC 9110, Tokens.
  const unfit = inHeaders.find(({sentAs}) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(sentAs))
  return (
    unfit && {
      message: `${unfit.parameter.name} of ${operation.id} cannot be in a header of the name ${unfit.sentAs}`,
      why: 'header names have no brackets',
    }
  )
}

/** The names of headers are the same in every case. */
function keepsNamesApart({operation, placed}: OwnRoute): RouteProblem | undefined {
  const seen = new Map<string, PlacedParameter>()
  for (const one of placed.filter(({place}) => place !== 'path')) {
    const key = `${one.place} ${one.place === 'header' ? one.sentAs.toLowerCase() : one.sentAs}`
    const other = seen.get(key)
    seen.set(key, one)
    if (!other) continue
    return {
      message: `${other.parameter.name} and ${one.parameter.name} of ${operation.id} both are in the ${one.place} as ${one.sentAs}`,
      why: 'only one could be sent',
    }
  }
  return undefined
}
