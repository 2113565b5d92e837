import {Failure, type Outcome} from '../contract/failure.js'
import type {Input, Operation, Output, Service} from '../contract/operation.js'
import {readReply} from '../contract/reading.js'
import {get as getRoom} from '../contract/room.js'
import {stateRule} from '../contract/states.js'
import {WireError} from '../http/transport.js'
import type {Answer} from './answer.js'
import {Deadline} from './deadline.js'
import {wayOutOfDoubt} from './doubt.js'
import {type ExchangeOptions, exchange, receive} from './exchange.js'
import {certainlyNotMade, mayStillRun, type Unanswered, unansweredFailure} from './lost.js'
import {failureOf, fillText, type RefusedCall, type Values} from './refusal.js'
import {type Access, type PreparedRequest, prepare} from './request.js'
import {canSettle, type Found, settle} from './settle.js'

export interface ApiOptions extends ExchangeOptions {
  readonly access: (service: Service) => Promise<Access>
}

/** Calls the operations of the documents. Every member but `raw` raises a `Failure` for whatever goes wrong. */
export interface Api {
  /** Calls an operation and gives back `data` of its answer in the document's shape, values untouched. */
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>
  /** The request that `call` would send, without its credential; sends nothing. */
  plan<O extends Operation>(operation: O, input: Input<O>): Promise<PreparedRequest>
  /**
   * Sends a request of the caller's own making once, with the service's credential, whatever it answers.
   * Raises a `WireError` where no answer came.
   */
  raw(request: PreparedRequest): Promise<Answer>
  /** Where a service is. */
  access(service: Service): Promise<Access>
}

/** How long a read may take that only explains or settles what came of another call, in milliseconds. */
const asideMs = 10_000

export function createApi(options: ApiOptions): Api {
  async function call<O extends Operation>(operation: O, input: Input<O>, limits: ExchangeOptions): Promise<Output<O>> {
    const access = await options.access(operation.service)
    const request = prepare(operation, access, input)
    const exchanged = await exchange(access.transport, request, operation, limits)
    const refused = {operation, values: valuesOf(input), route: access.route(operation)}
    if (exchanged.kind === 'success') return shaped(operation, exchanged, refused, request)
    const outcome = await outcomeOf(refused, exchanged)
    // A settled change has no reply to give back: every operation that can be settled answers with a bare envelope.
    if (outcome === 'applied') return undefined as Output<O>
    if (exchanged.kind === 'refused' && outcome === 'none') {
      throw failureOf(exchanged.refusal, await withRoomState(refused, exchanged.refusal.code))
    }
    throw unansweredFailure(refused, exchanged, outcome, options.signal.aborted)
  }

  /** What became of a change that did not succeed (product §5). Where the exchange leaves it open, the room is read. */
  async function outcomeOf({operation, values}: RefusedCall, exchanged: Unanswered): Promise<Outcome> {
    if (operation.effect === 'read' || certainlyNotMade(exchanged)) return 'none'
    if (options.signal.aborted || !canSettle(operation.id)) return 'unknown'
    try {
      return settle(operation.id, await readRoom(values), values, mayStillRun(exchanged))
    } catch {
      return 'unknown'
    }
  }

  /** After a refusal for the room's state, reads the state to explain it; a failing read explains nothing. */
  async function withRoomState(refused: RefusedCall, code: string | undefined): Promise<RefusedCall> {
    const rule = stateRule(refused.operation.id)
    if (!rule || code === undefined || code !== rule.code) return refused
    const room = await readRoom(refused.values).catch(() => undefined)
    return room && room !== 'missing' && room.room_status ? {...refused, roomState: room.room_status} : refused
  }

  async function readRoom({roomId}: Values): Promise<Found> {
    const limits = {...options, timeoutMs: Math.min(options.timeoutMs, asideMs)}
    try {
      return await call(getRoom, {path: {roomId: String(roomId)}}, limits)
    } catch (error) {
      if (error instanceof Failure && error.facts.code === 'CE002') return 'missing'
      throw error
    }
  }

  return {
    call: (operation, input) => call(operation, input, options),
    access: options.access,
    plan: async (operation, input) => prepare(operation, await options.access(operation.service), input),
    raw: async (request) => {
      const access = await options.access(request.service)
      const deadline = new Deadline(options)
      try {
        return await receive(access.transport, request, deadline.signal)
      } catch (error) {
        throw error instanceof WireError ? deadline.explain(error) : error
      } finally {
        deadline.clear()
      }
    },
  }
}

/** Path, query, headers and body by their document names, for sentences and for settling. */
function valuesOf({
  path,
  query,
  headers,
  body,
}: Readonly<Partial<Record<'path' | 'query' | 'headers' | 'body', Values>>>) {
  return {...path, ...query, ...headers, ...body}
}

/** What a member of the reply is named after, in a sentence about the answer. */
const placeOf = {envelope: ['data'], json: ['the answer'], headers: ['the header'], nothing: ['the answer']} as const

/** The reply in the document's shape. Raises a Failure that names what is not as the document has it. */
function shaped<O extends Operation>(
  operation: O,
  {data, status}: {data: unknown; status: number},
  {values}: RefusedCall,
  {url}: PreparedRequest,
): Output<O> {
  const reading = readReply(operation.reply, data)
  // The shape is the entry's own, so its output is Output<O>; the compiler cannot see that through the type parameter.
  if (reading.success) return reading.data as Output<O>
  const where = [...placeOf[operation.answers ?? 'envelope'], ...reading.path].join('.')
  const reads = operation.effect === 'read'
  throw new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `cannot ${fillText(operation.doing, values)}: the answer of ${url.host} is not what the document describes`,
    why: `${where} is missing or has another type than in ${operation.source}`,
    try: reads ? 'run the command again with --debug to see the answer' : wayOutOfDoubt(operation, values),
    httpStatus: status,
    outcome: reads ? 'none' : 'applied',
  })
}
