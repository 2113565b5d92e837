import type {Operation} from '../../api/contract/operation.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {findOperation, routedOperations} from '../wire/request.js'
import {plainService, refusePlain, type SandboxService, type ServiceOptions} from '../wire/service.js'
import type {World} from '../world/world.js'
import {configurationHandlers} from './configurations.js'
import {messageHandlers} from './messages.js'
import {notificationHandlers, sendDue} from './notifications.js'
import {type PushHandler, type PushHandlers, type PushOperationId, pushOperations, pushPrefix} from './operations.js'
import {readRequestInput} from './requests.js'

const handlers: PushHandlers<PushOperationId> = {
  ...messageHandlers,
  ...notificationHandlers,
  ...configurationHandlers,
}

/** push, Authentication: the scheme is not shown, so whatever word stands before the token, or none, is fine. */
function authorizePushCall({applicationToken}: World, {headers}: WireRequest): void {
  const [, token] = /^(?:[\w-]+ +)?(\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
  if (token === applicationToken) return
  const problem = token === undefined ? 'must hold the token' : 'holds a token that is not known'
  refusePlain(401, `the Authorization header ${problem}`, {'www-authenticate': 'Bearer'})
}

/** The push service (push, all of it). */
export function pushService(options: ServiceOptions): SandboxService {
  const {now, store} = options
  return plainService(now, async (request, world) => {
    const found = findOperation(request, pushPrefix, routedOperations(pushOperations, world.choices.routes))
    authorizePushCall(world, request)
    await sendDue(store, now())
    const input = await readRequestInput(found, request)
    // The id picks handler and shapes of one and the same operation, which the compiler cannot follow through a table.
    const handler = handlers[found.operation.id] as PushHandler<Operation>
    return handler({input, options, world: await store.read((current) => current)})
  })
}
