import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {serve} from '../../src/api/http/server/serve.js'
import type {WireResponse} from '../../src/api/http/wire/transport.js'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {sandboxOf} from '../commands/answers.js'
import {freshPlace, type Place} from '../stories/place.js'
import {afterFile} from '../support/afterFile.js'
import {demoStore} from '../support/cli.js'
import {credentialRoutes} from '../support/credentialRoutes.js'

/** A place whose services are the demonstration, but for a request that is never answered for good. */
export interface Gate extends Place {
  /** The file that is there once that request has come. */
  readonly reached: string
  /** `METHOD /path?query` of the requests, in order. */
  readonly arrived: readonly string[]
}

/** How the gate answers the request it is for: never, where it is undefined; as the demonstration does, with `pass`. */
export type Held = ((arrivals: number) => WireResponse | 'pass' | undefined) | undefined

/** Serves the demonstration until the tests of the file are over. A request whose `METHOD /path` matches `at` is held. */
export async function gate(at: RegExp | undefined, held: Held, env: Readonly<Record<string, string>>): Promise<Gate> {
  const sandbox = sandboxOf(await demoStore())
  const arrived: string[] = []
  const place = freshPlace()
  const reached = path.join(place.dir, 'reached')
  let arrivals = 0
  const {url, close} = await serve(
    async (request) => {
      const line = `${request.method} ${request.url.pathname}${request.url.search}`
      arrived.push(line)
      if (!at?.test(line)) return sandbox(request)
      arrivals += 1
      const answer = held?.(arrivals)
      if (answer === 'pass') return sandbox(request)
      // The file says that the tool waits: for this answer, or after it.
      setTimeout(() => writeFileSync(reached, ''), answer ? 50 : 0)
      return answer ?? new Promise(() => undefined)
    },
    {port: 0},
  )
  afterFile(close)
  const token = {ROOMCTL_ROOM_TOKEN: sandboxToken, ROOMCTL_ASSET_TOKEN: sandboxToken, ROOMCTL_PUSH_TOKEN: sandboxToken}
  const addresses = {
    ROOMCTL_ROOM_URL: `${url.origin}/media`,
    ROOMCTL_ASSET_URL: `${url.origin}/asset`,
    ROOMCTL_PUSH_URL: `${url.origin}/push`,
    ...credentialRoutes,
  }
  return {
    dir: place.dir,
    env: {...place.env, TERM: 'xterm-256color', ...addresses, ...token, ...env},
    reached,
    arrived,
  }
}
