import {posix, win32} from 'node:path'
import type {CredentialService} from './file.js'

export type Env = Readonly<Record<string, string | undefined>>

/** The value of an environment variable; an empty one counts as unset. */
export function envValue(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** The variable that carries a service's token (product §10). */
export function tokenVariable(service: CredentialService): string {
  return `ROOMCTL_${service.toUpperCase()}_TOKEN`
}

/** The variable that sets an operation's route: `push.iosKey` becomes `ROOMCTL_ROUTE_PUSH_IOS_KEY` (product §10). */
export function routeVariable(operationId: string): string {
  const spaced = operationId.replace('.', '_').replace(/[A-Z]/g, (capital) => `_${capital}`)
  return `ROOMCTL_ROUTE_${spaced.toUpperCase()}`
}

/** The folders of this user, absolute paths without a trailing slash. None of them need exist. */
interface Places {
  readonly config: string
  readonly cache: string
  readonly state: string
  readonly data: string
}

/**
 * Where roomctl keeps its files (product §10): its own variables, else the XDG variables (absolute ones, as their specification
 * says), else the folders under `home`; on win32 %LOCALAPPDATA%. `platform` is Node's name for it.
 */
export function places(env: Env, home: string, platform: string): Places {
  const standard = platform === 'win32' ? windowsPlaces(env, home) : xdgPlaces(env, home)
  const {resolve} = platform === 'win32' ? win32 : posix
  const chosen = (name: string, otherwise: string) => resolve(env[name] || otherwise)
  return {
    config: chosen('ROOMCTL_CONFIG_DIR', standard.config),
    cache: chosen('ROOMCTL_CACHE_DIR', standard.cache),
    state: chosen('ROOMCTL_STATE_DIR', standard.state),
    data: standard.data,
  }
}

function xdgPlaces(env: Env, home: string): Places {
  const under = (name: string, ...otherwise: string[]) => {
    const base = env[name]
    return base && posix.isAbsolute(base) ? posix.join(base, 'roomctl') : posix.join(home, ...otherwise, 'roomctl')
  }
  return {
    config: under('XDG_CONFIG_HOME', '.config'),
    cache: under('XDG_CACHE_HOME', '.cache'),
    state: under('XDG_STATE_HOME', '.local', 'state'),
    data: under('XDG_DATA_HOME', '.local', 'share'),
  }
}

function windowsPlaces({LOCALAPPDATA: local}: Env, home: string): Places {
  const base = win32.join(local && win32.isAbsolute(local) ? local : win32.join(home, 'AppData', 'Local'), 'roomctl')
  const under = (name: string) => win32.join(base, name)
  return {config: under('config'), cache: under('cache'), state: under('state'), data: under('data')}
}
