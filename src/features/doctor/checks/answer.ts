import {createApi} from '../../../api/client/api.js'
import {options} from '../../../api/contract/asset.js'
import type {Failure} from '../../../api/contract/failure.js'
import type {Service} from '../../../api/contract/operation.js'
import {show} from '../../../api/contract/push.js'
import type {PushConfiguration} from '../../../api/contract/pushShapes.js'
import {list} from '../../../api/contract/room.js'
import {toFailure} from '../../../cli/errors/errorHandler.js'
import {singleLimits} from '../../../cli/session/callLimits.js'
import type {Session} from '../../../cli/session/session.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, hint, ok} from './finding.js'

/** A container that is hardly there: its 404 shows as much as an answer would. */
const nowhere = 'roomctl-doctor'

/** What a service was asked and what came. */
export interface Asked {
  readonly found: Diagnosis
  /** The headers of the answer, and when it came; undefined where none did. */
  readonly answer: Heard | undefined
  readonly configuration?: PushConfiguration | null
}

interface Heard {
  readonly headers: Readonly<Record<string, string>>
  /** Half-way between question and answer. */
  readonly at: Date
}

/**
 * Asks a service by its smallest read, once: whether it answers and takes the credential (product §1). `container`: the one to
 * ask the asset service about. Raises a Failure (interrupted).
 */
export async function askService(session: Session, service: Service, container: string | undefined): Promise<Asked> {
  const check = `${service} answer`
  const {values} = session.resolved
  const {api, heard} = listening(session)
  try {
    if (service === 'room') {
      const rooms = await api.call(list, {query: values.bizId === undefined ? {} : {bizId: values.bizId}})
      return {found: accepted(check, `${rooms.length} rooms`), answer: heard()}
    }
    if (service === 'asset') {
      await api.call(options, {path: {container: container ?? nowhere}})
      return {found: accepted(check, 'it tells what a container allows'), answer: heard()}
    }
    const {applicationId} = values
    if (applicationId === undefined) {
      const advice = 'roomctl config set applicationId ID'
      return {
        found: hint(check, 'not asked: a push is about an application, and none is set', advice),
        answer: undefined,
      }
    }
    const configuration = await api.call(show, {query: {application_id: applicationId}})
    const words = configuration === null ? 'nothing is registered' : 'the configuration can be read'
    return {found: accepted(check, words), answer: heard(), configuration}
  } catch (error) {
    const failure = toFailure(error)
    if (failure.facts.exit === 'interrupted' || failure.facts.exit === 'bug') throw error
    const fromEnv = session.resolved.envToken(service) !== undefined
    return {found: refused(service, failure, {container, fromEnv}), answer: heard()}
  }
}

function accepted(check: string, words: string): Diagnosis {
  return ok(check, `it accepts the credential: ${words}`)
}

function refused(
  service: Service,
  {facts}: Failure,
  {container, fromEnv}: {readonly container: string | undefined; readonly fromEnv: boolean},
): Diagnosis {
  const check = `${service} answer`
  const {exit, message, why, httpStatus, code} = facts
  const details = {code: code ?? null, http_status: httpStatus ?? null}
  if (service === 'asset' && exit === 'missing' && httpStatus === 404 && container === undefined) {
    const what = 'it answers, and does not refuse the credential (404 for a container that is not there)'
    return hint(check, what, 'name one that is there: roomctl doctor --container CONTAINER', details)
  }
  if (exit === 'unauthenticated') {
    const variable = `ROOMCTL_${service.toUpperCase()}_TOKEN`
    const advice = fromEnv ? `set ${variable} to a new one` : `get a new one: roomctl config login ${service}`
    return fail(check, `it does not accept the token: ${message}`, advice, details)
  }
  if (exit === 'forbidden') {
    const what = `it accepts the token and does not allow this: ${message}`
    return fail(check, what, 'ask those who gave the token for the right', details)
  }
  return fail(check, why === undefined ? message : `${message} (${why})`, facts.try ?? 'roomctl config list', details)
}

/** The calls of the session, each sent once, with an ear for the headers of the answer. */
function listening(session: Session) {
  const {runtime, secrets, resolved} = session
  let heard: Heard | undefined
  const api = createApi({
    access: async (service) => {
      const access = await session.api.access(service)
      return {
        ...access,
        transport: async (request) => {
          const sent = runtime.now().getTime()
          const answer = await access.transport(request)
          heard = {headers: answer.headers, at: new Date((sent + runtime.now().getTime()) / 2)}
          return answer
        },
      }
    },
    ...singleLimits(runtime, 0),
    timeoutMs: resolved.values.timeout,
    now: runtime.now,
    conceal: (secret) => secrets.add(secret),
    nodeDebug: runtime.env.NODE_DEBUG,
  })
  return {api, heard: () => heard}
}
