import type {Service} from '../../api/contract/operation.js'
import {Deadline, unlessStopped} from '../../api/http/wire/stopSignal.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {toSet} from '../../cli/prompts/confirm.js'
import {onceApi} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith} from '../../failure.js'
import {type Diagnosis, fail, hint, ok, warn} from '../../view/system/doctor.js'
import {readWithToken} from '../config/tokenRead.js'

/** Checks a service by its own read, and its clock by the answer. Throws Failure (interrupted). */
export async function checkService(session: Session, service: Service, container?: string): Promise<Diagnosis[]> {
  const {resolved} = session
  const key = `${service}.url` as const
  if (!resolved.isSandbox && resolved.values[key] === undefined) {
    return [hint(`${service} answer`, 'not checked: no address is set', 'roomctl config init')]
  }
  const check = `${service} answer`
  const {runtime} = session
  const {timeout: ms} = resolved.values
  const {api, head} = recordingApi(session)
  // The call has its own timeout, but a keyring or token command may wait for input.
  const deadline = new Deadline({timeoutMs: ms + 500, signal: runtime.signal})
  const unlock = 'unlock the keyring, or run the token command by hand: it must not prompt'
  const stopped = () =>
    runtime.signal.aborted
      ? failureWith('interrupted', 'interrupted')
      : failureWith('configuration', `its token was not available within ${ms / 1000} s`, {try: unlock})
  const reading = readWithToken(api, service, resolved.values, container)
  const read = await unlessStopped(reading, deadline, stopped)
    .catch(toFailure)
    .finally(() => deadline.clear())
  const answer = head()
  const clock = answer && !resolved.isSandbox ? checkClock(`${service} clock`, answer.headers, answer.at) : []
  if (read instanceof Failure) return [failedRead(check, read), ...clock]
  const {state, words: text} = read
  const advice = service === 'push' ? toSet(session, 'applicationId') : 'name a container as an argument'
  const diagnosis =
    state === 'unchecked' ? hint(check, `not checked: ${text}`, advice) : ok(check, `token accepted; ${text}`)
  return [diagnosis, ...clock]
}

/** The Failure of a command as a finding. Throws it if it is not about the service. */
function failedRead(check: string, failure: Failure): Diagnosis {
  const {exit, message, why, try: advice, httpStatus, code} = failure.facts
  if (exit === 'interrupted' || exit === 'bug') throw failure
  const details = {code: code ?? null, http_status: httpStatus ?? null}
  return fail(check, why === undefined ? message : `${message} (${why})`, advice ?? 'roomctl config list', details)
}

/** The session's client without retries; records the headers of the response. */
function recordingApi(session: Session) {
  const {now} = session.runtime
  let head: {readonly headers: Readonly<Record<string, string>>; readonly at: Date} | undefined
  const api = onceApi(session, (access) => ({
    ...access,
    transport: async (request) => {
      const sent = now().getTime()
      const answer = await access.transport(request)
      // Half-way between request and response.
      head = {headers: answer.headers, at: new Date((sent + now().getTime()) / 2)}
      return answer
    },
  }))
  return {api, head: () => head}
}

/** In milliseconds: the Date header has whole seconds, and responses take time. */
const clockTolerance = 90_000

/** Compares this machine's clock with a Date header received at `at`; not of a cached response (Age). */
export function checkClock(check: string, headers: Readonly<Record<string, string>>, at: Date): Diagnosis[] {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs) || Number(headers.age ?? 0) > 0) return []
  const ahead = at.getTime() - theirs
  const details = {ahead_seconds: Math.round(ahead / 1000), service_time: new Date(theirs).toISOString()}
  if (Math.abs(ahead) <= clockTolerance) return [ok(check, "this machine's clock matches the service's", details)]
  const what = `this machine's clock is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  const advice = 'sync it with network time (timedatectl set-ntp true): scheduled pushes and certificates depend on it'
  return [warn(check, what, advice, details)]
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
