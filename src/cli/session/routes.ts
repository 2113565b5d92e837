import type {Operation} from '../../api/contract/operation.js'
import {documentedRoute} from '../../api/contract/operation.js'
import type {Route} from '../../api/http/route/route.js'
import {type Failure, withFacts, wrongUsage} from '../../failure.js'
import {type Resolved, routeVariable} from '../../storage/profile/resolve.js'
import {nearest} from '../../text/nearest.js'
import {parseOwnRoute} from './routeValidation.js'

/** The route from the environment, the profile, or built in, if no flag sets it. Throws Failure. */
export function settledRoute(operation: Operation, resolved: Resolved): Route {
  const own = resolved.route(operation.id)
  if (!own) return documentedRoute(operation)
  try {
    return parseOwnRoute(operation, own.text)
  } catch (error) {
    const [exit, what, advice] =
      own.source === 'env'
        ? (['usage', routeVariable(operation.id)] as const)
        : ([
            'configuration',
            `the route of ${operation.id} in the profile ${resolved.name}`,
            `roomctl config route unset ${operation.id}`,
          ] as const)
    throw withFacts(error, ({message}) => ({exit, message: `${what} cannot be used: ${message}`, try: advice}))
  }
}

/** Parses `--route ID='METHOD /path'`. The table of operations is imported only if needed. */
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
  return wrongUsage(guess === undefined ? '--route requires an operation' : `unknown operation in --route: ${id}`, {
    why: "use --route ID='METHOD /path'",
    try: guess === undefined ? 'roomctl config route list' : `did you mean ${guess}?`,
  })
}
