import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {serve} from '../../src/api/http/server/serve.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {type Circumstances, cli, demoStore, freshHome, type Ran} from '../support/cli.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {sandboxOf} from './answers.js'

/** A real service on a port of this machine, and a home folder with the profile `live` for it. */
export interface Live {
  readonly home: string
  /** The address of the server, without a path. */
  readonly origin: string
  /** `METHOD path` of every request that arrived. */
  readonly arrived: readonly string[]
  readonly authorization: readonly (string | undefined)[]
  /** Runs a line with `-p live`. */
  readonly cli: (line: string | readonly string[], circumstances?: Circumstances) => Promise<Ran>
}

/** The routes of the credentials: to one that is only assumed none is sent. */
const profileRoutes = {
  'push.iosKey': credentialRoutes.ROOMCTL_ROUTE_PUSH_IOS_KEY,
  'push.iosCertificate': credentialRoutes.ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE,
  'push.android': credentialRoutes.ROOMCTL_ROUTE_PUSH_ANDROID,
}

/** Serves the demonstration rooms, or what `service` answers, until the test ends. `settings` go into the profile. */
export async function live(settings: object = {}, service?: Transport): Promise<Live> {
  const handler = service ?? sandboxOf(await demoStore())
  const arrived: string[] = []
  const authorization: (string | undefined)[] = []
  const {url, close} = await serve(
    (request) => {
      arrived.push(`${request.method} ${request.url.pathname}${request.url.search}`)
      const [, value] = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
      authorization.push(value)
      return handler(request)
    },
    {port: 0},
  )
  onTestFinished(close)
  const home = freshHome()
  const credential = {store: 'file', origin: url.origin, token: sandboxToken}
  writeProfiles(home, {
    live: {
      'room.url': `${url.origin}/media`,
      'asset.url': `${url.origin}/asset`,
      'push.url': `${url.origin}/push`,
      credentials: {room: credential, asset: credential, push: credential},
      routes: profileRoutes,
      ...settings,
    },
  })
  return {
    home,
    origin: url.origin,
    arrived,
    authorization,
    cli: (line, circumstances = {}) =>
      cli([...(typeof line === 'string' ? line.split(' ') : line), '-p', 'live'], {home, ...circumstances}),
  }
}

/** Writes the profile file of a home folder. */
export function writeProfiles(home: string, profiles: object, current?: string): void {
  const folder = join(home, '.config', 'roomctl')
  mkdirSync(folder, {recursive: true, mode: 0o700})
  const file = {version: 1, ...(current === undefined ? {} : {current}), profiles}
  writeFileSync(join(folder, 'config.json'), JSON.stringify(file), {mode: 0o600})
}
