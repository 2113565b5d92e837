import type {Operation} from '../../api/contract/operation.js'
import {type Parameter, parametersOf} from '../../api/contract/parameters.js'
import {type Route, routeParameters} from '../../api/http/route/route.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {readBytes, readJson, readText} from '../wire/reading.js'
import {refuse} from '../wire/refusal.js'
import {readMultipart} from './multipart.js'

/** What a request says, where the document has it. */
export interface Given {
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, unknown>>
}

/** What stands in each place of a request, by the names that stand there. A name that was read is taken out. */
interface Places {
  readonly path: Map<string, unknown[]>
  readonly query: Map<string, unknown[]>
  readonly header: WireRequest['headers']
  readonly body: Map<string, unknown[]>
  readonly form: Map<string, unknown[]>
}

/**
 * Puts the parameters of a request back to where the document has them, wherever the route has moved them and whatever it
 * calls them there. Refuses with CE001 a body that cannot be read, a text that is given twice, and what no parameter is.
 */
export async function gather(
  operation: Operation,
  route: Route,
  path: Readonly<Record<string, string>>,
  request: WireRequest,
): Promise<Given> {
  const parameters = parametersOf(operation)
  const inPath = routeParameters(route.path)
  const placeOf = ({name, place}: Parameter): keyof Places => {
    if (inPath.includes(name)) return 'path'
    if (place === 'file') return 'form'
    return route.send?.[name] ?? (place === 'body' ? 'body' : 'query')
  }
  const hasForm = parameters.some((parameter) => placeOf(parameter) === 'form')
  const places: Places = {
    path: listed(Object.entries(path)),
    query: listed([...request.url.searchParams]),
    header: request.headers,
    body: hasForm ? new Map() : listed(await jsonMembers(request)),
    form: hasForm ? listed(await formFields(request)) : new Map(),
  }

  const given = {query: new Map<string, unknown>(), body: new Map<string, unknown>(), file: new Map<string, unknown>()}
  for (const parameter of parameters) {
    const place = placeOf(parameter)
    const wireName = place === 'path' ? parameter.name : (route.rename?.[parameter.name] ?? parameter.name)
    const values = take(places, place, wireName)
    if (values.length === 0) continue
    const home = given[parameter.place === 'path' ? 'query' : parameter.place]
    home.set(parameter.name, place === 'body' ? values[0] : textValue(parameter, wireName, values))
  }
  refuseStrangers(places)
  return {
    query: Object.fromEntries(given.query),
    body: Object.fromEntries(given.body),
    files: Object.fromEntries(given.file),
  }
}

function listed(entries: readonly (readonly [string, unknown])[]): Map<string, unknown[]> {
  const lists = new Map<string, unknown[]>()
  for (const [name, value] of entries) {
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  return lists
}

async function jsonMembers({body}: WireRequest): Promise<[string, unknown][]> {
  const value = readJson(await readText(body))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  return refuse('CE001', 'body: expected a JSON object')
}

async function formFields({headers, body}: WireRequest): Promise<[string, unknown][]> {
  const type = headerOf(headers, 'content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return readMultipart(type, await readBytes(body))
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return [...new URLSearchParams(await readText(body))]
  return refuse('CE001', 'Content-Type: expected multipart/form-data or application/x-www-form-urlencoded')
}

function take(places: Places, place: keyof Places, name: string): unknown[] {
  if (place === 'header') {
    const value = headerOf(places.header, name.toLowerCase())
    return value === undefined ? [] : [value]
  }
  const values = places[place].get(name) ?? []
  places[place].delete(name)
  return values
}

/** A value that was written as text: a list as a text for each of its members, an object as JSON. */
function textValue({isScalar, place}: Parameter, name: string, values: readonly unknown[]): unknown {
  const [first] = values
  if (!isScalar && place !== 'file')
    return typeof first === 'string' && first.startsWith('{') ? readJson(first) : values
  return values.length === 1 ? first : refuse('CE001', `${name}: given more than once`)
}

function refuseStrangers({query, body, form}: Places): void {
  const strangers = [
    ...[...query.keys()].map((name) => `unknown query field: ${name}`),
    ...[...body.keys(), ...form.keys()].map((name) => `unknown body field: ${name}`),
  ]
  if (strangers.length > 0) refuse('CE001', strangers.join('; '))
}
