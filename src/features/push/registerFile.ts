import type {InferredFlags} from '@oclif/core/interfaces'
import {iosCertificate, iosKey} from '../../api/contract/push.js'
import {switchFlag} from '../../cli/flags/flags.js'
import {assertReady, cancelled, questionOn, requireApplicationId, typedPath} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {unasked} from '../../terminal/ask.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText} from '../../text/text.js'
import {
  assertProvable,
  type CheckedFile,
  idFlags,
  idsOf,
  type OpenedFile,
  openCredentialFile,
  passwordFlags,
  readCredentialFile,
  requireKeyIds,
  withIds,
} from './credentialInput.js'
import {isOfApple, type ProofTarget, proofTargets, proveFlags, registeringFlags} from './flags.js'
import type {RequiredProof} from './prove.js'
import {
  type PreparedRegistration,
  prepareRegistration,
  registerCredential,
  registrationOf,
} from './registerCredential.js'

export const iosFlags = {
  ...registeringFlags,
  ...idFlags,
  ...passwordFlags,
  'no-file': switchFlag('send only the ids of a key, without its file'),
  ...proveFlags,
}

type FileFlags = InferredFlags<typeof iosFlags>

const operations = {'apns-key': iosKey, 'apns-certificate': iosCertificate} as const

/**
 * Registers the iOS credential of a file, recognised by its content. Without FILE, a terminal is asked for what flags do not answer.
 * @throws Failure
 */
export async function registerFile(session: Session, flags: FileFlags, file: string | undefined): Promise<void> {
  if (flags['no-file']) return registerKeyIds(session, flags, file)
  if (file !== undefined) return registerFrom(session, flags, file)
  if (!session.mayAsk) {
    const advice = 'name the .p8 or .p12 file, or send only the ids of a key with --no-file'
    throw unasked(session.runtime, wrongUsage('FILE is missing', {try: advice}))
  }
  await assertReady(session, 'push')
  session.warn('Nothing changes before the last question. Esc cancels.')
  try {
    await registerFrom(session, flags, undefined)
  } catch (error) {
    throw error instanceof Cancelled ? cancelled() : error
  }
}

/** Registers a key by its ids alone: one variant of the document makes its file optional (push §6). */
async function registerKeyIds(session: Session, flags: FileFlags, file: string | undefined): Promise<void> {
  const other = file === undefined ? (flags.prove ? '--prove' : undefined) : 'FILE'
  if (other !== undefined) throw wrongUsage(`${other} and --no-file cannot be given together`)
  const prepared = await prepareRegistration(session, flags, iosKey)
  const ids = await requireKeyIds(session, idsOf(flags), prepared)
  const registration = registrationOf(prepared.applicationId, {credential: {kind: 'key', ...ids}})
  await registerCredential(session, flags, prepared, registration, {findings: []})
}

/** Checks the file before its route. */
async function registerFrom(session: Session, flags: FileFlags, file: string | undefined): Promise<void> {
  const asks = file === undefined
  const ids = idsOf(flags)
  if (file !== undefined) await readCredentialFile(file)
  const applicationId = await requireApplicationId(session)
  const doing = `register the iOS credential of application ${safeText(applicationId)}`
  const prompt = questionOn(session, 'push', 'Password of the certificate:')
  const open = (path: string) => openCredentialFile(session, path, ids, {doing, password: flags, prompt})
  const opened = asks ? await askFile(session, open) : await open(file)
  if (flags.prove) assertProvable(opened, doing)
  const prepared = await prepareRegistration(session, flags, operations[opened.inspected.kind], applicationId)
  const checked = await withIds(session, opened, ids, prepared.doing)
  if (asks) for (const line of describeFile(checked)) session.warn(`  ${safeText(line)}`)
  const proof = await proofOf(session, flags, checked, asks)
  await register(session, flags, {...prepared, asks}, checked, proof)
}

async function register(
  session: Session,
  flags: FileFlags,
  prepared: PreparedRegistration,
  checked: CheckedFile,
  proof: RequiredProof | undefined,
): Promise<void> {
  if (checked.credential.kind === 'certificate') {
    const advice = 'servers and proxies may log it: use a password unique to this file'
    session.warn(`warning: this service expects the password in the request URL; ${advice}`)
  }
  const registration = registrationOf(prepared.applicationId, checked)
  await registerCredential(session, flags, prepared, registration, {findings: checked.inspected.findings, proof})
}

async function askPath(session: Session): Promise<string> {
  const typed = await session.runtime.ask.text('File (.p8 or .p12):')
  if (typed.trim() === '') throw wrongUsage('a file is needed')
  return typedPath(session, typed)
}

/** Asks until a file can be opened and work. */
async function askFile(session: Session, open: (file: string) => Promise<OpenedFile>): Promise<OpenedFile> {
  for (;;) {
    try {
      return await open(await askPath(session))
    } catch (error) {
      if (!(error instanceof Failure) || (error.facts.exit !== 'file' && error.facts.exit !== 'usage')) throw error
      const {message, why} = error.facts
      session.warn(safeText(why === undefined ? message : `${message}: ${why}`))
    }
  }
}

function describeFile({credential, inspected}: CheckedFile): string[] {
  if (credential.kind === 'key') {
    const {keyId, teamId, bundleId} = credential
    return [`key id     ${keyId}`, `team id    ${teamId}`, `bundle id  ${bundleId}`]
  }
  const {notAfter, teamId} = inspected.kind === 'apns-certificate' ? inspected : {}
  return [
    `bundle id  ${credential.bundleId}`,
    `team id    ${teamId ?? 'unknown'}`,
    `expires    ${notAfter?.toISOString().slice(0, 10) ?? 'unknown'}`,
  ]
}

/** Nothing of the sandbox calls Apple; a gateway of a test, on this machine, is not Apple. Throws Failure (usage). */
function assertMayProve({resolved}: Session, targets: readonly ProofTarget[]): void {
  if (!resolved.isSandbox || !targets.some(({origin}) => isOfApple(origin.hostname))) return
  throw wrongUsage('--prove cannot be used with the sandbox; nothing was sent', {
    why: 'the sandbox never calls Apple',
    try: 'leave --prove out; push prove asks Apple without a registration',
  })
}

/** The proof that a flag or, on a terminal, an answer wants. The sandbox is no reason to call Apple. */
async function proofOf(
  session: Session,
  flags: FileFlags,
  {credential, inspected}: CheckedFile,
  asks: boolean,
): Promise<RequiredProof | undefined> {
  if (flags.prove) {
    const targets = await proofTargets(session, flags)
    assertMayProve(session, targets)
    return {credential, targets}
  }
  if (!asks || session.resolved.isSandbox || (inspected.kind === 'apns-certificate' && !inspected.opened))
    return undefined
  const environment = await session.runtime.ask.choose('Register it only if Apple accepts it?', [
    {name: 'yes, in production', value: 'production'},
    {name: 'yes, in development', value: 'development'},
    {name: 'yes, in both environments', value: 'both'},
    {name: 'no, register it unproven', value: 'no'},
  ])
  return environment === 'no' ? undefined : {credential, targets: await proofTargets(session, {environment})}
}
