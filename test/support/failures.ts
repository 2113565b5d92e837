import {adviceText} from '../../src/advice.js'
import {Failure, type FailureFacts} from '../../src/failure.js'

/** Facts with the advice as a person reads it. */
export type ReadFacts = Omit<FailureFacts, 'try'> & {readonly try?: string | undefined}

function readFacts({try: advice, ...facts}: FailureFacts): ReadFacts {
  return advice === undefined ? facts : {...facts, try: adviceText(advice)}
}

/** A Failure with the advice as a person reads it. */
export function readFailure(failure: Failure): Failure & {readonly facts: ReadFacts} {
  return Object.assign(new Failure(failure.facts, {cause: failure}), {facts: readFacts(failure.facts)})
}

/** The Failure that a call throws or rejects with, with its advice as text; any other end fails the test. */
export async function failureOf(
  call: Promise<unknown> | (() => unknown),
): Promise<Failure & {readonly facts: ReadFacts}> {
  const end = await Promise.resolve()
    .then(() => (typeof call === 'function' ? call() : call))
    .then(
      (result) => new Error(`it succeeded with ${JSON.stringify(result)}`),
      (error: unknown) => error,
    )
  if (end instanceof Failure) return readFailure(end)
  throw new Error('a Failure was expected', {cause: end})
}

/** The message of the Failure that a call throws at once; any other end fails the test. */
export function failing(call: () => unknown): ReadFacts {
  try {
    throw new Error(`it succeeded with ${JSON.stringify(call())}`)
  } catch (error) {
    if (error instanceof Failure) return readFacts(error.facts)
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
