import type {Input, Operation} from '../../api/contract/operation.js'
import {type AnyOperation, operations} from '../../api/contract/operations.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import type {ServiceOptions} from '../wire/service.js'
import {emptyResponse, jsonResponse} from '../wire/service.js'
import type {World} from '../world/world.js'

export interface PushCall<O extends Operation> {
  readonly input: Input<O>
  readonly options: ServiceOptions
  /** As it was when the request came, with all due requests sent. */
  readonly world: World
}

export type PushHandler<O extends Operation> = (call: PushCall<O>) => Promise<WireResponse>

/** One handler for each of the operations; the compiler names a missing one. */
export type PushHandlers<Ids extends PushOperationId> = {
  readonly [Id in Ids]: PushHandler<Extract<AnyOperation, {readonly id: Id}>>
}

/** A success whose body is not shown (push, Rules 5). Without a body 204 takes the place of 200. */
export function undocumentedResponse(
  status: 200 | 201,
  body: object,
  {options, world}: PushCall<Operation>,
): WireResponse {
  if (world.choices.pushBodies === 'full') return jsonResponse(status, body, options.now())
  return emptyResponse(status === 200 ? 204 : status, {}, options.now())
}

export const pushPrefix = '/push'

export type PushOperationId = Extract<AnyOperation, {readonly service: 'push'}>['id']

export type PushOperation = Operation & {readonly id: PushOperationId}

export const pushOperations: readonly PushOperation[] = operations.filter(
  (entry): entry is Extract<AnyOperation, {service: 'push'}> => entry.service === 'push',
)
