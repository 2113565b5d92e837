import type {Operation} from '../../api/contract/operation.js'
import {type AnyOperation, operations} from '../../api/contract/operations.js'
import {matchRoute} from '../../api/http/route/route.js'
import type {RoomOperationId} from './handler.js'

/** The media prefix of the service address: endpoint paths are appended to it (room, What the service does). */
export const mediaPrefix = '/media'

/** An operation of the room service, as the router needs it. */
export type RoomOperation = Operation & {readonly id: RoomOperationId}

/** What a method and a path lead to: an operation with its path values, or the methods that the path has. */
export type Target =
  | {readonly operation: RoomOperation; readonly path: Readonly<Record<string, string>>}
  | {readonly allowed: readonly string[]}

const roomOperations: readonly RoomOperation[] = operations.filter(
  (entry): entry is Extract<AnyOperation, {service: 'room'}> => entry.service === 'room',
)

/** Finds the operation of a request by the contract's routes. `allowed` is empty where no operation has the path. */
export function findTarget(method: string, pathname: string): Target {
  if (!pathname.startsWith(`${mediaPrefix}/`)) return {allowed: []}
  const rest = pathname.slice(mediaPrefix.length)
  const allowed: string[] = []
  for (const operation of roomOperations) {
    const path = matchRoute(operation.route, rest)
    if (path === undefined) continue
    if (operation.method === method) return {operation, path}
    allowed.push(operation.method)
  }
  return {allowed}
}
