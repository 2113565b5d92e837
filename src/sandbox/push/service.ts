import type {Operation} from '../../api/contract/operation.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {SandboxService, ServiceOptions} from '../wire/parts.js'
import {jsonAnswer, PlainRefusal, refusedAnswer, refusePlain} from '../wire/plain.js'
import {Refusal, statusOfCode} from '../wire/refusal.js'
import type {World} from '../world/world.js'
import {malformedStatus, type PushHandler, type PushHandlers, readInput} from './call.js'
import {configurationHandlers} from './configurations.js'
import {sendDue} from './dispatch.js'
import {messageHandlers} from './messages.js'
import {notificationHandlers} from './notifications.js'
import {gather} from './parameters.js'
import {findPushTarget, type PushFound, type PushOperation, type PushOperationId} from './routing.js'

const handlers: PushHandlers<PushOperationId> = {
  ...messageHandlers,
  ...notificationHandlers,
  ...configurationHandlers,
}

/** push, Authentication: the scheme is not shown, so whatever word stands before the token, or none, is fine. */
function authorise({applicationToken}: World, {headers}: WireRequest): void {
  const [, token] = /^(?:[\w-]+ +)?(\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
  if (token === applicationToken) return
  const problem = token === undefined ? 'must hold the token' : 'holds a token that is not known'
  refusePlain(401, `the Authorization header ${problem}`, {'www-authenticate': 'Bearer'})
}

/** The router's own refusals: 404 for a path that no operation has, 405 for another method. */
function astrayAnswer({method, url: {pathname}}: WireRequest, allowed: readonly string[], now: Date): WireResponse {
  if (allowed.length === 0) return jsonAnswer(404, {message: `no operation has the path ${pathname}`}, now)
  const allow = [...new Set(allowed)].join(', ')
  return jsonAnswer(405, {message: `${method} is not allowed on ${pathname}; allowed: ${allow}`}, now, {allow})
}

/** A refusal as it leaves; anything else is no answer of the service and goes on. */
function explained(error: unknown, operation: PushOperation, now: Date): WireResponse {
  if (error instanceof PlainRefusal) return refusedAnswer(error, now)
  // What reads bodies is shared with the room service, and refuses with its code for a request that it cannot read.
  if (error instanceof Refusal) return jsonAnswer(malformedStatus(operation), {message: error.message}, now)
  throw error
}

/** The push service (push, all of it). The HTTP status says how it went; there is no envelope. */
export function pushService(options: ServiceOptions): SandboxService {
  const {now, store} = options

  async function carryOut({operation, route, path}: PushFound, request: WireRequest, known: World) {
    authorise(known, request)
    await sendDue(store, now())
    const input = readInput(operation, await gather(operation, route, path, request))
    // The id picks handler and shapes of one and the same operation, which the compiler cannot follow through a table.
    const handler = handlers[operation.id] as PushHandler<Operation>
    return handler({input, options, world: await store.read((world) => world)})
  }

  return {
    async answer(request, world) {
      const target = findPushTarget(request.method, request.url.pathname, world.choices.routes)
      if (!('operation' in target)) return astrayAnswer(request, target.allowed, now())
      return carryOut(target, request, world).catch((error: unknown) => explained(error, target.operation, now()))
    },
    fail: (code) => jsonAnswer(statusOfCode[code], {message: 'the sandbox was asked to fail'}, now()),
  }
}
