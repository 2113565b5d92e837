import {type Failure, type FailureJson, failureJson} from '../../api/contract/failure.js'
import type {Session} from '../session/session.js'

/**
 * A failure as a row of a result tells it, on stdout: the words of a service are in it, and may repeat the token that the service
 * was sent.
 */
export function errorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, failure: Failure): FailureJson {
  return maskErrorJson({secrets, advise}, failureJson(failure))
}

/** The same for one that is in that form already. */
export function maskErrorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, error: FailureJson): FailureJson {
  const {message, why, try: advice} = error
  return {
    ...error,
    message: secrets.mask(message),
    why: why === null ? null : secrets.mask(why),
    try: advice === null ? null : secrets.mask(advise(advice)),
  }
}
