import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import {type Route, routeParameters} from '../http/route.js'
import {parseRoute} from '../http/routeText.js'
import type {Resolved} from '../profile/resolve.js'

/**
 * A route of the user's own for an operation, checked: of the right form, with all the parameters of the operation and no
 * other. A path that lost one would send the request to another place. Raises a Failure (usage) or a RouteError.
 */
export function ownRoute({id, route: builtIn}: Operation, text: string): Route {
  const route = parseRoute(text)
  const needed = routeParameters(builtIn)
  const named = routeParameters(route.path)
  const foreign = named.find((name) => !needed.includes(name))
  const lost = needed.find((name) => !named.includes(name))
  if (foreign === undefined && lost === undefined) return route
  throw new Failure({
    exit: 'usage',
    message:
      foreign === undefined
        ? `the path for ${id} does not name {${lost}}`
        : `the path for ${id} names {${foreign}}, which it does not have`,
    why:
      needed.length === 0
        ? `${id} has no parameters`
        : `${id} takes ${needed.map((name) => `{${name}}`).join(' and ')}`,
  })
}

/** The route of an operation where no flag sets it: environment, profile, or as built in. */
export function settledRoute(operation: Operation, resolved: Resolved): Route {
  const own = resolved.route(operation.id)
  return own ? ownRoute(operation, own.text) : {method: operation.method, path: operation.route}
}

/** Reads `--route ID='METHOD /path'`. The table of operations is loaded only when there is one to look up. */
export async function routeFlags(texts: readonly string[]): Promise<ReadonlyMap<string, Route>> {
  if (texts.length === 0) return new Map()
  const {operationById} = await import('../contract/operations.js')
  return new Map(
    texts.map((text) => {
      const [, id = '', route = ''] = /^([^=]+)=(.*)$/su.exec(text) ?? []
      const operation = operationById(id)
      if (operation) return [id, ownRoute(operation, route)] as const
      throw new Failure({
        exit: 'usage',
        message: `--route names no operation: ${id || text}`,
        why: "the form is --route ID='METHOD /path'",
        try: 'roomctl config route list shows every id',
      })
    }),
  )
}
