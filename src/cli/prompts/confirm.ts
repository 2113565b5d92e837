import {Failure} from '../../api/contract/failure.js'
import type {Operation, Service} from '../../api/contract/operation.js'
import {fillText} from '../../api/rules/templates.js'
import {Cancelled} from '../../terminal/questions.js'
import {safeText, shortly} from '../../text/text.js'
import type {Session} from '../session/session.js'

/** The answers that flags give in advance. */
export interface ConfirmFlags {
  readonly yes?: boolean
  readonly confirm?: string | undefined
}

/** What is asked before a change; with `expected` one of the texts has to be typed, without it yes is enough (product §5). */
export interface Question {
  readonly text: string
  /** What else is to be known for the answer: a phrase without a full stop. */
  readonly note?: string | undefined
  readonly expected?: readonly string[]
}

/**
 * Which deployment it is, by profile and host: `on live (rooms.example.com)`. Empty off a terminal and with `-q`. `values` are the
 * effective ones: where a variable overrides the profile's address, its host is named.
 */
function deployment({resolved, runtime, output}: Session, service: Service): string {
  if (!runtime.stderr.isTerminal || output.format === 'ids') return ''
  const {name, exists, isSandbox, values} = resolved
  if (isSandbox) return `on ${name} (built in)`
  const address = values[`${service}.url`] ?? ''
  const host = URL.canParse(address) ? new URL(address).host : 'no address'
  return safeText(exists ? `on ${name} (${host})` : `on ${host}`)
}

/** A question with the deployment before its last sign: `End room r-1 on live (rooms.example.com)?` */
export function questionOn(session: Session, service: Service, question: string): string {
  const where = deployment(session, service)
  return where === '' ? question : question.replace(/[?:]?$/u, (end) => ` ${where}${end}`)
}

/** Something that a command needs; `missing` is the Failure where it was not given and roomctl cannot ask. */
interface Needed {
  readonly given: string | undefined
  /** `File`, `Sender`: what is asked for, with a colon behind it. */
  readonly label: string
  /** It is the path of a file or folder, in which a leading `~` is the home folder: no shell has read it. */
  readonly isPath?: boolean
  readonly missing: () => Failure
}

/** What was given, else what is typed on a terminal. Raises `missing` where roomctl cannot ask, and where nothing is typed. */
export async function requireText(
  session: Session,
  service: Service,
  {given, label, isPath, missing}: Needed,
): Promise<string> {
  if (given !== undefined) return given
  const typed = session.mayAsk ? await askText(session, label, {service}) : ''
  if (typed.trim() === '') throw missing()
  return isPath ? typedPath(session, typed) : typed
}

/** A path as it was typed at a question, with the home folder in place of a leading `~`. */
export function typedPath({runtime}: Session, typed: string): string {
  return typed.trim().replace(/^~(?=\/|$)/u, () => runtime.home)
}

/** Asks for what the label names, or for one of the choices. */
export function askText(
  session: Session,
  label: string,
  {service, choices = []}: {readonly service?: Service | undefined; readonly choices?: readonly string[]},
): Promise<string> {
  const text = `${label.charAt(0).toUpperCase()}${label.slice(1)}:`
  const question = service ? questionOn(session, service, text) : text
  const {ask} = session.runtime
  if (choices.length === 0) return ask.text(question)
  return ask.choose(
    question,
    choices.map((value) => ({name: value, value})),
  )
}

/** The user who was given, else the requester of the profile; undefined where neither names a user. */
export function userOrRequester({resolved}: Session, given: string | undefined): string | undefined {
  const {requester} = resolved.values
  const user = given ?? (requester === 'host' || requester === 'creator' ? undefined : requester)
  return user?.trim() === '' ? undefined : user
}

/** The application that the command is about, asked for on a terminal. Raises a Failure (configuration). */
export function requireApplicationId(session: Session): Promise<string> {
  return requireText(session, 'push', {
    given: session.resolved.values.applicationId,
    label: 'Application id',
    missing: () =>
      new Failure({
        exit: 'configuration',
        message: 'no application id is set',
        why: 'it is required; neither --application-id, ROOMCTL_APPLICATION_ID nor the profile sets it',
        try: 'add --application-id ID, or roomctl config set applicationId ID',
      }),
  })
}

/** Names the deployment of a change that nobody is asked about. */
export function noteDeployment(session: Session, service: Service): void {
  const where = deployment(session, service)
  if (where !== '') session.warn(session.style.dim(where))
}

/** Refuses every change on a read-only profile. Raises a Failure (unconfirmed). */
export function assertWritable({resolved}: Session): void {
  if (!resolved.values.readOnly) return
  throw new Failure({
    exit: 'unconfirmed',
    code: 'read-only',
    message: `profile ${resolved.name} is read-only; nothing was sent`,
    why: 'a read-only profile sends no changes',
    try: `use another profile with -p, or roomctl config set readOnly false -p ${resolved.name}`,
  })
}

/** A change in words, to follow `cannot`: `end room r-1`. */
export function describeChange(
  operation: Operation,
  {path, query, body}: Readonly<Partial<Record<'path' | 'query' | 'body', Readonly<Record<string, unknown>>>>>,
): string {
  return safeText(fillText(operation.doing, {...path, ...query, ...body}))
}

/**
 * Whether somebody must be asked before a change, as far as flags and profile tell: nothing is read for it. `weighty`: the
 * change asks on every profile. `--yes` answers every question but that of a protected profile, which only `--confirm`
 * answers; one that names another profile stops every change. Raises a Failure (unconfirmed) on a read-only profile, and
 * without a terminal.
 */
export function mustAsk(session: Session, answers: ConfirmFlags, doing: string, weighty: boolean): boolean {
  assertWritable(session)
  const {name, values} = session.resolved
  const {yes, confirm} = answers
  if (confirm !== undefined && confirm !== name) throw declined(`--confirm names another profile than ${name}`)
  const isAnswered = values.protected ? confirm === name : !weighty || yes === true
  if (isAnswered) return false
  if (session.mayAsk) return true
  throw unanswered(doing, values.protected ? `add --confirm ${name}: the profile is protected` : 'add --yes')
}

/**
 * Whether somebody must be asked for a word before a change that no `--yes` answers: a push to all users, and the replacing of
 * a credential (product §5). The word is the application's id, on a protected profile the profile's name; `--confirm WORD`
 * answers, and with another word stops. Raises a Failure (unconfirmed) as `mustAsk` does.
 */
export function mustName(session: Session, {confirm}: ConfirmFlags, doing: string, applicationId: string): boolean {
  assertWritable(session)
  const word = wordOf(session, applicationId)
  if (confirm === word) return false
  if (confirm !== undefined) throw declined(`--confirm must be ${safeText(word)} here`)
  if (session.mayAsk) return true
  throw unanswered(
    doing,
    `add --confirm ${word}: ${session.resolved.values.protected ? 'the profile is protected' : 'the id of the application'}`,
  )
}

/** Asks for the application's id, on a protected profile for its name. Raises a Failure (unconfirmed) when it is declined. */
export async function askName(session: Session, service: Service, text: string, applicationId: string): Promise<void> {
  await askChange(session, service, {text, expected: [wordOf(session, applicationId)]})
}

function wordOf({resolved}: Session, applicationId: string): string {
  return resolved.values.protected ? resolved.name : applicationId
}

/** Asks the question, or on a protected profile for its name. Raises a Failure (unconfirmed) when it is declined. */
export async function askChange(session: Session, service: Service, question: Question): Promise<void> {
  const {expected, note} = question
  const {name, values} = session.resolved
  const text = `${questionOn(session, service, question.text)}${note ? ` ${note}.` : ''}`
  if (values.protected) return askTyped(session, `${text} Profile ${name} is protected.`, [name])
  if (expected !== undefined) return askTyped(session, text, expected)
  await askYes(session, text)
}

/** Asks yes or no. Raises a Failure (unconfirmed) for no. */
export async function askYes({runtime}: Session, text: string): Promise<void> {
  if (!(await runtime.ask.confirm(text).catch(rethrowCancelled))) throw cancelled()
}

const tries = 3

/**
 * Asks until one of the expected texts is typed, three times at most; Enter alone cancels. `nothingDone`: what is said to be left
 * undone. Raises a Failure (unconfirmed).
 */
export async function askTyped(
  session: Session,
  text: string,
  expected: readonly string[],
  nothingDone = nothingSent,
): Promise<void> {
  const request = `Type ${expected.map((one) => `"${one}"`).join(' or ')} to confirm:`
  for (let tried = 0; tried < tries; tried++) {
    const question = tried === 0 ? `${text} ${request}` : request
    const typed = (
      await session.runtime.ask.text(question).catch((error) => rethrowCancelled(error, nothingDone))
    ).trim()
    if (expected.includes(typed)) return
    if (typed === '') break
    session.progress(`expected ${expected.join(' or ')}, got ${safeText(shortly(typed))}`)
  }
  throw cancelled(nothingDone)
}

/** Confirms a small change, which asks on a protected profile only. Raises a Failure (unconfirmed). */
export async function confirmChange(
  session: Session,
  answers: ConfirmFlags,
  service: Service,
  doing: string,
): Promise<void> {
  if (mustAsk(session, answers, doing, false)) await askChange(session, service, {text: questionOf(doing)})
  else noteDeployment(session, service)
}

/** `end room r-1` as `End room r-1?`. */
export function questionOf(doing: string): string {
  return `${doing.charAt(0).toUpperCase()}${doing.slice(1)}?`
}

/** The Failure (unconfirmed) of a change that asks where roomctl cannot ask; `flag`: what answers. */
export function unanswered(
  doing: string,
  flag: string,
  why = 'not a terminal (or --no-input is set), so roomctl cannot ask',
): Failure {
  return new Failure({
    exit: 'unconfirmed',
    code: 'unconfirmed',
    message: `cannot ${doing}: confirmation required; nothing was sent`,
    why,
    try: flag,
  })
}

function declined(why: string): Failure {
  return new Failure({exit: 'unconfirmed', code: 'declined', message: 'cancelled; nothing was sent', why})
}

const nothingSent = 'nothing was sent'

/** The Failure (unconfirmed) of a change that somebody decided against. */
export function cancelled(nothingDone = nothingSent): Failure {
  return new Failure({exit: 'unconfirmed', code: 'cancelled', message: `cancelled; ${nothingDone}`})
}

/** A question before a change is cancelled before anything is sent, and says so. */
function rethrowCancelled(error: unknown, nothingDone = nothingSent): never {
  throw error instanceof Cancelled ? cancelled(nothingDone) : error
}
