import {parseRoutes} from '../push/routeWish.js'
import {type Choices, parseConsole, parseFail} from '../world/options.js'

/** What a command line wishes of a sandbox, in words that only the sandbox can read. */
interface Wishes {
  readonly console?: readonly string[] | undefined
  readonly fail?: readonly string[] | undefined
  readonly route?: readonly string[] | undefined
}

/** Reads console options, failures on demand and routes. Throws a SandboxProblem for words that it does not know. */
export function wishesOf({console, fail, route}: Wishes): Partial<Choices> {
  return {
    ...(console === undefined ? {} : {console: parseConsole(console)}),
    ...(fail === undefined ? {} : {fail: fail.map(parseFail)}),
    ...(route === undefined ? {} : {routes: parseRoutes(route)}),
  }
}
