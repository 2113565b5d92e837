import {configuration} from '../api/contract/appConfig.js'
import {isCode} from '../api/contract/codes.js'
import {documentedRoute, type Operation} from '../api/contract/operation.js'
import {operationById, operations} from '../api/contract/operations.js'
import {parseRoute, type Route} from '../api/http/route/route.js'
import {withFacts, wrongUsage} from '../failure.js'
import type {Choices, Configuration, FailRule} from './world/choices.js'

interface OptionTexts {
  readonly console?: readonly string[] | undefined
  readonly fail?: readonly string[] | undefined
  readonly route?: readonly string[] | undefined
}

/** Reads console options, failures on demand and routes. Throws Failure (usage). */
export function parseOptions({console, fail, route}: OptionTexts): Partial<Choices> {
  return {
    ...(console === undefined ? {} : {console: parseConsole(console)}),
    ...(fail === undefined ? {} : {fail: fail.map(parseFail)}),
    ...(route === undefined ? {} : {routes: parseRoutes(route)}),
  }
}

const failForm = 'an HTTP status from 400 to 599 or an error code such as CE100, then :PERCENT if not always'

/** Reads `503`, `503:10%`, `CE100` or `CE101:50%`. Throws Failure (usage). */
export function parseFail(text: string): FailRule {
  const [what = '', share = '100', ...rest] = text.split(':')
  const percent = /^\d{1,3}(\.\d+)?%?$/.test(share) ? Number.parseFloat(share) : Number.NaN
  const isShare = rest.length === 0 && percent <= 100
  if (isShare && /^[45]\d\d$/.test(what)) return {kind: 'status', status: Number(what), percent}
  if (isShare && isCode(what)) return {kind: 'code', code: what, percent}
  throw wrongUsage(`${JSON.stringify(text)} is not ${failForm}`)
}

function wordValue(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true'
  return /^\d+$/.test(word) ? Number(word) : word
}

/** Reads `max_attendee_count=10`, with or without the document's `config_` in front. Throws Failure (usage). */
export function parseConsole(words: readonly string[]): Configuration {
  const entries = words.map((word): [string, unknown] => {
    const [, name = '', value = ''] = /^(?:config_)?([^=]+)=(.*)$/.exec(word) ?? []
    return [`config_${name}`, wordValue(value)]
  })
  const read = configuration.safeParse(Object.fromEntries(entries))
  if (read.success) return read.data
  const names = Object.keys(configuration.shape).map((name) => name.slice('config_'.length))
  throw wrongUsage(`console options are NAME=VALUE with a name of: ${names.join(', ')}; got ${words.join(' ')}`)
}

/** Reads `push.cancel=DELETE /v2/requests`; the caller checks that it fits (cli/session/routeValidation.ts). Throws Failure (usage). */
export function parseRoutes(texts: readonly string[]): Readonly<Record<string, Route>> {
  const routes = Object.fromEntries(texts.map(parseOne))
  const ids = collision(routes)
  if (ids !== undefined) throw wrongUsage(`--route: ${ids.join(' and ')} would have the same route`)
  return routes
}

/** Two operations of a service that no request could distinguish, though the documents have them at two paths. */
function collision(routes: Readonly<Record<string, Route>>): string[] | undefined {
  const byPlace = new Map<string, Operation>()
  for (const operation of operations) {
    const place = `${operation.service} ${routeShape(routes[operation.id] ?? documentedRoute(operation))}`
    const other = byPlace.get(place)
    if (other && routeShape(documentedRoute(other)) !== routeShape(documentedRoute(operation)))
      return [other.id, operation.id]
    byPlace.set(place, operation)
  }
  return undefined
}

function routeShape({method, path}: Route): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

function parseOne(text: string): [string, Route] {
  const [, id = '', words = ''] = /^([^=]+)=(.*)$/su.exec(text) ?? []
  const operation = operationById(id)
  if (operation === undefined) {
    throw wrongUsage(`--route is ID='METHOD /path' with the id of an operation, not ${JSON.stringify(text)}`)
  }
  try {
    return [id, parseRoute(words)]
  } catch (error) {
    throw withFacts(error, ({message}) => ({message: `--route ${id}: ${message}`}))
  }
}
