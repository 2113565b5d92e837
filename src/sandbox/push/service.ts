import {type Input, type Operation, parametersOf} from '../../api/contract/operation.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {checkShape, type FoundOperation, findOperation, readBodyBytes, readJson, readText} from '../wire/request.js'
import {
  openService,
  refuse,
  refusePlain,
  SandboxRefusal,
  type SandboxService,
  type ServiceOptions,
} from '../wire/service.js'
import type {World} from '../world/world.js'
import {configurationHandlers} from './configurations.js'
import {messageHandlers} from './messages.js'
import {notificationHandlers, sendDue} from './notifications.js'
import {
  type PushHandler,
  type PushHandlers,
  type PushOperation,
  type PushOperationId,
  pushOperations,
  pushPrefix,
} from './operations.js'

/** The query and the body, with the values of the path at their documented places. Refuses with CE001. */
async function readParts({operation, path}: FoundOperation<PushOperation>, request: WireRequest) {
  const isOfBody = ([name]: Entry) =>
    parametersOf(operation).some((parameter) => parameter.name === name && parameter.place === 'body')
  const ofPath = Object.entries(path)
  const fields = operation.files ? await formFields(request) : await jsonMembers(request)
  return {
    query: single([...request.url.searchParams, ...ofPath.filter((entry) => !isOfBody(entry))]),
    body: single([...fields, ...ofPath.filter(isOfBody)]),
  }
}

type Entry = readonly [name: string, value: unknown]

function single(entries: readonly Entry[]): Record<string, unknown> {
  const names = entries.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? Object.fromEntries(entries) : refuse('CE001', `${twice}: given more than once`)
}

async function jsonMembers({body}: WireRequest): Promise<Entry[]> {
  const value = readJson(await readText(body))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  return refuse('CE001', 'body: expected a JSON object')
}

async function formFields({headers, body}: WireRequest): Promise<Entry[]> {
  const type = headerOf(headers, 'content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return readMultipart(type, await readBodyBytes(body))
  return refuse('CE001', 'Content-Type: expected multipart/form-data')
}

/** The fields of a multipart/form-data body, a file as its bytes. Refuses a broken one with CE001. */
async function readMultipart(contentType: string, body: Uint8Array): Promise<Entry[]> {
  const read = new Response(body, {headers: {'content-type': contentType}}).formData()
  const form = await read.catch((error: Error) => {
    return refuse('CE001', `body: cannot be read as multipart/form-data (${error.message})`)
  })
  return Promise.all(
    [...form].map(async ([name, value]): Promise<Entry> => {
      return [name, typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())]
    }),
  )
}

/** The statuses of an unreadable request and of unacceptable values (push, Endpoints); operations 8 and 9 document none. */
const refusals: Readonly<Partial<Record<PushOperationId, readonly [malformed: number, unacceptable: number]>>> = {
  'push.register': [400, 422],
  'push.send': [400, 422],
  'push.modify': [422, 422],
  'push.broadcast': [400, 422],
  'push.cancel': [422, 422],
}

/** Reads a request by its route and checks it against the operation's shapes. Refuses with what the operation documents. */
export async function readRequestInput(
  target: FoundOperation<PushOperation>,
  request: WireRequest,
): Promise<Input<Operation>> {
  const {operation} = target
  const [malformed, unacceptable] = refusals[operation.id] ?? [400, 400]
  const parts = await readParts(target, request).catch((error: unknown) => {
    // The functions that read bodies are shared with the room service and refuse with its code.
    throw error instanceof SandboxRefusal ? new SandboxRefusal(error.message, malformed) : error
  })
  const query = checkShape(operation.query, parts.query, 'query')
  // Neither a path nor an operation without a body has members.
  const body = checkShape(operation.files ?? operation.body ?? operation.path, parts.body, 'body')
  const problems = [...query.problems, ...body.problems]
  if (problems.length > 0) {
    const status = problems.some(({isMalformed}) => isMalformed) ? malformed : unacceptable
    refusePlain(status, problems.map(({message}) => message).join('; '))
  }
  // The values were checked against the shapes of this input.
  return {query: query.values, [operation.files ? 'files' : 'body']: body.values} as Input<Operation>
}

const handlers: PushHandlers<PushOperationId> = {
  ...messageHandlers,
  ...notificationHandlers,
  ...configurationHandlers,
}

/** push, Authentication: the scheme is not shown, so any word before the token, or none, is accepted. */
function authorizePushCall({applicationToken}: World, {headers}: WireRequest): void {
  const [, token] = /^(?:[\w-]+ +)?(\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
  if (token === applicationToken) return
  const problem = token === undefined ? 'must hold the token' : 'holds a token that is not known'
  refusePlain(401, `the Authorization header ${problem}`, {'www-authenticate': 'Bearer'})
}

export function pushService(options: ServiceOptions): SandboxService {
  const {now, store} = options
  return openService(now, async (request, world) => {
    const match = findOperation(request, pushPrefix, pushOperations)
    authorizePushCall(world, request)
    await sendDue(store, now())
    const input = await readRequestInput(match, request)
    // The id picks handler and shapes of the same operation, which the compiler cannot follow through a table.
    const handler = handlers[match.operation.id] as PushHandler<Operation>
    return handler({input, options, world: await store.read((current) => current)})
  })
}
