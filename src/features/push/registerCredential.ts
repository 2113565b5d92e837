import type {Input, Operation} from '../../api/contract/operation.js'
import type {PushConfiguration} from '../../api/contract/pushShapes.js'
import {isMachineFormat} from '../../cli/errors/errorHandler.js'
import {presentDone, type ResultView, resultView} from '../../cli/output/present.js'
import {
  askName,
  assertWritable,
  type ConfirmFlags,
  describeChange,
  mustName,
  questionOf,
} from '../../cli/prompts/confirm.js'
import {required, type Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import type {Finding} from './credentialChecksFindings.js'
import {readBack} from './readBack.js'
import {type Before, configurationBefore} from './registerCredentialRegistered.js'

type ChangeFlags = ConfirmFlags & {readonly 'dry-run'?: boolean}

/** A registration whose circumstances are settled; nothing of its credential is read yet. */
export interface Registering {
  readonly applicationId: string
  /** In words, to follow `cannot`. */
  readonly doing: string
  readonly view: ResultView<string>
}

/** A credential that may be registered, as far as its file tells. */
export interface Registration<O extends Operation> {
  readonly operation: O
  readonly platform: 'ios' | 'android'
  readonly input: Input<O>
  /** What the configuration must show afterwards. */
  readonly expected: Readonly<Partial<PushConfiguration>>
  /** What the checks of the file found; no errors among it. */
  readonly findings: readonly Finding[]
  /** Members of the result, beside those that every registration has. */
  readonly result: Readonly<Record<string, unknown>>
  /** What is registered, for people: `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`. */
  readonly what: string
}

/**
 * Refuses what can be refused before a file or a password is looked at: no application id, a profile that is read-only, an
 * output that cannot be drawn, a question that nobody can answer on a protected profile. `members` are those of the result.
 * Raises a Failure.
 */
export async function beginRegistering(
  session: Session,
  flags: ChangeFlags,
  operation: Operation,
  members: readonly string[],
): Promise<Registering> {
  const applicationId = required(session, 'applicationId', '--application-id')
  const doing = describeChange(operation, {query: {application_id: applicationId}})
  const view = await resultView(session, ['application_id', ...members, 'replaced', 'verified'])
  if (flags['dry-run']) return {applicationId, doing, view}
  assertWritable(session)
  const isAnswered = flags.confirm !== undefined
  if (isAnswered || session.resolved.values.protected) mustName(session, flags, doing, applicationId)
  return {applicationId, doing, view}
}

/**
 * Registers a credential of an application (push §6 to §8): reads what it replaces, asks, sends, journals, reads it back and
 * compares. With `--dry-run` shows the request, and what it would replace. Raises a Failure.
 */
export async function registerCredential<O extends Operation>(
  session: Session,
  flags: ChangeFlags,
  registering: Registering,
  registration: Registration<O>,
): Promise<void> {
  const {applicationId, view} = registering
  const {operation, input, platform, expected, result, what} = registration
  // What the request itself is refused for comes before anything is read or asked.
  await session.api.plan(operation, input)
  const before = await configurationBefore(session, applicationId, platform)
  if (flags['dry-run']) return presentDryRun(session, registration, before)
  sayBefore(session, before)
  await confirm(session, flags, registering, before)
  await sendJournaled(session, operation, input)
  const {verified, words} = await readBack(session, applicationId, expected)
  const done = {application_id: applicationId, ...result, replaced: replacedBy(before), verified}
  const sentence = `registered ${safeText(what)} in application ${safeText(applicationId)} (${words})`
  await presentDone(session, view, done, applicationId, sentence)
}

function replacedBy(before: Before): Readonly<Record<string, unknown>> | null {
  return before.kind === 'credential' ? before.replaced : null
}

/** To people; programs find it in the result. */
function sayBefore({warn, output}: Session, before: Before): void {
  if (before.kind === 'unknown') warn(`warning: it is not known what this replaces: ${before.why}`)
  else if (before.kind === 'credential' && !isMachineFormat(output.format)) warn(`this replaces ${before.text}`)
}

/** Only what takes the place of something is asked about, or what may (product §5). */
async function confirm(
  session: Session,
  flags: ChangeFlags,
  {applicationId, doing}: Registering,
  before: Before,
): Promise<void> {
  const isSmall = before.kind === 'nothing' && flags.confirm === undefined
  if (isSmall && !session.resolved.values.protected) return
  if (mustName(session, flags, doing, applicationId)) await askName(session, questionOf(doing), applicationId)
}

async function presentDryRun<O extends Operation>(
  session: Session,
  {operation, input, findings}: Registration<O>,
  before: Before,
): Promise<void> {
  const plan = await previewRequest(session, operation, input)
  const shown = {...plan, replaces: replacedBy(before), findings, note: wouldReplace(before)}
  await presentPreviews(session, [shown])
}

function wouldReplace(before: Before): string {
  if (before.kind === 'nothing') return 'nothing would be replaced'
  return before.kind === 'credential'
    ? `would replace ${before.text}`
    : `it is not known what would be replaced: ${before.why}`
}
