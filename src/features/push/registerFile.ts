import type {Operation} from '../../api/contract/operation.js'
import {iosCertificate, iosKey, show} from '../../api/contract/push.js'
import {cancelled, describeChange, questionOn, typedPath} from '../../cli/prompts/confirm.js'
import {routeFlags} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText} from '../../text/text.js'
import {askRoute, describeGuess} from '../config/init.js'
import {routeWithSource, setProfileRoute} from '../config/routes.js'
import {
  assertProvable,
  type CheckedFile,
  type CredentialIds,
  idsOf,
  type isPasswordGiven,
  type OpenedFile,
  openCredentialFile,
  type ReadingOptions,
  requireKeyIds,
  withIds,
} from './credentialInput.js'
import {type ProofFlags, proofTargets} from './flags.js'
import type {ProvableCredential, RequiredProof} from './prove.js'
import {
  beginRegistering,
  type Registering,
  type RegisteringFlags,
  registerCredential,
  registrationOf,
} from './registerCredential.js'

type FileFlags = RegisteringFlags &
  Parameters<typeof idsOf>[0] &
  Parameters<typeof isPasswordGiven>[1] &
  ProofFlags & {readonly route?: string[] | undefined; readonly prove?: boolean}

type Kind = ProvableCredential['kind']

const operations = {key: iosKey, certificate: iosCertificate} as const

type Open = (answers?: {readonly route: string[]; readonly 'application-id': string}) => Promise<Session>

/**
 * Registers the iOS credential of a file. Without FILE a terminal is asked for what flags do not answer; nothing changes
 * before the last answer. Typed routes are stored once the service took the credential there. Raises a Failure.
 */
export async function registerFile(open: Open, flags: FileFlags, kind: Kind, file: string | undefined): Promise<void> {
  const ids = idsOf(flags)
  const session = await open()
  if (file !== undefined) return registerNamed(session, flags, {kind, file, ids})
  if (!session.mayAsk) {
    const advice = kind === 'key' ? 'name the .p8 file, or send only the ids with --no-file' : 'name the .p12 file'
    throw wrongUsage('FILE is missing', {try: advice})
  }
  try {
    await registerAsked(session, open, flags, {kind, ids})
  } catch (error) {
    throw error instanceof Cancelled ? cancelled() : error
  }
}

/** Registers a key by its ids alone: one variant of the document makes its file optional (push §6). */
export async function registerKeyIds(session: Session, flags: FileFlags): Promise<void> {
  const registering = await beginRegistering(session, flags, iosKey)
  const ids = await requireKeyIds(session, idsOf(flags), registering)
  const registration = registrationOf(registering.applicationId, {credential: {kind: 'key', ...ids}})
  await registerCredential(session, flags, registering, registration, {findings: []})
}

async function registerNamed(
  session: Session,
  flags: FileFlags,
  {kind, file, ids}: {readonly kind: Kind; readonly file: string; readonly ids: CredentialIds},
): Promise<void> {
  const registering = await beginRegistering(session, flags, operations[kind])
  const {doing} = registering
  const prompt = questionOn(session, 'push', 'Password of the certificate:')
  const opened = await openCredentialFile(session, file, ids, {doing, password: flags, prompt, kind: `apns-${kind}`})
  if (flags.prove) assertProvable(opened, doing)
  const checked = await withIds(session, opened, ids, doing)
  const {credential} = checked
  const proof = flags.prove ? {credential, targets: await proofTargets(session, flags)} : undefined
  await register(session, flags, registering, checked, proof)
}

async function registerAsked(
  first: Session,
  open: Open,
  flags: FileFlags,
  {kind, ids}: {readonly kind: Kind; readonly ids: CredentialIds},
): Promise<void> {
  const operation = operations[kind]
  first.warn('Nothing changes before the last question. Esc cancels.')
  const applicationId = await askApplication(first)
  const doing = describeChange(operation, {query: {application_id: applicationId}})
  const opened = await askFile(first, ids, {doing, password: flags, kind: `apns-${kind}`})
  if (flags.prove) assertProvable(opened, doing)
  const checked = await askIds(first, opened, ids, doing)
  for (const line of describeFile(checked)) first.warn(`  ${safeText(line)}`)
  const routes = await askRoutes(first, flags, operation)
  const route = [...(flags.route ?? []), ...[...routes.typed].map(([id, text]) => `${id}=${text}`)]
  const session = await open({route, 'application-id': applicationId})
  const answered = {...flags, route, ...(routes.takesGuess ? {'allow-assumed': true} : {})}
  const registering = {...(await beginRegistering(session, answered, operation)), asks: true}
  await register(session, answered, registering, checked, await askProof(session, flags, opened, checked.credential))
  if (flags['dry-run']) return
  for (const [id, text] of routes.typed) await setProfileRoute(session, id, text)
  const stored = [...routes.typed.keys()].join(' and ')
  if (stored !== '') session.warn(`the route of ${stored} is stored in profile ${safeText(session.resolved.name)}`)
}

async function register(
  session: Session,
  flags: FileFlags,
  registering: Registering,
  checked: CheckedFile,
  proof: RequiredProof | undefined,
): Promise<void> {
  const {credential, found} = checked
  if (credential.kind === 'certificate') {
    const advice = 'servers and proxies may log it: use a password unique to this file'
    session.warn(`warning: this service expects the password in the request URL; ${advice}`)
  }
  const registration = registrationOf(registering.applicationId, checked)
  await registerCredential(session, flags, registering, registration, {findings: found.findings, proof})
}

/** The routes of the registration and of the read-back, where nobody has set them. */
async function askRoutes(session: Session, flags: FileFlags, operation: Operation) {
  const {resolved, runtime} = session
  const given = await routeFlags(flags.route ?? [])
  const isAssumed = (one: Operation) => routeWithSource(resolved, given, one).source === 'assumed'
  if (resolved.isSandbox || flags['allow-assumed'] || !isAssumed(operation))
    return {typed: new Map<string, string>(), takesGuess: false}
  const way = await runtime.ask.choose(`The route of ${operation.id} is undocumented:`, [
    {name: 'type the method and path of this service', value: 'typed'},
    {name: `send the credential to ${describeGuess(operation)}`, value: 'guess'},
  ])
  const typed = new Map<string, string>()
  const ask = async (one: Operation, hint: string) => {
    const text = await askRoute(session, one, hint)
    if (text !== '') typed.set(one.id, text)
  }
  if (way === 'typed') await ask(operation, ', as POST /v1/path')
  if (way === 'typed' && isAssumed(show)) await ask(show, `, which reads it back (empty: ${describeGuess(show)})`)
  return {typed, takesGuess: way === 'guess'}
}

async function askApplication(session: Session): Promise<string> {
  const {resolved, runtime} = session
  const {applicationId} = resolved.values
  if (applicationId !== undefined && resolved.source('applicationId') === 'flag') return applicationId
  const check = (text: string) => text.trim() !== '' || 'an id is needed'
  const initial = applicationId === undefined ? {} : {initial: applicationId}
  const typed = (await runtime.ask.text(questionOn(session, 'push', 'Application id:'), {...initial, check})).trim()
  if (typed !== '') return typed
  throw wrongUsage('no application id was typed')
}

async function askFile(session: Session, ids: CredentialIds, options: ReadingOptions): Promise<OpenedFile> {
  const question = questionOn(session, 'push', options.kind === 'apns-key' ? 'The .p8 file:' : 'The .p12 file:')
  for (;;) {
    const file = typedPath(session, await session.runtime.ask.text(question))
    const opened = await openCredentialFile(session, file, ids, options).catch(noUsableFile)
    if (typeof opened !== 'string') return opened
    session.warn(opened)
  }
}

/** Asks for the ids that neither flags nor the file have until they fit the file. */
async function askIds(session: Session, opened: OpenedFile, ids: CredentialIds, doing: string): Promise<CheckedFile> {
  const {found} = opened
  const known =
    found.kind === 'apns-key' ? [ids.keyId ?? found.keyId, ids.teamId, ids.bundleId] : [ids.bundleId ?? found.bundleId]
  if (!known.includes(undefined)) return withIds(session, opened, ids, doing)
  for (;;) {
    const checked = await withIds(session, opened, ids, doing).catch(noUsableFile)
    if (typeof checked !== 'string') return checked
    session.warn(checked)
  }
}

/** Why another file or id is asked for. Raises every other error. */
function noUsableFile(error: unknown): string {
  if (!(error instanceof Failure) || (error.facts.exit !== 'file' && error.facts.exit !== 'usage')) throw error
  const {message, why} = error.facts
  return safeText(why === undefined ? message : `${message}: ${why}`)
}

function describeFile({credential, found}: CheckedFile): string[] {
  if (credential.kind === 'key') {
    const {keyId, teamId, bundleId} = credential
    return [`key id     ${keyId}`, `team id    ${teamId}`, `bundle id  ${bundleId}`]
  }
  const {notAfter, teamId} = found.kind === 'apns-certificate' ? found : {}
  return [
    `bundle id  ${credential.bundleId}`,
    `team id    ${teamId ?? 'unknown'}`,
    `expires    ${notAfter?.toISOString().slice(0, 10) ?? 'unknown'}`,
  ]
}

async function askProof(
  session: Session,
  flags: FileFlags,
  opened: OpenedFile,
  credential: ProvableCredential,
): Promise<RequiredProof | undefined> {
  if (flags.prove) return {credential, targets: await proofTargets(session, flags)}
  if (opened.found.kind === 'apns-certificate' && !opened.found.opened) return undefined
  const environment = await session.runtime.ask.choose('Register it only if Apple accepts it?', [
    {name: 'yes, in production', value: 'production'},
    {name: 'yes, in development', value: 'development'},
    {name: 'yes, in both environments', value: 'both'},
    {name: 'no, register it unproven', value: 'no'},
  ])
  return environment === 'no' ? undefined : {credential, targets: await proofTargets(session, {environment})}
}
