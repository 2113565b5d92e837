import type {PreparedRequest} from '../../api/client/request/request.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import {Failure, type FailureFacts} from '../../api/contract/failure.js'
import type {Input, Operation} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {stateRule} from '../../api/contract/states.js'
import {type Prediction, predict} from '../../api/rules/predict.js'
import {requesterContext} from '../../api/rules/room.js'
import type {Values} from '../../api/rules/templates.js'
import {presentList, presentText} from '../../cli/output/present.js'
import {authorizationOf} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {exactJson} from '../../text/json.js'
import {safeText} from '../../text/text.js'
import type {ListView} from '../../view/format/columns.js'
import {readBlockTrace} from '../attendee/admission.js'
import {readRoom} from '../bulk/readRooms.js'

/** One request as `--dry-run` shows it; without method and URL where none can be made. */
export interface RequestPreview {
  readonly dry_run: true
  readonly operation: string
  readonly method: string | null
  readonly url: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** What the documents let expect, where the room was read. */
  readonly expected?: Prediction
  /** What else would be done or not, for people. */
  readonly note?: string
}

interface Known {
  readonly room?: RoomDetail | undefined
  readonly requester?: string | undefined
}

/**
 * The request that a change would send, and what would be refused; sends no change. The room is read for it where its
 * state plays a part and it is not known yet.
 */
export async function previewRequest<O extends Operation>(
  session: Session,
  operation: O,
  input: Input<O>,
  known: Known = {},
): Promise<RequestPreview> {
  const request = await session.api.plan(operation, input)
  const expected = await expectation(session, operation.id, input, known)
  return {dry_run: true, operation: operation.id, ...maskedRequest(session, request), ...(expected ? {expected} : {})}
}

/** The preview of a change that cannot be made, with why. */
export function refusedPreview({id}: Operation, {facts}: Failure): RequestPreview {
  return {...nothingSent(id), expected: refusal(facts)}
}

function refusal({message, code}: FailureFacts): Prediction {
  return {allowed: 'no', why: message, ...(code ? {code} : {})}
}

/** The preview of a change that nobody in the room can make: it is predicted as `room can` does. `note`: the ways out. */
export function vacantPreview(
  {id}: Operation,
  room: RoomDetail,
  {role, body, note}: {readonly role: string; readonly body: Values; readonly note: string | undefined},
): RequestPreview {
  const expected = predict(id, room, {values: body, ...requesterContext(id, room, role, body)})
  return {...nothingSent(id), expected, ...(note === undefined ? {} : {note})}
}

function nothingSent(operation: string) {
  return {dry_run: true, operation, method: null, url: null, headers: {}, body: null} as const
}

/** A request for people, its secrets masked: a body that is JSON as it is, a form by its fields. */
export function maskedRequest(
  {secrets, resolved}: Pick<Session, 'secrets' | 'resolved'>,
  {service, method, url, headers, body, fields}: PreparedRequest,
): Pick<RequestPreview, 'method' | 'url' | 'headers' | 'body'> {
  const {authorization} = authorizationOf(service, resolved, '***')
  const shown = fields ?? (typeof body === 'string' ? (parseResponseJson(body) ?? body) : null)
  // What was a text is one when it is masked; a route may send a secret in a header.
  const masked = secrets.maskIn(headers) as typeof headers
  return {method, url: secrets.maskFields(url.href), headers: {authorization, ...masked}, body: secrets.maskIn(shown)}
}

/** Shows what would be sent and refused. */
export async function presentPreviews(session: Session, made: readonly RequestPreview[]): Promise<void> {
  const {format, columns} = session.output
  const plans = made.map((plan) => withoutSecrets(session, plan))
  if (format === 'table' && columns === undefined && plans.length > 0) {
    return presentText(session, plans.map(planText).join('\n\n'))
  }
  await presentList(session, plans, planList)
}

/** Why a change would be refused may be in the words of the service, which may repeat the token that it was sent. */
function withoutSecrets({secrets}: Session, plan: RequestPreview): RequestPreview {
  const {expected} = plan
  return expected ? {...plan, expected: {...expected, why: secrets.mask(expected.why)}} : plan
}

const planList: ListView<RequestPreview> = {
  id: ({url, operation}) => url ?? operation,
  empty: 'nothing would be sent',
  columns: [
    {name: 'operation', value: ({operation}) => operation},
    {name: 'method', value: ({method}) => method},
    {name: 'url', value: ({url}) => url},
    {name: 'body', value: ({body}) => body},
    {name: 'expected', value: ({expected}) => expected && verdict(expected)},
  ],
}

async function expectation(
  session: Session,
  operation: string,
  {path, body}: {path?: Readonly<Record<string, unknown>>; body?: Readonly<Record<string, unknown>>},
  {room, requester}: Known,
): Promise<Prediction | undefined> {
  const roomId = path?.roomId
  if (!stateRule(operation) || typeof roomId !== 'string') return undefined
  try {
    const values = {...path, ...body}
    const known = room ?? (await readRoom(session, roomId))
    // Who is blocked the service does not tell; the journal may.
    const {userId} = path ?? {}
    const block = typeof userId === 'string' ? await readBlockTrace(session, roomId, userId) : undefined
    return predict(operation, known, {requester, values, block})
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'missing') throw error
    return refusal(error.facts)
  }
}

function planText({operation, method, url, headers, body, expected, note}: RequestPreview): string {
  const lines = [url === null ? `would send nothing for ${operation}` : `would send: ${method} ${url}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`  ${name}: ${value}`)
  if (body !== null) lines.push(`  ${safeText(exactJson(body))}`)
  if (expected) lines.push(verdict(expected))
  if (note !== undefined) lines.push(safeText(note))
  return lines.join('\n')
}

function verdict({allowed, why, code}: Prediction): string {
  const words = {yes: 'would be accepted', no: 'would be refused', unknown: 'the service decides'}[allowed]
  const isOfService = code !== undefined && /^[A-Z]/u.test(code) && !why.includes(code)
  return `${words}: ${safeText(why)}${isOfService ? ` (${safeText(code)})` : ''}`
}
