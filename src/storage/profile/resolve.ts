import {posix, win32} from 'node:path'
import {Failure, failureWith} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {systemCode} from '../disk/privateFile.js'
import {
  type CredentialService,
  checkProfileName,
  defaultName,
  emptyFile,
  type Profile,
  type ProfileFile,
  profileNamed,
  readProfileFile,
  routeTextOf,
  type StoredCredential,
  sandboxName,
} from './file.js'
import {parseSetting, type Setting, type SettingKey, type SettingValues, settings} from './settings.js'

/** Sources of a value, the strongest first. */
export type SettingSource = 'flag' | 'env' | 'profile' | 'default'

/** The inputs of a resolved profile. Absent and undefined flags are the same. */
export interface Layers {
  readonly flags: Readonly<Partial<Record<SettingKey | 'profile', string | undefined>>>
  readonly env: Env
  readonly file: ProfileFile
  /** Why the profile file could not be opened. */
  readonly unread?: Failure | undefined
}

export type Resolved = ReturnType<typeof resolveProfile>

interface FoundText {
  readonly text: string | undefined
  readonly source: SettingSource
}

/**
 * Settles every setting: flag > environment > profile > default (docs/environment.md). Throws Failure: `usage` for a wrong flag or
 * variable, `configuration` for a wrong profile or address. The sandbox takes no address or token of the environment, which belong
 * to a real service.
 */
export function resolveProfile(layers: Layers) {
  const {env, file} = layers
  const {name, source: nameSource} = chooseName(layers)
  const isSandbox = name === sandboxName
  const profile = isSandbox ? undefined : profileNamed(file, name)
  const texts = new Map(settings.map((setting) => [setting.key, find(setting, layers, profile, isSandbox)]))
  const values = Object.fromEntries(settings.map((setting) => [setting.key, meaning(setting, texts, name)]))
  // Read from a file with a line break, or pasted with a blank, it is still that token.
  const envToken = (service: CredentialService) =>
    isSandbox ? undefined : envValue(env, tokenVariable(service))?.trim()

  return {
    name,
    nameSource,
    /** Whether there is such a profile; the sandbox always is. */
    exists: isSandbox || profile !== undefined,
    isSandbox,
    /** Why the profile is not known: without it nothing is changed. */
    unread: isSandbox ? undefined : layers.unread,
    /** The profile with the nearest name, if the name is unknown. */
    get meant() {
      return this.exists ? undefined : nearest(name, [...Object.keys(file.profiles), sandboxName])
    },
    values: values as unknown as SettingValues, // the table of settings reads each key as Values has it
    source: (key: SettingKey): SettingSource => texts.get(key)?.source ?? 'default',
    isInEnvironment: (service: CredentialService, what: 'token' | 'url'): boolean =>
      what === 'url' ? texts.get(`${service}.url`)?.source === 'env' : envToken(service) !== undefined,
    list: () => settings.map((setting) => listed(setting, texts)),
    /** Whether the environment or the profile sets the route of any operation. */
    get hasRoutes() {
      return profile?.routes !== undefined || Object.keys(env).some((name) => name.startsWith(routeVariable('')))
    },
    /** The configured route of an operation, as written; undefined for the built-in one. */
    route: (operationId: string) => findRoute(operationId, env, profile),
    /** The stored credential, for `readCredential`; it must go to no other origin than its own. */
    credential: (service: CredentialService): StoredCredential | undefined => profile?.credentials?.[service],
    envToken,
  }
}

function chooseName({flags, env, file}: Layers): {name: string; source: SettingSource} {
  const variable = 'ROOMCTL_PROFILE'
  const inEnv = envValue(env, variable)
  if (flags.profile !== undefined) {
    checkProfileName(flags.profile, 'the profile name')
    return {name: flags.profile, source: 'flag'}
  }
  if (inEnv !== undefined) {
    checkProfileName(inEnv, variable)
    return {name: inEnv, source: 'env'}
  }
  const {current} = file
  if (current === undefined || (current === sandboxName && namesService(env)))
    return {name: defaultName, source: 'default'}
  return {name: current, source: 'profile'}
}

/** The environment alone is enough: an address in it is stronger than a sandbox that the file chose. */
function namesService(env: Env): boolean {
  return ['ROOMCTL_ROOM_URL', 'ROOMCTL_ASSET_URL', 'ROOMCTL_PUSH_URL'].some((name) => envValue(env, name) !== undefined)
}

function find(setting: Setting, {flags, env}: Layers, profile: Profile | undefined, isSandbox: boolean): FoundText {
  const {key} = setting
  const flag = flags[key]
  if (flag !== undefined) return {text: flag, source: 'flag'}
  const inEnv =
    setting.env && !(isSandbox && key.endsWith('.url')) ? variable(key, envValue(env, setting.env)) : undefined
  if (inEnv !== undefined) return {text: inEnv, source: 'env'}
  const stored = profile?.[key]
  if (stored !== undefined) return {text: String(stored), source: 'profile'}
  return {text: setting.default, source: 'default'}
}

/**
 * The text of a setting in the environment. readOnly can only forbid there: `0` leaves it to the profile, any other text forbids. An
 * address read from a file with a line break is still that address.
 */
function variable(key: SettingKey, text: string | undefined): string | undefined {
  if (key.endsWith('.url')) return text?.trim()
  if (key !== 'readOnly' || text === undefined) return text
  return text === '0' ? undefined : 'true'
}

function meaning(setting: Setting, values: ReadonlyMap<SettingKey, FoundText>, profileName: string): unknown {
  const {text, source} = values.get(setting.key) ?? {source: 'default'}
  if (text === undefined) return undefined
  const value = setting.kind.read(text)
  if (value !== undefined) return value
  if (source === 'profile') throw misfitInProfile(setting, profileName)
  if (source !== 'env') return parseSetting(setting, text)
  // The environment alone can be the configuration, and an address is enough.
  return parseSetting(setting, text, setting.env, setting.key.endsWith('.url') ? 'configuration' : 'usage')
}

function misfitInProfile({key, kind: {form}}: Setting, profileName: string): Failure {
  return failureWith('configuration', `${key} in the profile ${profileName} must be ${form}`, {
    try: {sentence: 'to use the default', command: ['config unset', key]},
  })
}

/** The value as the profile file would keep it: `60s`, 2, false; undefined if nothing sets it. */
function listed(setting: Setting, values: ReadonlyMap<SettingKey, FoundText>) {
  const {text, source} = values.get(setting.key) ?? {source: 'default'}
  const value = text === undefined ? undefined : parseSetting(setting, text)
  return {key: setting.key, value, source, ...(setting.env === undefined ? {} : {env: setting.env})}
}

function findRoute(operationId: string, env: Env, profile: Profile | undefined) {
  const inEnv = envValue(env, routeVariable(operationId))
  if (inEnv !== undefined) return {text: inEnv, source: 'env' as const}
  const routes = profile?.routes ?? {}
  const route = Object.hasOwn(routes, operationId) ? routes[operationId] : undefined
  return route === undefined ? undefined : {text: routeTextOf(route), source: 'profile' as const}
}

type Env = Readonly<Record<string, string | undefined>>

/** The value of an environment variable; an empty one counts as unset. */
function envValue(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** The variable that carries a service's token (docs/environment.md). */
export function tokenVariable(service: CredentialService): string {
  return `ROOMCTL_${service.toUpperCase()}_TOKEN`
}

/** The variable that sets an operation's route: `push.iosKey` becomes `ROOMCTL_ROUTE_PUSH_IOS_KEY` (docs/environment.md). */
export function routeVariable(operationId: string): string {
  const spaced = operationId.replace('.', '_').replace(/[A-Z]/g, (capital) => `_${capital}`)
  return `ROOMCTL_ROUTE_${spaced.toUpperCase()}`
}

/** The folders of this user, absolute paths without a trailing slash. None of them need exist. */
interface UserPaths {
  readonly config: string
  readonly cache: string
  readonly state: string
  readonly sandbox: string
}

/**
 * Where roomctl keeps its files (docs/environment.md): its own variables, else the XDG variables (absolute ones, as their
 * specification says), else the folders under `home`; on win32 %LOCALAPPDATA%. `platform` is Node's name for it.
 */
export function userPaths(env: Env, home: string, platform: string): UserPaths {
  const standard = platform === 'win32' ? windowsPaths(env, home) : xdgPaths(env, home)
  const {resolve} = platform === 'win32' ? win32 : posix
  const chosen = (name: string, otherwise: string) => resolve(env[name] || otherwise)
  return {
    config: chosen('ROOMCTL_CONFIG_DIR', standard.config),
    cache: chosen('ROOMCTL_CACHE_DIR', standard.cache),
    state: chosen('ROOMCTL_STATE_DIR', standard.state),
    sandbox: standard.sandbox,
  }
}

function xdgPaths(env: Env, home: string): UserPaths {
  const under = (name: string, ...otherwise: string[]) => {
    const base = env[name]
    return base && posix.isAbsolute(base) ? posix.join(base, 'roomctl') : posix.join(home, ...otherwise, 'roomctl')
  }
  return {
    config: under('XDG_CONFIG_HOME', '.config'),
    cache: under('XDG_CACHE_HOME', '.cache'),
    state: under('XDG_STATE_HOME', '.local', 'state'),
    sandbox: posix.join(under('XDG_DATA_HOME', '.local', 'share'), 'sandbox'),
  }
}

function windowsPaths({LOCALAPPDATA: local}: Env, home: string): UserPaths {
  const base = win32.join(local && win32.isAbsolute(local) ? local : win32.join(home, 'AppData', 'Local'), 'roomctl')
  const under = (...names: string[]) => win32.join(base, ...names)
  return {config: under('config'), cache: under('cache'), state: under('state'), sandbox: under('data', 'sandbox')}
}

/**
 * Reads the profile file; the explanation of an unusable one is loaded only then. A HOME that is not a folder has none. Throws Failure
 * (configuration).
 */
export async function openProfileFile(configDir: string): Promise<ProfileFile> {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return emptyFile()
    const {unusableProfile} = await import('./unusable.js')
    throw unusableProfile(configDir, error)
  }
}

/** As `openProfileFile`, but of a file that this user may not open the Failure is returned: the environment alone can be enough. */
export async function openProfileIfAllowed(configDir: string): Promise<Pick<Layers, 'file' | 'unread'>> {
  try {
    return {file: await openProfileFile(configDir)}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code !== 'not-allowed') throw error
    return {file: emptyFile(), unread: error}
  }
}
