import type {InferredFlags} from '@oclif/core/interfaces'
import {pushTypes, sendToUsers} from '../../api/contract/push.js'
import {
  defaultedFlag,
  inputFileFlag,
  maxTargetsFlag,
  repeatableFlag,
  severalTargetsFlags,
  valueFlag,
} from '../../cli/flags/flags.js'
import {parseChoice, parseWholeNumber} from '../../cli/flags/parseValues.js'
import {readTextInput} from '../../cli/input/readIds.js'
import {isForPeople} from '../../cli/output/present.js'
import {askChange, mustAsk, noteDeployment} from '../../cli/prompts/confirm.js'
import {readUsers} from '../../cli/prompts/pickers.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {parseExactJson} from '../../text/json.js'
import {counted, safeText, someOf} from '../../text/text.js'
import {cut} from '../../text/width.js'
import {type SentRow, sentRows, sentSum} from '../../view/push/requests.js'
import {assertStdinOnce, assertWithinLimit, warnOverLimit} from '../bulk/flags.js'
import {presentRun} from '../bulk/present.js'
import {presentAlike, previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {assertMessage, deviceTypes, messageFlags, notesOnMessage} from './flags.js'
import {batchRequest, inBatches, type Push, sendBatches} from './sendBatches.js'

export const pushSendFlags = {
  ...messageFlags,
  type: defaultedFlag(deviceTypes, 'ANDROID', 'platform of the device'),
  data: repeatableFlag('NAME=TEXT', 'data field; repeatable'),
  'data-json': valueFlag('JSON|FILE', 'data as a JSON object, or a file; - is stdin'),
  'recipients-from': inputFileFlag('read users from FILE, one per line (# comments, - stdin)'),
  batch: defaultedFlag('N', '500', 'recipients per request, 1–10000'),
  ...severalTargetsFlags,
  max: maxTargetsFlag(10_000),
}

type PushSendFlags = InferredFlags<typeof pushSendFlags>

/** Users that a question or a preview names. */
const namedUsers = 5
/** More recipients than this are asked about. */
const unasked = 20
const mostInBatch = 10_000
/** Columns of a terminal that the preview gives to title and body. */
const previewWidth = 70

/** Throws Failure: usage for a value of the wrong form, for stdin named twice and for what the document does not support. */
export async function readPush(session: Session, users: readonly string[], flags: PushSendFlags): Promise<Push> {
  const {title, body} = flags
  const size = parseWholeNumber('--batch', flags.batch, {min: 1, max: mostInBatch})
  const type = supportedType(flags)
  assertMessage(flags)
  const {'recipients-from': from, 'data-json': json} = flags
  assertStdinOnce([...users, from, json], {
    why: 'stdin can be read once: as recipients or as data',
    try: 'put one of them in a file',
  })
  const data = await readPushData(session, flags.data, json)
  const advice = 'name users, - for stdin, or a file with --recipients-from'
  const {ids, repeated} = await readUsers(session, users, {advice, from, service: 'push'})
  if (repeated > 0) session.warn(`note: ${repeated === 1 ? '1 duplicate was' : `${repeated} duplicates were`} dropped`)
  for (const text of notesOnMessage({title, body, ...(data ? {data} : {})})) session.warn(`note: ${text}`)
  return {batches: inBatches(ids, size), message: {push_type: type, title, body, ...(data ? {data} : {})}}
}

/** Confirms by weight, sends and presents the outcome of each recipient. Throws Failure, unconfirmed beyond `--max`. */
export async function sendPush(session: Session, flags: PushSendFlags, push: Push): Promise<void> {
  const recipients = push.batches.flat().length
  const limited = {limit: parseWholeNumber('--max', flags.max), noun: 'user', verb: 'push to'}
  if (flags['dry-run']) {
    await presentRequests(session, push)
    return warnOverLimit(session, recipients, limited)
  }
  assertWithinLimit(recipients, limited)
  await confirmPush(session, flags, push)
  const rows = await sendBatches(session, push, flags['fail-fast'] ?? false)
  const isForPeople = !isMachineFormat(session.output.format)
  const rest = rows.filter(({outcome}) => outcome === 'not-tried')
  const from = safeText(rest[0]?.recipient_id)
  const isCut = session.runtime.signal.aborted && rest.length > 0
  await presentRun(session, {
    rows: session.output.format === 'ids' ? reached(push, rows) : rows,
    ...{view: sentRows, see: null},
    sum: isForPeople && rows.some(({outcome}) => outcome !== 'done') ? sentSum(rows) : undefined,
    rest:
      isForPeople && isCut
        ? `to resume, send to the last ${counted(rest.length, 'user')} alone, from ${from} on`
        : undefined,
  })
}

/** With -q: the recipients whose push was accepted, each once; failed ones are not shown. */
function reached({batches}: Push, rows: readonly SentRow[]): SentRow[] {
  const done = new Map(rows.flatMap((row) => (row.outcome === 'done' ? [[row.recipient_id, row]] : [])))
  return [...batches.flat().flatMap((id) => done.get(id) ?? []), ...rows.filter(({outcome}) => outcome !== 'done')]
}

/** push, What the service does: "Recurring dispatch and iOS sending are documented as not supported at present". */
function supportedType({type: typed, 'allow-unsupported': allowed}: PushSendFlags) {
  const type = parseChoice('--type', typed, pushTypes)
  if (type !== 'IOS' || allowed) return type
  throw wrongUsage('sending to IOS is documented as not supported; nothing was sent', {
    code: 'unsupported',
    why: 'recurring dispatch and iOS sending are documented as not supported',
    try: 'omit --type, or add --allow-unsupported to send it anyway',
  })
}

async function confirmPush(session: Session, flags: PushSendFlags, {batches, message}: Push): Promise<void> {
  const ids = batches.flat()
  const whom = counted(ids.length, 'user')
  const isMany = ids.length > unasked
  if (!mustAsk(session, flags, () => `send a push to ${whom}`, isMany ? 'typed' : undefined))
    return noteDeployment(session, 'push')
  if (session.mayAsk) showPush(session, message, ids)
  const text = `Send this push to ${whom}?`
  await askChange(session, 'push', isMany ? {text, expected: [String(ids.length)]} : {text}, flags)
}

function showPush({view, warn}: Session, {title, body}: Push['message'], ids: readonly string[]): void {
  const shown = (text: string) => (view.plain ? safeText(text) : cut(safeText(text), previewWidth))
  warn(`title: ${shown(title)}\nbody:  ${shown(body)}\nto:    ${safeText(someOf(ids, namedUsers))}`)
}

/** The request of every batch. People see the first of its recipients and how many there are, programs all of them. */
async function presentRequests(session: Session, push: Push): Promise<void> {
  const plans: RequestPreview[] = []
  for (const [at, recipients] of push.batches.entries()) {
    const plan = await previewRequest(session, sendToUsers, batchRequest(push, recipients))
    const which = push.batches.length > 1 ? `batch ${at + 1} of ${push.batches.length}: ` : ''
    const note = `${which}to ${counted(recipients.length, 'user')}: ${someOf(recipients, namedUsers)}`
    plans.push({...plan, body: isForPeople(session) ? shortened(plan.body) : plan.body, note})
  }
  await presentAlike(session, plans, {service: 'push', noun: 'request'})
}

/** The route may rename the list of recipients, so every long list is cut; data keeps its own. */
function shortened(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const members = Object.entries(body).map(([name, value]) => {
    const isLong = Array.isArray(value) && value.length > unasked
    return [name, isLong ? [...value.slice(0, 5), `… and ${value.length - 5} more`] : value]
  })
  return Object.fromEntries(members)
}

type PushData = Readonly<Record<string, unknown>>

/** The members of `--data-json` (JSON, a file, `-`), then those of `--data k=v` (push, Rules 3). Throws Failure (usage, file). */
async function readPushData(
  session: Session,
  pairs: readonly string[] | undefined,
  json: string | undefined,
): Promise<PushData | undefined> {
  if (pairs === undefined && json === undefined) return undefined
  const members = new Map(json === undefined ? [] : Object.entries(await objectFrom(session, json)))
  for (const pair of pairs ?? []) {
    const [name, value] = pairOf(pair)
    if (members.has(name)) throw notSent(`the data contains the name ${name} twice`, 'one value would be lost')
    members.set(name, value)
  }
  return Object.fromEntries(members)
}

/** The value may be empty and may hold further equals signs. No message repeats it. */
function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at < 1) throw notSent('--data takes NAME=VALUE', 'for example --data room=r-1')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

async function objectFrom(session: Session, json: string): Promise<PushData> {
  // A value that begins like JSON is JSON: write ./NAME for a file of such a name.
  const isText = /^\s*[[{"]/u.test(json)
  const text = isText ? json : await readTextInput(session, json)
  const where = `the data from ${isText ? '--data-json' : json === '-' ? 'stdin' : json}`
  const value = parsedData(text, where)
  if (isTooLarge(value)) throw notSent(`${where} contains a number that is too large`)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {...value}
  throw notSent(`${where} is not a JSON object`, 'data must be an object')
}

/** A parser's error would quote the text. */
function parsedData(text: string, where: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    throw wrongUsage(`${where} is not JSON; nothing was sent`, {}, {cause: error})
  }
}

/** Whether it has a number that cannot be kept: JSON would have null in its place. */
function isTooLarge(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isTooLarge)
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
}

function notSent(message: string, why?: string): Failure {
  return wrongUsage(`${message}; nothing was sent`, {why})
}
