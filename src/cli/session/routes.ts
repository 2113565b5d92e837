import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {documentedRoute} from '../../api/contract/operation.js'
import {type Route, RouteError} from '../../api/http/route/route.js'
import {type Resolved, routeVariable} from '../../storage/profile/resolve.js'
import {nearest} from '../../text/nearest.js'
import {parseOwnRoute} from './routeValidation.js'

/** The route from the environment, the profile, or built in, if no flag sets it. Raises a Failure. */
export function settledRoute(operation: Operation, resolved: Resolved): Route {
  const own = resolved.route(operation.id)
  if (!own) return documentedRoute(operation)
  try {
    return parseOwnRoute(operation, own.text)
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof RouteError)) throw error
    throw own.source === 'env' ? misfitInEnvironment(error, operation) : misfitInProfile(error, operation, resolved)
  }
}

type Misfit = Failure | RouteError

function misfitInEnvironment(cause: Misfit, {id}: Operation): Failure {
  const message = `${routeVariable(id)} cannot be used: ${cause.message}`
  return new Failure({exit: 'usage', message, why: whyOf(cause)}, {cause})
}

function misfitInProfile(cause: Misfit, {id}: Operation, {name}: Resolved): Failure {
  const message = `the route of ${id} in the profile ${name} cannot be used: ${cause.message}`
  const advice = `roomctl config route unset ${id}`
  return new Failure({exit: 'configuration', message, why: whyOf(cause), try: advice}, {cause})
}

function whyOf(cause: Misfit): string | undefined {
  return cause instanceof Failure ? cause.facts.why : undefined
}

/** Parses `--route ID='METHOD /path'`, or JSON. The table of operations is imported only if needed. */
export async function routeFlags(texts: readonly string[]): Promise<ReadonlyMap<string, Route>> {
  if (texts.length === 0) return new Map()
  const {operationById, operations} = await import('../../api/contract/operations.js')
  return new Map(
    texts.map((text) => {
      const [, id = '', route = ''] = /^([^=]+)=(.*)$/su.exec(text) ?? []
      const operation = operationById(id)
      if (operation) return [id, parseOwnRoute(operation, route)] as const
      const guess = nearest(
        id.slice(0, 64),
        operations.map((known) => known.id),
      )
      throw strangeRoute(id, guess)
    }),
  )
}

/** An id that resembles no operation may be a secret and is not repeated. */
function strangeRoute(id: string, guess: string | undefined): Failure {
  return new Failure({
    exit: 'usage',
    message: guess === undefined ? '--route requires an operation' : `unknown operation in --route: ${id}`,
    why: "use --route ID='METHOD /path', or a JSON object instead of the string",
    try: guess === undefined ? 'roomctl config route list shows every id' : `did you mean ${guess}?`,
  })
}
