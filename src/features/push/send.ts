import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {Failure} from '../../api/contract/failure.js'
import {pushTypes, sendToUsers} from '../../api/contract/push.js'
import {maxTargetsFlag, repeatable, severalTargetsFlags} from '../../cli/flags/flags.js'
import {parseChoice, parseWholeNumber} from '../../cli/flags/parseValues.js'
import {afterChange} from '../../cli/output/present.js'
import {askChange, mustAsk, noteDeployment} from '../../cli/prompts/confirm.js'
import {readUsers} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {cut, loadWidths} from '../../text/width.js'
import {checkOutput} from '../../view/format/output.js'
import {type SentRow, sentRows} from '../../view/push/requests.js'
import {assertWithinLimit, counted, warnOverLimit} from '../bulk/flags.js'
import {presentResults} from '../bulk/present.js'
import {presentPreviews, previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {readPushData} from './data.js'
import {deviceType, messageFlags} from './flags.js'
import {batchRequest, firstOf, inBatches, type Push, sendBatches} from './sendBatches.js'

/** The flags of `push send`. */
export const pushSendFlags = {
  ...messageFlags,
  type: Flags.string({...deviceType, default: 'ANDROID'}),
  data: Flags.string({...repeatable, helpValue: 'NAME=TEXT', summary: 'data field; repeatable'}),
  'data-json': Flags.string({helpValue: 'JSON|FILE', summary: 'data as a JSON object, or a file; - is stdin'}),
  'recipients-from': Flags.string({
    helpValue: 'FILE',
    summary: 'read users from FILE, one per line; # is a comment; - is stdin',
  }),
  batch: Flags.string({default: '500', helpValue: 'N', summary: 'recipients per request, 1–10000'}),
  ...severalTargetsFlags,
  max: maxTargetsFlag(10_000),
}

type PushSendFlags = InferredFlags<typeof pushSendFlags>

/** More recipients than this are asked about (product §5). */
const unasked = 20
const mostInBatch = 10_000
/** Columns of a terminal that the preview gives to title and body. */
const previewWidth = 70

/**
 * What is to be sent and to whom, as arguments and flags say. Raises a Failure: usage for a value of the wrong form, for stdin
 * named twice and for what the document does not support.
 */
export async function readPush(session: Session, given: readonly string[], flags: PushSendFlags): Promise<Push> {
  const {title, body} = flags
  const size = parseWholeNumber('--batch', flags.batch, {min: 1, max: mostInBatch})
  const type = supportedType(flags)
  for (const [flag, text] of Object.entries({'--title': title, '--body': body})) {
    if (text.trim() === '') throw new Failure({exit: 'usage', message: `${flag} is empty; nothing was sent`})
  }
  const {'recipients-from': from, 'data-json': json} = flags
  checkStdin([...given, from, json])
  const data = await readPushData(session, flags.data, json)
  const advice = 'name users, - for stdin, or --recipients-from FILE'
  const {ids, repeated} = await readUsers(session, given, {advice, from, service: 'push'})
  if (repeated > 0) session.warn(`note: ${repeated === 1 ? '1 duplicate was' : `${repeated} duplicates were`} dropped`)
  return {batches: inBatches(ids, size), message: {push_type: type, title, body, ...(data ? {data} : {})}}
}

/**
 * Confirms by weight, sends and presents what came of each recipient; with `--dry-run` shows the requests instead. Raises a Failure,
 * unconfirmed for more recipients than `--max`.
 */
export async function sendPush(session: Session, flags: PushSendFlags, push: Push): Promise<void> {
  const recipients = push.batches.flat().length
  const limited = {limit: parseWholeNumber('--max', flags.max), noun: 'user', verb: 'push to'}
  if (flags['dry-run']) {
    await presentRequests(session, push)
    return warnOverLimit(session, recipients, limited)
  }
  assertWithinLimit(recipients, limited)
  await checkOutput(sentRows.columns, session.output)
  await confirmPush(session, flags, push)
  const rows = await sendBatches(session, push, flags['fail-fast'] ?? false)
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  else if (rows.some(({outcome}) => outcome !== 'done')) session.endWith('partial')
  const shown = session.output.format === 'ids' ? reached(push, rows) : rows
  await afterChange(() => presentResults(session, shown, sentRows, ({outcome}) => outcome !== 'done', null))
}

/** With -q the next command of a pipe gets those of the recipients whose push was taken, each once. */
function reached({batches}: Push, rows: readonly SentRow[]): SentRow[] {
  const done = new Map(rows.flatMap((row) => (row.outcome === 'done' ? [[row.recipient_id, row] as const] : [])))
  return batches.flat().flatMap((id) => done.get(id) ?? [])
}

/** push, What the service does: "Recurring dispatch and iOS sending are documented as not supported at present". */
function supportedType({type: given, 'allow-unsupported': allowed}: PushSendFlags) {
  const type = parseChoice('--type', given, pushTypes)
  if (type !== 'IOS' || allowed) return type
  throw new Failure({
    exit: 'usage',
    code: 'unsupported',
    message: 'sending to IOS is documented as not supported; nothing was sent',
    why: 'recurring dispatch and iOS sending are documented as not supported',
    try: 'omit --type, or add --allow-unsupported to send it anyway',
  })
}

/** stdin can be read once. */
function checkStdin(sources: readonly (string | undefined)[]): void {
  if (sources.filter((source) => source === '-').length <= 1) return
  throw new Failure({
    exit: 'usage',
    message: '- (stdin) is used twice; nothing was sent',
    why: 'stdin can be read once: as recipients or as data',
    try: 'put one of them in a file',
  })
}

async function confirmPush(session: Session, flags: PushSendFlags, {batches, message}: Push): Promise<void> {
  const ids = batches.flat()
  const whom = counted(ids.length, 'user')
  const isMany = ids.length > unasked
  if (!mustAsk(session, flags, `send a push to ${whom}`, isMany)) return noteDeployment(session, 'push')
  await loadWidths()
  const shown = (text: string) => (session.view.plain ? safeText(text) : cut(safeText(text), previewWidth))
  session.warn(`title: ${shown(message.title)}\nbody:  ${shown(message.body)}\nto:    ${safeText(firstOf(ids))}`)
  const text = `Send this push to ${whom}?`
  await askChange(session, 'push', isMany ? {text, expected: [String(ids.length)]} : {text})
}

/** The request of every batch. People see the first of its recipients and how many there are, programs all of them. */
async function presentRequests(session: Session, push: Push): Promise<void> {
  const {format, columns} = session.output
  const isForPeople = format === 'table' && columns === undefined
  const plans: RequestPreview[] = []
  for (const [at, recipients] of push.batches.entries()) {
    const plan = await previewRequest(session, sendToUsers, batchRequest(push, recipients))
    const which = push.batches.length > 1 ? `batch ${at + 1} of ${push.batches.length}: ` : ''
    const note = `${which}to ${counted(recipients.length, 'user')}: ${firstOf(recipients)}`
    plans.push({...plan, body: isForPeople ? shortened(plan.body) : plan.body, note})
  }
  await presentPreviews(session, plans)
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
