import type {Input, Operation, Output} from '../../api/contract/operation.js'
import {type AnyOperation, type OperationId, operations} from '../../api/contract/operations.js'
import type {World} from '../world/world.js'

export interface HandlerContext {
  readonly world: World
  readonly now: Date
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number
}

/** Changes the world and returns `data`, or refuses; the store undoes what it did before. */
export type Handler<O extends Operation> = (input: Input<O>, context: HandlerContext) => Output<O>

/** One handler for each of the operations; the compiler names a missing one. */
export type Handlers<Ids extends OperationId> = {
  readonly [Id in Ids]: Handler<Extract<AnyOperation, {readonly id: Id}>>
}

export type RoomOperationId = Extract<AnyOperation, {readonly service: 'room'}>['id']

const idDigits = 8
const idCount = 36 ** idDigits

/** A new id: the prefix and eight letters or digits, at random. */
export function newId(prefix: string, isUsed: (id: string) => boolean, random: () => number): string {
  const number = Math.floor(random() * idCount)
  const idOf = (n: number) => `${prefix}-${(n % idCount).toString(36).padStart(idDigits, '0')}`
  let id = idOf(number)
  for (let next = number + 1; isUsed(id); next += 1) id = idOf(next)
  return id
}

/** Endpoint paths are appended to it (room, What the service does). */
export const mediaPrefix = '/media'

export type RoomOperation = Operation & {readonly id: RoomOperationId}

export const servedRoomOperations: readonly RoomOperation[] = operations.filter(
  (entry): entry is Extract<AnyOperation, {service: 'room'}> => entry.service === 'room',
)
