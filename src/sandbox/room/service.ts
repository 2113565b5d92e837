import type {Input, Operation} from '../../api/contract/operation.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {
  bearerToken,
  type FoundOperation,
  findOperation,
  parseShape,
  readJson,
  readQuery,
  readText,
} from '../wire/request.js'
import {
  assertContract,
  jsonResponse,
  openService,
  refuse,
  type SandboxService,
  type ServiceOptions,
} from '../wire/service.js'
import type {World} from '../world/world.js'
import {attendeeHandlers} from './attendees.js'
import {
  type Handler,
  type HandlerContext,
  type Handlers,
  mediaPrefix,
  type RoomOperation,
  type RoomOperationId,
  servedRoomOperations,
} from './operations.js'
import {recordHandlers} from './recordings.js'
import {appConfigHandlers, roomHandlers} from './rooms.js'

const handlers: Handlers<RoomOperationId> = {
  ...roomHandlers,
  ...attendeeHandlers,
  ...recordHandlers,
  ...appConfigHandlers,
}

/** room, Authentication rule 1; another token than the application's is CE200, too. */
function authorizeRoomCall(world: World, request: WireRequest): void {
  const token = bearerToken(request)
  if (token === undefined) refuse('CE200', 'the Authorization header must be: Bearer <APPLICATION_TOKEN>')
  if (token !== world.applicationToken)
    refuse('CE200', 'the application token in the Authorization header is not known')
}

/** Reads the request by its shapes and carries it out. Returns `data`; throws a SandboxRefusal. */
function execute(
  {operation, path}: FoundOperation<RoomOperation>,
  query: URLSearchParams,
  text: string,
  context: HandlerContext,
): unknown {
  const body = readJson(text)
  const input = {
    path: parseShape(operation.path, path, 'path'),
    query: parseShape(operation.query, readQuery(operation.query, query), 'query'),
    body: parseShape(operation.body ?? operation.query, body, 'body'),
  }
  // The id picks handler and shapes of the same operation, which the compiler cannot follow through a table.
  const handler = handlers[operation.id] as Handler<Operation>
  return assertContract(operation, handler(input as Input<Operation>, context))
}

export function roomService({store, now, random}: ServiceOptions): SandboxService {
  return openService(
    now,
    async (request, current) => {
      const match = findOperation(request, mediaPrefix, servedRoomOperations)
      const body = await readText(request.body)
      authorizeRoomCall(current, request)
      const work = (world: World) => execute(match, request.url.searchParams, body, {world, now: now(), random})
      const {effect} = match.operation
      const data = effect === 'read' ? await store.read(work) : await store.change(work)
      return jsonResponse(effect === 'create' ? 201 : 200, {status: 'SUCCESS', data}, now())
    },
    ({message, code}) => ({status: 'FAIL', message, ...(code && {error_code: code})}),
  )
}
