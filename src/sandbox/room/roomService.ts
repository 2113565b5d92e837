import type {Input, Operation} from '../../api/contract/operation.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import {envelopeAnswer} from '../wire/answer.js'
import {checkReply} from '../wire/contractCheck.js'
import type {SandboxService, ServiceOptions} from '../wire/parts.js'
import {readJson, readQuery, readShape, readText} from '../wire/reading.js'
import {Refusal, refuse, statusOfCode} from '../wire/refusal.js'
import type {Choices} from '../world/options.js'
import type {World} from '../world/world.js'
import {appConfigHandlers} from './appConfig.js'
import {attendeeHandlers} from './attendee.js'
import type {Handler, Handlers, RoomOperationId, Scene} from './handler.js'
import {recordHandlers} from './record.js'
import {roomHandlers} from './room.js'
import {findTarget, type RoomOperation} from './routing.js'

const handlers: Handlers<RoomOperationId> = {
  ...roomHandlers,
  ...attendeeHandlers,
  ...recordHandlers,
  ...appConfigHandlers,
}

/** A request that found its operation, with its body read. */
interface Call {
  readonly operation: RoomOperation
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly body: string
}

/** room, Authentication rule 1: missing or malformed, and here also another token than the application's, is CE200. */
function authorise(world: World, authorization: string | undefined): void {
  const [, token] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
  if (token === undefined) refuse('CE200', 'the Authorization header must be: Bearer <APPLICATION_TOKEN>')
  if (token !== world.applicationToken)
    refuse('CE200', 'the application token in the Authorization header is not known')
}

/** Reads the request by its shapes and carries it out in the world. Returns `data`; throws a Refusal. */
function carryOut({operation, path, query, authorization, body}: Call, scene: Scene): unknown {
  authorise(scene.world, authorization)
  const bodyShape = operation.body ?? operation.query
  const input = {
    path: readShape(operation.path, path, 'path'),
    query: readShape(operation.query, readQuery(operation.query, query), 'query'),
    body: readShape(bodyShape, readJson(body), 'body'),
  }
  // The id picks handler and shapes of one and the same operation, which the compiler cannot follow through a table.
  const handler = handlers[operation.id] as Handler<Operation>
  return checkReply(operation, handler(input as Input<Operation>, scene))
}

/** A refusal as it leaves; anything else is no answer of the service and goes on. */
function refusedAnswer(error: unknown, {failStatus}: Choices, now: Date): WireResponse {
  if (!(error instanceof Refusal)) throw error
  const {code, message} = error
  const status = failStatus === '200' ? 200 : statusOfCode[code]
  return envelopeAnswer(status, {status: 'FAIL', message, error_code: code}, now)
}

/** The router's own refusals: 404 for a path that no operation has, 405 for another method. */
function astrayAnswer({method, url}: WireRequest, allowed: readonly string[], now: Date): WireResponse {
  if (allowed.length === 0) {
    return envelopeAnswer(404, {status: 'FAIL', message: `no operation has the path ${url.pathname}`}, now)
  }
  const allow = allowed.join(', ')
  const message = `${method} is not allowed on ${url.pathname}; allowed: ${allow}`
  return envelopeAnswer(405, {status: 'FAIL', message}, now, {allow})
}

/** The room service (room, all of it): envelopes, with the codes of the document. */
export function roomService({store, now, random}: ServiceOptions): SandboxService {
  async function succeed(operation: RoomOperation, path: Readonly<Record<string, string>>, request: WireRequest) {
    const body = await readText(request.body)
    const authorization = headerOf(request.headers, 'authorization')
    const call = {operation, path, query: request.url.searchParams, authorization, body}
    const work = (world: World) => carryOut(call, {world, now: now(), random})
    const data = operation.effect === 'read' ? await store.read(work) : await store.change(work)
    const created = operation.effect === 'create'
    return envelopeAnswer(created ? 201 : 200, {status: 'SUCCESS', ...(data === undefined ? {} : {data})}, now())
  }

  return {
    fail: (code, {choices}) => refusedAnswer(new Refusal(code, 'the sandbox was asked to fail'), choices, now()),
    async answer(request, {choices}) {
      const target = findTarget(request.method, request.url.pathname)
      if (!('operation' in target)) return astrayAnswer(request, target.allowed, now())
      const {operation, path} = target
      return succeed(operation, path, request).catch((error: unknown) => refusedAnswer(error, choices, now()))
    },
  }
}
