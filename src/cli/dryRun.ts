import type {Input, Operation} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {safeText} from '../view/text.js'
import {type Prediction, predict} from './predict.js'
import {presentList, presentText} from './present.js'
import type {Session} from './session.js'

/** One request as `--dry-run` shows it. */
export interface Plan {
  readonly dry_run: true
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** What the documents let expect, where the room was read. */
  readonly expected?: Prediction
}

/**
 * The request that a change would send; sends nothing. `room` and `requester` let it say what would be refused.
 */
export async function planOf<O extends Operation>(
  session: Session,
  operation: O,
  input: Input<O>,
  {room, requester}: {room?: RoomDetail | undefined; requester?: string | undefined} = {},
): Promise<Plan> {
  const {method, url, headers, body} = await session.api.plan(operation, input)
  return {
    dry_run: true,
    operation: operation.id,
    method,
    url: url.href,
    headers: {authorization: 'Bearer ***', ...headers},
    body: body === undefined ? null : JSON.parse(body),
    ...(room ? {expected: predict(operation.id, room, requester)} : {}),
  }
}

/** Shows what would be sent and refused. */
export async function presentPlans(session: Session, plans: readonly Plan[]): Promise<void> {
  if (session.output.format === 'table') return presentText(session, plans.map(planText).join('\n\n'))
  await presentList(session, plans, {
    id: ({url}) => url,
    empty: 'nothing would be sent',
    columns: [
      {name: 'operation', value: ({operation}) => operation},
      {name: 'method', value: ({method}) => method},
      {name: 'url', value: ({url}) => url},
      {name: 'body', value: ({body}) => body},
    ],
  })
}

function planText({method, url, headers, body, expected}: Plan): string {
  const lines = [`would send: ${method} ${url}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`  ${name}: ${value}`)
  if (body !== null) lines.push(`  ${safeText(JSON.stringify(body))}`)
  if (expected) lines.push(expectation(expected))
  return lines.join('\n')
}

function expectation({allowed, code, why}: Prediction): string {
  const verdict = {yes: 'would be accepted', no: 'would be refused', unclear: 'the service decides'}[allowed]
  return `${verdict}: ${safeText(why)}${code ? ` (${code})` : ''}`
}
