import type {Operation} from '../../api/contract/operation.js'
import {iosCertificate, iosKey, show} from '../../api/contract/push.js'
import {cancelled, questionOn, requireApplicationId, typedPath} from '../../cli/prompts/confirm.js'
import {routeFlags} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText} from '../../text/text.js'
import {askRoute, describeGuess, routeWithSource, setProfileRoute} from '../config/routes.js'
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
import type {RequiredProof} from './prove.js'
import {
  type PreparedRegistration,
  prepareRegistration,
  type RegisteringFlags,
  registerCredential,
  registrationOf,
} from './registerCredential.js'

type FileFlags = RegisteringFlags &
  Parameters<typeof idsOf>[0] &
  Parameters<typeof isPasswordGiven>[1] &
  ProofFlags & {readonly prove?: boolean}

const operations = {'apns-key': iosKey, 'apns-certificate': iosCertificate} as const

/**
 * Registers the iOS credential of a file, recognised by its content. Without FILE, a terminal is asked for what flags do not answer.
 * @throws Failure
 */
export async function registerFile(session: Session, flags: FileFlags, file: string | undefined): Promise<void> {
  const ids = idsOf(flags)
  if (file !== undefined) return registerNamed(session, flags, file, ids)
  if (!session.mayAsk) {
    throw wrongUsage('FILE is missing', {
      try: 'name the .p8 or .p12 file, or send only the ids of a key with --no-file',
    })
  }
  try {
    await registerAsked(session, flags, ids)
  } catch (error) {
    throw error instanceof Cancelled ? cancelled() : error
  }
}

/** Registers a key by its ids alone: one variant of the document makes its file optional (push §6). */
export async function registerKeyIds(session: Session, flags: FileFlags, file: string | undefined): Promise<void> {
  const other = file === undefined ? (flags.prove ? '--prove' : undefined) : 'FILE'
  if (other !== undefined) throw wrongUsage(`${other} and --no-file cannot be given together`)
  const prepared = await prepareRegistration(session, flags, iosKey)
  const ids = await requireKeyIds(session, idsOf(flags), prepared)
  const registration = registrationOf(prepared.applicationId, {credential: {kind: 'key', ...ids}})
  await registerCredential(session, flags, prepared, registration, {findings: []})
}

function describeRegistering(applicationId: string): string {
  return `register the iOS credential of application ${safeText(applicationId)}`
}

/** Checks the file before its route. */
async function registerNamed(session: Session, flags: FileFlags, file: string, ids: CredentialIds): Promise<void> {
  const applicationId = await requireApplicationId(session)
  const doing = describeRegistering(applicationId)
  const prompt = questionOn(session, 'push', 'Password of the certificate:')
  const opened = await openCredentialFile(session, file, ids, {doing, password: flags, prompt})
  if (flags.prove) assertProvable(opened, doing)
  const prepared = await prepareRegistration(session, flags, operations[opened.found.kind], applicationId)
  const checked = await withIds(session, opened, ids, prepared.doing)
  const {credential} = checked
  const proof = flags.prove ? {credential, targets: await proofTargets(session, flags)} : undefined
  await register(session, flags, prepared, checked, proof)
}

/** Nothing changes before the last question. Typed routes are stored once the service took the credential there. */
async function registerAsked(session: Session, flags: FileFlags, ids: CredentialIds): Promise<void> {
  session.warn('Nothing changes before the last question. Esc cancels.')
  const applicationId = await askApplication(session)
  const doing = describeRegistering(applicationId)
  const opened = await askFile(session, ids, {doing, password: flags})
  if (flags.prove) assertProvable(opened, doing)
  const checked = await askIds(session, opened, ids, doing)
  for (const line of describeFile(checked)) session.warn(`  ${safeText(line)}`)
  const operation = operations[checked.found.kind]
  const {typed, takesGuess} = await askRoutes(session, flags, operation)
  const routes = [...typed].map(([id, text]) => `${id}=${text}`)
  const routed = session.withRoutes(routes)
  const route = [...(flags.route ?? []), ...routes]
  const answered = {...flags, route, ...(takesGuess ? {'allow-assumed': true} : {})}
  const prepared = {...(await prepareRegistration(routed, answered, operation, applicationId)), asks: true}
  await register(routed, answered, prepared, checked, await askProof(session, flags, checked))
  if (flags['dry-run']) return
  for (const [id, text] of typed) await setProfileRoute(session, id, text)
  const stored = [...typed.keys()].join(' and ')
  if (stored !== '') session.warn(`the route of ${stored} is stored in profile ${safeText(session.resolved.name)}`)
}

async function register(
  session: Session,
  flags: FileFlags,
  prepared: PreparedRegistration,
  checked: CheckedFile,
  proof: RequiredProof | undefined,
): Promise<void> {
  const {credential, found} = checked
  if (credential.kind === 'certificate') {
    const advice = 'servers and proxies may log it: use a password unique to this file'
    session.warn(`warning: this service expects the password in the request URL; ${advice}`)
  }
  const registration = registrationOf(prepared.applicationId, checked)
  await registerCredential(session, flags, prepared, registration, {findings: found.findings, proof})
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
  for (;;) {
    const file = typedPath(session, await session.runtime.ask.text('File (.p8 or .p12):'))
    const opened = await openCredentialFile(session, file, ids, options).catch(reasonAgainstFile)
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
    const checked = await withIds(session, opened, ids, doing).catch(reasonAgainstFile)
    if (typeof checked !== 'string') return checked
    session.warn(checked)
  }
}

/** Why another file or id is asked for. @throws any other error */
function reasonAgainstFile(error: unknown): string {
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

/** The routes of the registration and of the read-back, if neither flag, environment nor profile sets them. */
async function askRoutes(session: Session, flags: FileFlags, operation: Operation) {
  const {resolved, runtime} = session
  const given = await routeFlags(flags.route ?? [])
  const isAssumed = (one: Operation) => routeWithSource(resolved, given, one).source === 'assumed'
  const typed = new Map<string, string>()
  if (resolved.isSandbox || flags['allow-assumed'] || !isAssumed(operation)) return {typed, takesGuess: false}
  const way = await runtime.ask.choose(`The route of ${operation.id} is undocumented:`, [
    {name: 'type the method and path of this service', value: 'typed'},
    {name: `send the credential to ${describeGuess(operation)}`, value: 'guess'},
  ])
  if (way === 'guess') return {typed, takesGuess: true}
  const hints: [Operation, string][] = [[operation, ', as POST /v1/path']]
  if (isAssumed(show)) hints.push([show, `, which reads it back (empty: ${describeGuess(show)})`])
  for (const [one, hint] of hints) {
    const text = await askRoute(session, one, hint)
    if (text !== '') typed.set(one.id, text)
  }
  return {typed, takesGuess: false}
}

/** The sandbox is no reason to call Apple. */
async function askProof(
  session: Session,
  flags: FileFlags,
  {credential, found}: CheckedFile,
): Promise<RequiredProof | undefined> {
  if (flags.prove) return {credential, targets: await proofTargets(session, flags)}
  if (session.resolved.isSandbox || (found.kind === 'apns-certificate' && !found.opened)) return undefined
  const environment = await session.runtime.ask.choose('Register it only if Apple accepts it?', [
    {name: 'yes, in production', value: 'production'},
    {name: 'yes, in development', value: 'development'},
    {name: 'yes, in both environments', value: 'both'},
    {name: 'no, register it unproven', value: 'no'},
  ])
  return environment === 'no' ? undefined : {credential, targets: await proofTargets(session, {environment})}
}
