import {isCode} from '../api/contract/codes.js'
import {operationById} from '../api/contract/operations.js'
import {parseRoute, type Route} from '../api/http/route/route.js'
import {withFacts, wrongUsage} from '../failure.js'
import type {Choices, FailRule} from './world/choices.js'

interface OptionTexts {
  readonly fail?: readonly string[] | undefined
  readonly route?: readonly string[] | undefined
}

/** Reads failures on demand and routes. Throws Failure (usage). */
export function parseOptions({fail, route}: OptionTexts): Partial<Choices> {
  return {
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

/** Reads `push.cancel=DELETE /v2/requests`; the caller checks that it fits (cli/session/routeValidation.ts). Throws Failure (usage). */
export function parseRoutes(texts: readonly string[]): Readonly<Record<string, Route>> {
  return Object.fromEntries(texts.map(parseOne))
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
