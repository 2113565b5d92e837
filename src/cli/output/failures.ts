import {Failure, type FailureJson, failureJson, failureKey} from '../../failure.js'
import type {FileItem, Outcome} from '../../selection/run.js'
import {failureText} from '../../view/system/failure.js'
import {maskFailure} from '../errors/advice.js'
import type {Session} from '../session/session.js'

/** A failure as part of a result on stdout, masked: a service may repeat the token that it was sent. */
export function errorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, failure: Failure): FailureJson {
  return maskErrorJson({secrets, advise}, failureJson(failure))
}

/** The outcome of one target of a run as its results have it. */
export function runItem(session: Pick<Session, 'secrets' | 'advise'>, outcome: Outcome<unknown>): FileItem {
  if (outcome.outcome === 'failed') return {outcome: 'failed', error: errorJson(session, outcome.failure)}
  const {reason} = outcome
  const {proven_by: proof = undefined, percent = undefined} = outcome.outcome === 'done' ? {} : outcome
  return {
    outcome: outcome.outcome,
    ...(reason !== undefined && {reason}),
    ...(proof && {proven_by: proof}),
    ...(percent !== undefined && {percent}),
  }
}

export function maskErrorJson({secrets, advise}: Pick<Session, 'secrets' | 'advise'>, error: FailureJson): FailureJson {
  return failureJson(maskFailure(error[failureKey], (text) => secrets.mask(text), advise))
}

/** The failure of one part of a command that has no row of its own. */
export function failureWarning({style, advise}: Pick<Session, 'style' | 'advise'>, {facts}: Failure): string {
  return failureText(new Failure({...facts, try: facts.try && advise(facts.try)}), style).trimEnd()
}
