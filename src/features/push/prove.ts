import {text as textOf} from 'node:stream/consumers'
import type {CommandWords} from '../../advice.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import {readProxy} from '../../api/http/network/address.js'
import {extraCaCertificates} from '../../api/http/network/caCertificates.js'
import {apnsGateway, certificateAlert, GatewayClosed} from '../../api/http/transports/apnsGateway.js'
import {hostAndPort, type Transport, WireError, type WireRequest} from '../../api/http/wire/transport.js'
import {presentList} from '../../cli/output/present.js'
import {readCa, withDebugTrace} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {clientCertificateOf} from '../../credential/apnsCertificate.js'
import {signProviderToken} from '../../credential/apnsKey.js'
import {Failure, failureWith} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {type ProofRow, type ProofVerdict, proofList, proofText} from '../../view/push/proof.js'
import type {RequestPreview} from '../mutation/dryRun.js'
import type {ProofTarget} from './flags.js'

/** A credential that APNs can be asked about. `bytes`: of a file that the checks of src/credential found no error in. */
export type ProvableCredential = {readonly file: string; readonly bytes: Uint8Array; readonly bundleId: string} & (
  | {readonly kind: 'key'; readonly keyId: string; readonly teamId: string}
  | {readonly kind: 'certificate'; readonly password: string}
)

/** One try takes at most this, `--timeout` less. */
const longestTryMs = 10_000

export interface RequiredProof {
  readonly credential: ProvableCredential
  readonly targets: readonly ProofTarget[]
}

/** `exit`: undefined if all is accepted, network if nothing was reached. */
export type CredentialProof = Awaited<ReturnType<typeof proveCredential>>

/** A device token of APNs that no device has: the credential is judged before it. */
const noDevice = '0'.repeat(64)

/** No device shows a background notification; it must have the priority 5. */
const body = JSON.stringify({aps: {'content-available': 1}})

/** Asks APNs by one request to a device that does not exist in each environment. Throws Failure: interrupted, configuration, file. */
export async function proveCredential(
  session: Session,
  credential: ProvableCredential,
  targets: readonly ProofTarget[],
) {
  const {runtime, resolved, secrets} = session
  secrets.add(credential.bytes)
  const token = credential.kind === 'key' ? await tokenOf(session, credential) : undefined
  const client = credential.kind === 'certificate' ? await clientOf(session, credential) : undefined
  const transport = withDebugTrace(
    apnsGateway({
      tryMs: Math.min(longestTryMs, resolved.values.timeout),
      ca: extraCaCertificates(readCa(resolved), runtime.env),
      proxy: readProxy(runtime.env),
      client,
    }),
    session,
  )
  const context = {kind: credential.kind, topic: credential.bundleId, now: runtime.now()}
  const rows = await Promise.all(
    targets.map(async (target): Promise<ProofRow> => {
      const request = {...proofRequest(credential, target, token), signal: runtime.signal}
      const {failure, ...row} = await proofOf(transport, credential, target, request)
      return {...row, message: safeText(failure ?? proofText(row, context))}
    }),
  )
  const notes = rows.map(({environment, message}) => `${environment}: ${message}`)
  const are = (verdict: ProofVerdict) => rows.every((row) => row.verdict === verdict)
  const exit = are('accepted') ? undefined : are('unreachable') ? 'network' : 'found'
  return {rows, notes, exit, command: commandOf(credential)} as const
}

/** The proof alone; a certificate has its own ids. */
function commandOf(credential: ProvableCredential): CommandWords {
  const {kind, file, bundleId} = credential
  return ['push prove', file, ...(kind === 'key' ? ['--team-id', credential.teamId, '--bundle-id', bundleId] : [])]
}

/** Shows the rows on stdout and their meaning on stderr; sets the exit code. */
export async function presentProof(session: Session, {rows, notes, exit}: CredentialProof): Promise<void> {
  await presentList(session, rows, proofList)
  if (session.output.format === 'table') for (const note of notes) session.warn(note)
  if (exit !== undefined) session.endWith(exit)
}

/** Refuses a change whose credential is not accepted. Throws Failure (found, network). */
export function assertProven({rows, notes, exit, command}: CredentialProof, {doing}: {readonly doing: string}): void {
  if (exit === undefined) return
  const at = rows.findIndex(({verdict}) => verdict !== 'accepted')
  const {verdict, http_status: status} = rows[at] ?? {verdict: 'unknown', http_status: null}
  throw new Failure({
    exit,
    code: 'not-proven',
    message: `cannot ${doing}: ${exit === 'network' ? 'APNs was not reached' : `APNs did not accept it (${verdict})`}; nothing was sent to the service`,
    why: notes.filter((_, index) => rows[index]?.verdict !== 'accepted').join('; '),
    httpStatus: status ?? undefined,
    try: {sentence: 'leave --prove out to register it unproven, or prove it alone', command},
  })
}

async function tokenOf({runtime, secrets}: Session, credential: ProvableCredential & {readonly kind: 'key'}) {
  const token = await signProviderToken(credential.bytes, {...credential, issuedAt: runtime.now()})
  secrets.add(token)
  return token
}

async function clientOf(
  {secrets, runtime}: Session,
  {bytes, password, bundleId}: ProvableCredential & {readonly kind: 'certificate'},
) {
  secrets.add(password)
  const client = await clientCertificateOf(bytes, password, {bundleId, now: runtime.now()})
  secrets.add(Buffer.from(client.key))
  return client
}

/** The push type that APNs demands for a topic (Apple, Sending notification requests to APNs). */
const pushTypes: readonly (readonly [suffix: string, type: string])[] = [
  ['.voip', 'voip'],
  ['.voip-ptt', 'pushtotalk'],
  ['.complication', 'complication'],
  ['.pushkit.fileprovider', 'fileprovider'],
  ['.location-query', 'location'],
  ['.push-type.liveactivity', 'liveactivity'],
  ['.push-type.controls', 'controls'],
  ['.push-type.widgets', 'widgets'],
]

function proofRequest(
  {bundleId}: ProvableCredential,
  {origin}: ProofTarget,
  token: string | undefined,
): WireRequest & {readonly body: string} {
  const headers = {
    ...(token === undefined ? {} : {authorization: `bearer ${token}`}),
    'apns-topic': bundleId,
    'apns-push-type': pushTypes.find(([suffix]) => bundleId.endsWith(suffix))?.[1] ?? 'background',
    'apns-priority': '5',
    'apns-expiration': '0',
    'content-type': 'application/json',
  }
  return {method: 'POST', url: new URL(`/3/device/${noDevice}`, origin), headers, body}
}

/** What a proof asks, before its requests in a dry run. */
export function questionsOf(credential: ProvableCredential, targets: readonly ProofTarget[]): string[] {
  const what = credential.kind === 'key' ? credential.keyId : 'the certificate'
  return targets.map(
    ({environment, origin}) =>
      `would ask ${origin.host} whether it accepts ${what} for ${credential.bundleId} in ${environment}`,
  )
}

/** The requests of a proof as `--dry-run` shows them; nothing is signed for it. */
export function previewProof(credential: ProvableCredential, targets: readonly ProofTarget[]): RequestPreview[] {
  const isKey = credential.kind === 'key'
  const how = isKey
    ? 'the token is signed with the key and valid for an hour'
    : 'the certificate authenticates the connection'
  return targets.map((target) => {
    const {method, url, headers} = proofRequest(credential, target, isKey ? '***' : undefined)
    const note = `in the ${target.environment} environment; ${how}`
    return {dry_run: true, operation: 'push.prove', method, url: url.href, headers, body: JSON.parse(body), note}
  })
}

async function proofOf(
  transport: Transport,
  {kind}: ProvableCredential,
  {environment, origin}: ProofTarget,
  request: WireRequest,
): Promise<Omit<ProofRow, 'message'> & {readonly failure?: string}> {
  const host = hostAndPort(origin)
  try {
    const {status, body: answer} = await transport(request)
    // One that breaks off has no reason.
    const reason = reasonIn(await textOf(answer).catch(() => ''))
    return {environment, verdict: verdictOf(kind, status, reason), reason: reason ?? null, http_status: status, host}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    if (error.problem === 'aborted') throw failureWith('interrupted', 'interrupted')
    const verdict = verdictOfFailure(kind, error)
    const row = {environment, ...verdict, http_status: null, host}
    return verdict.verdict === 'unknown' || verdict.verdict === 'unreachable' ? {...row, failure: error.message} : row
  }
}

/** The reason in the body of an answer: a word in letters. Anything else, such as a page of a proxy, has none. */
function reasonIn(text: string): string | undefined {
  const parsed = parseResponseJson(text)
  const reason: unknown =
    typeof parsed === 'object' && parsed !== null && 'reason' in parsed ? parsed.reason : undefined
  return typeof reason === 'string' && /^[A-Za-z]{1,64}$/u.test(reason) ? reason : undefined
}

/**
 * Reasons that say something of a credential, with their statuses (Apple, Handling notification responses; BadEnvironmentKeyInToken is
 * undocumented).
 */
const verdicts: Readonly<Record<string, readonly [status: number, verdict: ProofVerdict]>> = {
  BadDeviceToken: [400, 'accepted'],
  BadTopic: [400, 'topic'],
  TopicDisallowed: [400, 'topic'],
  BadCertificateEnvironment: [403, 'wrong-environment'],
  BadEnvironmentKeyIdInToken: [403, 'wrong-environment'],
  BadEnvironmentKeyInToken: [403, 'wrong-environment'],
  ExpiredProviderToken: [403, 'clock'],
  InvalidProviderToken: [403, 'ids-or-key'],
}

/** Reasons for refusing a token; a certificate sends none. */
const ofTokens: ReadonlySet<ProofVerdict> = new Set(['clock', 'ids-or-key'])

/** `status`: undefined for a reason in GOAWAY, which accepts nothing. A wrong environment counts under any status. */
function verdictOf(kind: ProvableCredential['kind'], status: number | undefined, reason = ''): ProofVerdict {
  const [usual, verdict] = verdicts[reason] ?? [0, 'unknown']
  const isSaid = verdict === 'wrong-environment' || usual === status || (status === undefined && verdict !== 'accepted')
  return !isSaid || (kind === 'certificate' && ofTokens.has(verdict)) ? 'unknown' : verdict
}

/** A gateway that was reached and gave no answer says nothing; an alert of TLS says why it refuses a certificate. */
function verdictOfFailure(
  kind: ProvableCredential['kind'],
  error: WireError,
): {readonly verdict: ProofVerdict; readonly reason: string} {
  const alert = kind === 'certificate' ? certificateAlert(error) : undefined
  if (alert !== undefined) return {verdict: alert === 'other' ? 'unknown' : alert, reason: 'tls-alert'}
  if (!(error instanceof GatewayClosed)) return {verdict: 'unreachable', reason: error.problem}
  const reason = reasonIn(error.data)
  return {verdict: verdictOf(kind, undefined, reason), reason: reason ?? error.frame}
}
