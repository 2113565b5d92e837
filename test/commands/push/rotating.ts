import {existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, freshHome, type Ran} from '../../support/cli.js'
import {type GatewayOptions, serveGateway} from '../../support/gateway.js'
import {publicKeyOf} from './proving.js'
import {type Answer, type Arrived, pushWire} from './wire.js'

export const made = new TestCredentials()
const pem = {old: made.key('old', 'P-256'), new: made.key('new', 'P-256'), other: made.key('other', 'P-256')}
export const oldFile = made.file('AuthKey_OLDKEY1234.p8', pem.old)
export const newFile = made.file('AuthKey_NEWKEY1234.p8', pem.new)
export const otherFile = made.file('AuthKey_OTHERKEY12.p8', pem.other)
export const team = 'TEAM123456'
export const knownKeys = [
  {keyId: 'OLDKEY1234', teamId: team, publicKey: publicKeyOf(pem.old)},
  {keyId: 'NEWKEY1234', teamId: team, publicKey: publicKeyOf(pem.new)},
  {keyId: 'OTHERKEY12', teamId: team, publicKey: publicKeyOf(pem.other)},
]
export const secretLines = [...pem.old.split('\n'), ...pem.new.split('\n')].filter(
  (line) => line.length > 20 && !line.startsWith('-'),
)

export const shownKey = (key_id: string) => ({
  ios_apns_type: 'TOKEN',
  bundle_id: 'com.example.rooms',
  team_id: team,
  key_id,
})

/** A service that keeps the registered credential; `faults` answers in its place, before a request is carried out. */
export class RegisteredConfiguration {
  registered: object | null = shownKey('OLDKEY1234')
  readonly changes: string[] = []
  faults: (request: Arrived, nth: number) => Answer | undefined = () => undefined

  answer(request: Arrived, nth: number): Answer {
    const fault = this.faults(request, nth)
    if (fault !== undefined) return fault
    if (request.method === 'GET') return this.registered === null ? {status: 204} : {status: 200, body: this.registered}
    this.carryOut(request)
    return {status: 200}
  }

  carryOut({path: address}: Pick<Arrived, 'path'>): void {
    const query = new URL(address, 'http://x').searchParams
    const key = query.get('key_id')
    const bundle_id = query.get('bundle_id')
    const team_id = query.get('team_id')
    this.registered =
      key === null
        ? {ios_apns_type: 'CERTIFICATE', bundle_id, certificate_expiry_date: '2049-12-31'}
        : {ios_apns_type: 'TOKEN', bundle_id, team_id, key_id: key}
    this.changes.push(key ?? 'certificate')
  }
}

export interface Beside {
  readonly rotate: (next: string) => Promise<Ran>
  readonly configuration: RegisteredConfiguration
}

export interface Rotated {
  /** A function gets what rotates once more beside it, to another file, and the configuration. */
  readonly gateway?: GatewayOptions | ((beside: Beside) => GatewayOptions)
  readonly prepare?: ((configuration: RegisteredConfiguration) => void) | undefined
  readonly files?: readonly [next: string, old: string]
  readonly more?: readonly string[]
  readonly home?: string
  readonly circumstances?: object
}

export async function rotated({
  gateway: options,
  prepare,
  files = [newFile, oldFile],
  more = [],
  home = freshHome(),
  circumstances,
}: Rotated = {}) {
  const configuration = new RegisteredConfiguration()
  prepare?.(configuration)
  const service = await pushWire((request, nth) => configuration.answer(request, nth))
  const [next, old] = files
  const rotate = (other: string) => cli([...lineOf(other), '--confirm', 'app-1', '--allow-assumed'], {home, env})
  const given = typeof options === 'function' ? options({rotate, configuration}) : options
  const gateway = await serveGateway({keys: knownKeys, ...given})
  const proving = more.includes('--no-prove') ? [] : ['--server', gateway.url]
  const lineOf = (file: string) =>
    ['push', 'rotate', file, '--rollback-file', old, '--application-id', 'app-1', ...proving] as const
  const line = lineOf(next)
  const env = {...service.env, ROOMCTL_CA_FILE: gateway.caFile, ROOMCTL_RETRIES: '0'}
  const confirm = more.includes('--dry-run') || circumstances ? [] : ['--confirm', 'app-1']
  const {env: colours = {}, ...others} = (circumstances ?? {}) as {env?: Record<string, string>}
  const ran = await cli([...line, ...confirm, '--allow-assumed', ...more], {home, ...others, env: {...env, ...colours}})
  return {configuration, service, gateway, ran, home, env}
}

/** The state in the record below a home, if any. */
export function stateOf(home: string): string | undefined {
  const folder = path.join(home, '.local/state/roomctl/rotations')
  const [name, ...others] = existsSync(folder) ? readdirSync(folder) : []
  if (others.length > 0) throw new Error('there are several records')
  return name === undefined ? undefined : JSON.parse(readFileSync(path.join(folder, name), 'utf8')).state
}
