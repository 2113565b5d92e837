import {type Failure, type FailureJson, failureJson} from '../contract/failure.js'
import type {Session} from './session.js'

/**
 * A failure as a row of a result tells it, on stdout: the words of a service are in it, and may repeat the token that the service
 * was sent.
 */
export function errorJson({secrets}: Pick<Session, 'secrets'>, failure: Failure): FailureJson {
  return errorShown({secrets}, failureJson(failure))
}

/** The same for one that is in that form already. */
export function errorShown({secrets}: Pick<Session, 'secrets'>, error: FailureJson): FailureJson {
  const {message, why, try: advice} = error
  return {
    ...error,
    message: secrets.mask(message),
    why: why === null ? null : secrets.mask(why),
    try: advice === null ? null : secrets.mask(advice),
  }
}
