import {placeParameters} from '../../api/client/request/requestParts.js'
import type {Operation} from '../../api/contract/operation.js'
import type {Session} from '../../cli/session/session.js'

/** Warns of a secret that stands in the address of its request, where the document has it and no route moves it away. */
export async function warnOfAddress(session: Session, operation: Operation, name: string): Promise<void> {
  const {route} = await session.api.access(operation.service)
  const placed = placeParameters(operation, route(operation)).find(({parameter}) => parameter.name === name)
  if (placed?.place !== 'query') return
  const advice = 'servers and proxies may log it: use a password made for this file alone'
  session.warn(`warning: this service takes the password in the address of the request; ${advice}`)
}
