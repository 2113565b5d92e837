import {setMaxListeners} from 'node:events'
import type {Advice} from '../../advice.js'
import {shellWord} from '../../advice.js'
import {Api} from '../../api/client/api.js'
import type {ExchangeOptions} from '../../api/client/exchange.js'
import type {Access} from '../../api/client/request/request.js'
import {documentedRoute, type Operation, type Service} from '../../api/contract/operation.js'
import {checkAddress, isLoopback} from '../../api/http/network/address.js'
import {certificateBlocks} from '../../api/http/network/caCertificates.js'
import type {Route} from '../../api/http/route/route.js'
import {selectTransport, withCredential, withTrace} from '../../api/http/transports/selectTransport.js'
import type {Transport} from '../../api/http/wire/transport.js'
import {type Failure, failureWith, fileFailure, withFacts} from '../../failure.js'
import {readCredential} from '../../storage/profile/credential.js'
import {type Resolved, tokenVariable} from '../../storage/profile/resolve.js'
import {isOn} from '../../terminal/output.js'
import {getOrMake, safeText, unlessError} from '../../text/text.js'
import {readFileBytes} from '../files/readFile.js'
import type {CommandOutcome, EmbeddedServices, Runtime} from '../runtime/runtime.js'
import {assertWritable, withReadOnlyGuard} from './readOnly.js'
import type {Waiting} from './waiting.js'

interface ServiceClientOptions {
  readonly runtime: Runtime
  readonly resolved: Resolved
  readonly dataFolder: string
  readonly outcome: CommandOutcome
  readonly waiting: Waiting
}

/** Timeouts of one exchange in milliseconds; `--timeout` sets the total. */
const connectMs = 10_000
const headersMs = 30_000

/**
 * The services of a profile. With `calls`, the expected number of a run, its transport loads slower but runs faster. Ctrl-C ends a
 * single call; in a run it lets pending calls finish and prevents retries.
 */
export function openServiceClients(options: ServiceClientOptions): (calls?: number) => Api {
  const {runtime, resolved, outcome} = options
  const {secrets} = runtime
  const sandbox = memoize(() => runtime.sandbox(options.dataFolder))
  const endpoints = new Map<Service, ReturnType<typeof openEndpoint>>()

  async function openEndpoint(service: Service) {
    const embedded = resolved.isSandbox ? await sandbox() : undefined
    const base = embedded ? new URL(embedded.addresses[service]) : addressOf(service, options)
    const token = memoize(() => readToken(service, base, embedded, options))
    return {base, header: memoize(async () => authorizationOf(service, resolved, await token()))}
  }

  async function accessTo(service: Service, wire: () => Promise<Transport>): Promise<Access> {
    const route = await openRoutes(resolved)
    const {base, header} = await getOrMake(endpoints, service, () => openEndpoint(service))
    const routes = new Map<string, Route>()
    const routed = (operation: Operation) => getOrMake(routes, operation.id, () => route(operation))
    const open = withReadOnlyGuard(await wire(), resolved, {service, base})
    return {
      base,
      open,
      authorize: header,
      transport: withCredential(open, {origin: base.origin, header}),
      route: routed,
    }
  }

  return (calls) => {
    const accesses = new Map<Service, Promise<Access>>()
    const wire = memoize(async () => {
      const {warn, mode} = outcome
      return withDebugTrace(await baseTransport(options, sandbox, calls), {debug: mode.debug, secrets, warn})
    })
    const limits = (calls !== undefined ? runLimits : singleLimits)(runtime, resolved.values.retries)
    // Each pending call listens to the signal, and Node warns of more than ten listeners.
    setMaxListeners(0, limits.signal)
    return new Api({
      access: (service) => getOrMake(accesses, service, () => accessTo(service, wire)),
      assertWritable: () => {
        assertWritable(options)
        outcome.hasChanged = true
      },
      timeoutMs: resolved.values.timeout,
      now: runtime.now,
      secrets,
      onCall: (host) => options.waiting.call(host),
      warn: outcome.warnOnce,
      ...limits,
    })
  }
}

/** A client for the same services that sends each call once, with `change` made to their access, such as another credential. */
export function onceApi(
  {runtime, resolved, api}: Pick<ServiceClientOptions, 'runtime' | 'resolved'> & {readonly api: Api},
  change: (access: Access) => Access,
  timeoutMs = resolved.values.timeout,
): Api {
  return new Api({
    access: async (service) => change(await api.access(service)),
    assertWritable: () => assertWritable({runtime, resolved}),
    ...singleLimits(runtime, 0),
    timeoutMs,
    now: runtime.now,
    secrets: runtime.secrets,
  })
}

/** The routes of environment or profile, otherwise the documented ones, which need no parser. */
async function openRoutes(resolved: Resolved): Promise<(operation: Operation) => Route> {
  if (!resolved.hasRoutes) return documentedRoute
  const {settledRoute} = await import('./routes.js')
  return (operation) => settledRoute(operation, resolved)
}

/** The push document does not show its scheme, so it is a setting. */
export function authorizationOf(service: Service, {values}: Resolved, token: string): {readonly authorization: string} {
  const scheme = service === 'push' ? values['push.authScheme'] : 'Bearer'
  return {authorization: scheme === 'none' ? token : `${scheme} ${token}`}
}

async function baseTransport(
  options: ServiceClientOptions,
  sandbox: () => Promise<EmbeddedServices>,
  calls: number | undefined,
): Promise<Transport> {
  const {resolved, runtime} = options
  if (resolved.isSandbox) return (await sandbox()).transport
  const many = calls === undefined ? {} : {concurrency: calls}
  return selectTransport({connectMs, headersMs, env: runtime.env, ...many, ca: readCa(resolved)})
}

export function withDebugTrace(
  transport: Transport,
  {debug, secrets, warn}: {readonly debug: boolean} & Pick<Runtime, 'secrets'> & Pick<CommandOutcome, 'warn'>,
): Transport {
  return debug ? withTrace(transport, (line) => warn(safeText(line)), secrets) : transport
}

/** The certificates of the CA file, if there is one. Throws Failure (file). */
export function readCa({values: {caFile: path}}: Resolved): readonly string[] {
  if (path === undefined) return []
  const advice = 'name a PEM file with --ca-file or ROOMCTL_CA_FILE, or as the setting caFile'
  const bytes = readFileBytes(path, advice)
  const blocks = certificateBlocks(bytes)
  if (blocks.length > 0) return blocks
  throw fileFailure(`${path} contains no certificate`, {
    why: 'PEM certificates begin with -----BEGIN CERTIFICATE-----',
    try: bytes[0] === 0x30 ? `convert it: openssl x509 -inform DER -in ${shellWord(path)} -out ca.pem` : advice,
  })
}

/** The checked address: https, or http on loopback. */
function addressOf(service: Service, {resolved, runtime, outcome}: ServiceClientOptions): URL {
  const key = `${service}.url` as const
  const text = resolved.values[key]
  if (text === undefined) throw noAddress(service, resolved, runtime)
  try {
    const base = checkAddress(text, {allowHttp: resolved.values.allowHttp})
    if (base.protocol === 'http:' && resolved.values.allowHttp && !isLoopback(base.hostname)) {
      outcome.warn(`warning: ${base.host} is plain http: the token can be read on the network (allowHttp is set)`)
    }
    return base
  } catch (error) {
    throw withFacts(error, ({message}) => ({
      exit: 'configuration',
      message: `the address of the ${service} service cannot be used: ${message}`,
      why: `it comes from ${describeSource(resolved, key)}`,
      try: mended(text, service, resolved),
    }))
  }
}

/** @throws Failure (configuration) for a profile that is named and does not exist. */
export function requireProfile({name, nameSource, exists, meant, unread}: Resolved): void {
  if (exists || nameSource === 'default') return
  if (unread) throw unread
  throw failureWith('configuration', `unknown profile ${name}`, {
    try: meant ? `use -p ${meant}` : {command: ['config profile list']},
  })
}

function noAddress(service: Service, resolved: Resolved, {env}: Pick<Runtime, 'env'>): Failure {
  requireProfile(resolved)
  const {name, exists, unread} = resolved
  if (unread) return unread
  const variable = `ROOMCTL_${service.toUpperCase()}_URL`
  const profile = exists ? `profile ${name} has no address for it` : 'no profile is set up'
  return failureWith('configuration', `no address is set for the ${service} service`, {
    why: `${profile}, and ${variable} is not set`,
    // No user answers the questions of a CI job.
    try: isOn(env.CI)
      ? `set ${variable} in the settings of the CI job`
      : {sentence: 'add -p sandbox to try the tool without a service, or', command: ['config init']},
  })
}

/** Sets https in place of http, or says what is wrong where it came from. */
function mended(text: string, service: Service, resolved: Resolved): Advice {
  const secure = text.replace(/^http:/iu, 'https:')
  const isMended = secure !== text && unlessError(() => checkAddress(secure, {allowHttp: false}), undefined)
  if (isMended) return {command: ['config set', `${service}.url`, secure]}
  const isInEnvironment = resolved.isInEnvironment(service, 'url')
  return isInEnvironment
    ? `export ROOMCTL_${service.toUpperCase()}_URL again, with the right address`
    : `correct the address in profile ${resolved.name}`
}

function describeSource(resolved: Resolved, key: 'room.url' | 'asset.url' | 'push.url'): string {
  const source = resolved.source(key)
  return source === 'env'
    ? `the environment variable ROOMCTL_${key.replace('.', '_').toUpperCase()}`
    : `profile ${resolved.name}`
}

async function readToken(
  service: Service,
  base: URL,
  embedded: EmbeddedServices | undefined,
  {resolved, runtime}: ServiceClientOptions,
): Promise<string> {
  const token = embedded
    ? embedded.token
    : (await readCredential(resolved, service, base.origin, {run: runtime.run}))?.token
  if (token === undefined) {
    if (resolved.unread) throw resolved.unread
    throw failureWith('configuration', `no token is stored for the ${service} service`, {
      why: `profile ${resolved.name} has none for ${base.origin}, and ${tokenVariable(service)} is not set`,
      // A CI job has nothing to log in to.
      try: isOn(runtime.env.CI)
        ? `set ${tokenVariable(service)} in the settings of the CI job`
        : {command: ['config login', service]},
    })
  }
  runtime.secrets.add(token)
  return token
}

function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Milliseconds between attempts: the maximum before the second attempt, and before any. */
const backoff = {baseMs: 250, capMs: 8000}

type Limits = Pick<ExchangeOptions, 'retry' | 'sleep' | 'signal'>

/** For single calls: Ctrl-C ends them. */
export function singleLimits({random, sleep, signal}: Runtime, retries: number): Limits {
  return {retry: {retries, ...backoff, random}, sleep, signal}
}

/**
 * For the calls of a run: Ctrl-C lets pending calls finish, so that their outcome is known, and prevents retries.
 */
function runLimits({random, sleep, signal}: Runtime, retries: number): Limits {
  return {
    retry: {
      get retries() {
        return signal.aborted ? 0 : retries
      },
      ...backoff,
      random,
    },
    sleep: (ms, deadline) => sleep(ms, AbortSignal.any([deadline, signal])),
    signal: new AbortController().signal,
  }
}
