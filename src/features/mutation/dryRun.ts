import type {PreparedRequest} from '../../api/client/request/request.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import type {Input, Operation, Service} from '../../api/contract/operation.js'
import type {Prediction} from '../../api/rules/predict.js'
import {isForPeople, presentIds, presentList, presentText} from '../../cli/output/present.js'
import {questionOn} from '../../cli/prompts/confirm.js'
import {authorizationOf} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {exactJson} from '../../text/json.js'
import {counted, safeText, tally} from '../../text/text.js'
import {withTimes} from '../../text/time.js'
import type {Column, ListView} from '../../view/format/columns.js'
import {checkOutput} from '../../view/format/output.js'
import type {KnownTarget} from './mutation.js'
import {afterFailure, expectation, type Known, verdict} from './prediction.js'

/** A request for `--dry-run`; without method and URL if none can be made. */
export interface RequestPreview {
  readonly dry_run: true
  readonly operation: string
  readonly method: string | null
  readonly url: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly expected?: Prediction
  /** Further effects, for people. */
  readonly note?: string
}

/** The request of a change, and its prediction. Reads the room if its state matters and was not read yet. */
export async function previewRequest<O extends Operation>(
  session: Session,
  operation: O,
  input: Input<O>,
  known: Known = {},
): Promise<RequestPreview> {
  const request = maskedRequest(session, await session.api.plan(operation, input))
  const expected = await expectation(session, operation, input, known)
  return {dry_run: true, operation: operation.id, ...request, ...(expected ? {expected} : {})}
}

const nothing = {dry_run: true, method: null, url: null, headers: {}, body: null} as const

/** The preview of a change whose request cannot be made: what is expected of it, or why it cannot. `note`: the ways out. */
export function noRequest({id}: Operation, why: Failure | Prediction | undefined, note?: string): RequestPreview {
  const expected = why instanceof Failure ? afterFailure(why) : why
  return {...nothing, operation: id, ...(expected ? {expected} : {}), ...(note === undefined ? {} : {note})}
}

/** A request for people, with masked secrets: a JSON body whole, a form by its fields. */
export function maskedRequest(
  {secrets, resolved}: Pick<Session, 'secrets' | 'resolved'>,
  {service, method, url, headers, body, fields}: PreparedRequest,
): Pick<RequestPreview, 'method' | 'url' | 'headers' | 'body'> {
  const {authorization} = authorizationOf(service, resolved, '***')
  const shown = fields ?? (typeof body === 'string' ? (parseResponseJson(body) ?? body) : null)
  // A masked text stays a text; a route may send a secret in a header.
  const masked = secrets.maskIn(headers) as typeof headers
  return {method, url: secrets.maskFields(url.href), headers: {authorization, ...masked}, body: secrets.maskIn(shown)}
}

/** `id`: what `-q` prints of the one target, in place of the request. */
export async function presentPreviews(session: Session, made: readonly RequestPreview[], id?: string): Promise<void> {
  const plans = made.map((plan) => withoutSecrets(session, plan))
  await checkOutput(planList.columns, session.output)
  if (session.output.format === 'ids' && id !== undefined) {
    return presentIds(session, made.every((plan) => wouldChange({plan})) ? [id] : [])
  }
  if (isForPeople(session) && plans.length > 0) return presentText(session, plans.map(planText).join('\n\n'))
  await presentList(session, plans, planList)
}

/** People read the answer first, and no headers; programs get the requests. */
export async function presentLed(
  session: Session,
  plans: readonly RequestPreview[],
  answer: readonly string[],
): Promise<void> {
  if (!isForPeople(session)) return presentPreviews(session, plans)
  await checkOutput(planList.columns, session.output)
  const requests = plans.map(({note, ...plan}) => planText({...plan, headers: {}}))
  await presentText(session, [...answer.map(safeText), ...requests].join('\n'))
}

export interface TargetPreview extends KnownTarget {
  readonly plan: RequestPreview
  /** Why nothing would be sent for it, in a word or two. */
  readonly obstacle?: string
}

/**
 * The question's table with a column for the answer, refusals last, and unless columns are chosen a sample request, if there is one of
 * a target that is not refused; with --debug all.
 */
export async function presentAnswers(
  session: Session,
  read: () => Promise<readonly TargetPreview[]>,
  {
    table,
    operation,
    noun,
  }: {readonly table: ListView<KnownTarget>; readonly operation: Operation; readonly noun: string},
): Promise<void> {
  const {output, debug} = session
  if (output.format !== 'ids' && output.format !== 'table') {
    await checkOutput(planList.columns, output)
    const previews = await read()
    return presentList(
      session,
      previews.map(({plan}) => withoutSecrets(session, plan)),
      planList,
    )
  }
  const answers = answerList(table)
  await checkOutput(answers.columns, output)
  const previews = await read()
  // What is printed is what `-` is to change.
  if (output.format === 'ids') return presentList(session, previews.filter(wouldChange), answers)
  const rows = [...previews.filter((preview) => !isRefused(preview)), ...previews.filter(isRefused)]
  await presentList(session, rows, answers, {mayPage: false})
  if (rows.length === 0) return
  const plans = rows.map(({plan}) => plan)
  if (debug) {
    const texts = plans.map((plan) => planText(withoutSecrets(session, plan)))
    await presentText(session, `\n${texts.join('\n\n')}`)
  } else if (isForPeople(session)) await presentSample(session, plans)
  const sum = tally(rows.map(answerText)).join(', ')
  session.warn(`${questionOn(session, operation.service, counted(rows.length, noun))}: ${sum}`)
}

function wouldChange({plan}: Pick<TargetPreview, 'plan'>): boolean {
  return plan.url !== null && plan.expected?.allowed !== 'no'
}

function isRefused({plan: {expected}}: TargetPreview): boolean {
  return expected?.allowed === 'no'
}

/** Shows requests of one kind: a line of each, which is its note, and one of them as a sample; with --debug all of them. */
export async function presentAlike(
  session: Session,
  plans: readonly RequestPreview[],
  {service, noun}: {readonly service: Service; readonly noun: string},
): Promise<void> {
  if (!isForPeople(session) || plans.length < 2 || session.debug) return presentPreviews(session, plans)
  await checkOutput(planList.columns, session.output)
  await presentText(session, plans.map(({note}) => safeText(note)).join('\n'))
  await presentSample(session, plans)
  session.warn(questionOn(session, service, counted(plans.length, noun)))
}

async function presentSample(session: Session, plans: readonly RequestPreview[]): Promise<void> {
  const sample = plans.find(({url}) => url !== null)
  if (sample === undefined) return
  const {method, url} = sample
  await presentText(session, ['\nsample request:', `  ${method} ${url}`, ...requestLines(sample)].join('\n'))
}

const answerColours = {yes: 'green', unknown: 'yellow', no: 'red'} as const

const answerColumn: Column<TargetPreview> = {
  name: 'answer',
  value: answerText,
  paint: (text, {plan}, style) => style[answerColours[plan.expected?.allowed ?? 'unknown']](text),
  kept: true,
}

function answerList({columns, id}: ListView<KnownTarget>): ListView<TargetPreview> {
  return {id, empty: planList.empty, columns: [...columns, answerColumn]}
}

function answerText({plan: {expected}, obstacle}: TargetPreview): string {
  const {allowed, code = obstacle} = expected ?? {allowed: 'unknown'}
  return allowed === 'no' && code !== undefined ? `no (${code})` : allowed
}

/** Why a change would be refused may be in the words of the service, which may repeat the token that it was sent. */
function withoutSecrets(session: Session, plan: RequestPreview): RequestPreview {
  const {secrets, view} = session
  const {expected} = plan
  if (!expected) return plan
  const why = withTimes(secrets.mask(expected.why), isForPeople(session) ? (view.shortTime ?? view.time) : undefined)
  return {...plan, expected: {...expected, why}}
}

export const planList: ListView<RequestPreview> = {
  id: ({url, operation}) => url ?? operation,
  empty: 'nothing would be sent',
  columns: [
    {name: 'operation'},
    {name: 'method'},
    {name: 'url'},
    {name: 'body'},
    {name: 'expected', value: ({expected}) => expected && verdict(expected)},
  ],
}

function planText(plan: RequestPreview): string {
  const {operation, method, url, expected, note} = plan
  const lines = expected ? [verdict(expected)] : []
  lines.push(url === null ? `would send nothing for ${operation}` : `would send: ${method} ${url}`)
  lines.push(...requestLines(plan))
  if (note !== undefined) lines.push(safeText(note))
  return lines.join('\n')
}

/** Every request has these, whatever it is for. */
const transportHeaders = new Set(['authorization', 'accept', 'accept-encoding', 'content-type', 'content-length'])

function requestLines({headers, body}: RequestPreview): string[] {
  const own = Object.entries(headers).filter(([name]) => !transportHeaders.has(name.toLowerCase()))
  const lines = own.map(([name, value]) => `  ${name}: ${value}`)
  return body === null ? lines : [...lines, `  ${safeText(exactJson(body))}`]
}
