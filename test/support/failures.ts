import {Failure, type FailureFacts} from '../../src/failure.js'

/** The Failure that a call throws or rejects with; any other end fails the test. */
export async function failureOf(call: Promise<unknown> | (() => unknown)): Promise<Failure> {
  const end = await Promise.resolve()
    .then(() => (typeof call === 'function' ? call() : call))
    .then(
      (result) => new Error(`it succeeded with ${JSON.stringify(result)}`),
      (error: unknown) => error,
    )
  if (end instanceof Failure) return end
  throw new Error('a Failure was expected', {cause: end})
}

/** The message of the Failure that a call throws at once; any other end fails the test. */
export function failing(call: () => unknown): FailureFacts {
  try {
    throw new Error(`it succeeded with ${JSON.stringify(call())}`)
  } catch (error) {
    if (error instanceof Failure) return error.facts
    throw error
  }
}

/** The result of the call; undefined if it throws or rejects with a Failure. */
export async function unlessRefused<T>(call: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
