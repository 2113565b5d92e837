import type {Advice} from '../../advice.js'
import type {Service} from '../../api/contract/operation.js'
import {Deadline, unlessStopped} from '../../api/http/wire/stopSignal.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {toSet} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith} from '../../failure.js'
import {type Diagnosis, fail, hint, ok} from '../../view/system/doctor.js'
import {readWithToken} from '../config/tokenRead.js'

/** Checks a service by its own read. Throws Failure (interrupted). */
export async function checkService(session: Session, service: Service, container?: string): Promise<Diagnosis<Advice>> {
  const {resolved} = session
  const key = `${service}.url` as const
  const check = `${service} answer`
  if (!resolved.isSandbox && resolved.values[key] === undefined) {
    return hint(check, 'not checked: no address is set', {command: ['config init']})
  }
  const {runtime} = session
  const {timeout: ms} = resolved.values
  // The call has its own timeout, but a keyring or token command may wait for input.
  const deadline = new Deadline({timeoutMs: ms + 500, signal: runtime.signal})
  const unlock = 'unlock the keyring, or run the token command by hand: it must not prompt'
  const stopped = () =>
    runtime.signal.aborted
      ? failureWith('interrupted', 'interrupted')
      : failureWith('configuration', `its token was not available within ${ms / 1000} s`, {try: unlock})
  const reading = readWithToken(session.api, service, resolved.values, container)
  const read = await unlessStopped(reading, deadline.signal, stopped)
    .catch(toFailure)
    .finally(() => deadline.clear())
  if (read instanceof Failure) return failedRead(check, read)
  const {state, words: text} = read
  const advice = service === 'push' ? toSet(session, 'applicationId') : 'name a container as an argument'
  return state === 'unchecked' ? hint(check, `not checked: ${text}`, advice) : ok(check, `token accepted; ${text}`)
}

/** The Failure of a command as a finding. Throws it if it is not about the service. */
function failedRead(check: string, failure: Failure): Diagnosis<Advice> {
  const {exit, message, why, try: advice, httpStatus, code} = failure.facts
  if (exit === 'interrupted' || exit === 'bug') throw failure
  const details = {code: code ?? null, http_status: httpStatus ?? null}
  return fail(check, why === undefined ? message : `${message} (${why})`, advice ?? {command: ['config list']}, details)
}
