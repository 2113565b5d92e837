import type {Input, Operation} from '../../api/contract/operation.js'
import {type AnyOperation, operations} from '../../api/contract/operations.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import type {ServiceOptions} from '../wire/service.js'
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

export const pushPrefix = '/push'

export type PushOperationId = Extract<AnyOperation, {readonly service: 'push'}>['id']

export type PushOperation = Operation & {readonly id: PushOperationId}

export const pushOperations: readonly PushOperation[] = operations.filter(
  (entry): entry is Extract<AnyOperation, {service: 'push'}> => entry.service === 'push',
)
