import {toFailure} from '../errors/errorHandler.js'

/** The check of a question, from a function that throws for a wrong answer. */
export function passes(check: (text: string) => unknown): (text: string) => true | string {
  return (text) => {
    try {
      check(text)
      return true
    } catch (error) {
      return reasonAgainst(error)
    }
  }
}

/** The sentence that says why an answer will not do. @throws a bug of roomctl itself */
export function reasonAgainst(error: unknown): string {
  const {exit, message, why} = toFailure(error).facts
  if (exit === 'bug') throw error
  return why === undefined ? message : `${message}: ${why}`
}
