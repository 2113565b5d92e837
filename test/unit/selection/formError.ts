import {FormError} from '../../../src/selection/form.js'

/** The FormError that `work` ends with; fails when it ends well or with anything else. */
export async function formError(work: () => unknown): Promise<FormError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FormError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** Runs `work` and swallows a FormError: any other error escapes. Undefined when it was refused. */
export async function unlessRefused<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FormError) return undefined
    throw error
  }
}
