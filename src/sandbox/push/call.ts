import type {Input, Operation} from '../../api/contract/operation.js'
import type {AnyOperation} from '../../api/contract/operations.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import type {ServiceOptions} from '../wire/parts.js'
import {bareAnswer, jsonAnswer, refusePlain} from '../wire/plain.js'
import {tryShape} from '../wire/reading.js'
import type {World} from '../world/world.js'
import type {Given} from './parameters.js'
import type {PushOperation, PushOperationId} from './routing.js'

/** A request of the push service, authorised and read. */
export interface PushCall<O extends Operation> {
  readonly input: Input<O>
  readonly options: ServiceOptions
  /** As it was when the request came, with everything sent that was due. */
  readonly world: World
}

/** Carries an operation out and answers, or refuses. */
export type PushHandler<O extends Operation> = (call: PushCall<O>) => Promise<WireResponse>

/** One handler for each of the operations; the compiler names a missing one. */
export type PushHandlers<Ids extends PushOperationId> = {
  readonly [Id in Ids]: PushHandler<Extract<AnyOperation, {readonly id: Id}>>
}

/**
 * What a request is refused with that cannot be read, and one whose values are not acceptable: 400 and 422, where the
 * operation documents them (push, Endpoints). Operations 8 and 9 document no refusal at all.
 */
const refusals: Readonly<Record<PushOperationId, readonly [malformed: number, unacceptable: number]>> = {
  'push.register': [400, 422],
  'push.send': [400, 422],
  'push.modify': [422, 422],
  'push.broadcast': [400, 422],
  'push.cancel': [422, 422],
  'push.iosKey': [400, 400],
  'push.iosCertificate': [400, 400],
  'push.android': [400, 400],
  'push.show': [400, 400],
  'push.records': [400, 400],
}

/** The status of a request that cannot be read. */
export function malformedStatus({id}: PushOperation): number {
  return refusals[id][0]
}

/** Holds what was given to the operation's shapes. Refuses with what the operation documents. */
export function readInput(operation: PushOperation, given: Given): Input<Operation> {
  const read = {
    query: tryShape(operation.query, given.query, 'query'),
    ...(operation.body ? {body: tryShape(operation.body, given.body, 'body')} : {}),
    ...(operation.files ? {files: tryShape(operation.files, given.files, 'body')} : {}),
  }
  const problems = Object.values(read).flatMap((part) => part.problems)
  if (problems.length > 0) {
    const [malformed, unacceptable] = refusals[operation.id]
    const status = problems.some(({isMalformed}) => isMalformed) ? malformed : unacceptable
    refusePlain(status, problems.map(({message}) => message).join('; '))
  }
  // The values were held to the shapes whose input this is.
  return Object.fromEntries(Object.entries(read).map(([name, {values}]) => [name, values])) as Input<Operation>
}

/**
 * A success whose body is not shown (push, Rules 5): this body, or none under the choice `pushBodies: 'none'`, with 204 in
 * place of 200.
 */
export function unshownAnswer(status: 200 | 201, body: object, {options, world}: PushCall<Operation>): WireResponse {
  if (world.choices.pushBodies === 'full') return jsonAnswer(status, body, options.now())
  return bareAnswer(status === 200 ? 204 : status, {}, options.now())
}
