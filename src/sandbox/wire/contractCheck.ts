import type {Operation} from '../../api/contract/operation.js'

/** Holds an answer to the contract before it leaves: a handler that drifts from it fails in its own test. */
export function checkReply<T>({id, reply}: Operation, data: T): T {
  const read = reply.safeParse(data)
  if (!read.success) throw new Error(`the sandbox answers ${id} out of contract: ${JSON.stringify(read.error.issues)}`)
  return data
}
