import {Failure, type Outcome} from '../contract/failure.js'
import type {Input, Operation, Output, Service} from '../contract/operation.js'
import {get as getRoom, type RoomDetail} from '../contract/room.js'
import {stateRule} from '../contract/states.js'
import type {WireError} from '../http/transport.js'
import {type Answer, type Exchanged, type ExchangeOptions, exchange, receive} from './exchange.js'
import {failureOf, fillText, isGatewayFault, type Refusal} from './refusal.js'
import {type Access, type PreparedRequest, prepare} from './request.js'
import {canSettle, settle} from './settle.js'

export interface ApiOptions extends ExchangeOptions {
  readonly access: (service: Service) => Promise<Access>
}

/** Calls the operations of the documents. Every member raises a `Failure` for whatever goes wrong. */
export interface Api {
  /** Calls an operation and gives back `data` of its answer in the document's shape, values untouched. */
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>
  /** The request that `call` would send, without its credential; sends nothing. */
  plan<O extends Operation>(operation: O, input: Input<O>): Promise<PreparedRequest>
  /** Sends a request of the caller's own making once, with the service's credential, whatever it answers. */
  raw(request: PreparedRequest): Promise<Answer>
  /** Where a service is. */
  access(service: Service): Promise<Access>
}

type Values = Readonly<Record<string, unknown>>
interface Call {
  readonly operation: Operation
  readonly values: Values
  readonly roomState?: string
}

export function createApi(options: ApiOptions): Api {
  async function call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>> {
    const access = await options.access(operation.service)
    const request = prepare(operation, access, input)
    const values = valuesOf(input)
    const exchanged = await exchange(access.transport, request, operation.effect === 'read', options)
    if (exchanged.kind === 'success') return shaped(operation, exchanged, values, request)
    if (exchanged.kind === 'refused' && !isGatewayFault(exchanged.refusal)) {
      throw failureOf(exchanged.refusal, await withRoomState({operation, values}, exchanged.refusal))
    }
    return settled(operation, exchanged, values)
  }

  /** After a refusal for the room's state, reads the state to explain it; a failing read explains nothing. */
  async function withRoomState(call: Call, {code}: Refusal): Promise<Call> {
    const rule = stateRule(call.operation.id)
    if (!rule || code === undefined || code !== rule.code) return call
    const room = await readRoom(call.values).catch(() => undefined)
    return room && room !== 'missing' && room.room_status ? {...call, roomState: room.room_status} : call
  }

  async function readRoom({roomId}: Values): Promise<RoomDetail | 'missing'> {
    try {
      return await call(getRoom, {path: {roomId: String(roomId)}})
    } catch (error) {
      if (error instanceof Failure && error.facts.code === 'CE002') return 'missing'
      throw error
    }
  }

  /** The answer was lost or could not be read: find out whether the change was made (product §5). */
  async function settled<O extends Operation>(operation: O, exchanged: Unsettled, values: Values): Promise<Output<O>> {
    const outcome = await outcomeOf(operation, exchanged, values)
    // A settled change has no reply to give back: every operation that can be settled answers with a bare envelope.
    if (outcome === 'applied') return undefined as Output<O>
    throw lostFailure(operation, exchanged, values, outcome)
  }

  async function outcomeOf(operation: Operation, exchanged: Unsettled, values: Values): Promise<Outcome> {
    if (operation.effect === 'read') return 'none'
    if (exchanged.kind === 'lost' && exchanged.error.sent === 'no') return 'none'
    if (options.signal.aborted || !canSettle(operation.id)) return 'unknown'
    const late = exchanged.kind === 'lost' && exchanged.error.problem !== 'reset'
    try {
      return settle(operation.id, await readRoom(values), values, late)
    } catch {
      return 'unknown'
    }
  }

  return {
    call,
    access: options.access,
    plan: async (operation, input) => prepare(operation, await options.access(operation.service), input),
    raw: async (request) => {
      const access = await options.access(request.service)
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
      return receive(access.transport, request, signal)
    },
  }
}

/** Path, query and body by their document names, for sentences and for settling. */
function valuesOf({path, query, body}: {path?: Values; query?: Values; body?: Values}): Values {
  return {...path, ...query, ...body}
}

type Unsettled = Exclude<Exchanged, {kind: 'success'}>

function shaped<O extends Operation>(
  operation: O,
  {data, status}: {data: unknown; status: number},
  values: Values,
  {url}: PreparedRequest,
): Output<O> {
  const result = operation.reply.safeParse(data)
  // The shape is the entry's own, so its output is Output<O>; the compiler cannot see that through the type parameter.
  if (result.success) return result.data as Output<O>
  const where = ['data', ...(result.error.issues[0]?.path ?? [])].join('.')
  throw new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `cannot ${fillText(operation.doing, values)}: the answer of ${url.host} is not what the document describes`,
    why: `${where} is missing or has another type than in ${operation.source}`,
    try: 'run the command again with --debug to see the answer',
    httpStatus: status,
    outcome: operation.effect === 'read' ? 'none' : 'applied',
  })
}

function lostFailure(operation: Operation, exchanged: Unsettled, values: Values, outcome: Outcome): Failure {
  if (exchanged.kind === 'refused') return failureOf(exchanged.refusal, {operation, values}, outcome)
  const cannot = `cannot ${fillText(operation.doing, values)}`
  const check = outcome === 'unknown' ? `${tellTale(operation, values)} tells whether it was done` : undefined
  if (exchanged.kind === 'broken') {
    return new Failure({
      exit: 'network',
      code: 'broken-answer',
      message: `${cannot}: the answer ${exchanged.what}`,
      why: 'the service, or something in front of it, did not answer with an envelope',
      try: check ?? 'check the address with roomctl config list, or see the answer with --debug',
      httpStatus: exchanged.status,
      outcome,
    })
  }
  const {problem, message} = exchanged.error
  if (problem === 'aborted') {
    return new Failure({
      exit: 'interrupted',
      code: 'interrupted',
      message: `${cannot}: interrupted`,
      try: check,
      outcome,
    })
  }
  return new Failure({
    exit: 'network',
    code: problem,
    message: `${cannot}: ${message}`,
    why: whyLost(exchanged.error, outcome),
    try: check ?? 'check the address and the network: roomctl config list shows the address in use',
    retryable: true,
    outcome,
  })
}

function whyLost({sent}: WireError, outcome: Outcome): string {
  if (outcome === 'unknown') return 'the request was sent and its answer was lost, so it may have been carried out'
  return sent === 'no' ? 'the request did not reach the service' : 'no answer came'
}

/** The command that tells what became of a change. */
function tellTale({id}: Operation, {roomId}: Values): string {
  if (roomId === undefined) return 'roomctl room list'
  return id.startsWith('record.') ? `roomctl record list ${roomId}` : `roomctl room show ${roomId}`
}
