import {type Advice, adviceAfter} from '../../advice.js'
import {fillText, type Operation, type Service} from '../../api/contract/operation.js'
import {type Failure, failureWith} from '../../failure.js'
import {type SettingKey, settingByKey} from '../../storage/profile/settings.js'
import {unasked, whyUnasked} from '../../terminal/ask.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText, shortly} from '../../text/text.js'
import type {Session} from '../session/session.js'

export interface ConfirmFlags {
  readonly yes?: boolean
  readonly confirm?: string | undefined
}

/** A question before a change: yes or no, or with `expected` one of these texts. */
export interface Question {
  readonly text: string
  /** More information for the answer: a phrase without a full stop. */
  readonly note?: string | undefined
  readonly expected?: readonly string[]
}

/**
 * The deployment by profile and host: `on live (rooms.example.com)`. If a variable overrides the profile's address, its host is
 * named; without either it is empty.
 */
function deployment({resolved}: Session, service: Service): string {
  const {name, exists, isSandbox, values} = resolved
  if (isSandbox) return `on ${name} (built in)`
  const address = values[`${service}.url`] ?? ''
  const host = URL.canParse(address) ? new URL(address).host : undefined
  if (exists) return safeText(`on ${name} (${host ?? 'no address'})`)
  return host === undefined ? '' : `on ${host}`
}

/** The question with the deployment: `End room r-1 on live (rooms.example.com)?` */
export function questionOn(session: Session, service: Service, question: string): string {
  const where = deployment(session, service)
  return where === '' ? question : question.replace(/[?:]?$/u, (end) => ` ${where}${end}`)
}

/** A required text; `missing` is the Failure if it was not given and roomctl cannot ask. */
interface Needed {
  readonly given: string | undefined
  /** The subject of the question: `File`, `Sender`. */
  readonly label: string
  /** Whether it is a path, in which a leading `~` is the home folder: no shell has expanded it. */
  readonly isPath?: boolean
  readonly missing: () => Failure
}

/** The given text, or the one typed on a terminal. Throws `missing` if roomctl cannot ask or nothing is typed. */
export async function requireText(
  session: Session,
  service: Service,
  {given: answer, label, isPath, missing}: Needed,
): Promise<string> {
  if (answer !== undefined) return answer
  const typed = session.mayAsk ? await askText(session, label, {service}) : ''
  if (typed.trim() === '') throw unasked(session.runtime, missing())
  return isPath ? typedPath(session, typed) : typed
}

export function typedPath({runtime}: Session, typed: string): string {
  return typed.trim().replace(/^~(?=\/|$)/u, () => runtime.home)
}

/** A profile without address or token is refused before the question. Throws Failure. */
export async function askText(
  session: Session,
  label: string,
  {service, choices = []}: {readonly service?: Service | undefined; readonly choices?: readonly string[]},
): Promise<string> {
  const text = `${label.charAt(0).toUpperCase()}${label.slice(1)}:`
  if (service) await assertReady(session, service)
  const question = service ? questionOn(session, service, text) : text
  const {ask} = session.runtime
  if (choices.length === 0) return ask.text(question)
  return ask.choose(
    question,
    choices.map((value) => ({name: value, value})),
  )
}

/** Throws Failure (configuration) if the profile has no address or, for a request, no token of the service. */
export async function assertReady({api, isPreview}: Session, service: Service): Promise<void> {
  const {authorize} = await api.access(service)
  if (!isPreview) await authorize?.()
}

/** The given user, or the requester of the profile; undefined if neither names a user. */
export function userOrRequester({resolved}: Session, userId: string | undefined): string | undefined {
  const {requester} = resolved.values
  const user = userId ?? (requester === 'host' || requester === 'creator' ? undefined : requester)
  return user?.trim() === '' ? undefined : user
}

/** How a setting is set: by its variable where that has it now, or where no profile can keep it. */
export function toSet({resolved}: Session, key: SettingKey, value?: string): Advice {
  const isOfEnvironment = resolved.isSandbox || !resolved.exists || resolved.source(key) === 'env'
  const {env} = settingByKey(key)
  if (value === undefined) return isOfEnvironment ? `set ${env}` : `store ${key} with config set`
  return isOfEnvironment ? `export ${env}=${value}` : {command: ['config set', key, value]}
}

/** Throws Failure (configuration) if it is not set and roomctl cannot ask. */
export function requireApplicationId(session: Session): Promise<string> {
  const {values} = session.resolved
  return requireText(session, 'push', {
    given: values.applicationId,
    label: 'Application id',
    missing: () =>
      failureWith('configuration', 'no application id is set', {
        why: 'it is required; neither --application-id, ROOMCTL_APPLICATION_ID nor the profile sets it',
        try: adviceAfter('add --application-id, or', toSet(session, 'applicationId')),
      }),
  })
}

/** For a change that is not confirmed by a question: on a terminal, and not with `-q`. */
export function noteDeployment(session: Session, service: Service): void {
  if (!session.runtime.stderr.isTerminal || session.output.format === 'ids') return
  const where = deployment(session, service)
  if (where !== '') session.warn(session.style.dim(where))
}

/** A change in words that follow `cannot`: `end room r-1`. */
export function describeChange(
  operation: Operation,
  {path, query, body}: Readonly<Partial<Record<'path' | 'query' | 'body', Readonly<Record<string, unknown>>>>>,
): string {
  return safeText(fillText(operation.action, {...path, ...query, ...body}))
}

/** Asks on every profile: a yes or, if the question expects one of several texts, that text. */
type Weight = 'yes' | 'typed' | undefined

/**
 * Whether to ask before a change, by flags and profile alone. `--yes` answers every question except on a protected profile, which
 * only `--confirm PROFILE` answers; another name stops every change. A `typed` question is asked even off a terminal if
 * `--confirm` may answer it (`askChange`). Throws Failure (unconfirmed) if roomctl cannot ask.
 */
export function mustAsk(session: Session, answers: ConfirmFlags, doing: () => string, weight: Weight): boolean {
  const {name, values} = session.resolved
  const {yes, confirm} = answers
  const isSettled = values.protected || confirm === undefined || (yes && confirm === name)
  if (weight === 'typed' && !isSettled) return true
  if (confirm !== undefined && confirm !== name) throw declined(`--confirm names another profile than ${name}`)
  const isAnswered = values.protected ? confirm === name : weight === undefined || yes === true
  if (isAnswered) return false
  if (session.mayAsk) return true
  if (!values.protected) throw unanswered(session, doing(), 'add --yes')
  const why = yes ? '--yes does not answer for a protected profile' : undefined
  throw unanswered(session, doing(), `add --confirm ${name}: the profile is protected`, why)
}

/**
 * Whether to ask for a word before a change that `--yes` does not answer: a push to all users, replacing a credential (product
 * §5). The word is the application id, on a protected profile its name; `--confirm WORD` answers, and any other word stops.
 * Throws Failure (unconfirmed) as `mustAsk` does.
 */
export function mustName(
  session: Session,
  {confirm, yes}: ConfirmFlags,
  doing: string,
  applicationId: string,
): boolean {
  const word = wordOf(session, applicationId)
  if (confirm === word) return false
  if (confirm !== undefined) throw declined(`--confirm must be ${safeText(word)} here`)
  if (session.mayAsk) return true
  throw unanswered(
    session,
    doing,
    `add --confirm ${word}: ${session.resolved.values.protected ? 'the profile is protected' : 'the id of the application'}`,
    yes ? '--yes does not answer this question' : undefined,
  )
}

/** Asks for that word. Throws Failure (unconfirmed) when declined. */
export async function askName(session: Session, service: Service, text: string, applicationId: string): Promise<void> {
  await askChange(session, service, {text, expected: [wordOf(session, applicationId)]})
}

function wordOf({resolved}: Session, applicationId: string): string {
  return resolved.values.protected ? resolved.name : applicationId
}

/**
 * Asks the question, or on a protected profile for its name. `--confirm` answers a question that expects a text, and any other
 * text stops. Throws Failure (unconfirmed) when declined.
 */
export async function askChange(
  session: Session,
  service: Service,
  question: Question,
  {confirm}: ConfirmFlags = {},
): Promise<void> {
  await assertReady(session, service)
  const {expected, note} = question
  const {name, values} = session.resolved
  if (!values.protected && expected !== undefined && confirm !== undefined) {
    if (!expected.includes(confirm.trim())) throw declined(`--confirm must be ${quotedChoice(expected)} here`)
    return noteDeployment(session, service)
  }
  const text = `${questionOn(session, service, question.text)}${note ? ` ${note}.` : ''}`
  if (values.protected) return askTyped(session, `${text} Profile ${name} is protected.`, [name])
  if (expected !== undefined) return askTyped(session, text, expected)
  await askYes(session, text)
}

/** Throws Failure (unconfirmed) for no. */
export async function askYes({runtime}: Session, text: string): Promise<void> {
  if (!(await runtime.ask.confirm(text).catch(rethrowCancelled))) throw cancelled()
}

function quotedChoice(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(' or ')
}

const tries = 3

/**
 * Asks for one of the expected texts, three times at most; Enter alone cancels. `nothingDone`: the message then.
 * Throws Failure (unconfirmed).
 */
export async function askTyped(
  session: Session,
  text: string,
  expected: readonly string[],
  nothingDone = nothingSent,
): Promise<void> {
  const request = `Type ${quotedChoice(expected)} to confirm:`
  for (let tried = 0; tried < tries; tried++) {
    const question = tried === 0 ? `${text}\n${request}` : request
    const typed = (
      await session.runtime.ask.text(question).catch((error) => rethrowCancelled(error, nothingDone))
    ).trim()
    if (expected.includes(typed)) return
    if (typed === '') break
    session.progress(`expected ${expected.join(' or ')}, got ${safeText(shortly(typed))}`)
  }
  throw cancelled(nothingDone)
}

/** Confirms a small change, which asks only on a protected profile. Throws Failure (unconfirmed). */
export async function confirmChange(
  session: Session,
  answers: ConfirmFlags,
  service: Service,
  doing: string,
): Promise<void> {
  if (mustAsk(session, answers, () => doing, undefined)) await askChange(session, service, {text: questionOf(doing)})
  else noteDeployment(session, service)
}

/** `end room r-1` as `End room r-1?`. */
export function questionOf(doing: string): string {
  return `${doing.charAt(0).toUpperCase()}${doing.slice(1)}?`
}

/** The Failure (unconfirmed) if roomctl cannot ask; `flag`: what answers. */
export function unanswered(session: Session, doing: string, flag: string, why?: string): Failure {
  const message = `cannot ${doing}: confirmation required; nothing was sent`
  const facts = {code: 'unconfirmed', try: flag} as const
  if (why === undefined) return failureWith('unconfirmed', message, {...facts, why: whyUnasked(session.runtime.ask)})
  return unasked(session.runtime, failureWith('unconfirmed', message, {...facts, why}))
}

function declined(why: string): Failure {
  return failureWith('unconfirmed', 'cancelled; nothing was sent', {code: 'declined', why})
}

const nothingSent = 'nothing was sent'

export function cancelled(nothingDone = nothingSent): Failure {
  return failureWith('unconfirmed', `cancelled; ${nothingDone}`, {code: 'cancelled', isNotice: true})
}

function rethrowCancelled(error: unknown, nothingDone = nothingSent): never {
  throw error instanceof Cancelled ? cancelled(nothingDone) : error
}
