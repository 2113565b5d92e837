import type {Operation} from '../../src/api/contract/operation.js'
import {operationById} from '../../src/api/contract/operations.js'

/** The contract's entry of an operation. */
export function entryOf(id: string): Operation {
  const found = operationById(id)
  if (!found) throw new Error(`the contract has no ${id}`)
  return found
}

/** Whether a shape of the contract accepts a value. */
export function accepts(shape: Operation['body'], value: unknown): boolean {
  return shape?.safeParse(value).success ?? false
}
