import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, rmSync} from 'node:fs'
import path from 'node:path'
import {createInterface} from 'node:readline'
import {benchFolder} from './installed.js'

/** A room service on the loopback address in a process of its own, and the environment that leads to it. */
export interface World {
  readonly url: string
  readonly env: Readonly<Record<string, string | undefined>>
  close(): void
}

/** Starts the service with a number of rooms. The home folder is a new one, with no profile and an empty cache. */
export async function openWorld(rooms: number): Promise<World> {
  const home = path.join(benchFolder, 'home')
  rmSync(home, {recursive: true, force: true})
  mkdirSync(home, {recursive: true})
  const {url, close} = await startService('service.ts', `${rooms}`)
  const {PATH} = process.env
  const env = {
    PATH,
    HOME: home,
    CI: '1',
    ROOMCTL_ROOM_URL: url,
    ROOMCTL_ROOM_TOKEN: 'bench-5f2c9d1e7b3a4860-of-room',
    DISABLE_EAS_ANALYTICS: '1',
    EAS_SKIP_AUTO_UPDATE: '1',
    EAS_SKIP_NEW_VERSION_CHECK: 'true',
    DISABLE_TELEMETRY: 'true',
    HEROKU_SKIP_NEW_VERSION_CHECK: 'true',
  }
  return {url, env, close}
}

/** Starts a service of this folder in a process of its own. */
export async function startService(script: string, ...args: readonly string[]): Promise<Pick<World, 'url' | 'close'>> {
  const service = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {url: await firstLine(service), close: () => service.kill()}
}

async function firstLine({stdout}: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the service has no output')
  const [line] = await once(createInterface(stdout), 'line')
  return String(line)
}
