import {join} from 'node:path'
import type {Api} from '../../api/client/api.js'
import type {Service} from '../../api/contract/operation.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {openServiceClients} from '../../cli/session/serviceClientsServices.js'
import {Secrets} from '../../redaction/secrets.js'
import {places} from '../../storage/profile/places.js'
import {readProfileFile} from '../../storage/profile/read.js'
import {type Resolved, resolveProfile} from '../../storage/profile/resolve.js'
import type {Line} from './place.js'

/** What completion may look at for one line. */
export interface World {
  readonly runtime: Runtime
  readonly places: ReturnType<typeof places>
  readonly resolved: Resolved
  /** The names of the profiles with the addresses of their room services. */
  readonly profiles: readonly (readonly [name: string, address: string])[]
  /** Where the service is, to tell lists apart. */
  readonly addressOf: (service: Service) => string
  /** Undefined where the service cannot be asked without a keyring, a program or a question. */
  readonly apiOf: (service: Service) => Api | undefined
}

/**
 * Settles the line's settings as its command would, but writes, repairs and asks nothing, and runs no program. `signal` ends every
 * call. Raises what is wrong with the profile or with a setting.
 */
export function openWorld(runtime: Runtime, line: Line, signal: AbortSignal): World {
  const where = places(runtime.env, runtime.home, runtime.platform)
  const file = readProfileFile(where.config)
  const given = (name: string) => line.flags.get(name)?.at(-1)
  const isSandbox = line.command.id.startsWith('sandbox:')
  const resolved = resolveProfile({
    flags: {
      profile: isSandbox ? 'sandbox' : given('profile'),
      bizId: given('biz-id'),
      applicationId: given('application-id'),
      caFile: given('ca-file'),
      retries: '0',
    },
    env: runtime.env,
    file,
  })
  const dataFolder = (isSandbox ? given('data') : undefined) ?? join(where.data, 'sandbox')
  // The runtime opens stdin when it is looked at, so it is not copied.
  const restricted: Runtime = Object.create(runtime, {
    signal: {value: signal},
    run: {value: () => Promise.reject(new Error('completion runs no program'))},
  })
  const open = openServiceClients({
    runtime: restricted,
    resolved,
    secrets: new Secrets(),
    dataFolder,
    routes: line.flags.get('route') ?? [],
    debug: false,
    warn: () => undefined,
  })
  return {
    runtime: restricted,
    places: where,
    resolved,
    profiles: Object.entries(file.profiles).map(([name, profile]) => [name, profile['room.url'] ?? '']),
    addressOf: (service) => (resolved.isSandbox ? dataFolder : (resolved.values[`${service}.url`] ?? '')),
    apiOf: (service) => (hasToken(resolved, service) ? open() : undefined),
  }
}

/** Whether the token lies ready: a keyring may open a window, and a token command may do anything. */
function hasToken(resolved: Resolved, service: Service): boolean {
  const isInEnv = resolved.envToken(service) !== undefined
  return resolved.isSandbox || isInEnv || resolved.credential(service)?.store === 'file'
}
