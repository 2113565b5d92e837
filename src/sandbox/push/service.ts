import {type Input, type Operation, type Parameter, parametersOf} from '../../api/contract/operation.js'
import {routeParameters} from '../../api/http/route/route.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {
  checkShape,
  type FoundOperation,
  findOperation,
  readBodyBytes,
  readJson,
  readText,
  routedOperations,
} from '../wire/request.js'
import {
  plainService,
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

type Entries = readonly (readonly [name: string, value: unknown])[]

/** The values in each part of a request with their names. A value that was read is removed. */
interface Places {
  path: Entries
  query: Entries
  readonly header: WireRequest['headers']
  body: Entries
  form: Entries
}

/** Puts parameters back to where the document has them, wherever the route sends them. Refuses with CE001. */
async function readParameters({operation, route, path}: FoundOperation<PushOperation>, request: WireRequest) {
  const parameters = parametersOf(operation)
  const inPath = routeParameters(route.path)
  const placeOf = ({name, place}: Parameter): keyof Places => {
    if (inPath.includes(name)) return 'path'
    if (place === 'file') return 'form'
    return route.send?.[name] ?? (place === 'body' ? 'body' : 'query')
  }
  const hasForm = parameters.some((parameter) => placeOf(parameter) === 'form')
  const places: Places = {
    path: Object.entries(path),
    query: [...request.url.searchParams],
    header: request.headers,
    body: hasForm ? [] : await jsonMembers(request),
    form: hasForm ? await formFields(request) : [],
  }

  const given = {query: new Map<string, unknown>(), body: new Map<string, unknown>(), file: new Map<string, unknown>()}
  for (const parameter of parameters) {
    const place = placeOf(parameter)
    const wireName = place === 'path' ? parameter.name : (route.rename?.[parameter.name] ?? parameter.name)
    const values = takeValues(places, place, wireName)
    if (values.length === 0) continue
    const home = given[parameter.place === 'path' ? 'query' : parameter.place]
    home.set(parameter.name, place === 'body' ? values[0] : textValue(parameter, wireName, values))
  }
  refuseUnknownNames(places)
  return {
    query: Object.fromEntries(given.query),
    body: Object.fromEntries(given.body),
    files: Object.fromEntries(given.file),
  }
}

async function jsonMembers({body}: WireRequest): Promise<[string, unknown][]> {
  const value = readJson(await readText(body))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  return refuse('CE001', 'body: expected a JSON object')
}

async function formFields({headers, body}: WireRequest): Promise<[string, unknown][]> {
  const type = headerOf(headers, 'content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return readMultipart(type, await readBodyBytes(body))
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return [...new URLSearchParams(await readText(body))]
  return refuse('CE001', 'Content-Type: expected multipart/form-data or application/x-www-form-urlencoded')
}

function takeValues(places: Places, place: keyof Places, name: string): unknown[] {
  if (place === 'header') {
    const value = headerOf(places.header, name.toLowerCase())
    return value === undefined ? [] : [value]
  }
  const values = places[place].flatMap(([one, value]) => (one === name ? [value] : []))
  places[place] = places[place].filter(([one]) => one !== name)
  return values
}

/** In text, a list is a text for each of its members, and an object is JSON. */
function textValue({isScalar, place}: Parameter, name: string, values: readonly unknown[]): unknown {
  const [first] = values
  if (!isScalar && place !== 'file')
    return typeof first === 'string' && first.startsWith('{') ? readJson(first) : values
  return values.length === 1 ? first : refuse('CE001', `${name}: given more than once`)
}

function refuseUnknownNames({query, body, form}: Places): void {
  const unknown = new Set([
    ...query.map(([name]) => `unknown query field: ${name}`),
    ...[...body, ...form].map(([name]) => `unknown body field: ${name}`),
  ])
  if (unknown.size > 0) refuse('CE001', [...unknown].join('; '))
}

/** What a request with a file may hold; limits are not shown by the document. */
const most = {fileBytes: 1024 * 1024, fields: 10, fieldLength: 8192}

type Field = [name: string, value: string | Uint8Array]

/** The fields of a multipart/form-data body, a file as its bytes. Refuses with CE001 what is broken or too much. */
async function readMultipart(contentType: string, body: Uint8Array): Promise<Field[]> {
  const unreadable = (why: string) => refuse('CE001', `body: cannot be read as multipart/form-data (${why})`)
  const read = new Response(body, {headers: {'content-type': contentType}}).formData()
  const form = await read.catch((error: Error) => unreadable(error.message))
  const files = [...form.values()].filter((value) => typeof value !== 'string')
  const texts = [...form.values()].filter((value) => typeof value === 'string')
  if (files.length > 1) unreadable('more than one file')
  if (files.some(({size}) => size > most.fileBytes)) unreadable(`more than ${most.fileBytes} bytes in a file`)
  if (texts.length > most.fields) unreadable(`more than ${most.fields} fields`)
  if (texts.some(({length}) => length > most.fieldLength)) unreadable(`more than ${most.fieldLength} bytes in a field`)
  return Promise.all(
    [...form].map(async ([name, value]): Promise<Field> => {
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
  const given = await readParameters(target, request).catch((error: unknown) => {
    // The functions that read bodies are shared with the room service and refuse with its code.
    throw error instanceof SandboxRefusal ? new SandboxRefusal(error.message, malformed) : error
  })
  const read = {
    query: checkShape(operation.query, given.query, 'query'),
    ...(operation.body ? {body: checkShape(operation.body, given.body, 'body')} : {}),
    ...(operation.files ? {files: checkShape(operation.files, given.files, 'body')} : {}),
  }
  const problems = Object.values(read).flatMap((part) => part.problems)
  if (problems.length > 0) {
    const status = problems.some(({isMalformed}) => isMalformed) ? malformed : unacceptable
    refusePlain(status, problems.map(({message}) => message).join('; '))
  }
  // The values were checked against the shapes whose input this is.
  return Object.fromEntries(Object.entries(read).map(([name, {values}]) => [name, values])) as Input<Operation>
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
  return plainService(now, async (request, world) => {
    const found = findOperation(request, pushPrefix, routedOperations(pushOperations, world.choices.routes))
    authorizePushCall(world, request)
    await sendDue(store, now())
    const input = await readRequestInput(found, request)
    // The id picks handler and shapes of the same operation, which the compiler cannot follow through a table.
    const handler = handlers[found.operation.id] as PushHandler<Operation>
    return handler({input, options, world: await store.read((current) => current)})
  })
}
