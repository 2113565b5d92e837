import {Failure, type FailureJson, failureJson} from '../../failure.js'
import {failureText} from '../../view/tool/failure.js'
import type {Session} from '../session/session.js'

/** A failure as part of a result on stdout, masked: a service may repeat the token that it was sent. */
export function errorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, failure: Failure): FailureJson {
  return maskErrorJson({secrets, advise}, failureJson(failure))
}

export function maskErrorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, error: FailureJson): FailureJson {
  const masked = (text: string | null) => (text === null ? null : secrets.mask(text))
  return {
    ...error,
    message: secrets.mask(error.message),
    why: masked(error.why),
    service_message: masked(error.service_message),
    try: masked(error.try && advise(error.try)),
    body: masked(error.body),
  }
}

/** The failure of one part of a command, for `note`. Without `reasons` only its message. */
export function failureWarning(
  {style, advise}: Pick<Session, 'style' | 'advise'>,
  {facts}: Failure,
  {reasons = true}: {readonly reasons?: boolean} = {},
): string {
  const {why, try: advice} = facts
  const said = reasons
    ? {why, try: advice && advise(advice)}
    : {why: undefined, serviceMessage: undefined, try: undefined}
  return failureText(new Failure({...facts, ...said}), style).trimEnd()
}
