import {Failure, type FailureFacts} from '../../../src/api/contract/failure.js'

/** What a reader says of a text that it refuses; one that it takes fails the test. */
export function failing(read: () => unknown): FailureFacts {
  try {
    throw new Error(`it was read as ${JSON.stringify(read())}`)
  } catch (error) {
    if (error instanceof Failure) return error.facts
    throw error
  }
}
