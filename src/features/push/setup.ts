import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {iosCertificate, iosKey, show} from '../../api/contract/push.js'
import {assertWritable, cancelled, questionOn, typedPath} from '../../cli/prompts/confirm.js'
import {routeFlags} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText} from '../../text/text.js'
import {askRoute, describeGuess} from '../config/init.js'
import {routeWithSource, setProfileRoute} from '../config/routes.js'
import {type CheckedFile, queryPasswordWarning, readCheckedFile} from './credentialInput.js'
import {proofTargets} from './flags.js'
import type {ProvableCredential, RequiredProof} from './prove.js'
import {
  beginRegistering,
  certificateRegistration,
  keyRegistration,
  type Registering,
  type RegisteringFlags,
  registerCredential,
} from './registerCredential.js'

export interface SetupFlags extends RegisteringFlags {
  readonly route?: string[] | undefined
  readonly server?: string | undefined
}

/** What was answered about the routes: those that were typed, by operation, and whether the guess is taken. */
interface RouteAnswers {
  readonly typed: ReadonlyMap<string, string>
  readonly takesGuess: boolean
}

const operations = {key: iosKey, certificate: iosCertificate} as const

/**
 * Guides through the registration of an iOS credential: route, application, file, ids, proof, what it replaces, confirmation. Nothing
 * is sent before the last answer; Esc or Ctrl-D leaves. Routes that were typed are stored in the profile once the service took the
 * credential there. `open`: the session with what was answered. Raises a Failure.
 */
export async function setUpCredential(
  session: Session,
  flags: SetupFlags,
  open: (answers: {readonly route: string[]; readonly 'application-id': string}) => Promise<Session>,
): Promise<void> {
  if (!session.mayAsk) throw cannotAsk()
  assertWritable(session)
  try {
    await setUp(session, flags, open)
  } catch (error) {
    throw error instanceof Cancelled ? cancelled() : error
  }
}

async function setUp(first: Session, flags: SetupFlags, open: Parameters<typeof setUpCredential>[2]): Promise<void> {
  first.warn('Nothing is sent before the last answer. Esc leaves.')
  const kind = await first.runtime.ask.choose(questionOn(first, 'push', 'What to register?'), [
    {name: 'an APNs key (.p8)', value: 'key' as const},
    {name: 'an APNs certificate (.p12)', value: 'certificate' as const},
  ])
  const routes = await askRoutes(first, flags, operations[kind])
  const applicationId = await askApplication(first)
  const route = [...(flags.route ?? []), ...[...routes.typed].map(([id, text]) => `${id}=${text}`)]
  const session = await open({route, 'application-id': applicationId})
  const answered = {...flags, route, ...(routes.takesGuess ? {'allow-assumed': true} : {})}
  const begun = await beginRegistering(session, answered, operations[kind])
  const registering = {...begun, asks: true}
  const checked = await askFile(session, kind, registering.doing)
  for (const line of describeFile(checked)) session.warn(`  ${safeText(line)}`)
  const proof = await askProof(session, flags, checked.credential)
  await register(session, answered, registering, {...checked, proof})
  if (flags['dry-run']) return
  for (const [id, text] of routes.typed) await setProfileRoute(session, id, text)
  const stored = [...routes.typed.keys()].join(' and ')
  if (stored !== '') session.warn(`the route of ${stored} is stored in profile ${safeText(session.resolved.name)}`)
}

/** The routes of the registration and of the read-back, where nobody has set them. */
async function askRoutes(session: Session, flags: SetupFlags, operation: Operation): Promise<RouteAnswers> {
  const {resolved, runtime} = session
  const given = await routeFlags(flags.route ?? [])
  const isAssumed = (one: Operation) => routeWithSource(resolved, given, one).source === 'assumed'
  if (resolved.isSandbox || flags['allow-assumed'] || !isAssumed(operation))
    return {typed: new Map(), takesGuess: false}
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

async function askApplication({resolved, runtime}: Session): Promise<string> {
  const {applicationId} = resolved.values
  const check = (text: string) => text.trim() !== '' || 'an id is needed'
  const initial = applicationId === undefined ? {} : {initial: applicationId}
  const typed = (await runtime.ask.text('Application id:', {...initial, check})).trim()
  if (typed !== '') return typed
  throw new Failure({exit: 'usage', message: 'no application id was typed'})
}

/** Asks for the file, its password and its ids until they can work. */
async function askFile(session: Session, kind: 'key' | 'certificate', doing: string): Promise<CheckedFile> {
  const question = kind === 'key' ? 'The .p8 file:' : 'The .p12 file:'
  for (;;) {
    const file = typedPath(session, await session.runtime.ask.text(question))
    const checked = await readCheckedFile(session, file, {}, {doing, password: {}}).catch(noUsableFile)
    if (typeof checked === 'string') session.warn(checked)
    else if (checked.credential.kind === kind) return checked
    else session.warn(`${safeText(file)} is a ${checked.credential.kind}, not a ${kind}`)
  }
}

/** Why another file or id is asked for. Raises every other error. */
function noUsableFile(error: unknown): string {
  if (!(error instanceof Failure) || (error.facts.exit !== 'file' && error.facts.exit !== 'usage')) throw error
  const {message, why} = error.facts
  return safeText(why === undefined ? message : `${message}: ${why}`)
}

/** What was read from the name and the content of the file. */
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
  {server}: SetupFlags,
  credential: ProvableCredential,
): Promise<RequiredProof | undefined> {
  const environment = await session.runtime.ask.choose('Register it only if Apple accepts it?', [
    {name: 'yes, in production', value: 'production'},
    {name: 'yes, in development', value: 'development'},
    {name: 'yes, in both environments', value: 'both'},
    {name: 'no, register it unproven', value: 'no'},
  ])
  return environment === 'no' ? undefined : {credential, targets: await proofTargets(session, {environment, server})}
}

async function register(
  session: Session,
  flags: SetupFlags,
  registering: Registering,
  {credential, found, proof}: CheckedFile & {readonly proof: RequiredProof | undefined},
): Promise<void> {
  const {applicationId} = registering
  const of = {findings: found.findings, proof}
  if (credential.kind === 'key') {
    const registration = keyRegistration(applicationId, credential, found.fingerprint)
    return registerCredential(session, flags, registering, {...registration, ...of})
  }
  await queryPasswordWarning(session, iosCertificate, 'apns_certificate_password')
  const registration = certificateRegistration(applicationId, credential, found)
  await registerCredential(session, flags, registering, {...registration, ...of})
}

function cannotAsk(): Failure {
  return new Failure({
    exit: 'usage',
    message: 'push setup asks questions and needs a terminal',
    try: 'roomctl push ios-key or roomctl push ios-cert, with flags',
  })
}
