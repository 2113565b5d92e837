import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {operationById, operations} from '../../api/contract/operations.js'
import {nearest} from '../../text/nearest.js'

/** The operation of that id. Raises a Failure (usage) with the nearest. */
export function knownOperation(id: string): Operation {
  const found = operationById(id)
  if (found) return found
  const guess = nearest(
    id,
    operations.map((operation) => operation.id),
  )
  throw new Failure({
    exit: 'usage',
    message: `there is no operation ${id}`,
    try: guess === undefined ? 'roomctl config route list shows every id' : `did you mean ${guess}?`,
  })
}
