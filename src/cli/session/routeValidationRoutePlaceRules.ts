import type {PlacedParameter} from '../../api/client/request/placement.js'
import {parametersOf} from '../../api/contract/parameters.js'
import {kindOf, type OwnRoute, type RouteProblem, type RouteRule} from './routeValidationRouteRule.js'

/** What `send` and `rename` of a route must be for its operation. */
export const placeRules: readonly RouteRule[] = [
  movesParameters,
  keepsFiles,
  keepsLists,
  hasOneBody,
  hasNoBodyForReads,
  hasGoodHeaders,
  keepsNamesApart,
]

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
    message: `"${inPath.member}" names ${inPath.name}, which stands in the path for ${operation.id}`,
    why: 'a value is sent once, and has no name in a path',
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
      why: 'a file stands in a form; it may have another name there',
    }
  )
}

function keepsLists({operation, placed}: OwnRoute): RouteProblem | undefined {
  const unfit = placed.find(({parameter, place}) => !parameter.isScalar && (place === 'query' || place === 'header'))
  return (
    unfit && {
      message: `${unfit.parameter.name} of ${operation.id} cannot stand in the ${unfit.place}: it is ${kindOf(unfit)}`,
      why: 'a list or an object stands in the body or in a form',
    }
  )
}

function hasOneBody({operation, placed}: OwnRoute): RouteProblem | undefined {
  const inBody = placed.find(({place}) => place === 'body')
  if (!inBody || placed.every(({place}) => place !== 'form')) return undefined
  const {name} = inBody.parameter
  return {
    message: `${name} of ${operation.id} cannot stand in a JSON body: the request has a form`,
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
      message: `${unfit.parameter.name} of ${operation.id} cannot stand in the ${unfit.place} of a ${route.method} request`,
      why: 'servers and proxies ignore or refuse the body of such a request',
    }
  )
}

function hasGoodHeaders({operation, placed}: OwnRoute): RouteProblem | undefined {
  const inHeaders = placed.filter(({place}) => place === 'header')
  const taken = inHeaders.find(({sentAs}) => reserved.test(sentAs))
  if (taken) {
    return {
      message: `${taken.parameter.name} of ${operation.id} cannot stand in the header ${taken.sentAs}`,
      why: 'the exchange itself needs that header, or the credential does',
    }
  }
  // RFC 9110, Tokens.
  const unfit = inHeaders.find(({sentAs}) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(sentAs))
  return (
    unfit && {
      message: `${unfit.parameter.name} of ${operation.id} cannot stand in a header of the name ${unfit.sentAs}`,
      why: 'the name of a header has no brackets',
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
      message: `${other.parameter.name} and ${one.parameter.name} of ${operation.id} both stand in the ${one.place} as ${one.sentAs}`,
      why: 'one of them would be lost',
    }
  }
  return undefined
}
