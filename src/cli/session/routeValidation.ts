import {type PlacedParameter, placeParameters} from '../../api/client/request/request.js'
import type {Operation} from '../../api/contract/operation.js'
import {parametersOf} from '../../api/contract/operation.js'
import {parseRoute, type Route, routeParameters} from '../../api/http/route/route.js'
import {type Failure, wrongUsage} from '../../failure.js'

interface OwnRoute {
  readonly operation: Operation
  readonly route: Route
  readonly named: readonly string[]
  /** Where every parameter would go. */
  readonly placed: readonly PlacedParameter[]
}

/**
 * Parses and checks a user's route for an operation, `METHOD /path` or JSON: every parameter of the operation has one place
 * that can hold it, so that no request differs from what was asked for. Raises a Failure (usage) or a RouteError.
 */
export function parseOwnRoute(operation: Operation, text: string): Route {
  const route = parseRoute(text)
  const own = {operation, route, named: routeParameters(route.path), placed: placeParameters(operation, route)}
  checkPath(own)
  checkPathValues(own)
  checkMoves(own)
  checkKinds(own)
  checkBody(own)
  checkHeaders(own)
  checkNames(own)
  return route
}

function refused(message: string, why: string): Failure {
  return wrongUsage(message, {why})
}

/** The path names every required parameter once, and no others. */
function checkPath({operation, named}: OwnRoute): void {
  const path = `the path for ${operation.id}`
  const names = parametersOf(operation).map(({name}) => name)
  const foreign = named.find((name) => !names.includes(name))
  if (foreign !== undefined)
    throw refused(`${path} names {${foreign}}, which is not one of its parameters`, mayName(operation))
  const lost = routeParameters(operation.route).find((name) => !named.includes(name))
  if (lost !== undefined) throw refused(`${path} does not name {${lost}}`, mayName(operation))
  const double = named.find((name, at) => named.indexOf(name) !== at)
  if (double !== undefined) throw refused(`${path} names {${double}} twice`, 'each value is sent once')
}

/** A path parameter is a single string and not secret. */
function checkPathValues({operation, placed}: OwnRoute): void {
  for (const {place, parameter} of placed) {
    const isSecret = operation.secrets?.includes(parameter.name)
    if (place !== 'path' || (parameter.isScalar && !isSecret)) continue
    const what = isSecret ? 'a secret' : kindOf(parameter)
    const why = isSecret ? 'servers and proxies log paths' : 'a path segment is one string'
    throw refused(`the path for ${operation.id} names {${parameter.name}}, which is ${what}`, why)
  }
}

function kindOf({place}: PlacedParameter['parameter']): string {
  return place === 'file' ? 'a file' : 'a list or an object'
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

/** `send` and `rename` name parameters of the operation that are not in the path. */
function checkMoves({operation: {id}, operation, route, named}: OwnRoute): void {
  const names = parametersOf(operation).map(({name}) => name)
  const moves = (['send', 'rename'] as const).flatMap((member) =>
    Object.keys(route[member] ?? {}).map((name) => ({member, name})),
  )
  const foreign = moves.find(({name}) => !names.includes(name))
  if (foreign) {
    const movable = names.filter((name) => !named.includes(name))
    const why = movable.length === 0 ? `${id} has none that could be moved` : `it has ${movable.join(', ')}`
    throw refused(`"${foreign.member}" names ${foreign.name}, which is no parameter of ${id}`, why)
  }
  const inPath = moves.find(({name}) => named.includes(name))
  if (!inPath) return
  const why = 'a value is sent once, and a path has no parameter names'
  throw refused(`"${inPath.member}" names ${inPath.name}, which is already in the path of ${id}`, why)
}

/** A file stays in the form; a list or an object goes where it can be encoded. */
function checkKinds({operation: {id}, route, placed}: OwnRoute): void {
  for (const {parameter} of placed) {
    const {name, place} = parameter
    if (place !== 'file' || !Object.hasOwn(route.send ?? {}, name) || route.send?.[name] === 'form') continue
    throw refused(
      `"send" moves ${name} of ${id}, which is a file`,
      'a file is sent in a form; only its name may change',
    )
  }
  for (const {place, parameter} of placed) {
    if (parameter.isScalar || (place !== 'query' && place !== 'header')) continue
    const message = `${parameter.name} of ${id} cannot be in the ${place}: it is ${kindOf(parameter)}`
    throw refused(message, 'a list or an object goes in the body or in a form')
  }
}

/** A request has one body, and a read has none unless the document gives it one. */
function checkBody({operation: {id, body, files}, route, placed}: OwnRoute): void {
  const inBody = placed.find(({place}) => place === 'body')?.parameter
  const inForm = placed.find(({place}) => place === 'form')?.parameter
  if (inBody && inForm) {
    const why = files
      ? 'a file is sent in a form, which can hold the other values too'
      : `a request has one body; send all of it as a form, ${inBody.name} too`
    throw refused(`${inBody.name} of ${id} cannot be in a JSON body: the request has a form`, why)
  }
  const moved = inBody ?? inForm
  const isRead = route.method === 'GET' || route.method === 'HEAD'
  if (!moved || !isRead || body || files) return
  throw refused(
    `${moved.name} of ${id} cannot be in the ${inBody ? 'body' : 'form'} of a ${route.method} request`,
    'servers and proxies ignore or refuse the body of such a request',
  )
}

/** Headers of the exchange itself, and of the credential. */
const reserved =
  /^(?:authorization|cookie|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|(?:content|proxy)-.*)$/i

function checkHeaders({operation, placed}: OwnRoute): void {
  const inHeaders = placed.filter(({place}) => place === 'header')
  for (const {parameter, sentAs} of inHeaders) {
    if (!reserved.test(sentAs)) continue
    const message = `${parameter.name} of ${operation.id} cannot be in the header ${sentAs}`
    throw refused(message, 'HTTP or the credential uses that header')
  }
  for (const {parameter, sentAs} of inHeaders) {
    // RFC 9110, Tokens.
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(sentAs)) continue
    const message = `${parameter.name} of ${operation.id} cannot be in a header of the name ${sentAs}`
    throw refused(message, 'header names have no brackets')
  }
}

/** Two values must not have the same name in one place. Header names are case-insensitive. */
function checkNames({operation, placed}: OwnRoute): void {
  const seen = new Map<string, string>()
  for (const {place, parameter, sentAs} of placed.filter((one) => one.place !== 'path')) {
    const key = `${place} ${place === 'header' ? sentAs.toLowerCase() : sentAs}`
    const other = seen.get(key)
    seen.set(key, parameter.name)
    if (other === undefined) continue
    const message = `${other} and ${parameter.name} of ${operation.id} both are in the ${place} as ${sentAs}`
    throw refused(message, 'only one could be sent')
  }
}
