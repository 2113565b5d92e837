import {safeText, someOf} from '../../text/text.js'
import {
  fillText,
  type Input,
  type Operation,
  type Output,
  type RawRequest,
  readingMethods,
  type Service,
  type Values,
} from '../contract/operation.js'
import {readReply} from '../contract/replyParser.js'
import type {UnreadableCells} from '../contract/unreadable.js'
import type {WireResponse} from '../http/wire/transport.js'
import {type ExchangeOptions, exchange} from './exchange.js'
import type {FollowUp, Verdict} from './failures/outcome.js'
import type {RefusedCall} from './failures/refusal.js'
import {type BodyPrefix, prefixReader} from './readPrefix.js'
import {type Access, type CallArguments, type PreparedRequest, prepare} from './request/request.js'
import {otherObject} from './response/identity.js'
import {
  type ApiResponse,
  type CallFailure,
  type CallResult,
  interpret,
  type ResponseReader,
  readWhole,
  successUnderFailure,
} from './response/response.js'

/** The secrets of the process (redaction/secrets.ts). */
interface Redaction {
  /** Learns a secret of a request or an answer, and its field, before either could be shown. */
  add(secret: string | Uint8Array, name: string): void
  /** Receives the text of each answer before any of it is shown: it may repeat secrets. */
  learn(text: string): void
  /** Masks repeated secrets in a result, before it is split or laid out in lines. */
  maskResultIn<T>(value: T): T
}

interface ApiOptions extends ExchangeOptions {
  readonly secrets: Redaction
  readonly access: (service: Service) => Promise<Access>
  /** Throws Failure if changes are forbidden. */
  readonly assertWritable: () => void
  /** Called at each request to a host; the returned function is called when it has ended. */
  readonly onCall?: (host: string) => (() => void) | undefined
  /** Reports an unusual success. */
  readonly warn?: (text: string) => void
}

interface Attempted<T> {
  readonly exchanged: CallResult<T>
  /** The call in words, for a failure. */
  readonly call: RefusedCall
  readonly request: PreparedRequest
}

interface CallContext {
  readonly limits?: ExchangeOptions
  readonly onHead?: (head: WireResponse) => void
  readonly before?: unknown
}

/** The time limit of a read that only explains or settles the outcome of another call, in milliseconds. */
const sideReadMs = 10_000

/** Calls the operations of the documents. Every method throws a `Failure`. */
export class Api {
  readonly #followUp: FollowUp

  constructor(private readonly options: ApiOptions) {
    const sideRead = {...options, timeoutMs: Math.min(options.timeoutMs, sideReadMs)}
    let serviceDate: ReturnType<FollowUp['serviceDate']>
    const learnDate = ({headers}: WireResponse) => {
      const date = Date.parse(headers.date ?? '')
      serviceDate = Number.isNaN(date) ? undefined : {date, at: options.now().getTime()}
    }
    this.#followUp = {
      read: (operation, input) => this.#call(operation, input, {limits: sideRead, onHead: learnDate}),
      serviceDate: () => serviceDate,
      interrupted: () => options.signal.aborted,
      wait: (ms) => options.sleep(ms, options.signal),
      now: options.now,
    }
  }

  access(service: Service): Promise<Access> {
    return this.options.access(service)
  }

  /** The guard for callers that send a request themselves. Throws Failure (unconfirmed) for a change that is forbidden. */
  assertAllowed({effect}: Pick<Operation, 'effect'>): void {
    if (effect !== 'read') this.options.assertWritable()
  }

  /**
   * `data` of the answer in the document's shape, values untouched. `before`: what the run read, before it sends this change, of the
   * state that the change is about (rules/evidence.ts); undefined if it read nothing.
   */
  call<O extends Operation>(operation: O, input: Input<O>, before?: unknown): Promise<Output<O>> {
    return this.#call(operation, input, {before})
  }

  /** The request that `call` would send, without its credential; sends nothing. */
  async plan<O extends Operation>(operation: O, input: Input<O>): Promise<PreparedRequest> {
    return (await this.#prepare(operation, input)).request
  }

  /** The first bytes of the answer to a read, at most `maxBytes`. */
  async readPrefix<O extends Operation>(operation: O, input: Input<O>, maxBytes: number): Promise<BodyPrefix> {
    const {exchanged, call} = await this.#attempt(operation, input, prefixReader(maxBytes))
    if (exchanged.kind !== 'success') throw await this.#failureFor(call, exchanged, {outcome: 'none'})
    this.options.secrets.learn(exchanged.data.bytes.toString())
    return exchanged.data
  }

  /**
   * Sends a request of the user's own once, with the service's credential; returns the answer if `judge` takes it for a success.
   * `name`: the request in words. Throws Failure.
   */
  async raw(
    request: PreparedRequest,
    name: string,
    judge: (answer: ApiResponse) => CallResult<ApiResponse>,
  ): Promise<ApiResponse> {
    const operation = rawRequest(request, name)
    this.assertAllowed(operation)
    const {transport} = await this.options.access(request.service)
    const read: ResponseReader<ApiResponse> = async (head, sent, signal) => {
      const answer = await readWhole(head, sent, signal)
      this.#learn(answer)
      return judge(answer)
    }
    const once = {...this.options, retry: {...this.options.retry, retries: 0}}
    const exchanged = await exchange(transport, request, {effect: operation.effect, read}, once)
    if (exchanged.kind === 'success') {
      this.#warnOfStatus({id: name}, exchanged.status)
      return exchanged.data
    }
    const called = {operation, values: {name}}
    throw await this.#failureFor(called, exchanged, await this.#verdictOn(called, exchanged))
  }

  async #call<O extends Operation>(
    operation: O,
    input: Input<O>,
    {limits, onHead, before}: CallContext,
  ): Promise<Output<O>> {
    let isCut = false
    const reader: ResponseReader<unknown> = async (head, request, signal) => {
      isCut = head.status === 206 || nextLink.test(head.headers.link ?? '')
      onHead?.(head)
      const answer = await readWhole(head, request, signal)
      this.#learn(answer)
      return interpret(answer, operation.responseFormat, operation.effect === 'read' ? undefined : operation)
    }
    const attempted = await this.#attempt(operation, input, reader, limits)
    const reply = await this.#settle(operation, attempted, before)
    if (operation.saysMore && (isCut || operation.saysMore(reply))) {
      const listed = fillText(operation.action, attempted.call.values)
      this.options.warn?.(`warning: the listing is partial (${listed}): the service says that it has more`)
    }
    return reply
  }

  async #prepare<O extends Operation>(operation: O, input: Input<O>) {
    const access = await this.options.access(operation.service)
    const route = access.route(operation)
    if (operation.secrets) this.#addSecrets(operation.secrets, valuesOf(input))
    return {access, route, request: await prepare(operation, access, input)}
  }

  async #attempt<O extends Operation, T>(
    operation: O,
    input: Input<O>,
    read: ResponseReader<T>,
    limits: ExchangeOptions = this.options,
  ): Promise<Attempted<T>> {
    this.assertAllowed(operation)
    const {access, route, request} = await this.#prepare(operation, input)
    const end = this.options.onCall?.(request.url.host)
    const sending = exchange(access.transport, request, {effect: operation.effect, read}, limits)
    const exchanged = await sending.finally(end)
    return {exchanged, call: {operation, route, values: valuesOf(input)}, request}
  }

  async #settle<O extends Operation>(
    operation: O,
    {exchanged: received, call, request}: Attempted<unknown>,
    before?: unknown,
  ): Promise<Output<O>> {
    const exchanged = ofThisObject(call, received)
    if (exchanged.kind === 'success') {
      this.#warnOfStatus(operation, exchanged.status)
      const data = this.#masked(operation, exchanged.data)
      const cells: string[] = []
      const note: UnreadableCells = (name, row) => cells.push(`${name} of room ${safeText(row.room_id)}`)
      const unreadable = operation.hasUnreadableCells && note
      const reply = await parseReply(operation, {data, status: exchanged.status}, call, request, unreadable)
      if (cells.length > 0) this.options.warn?.(unreadableCells(cells))
      return reply
    }
    const verdict = await this.#verdictOn(call, exchanged, before)
    if (verdict.outcome !== 'applied') throw await this.#failureFor(call, exchanged, verdict)
    // No operation whose evidence can be read answers with data.
    return undefined as Output<O>
  }

  async #verdictOn(call: RefusedCall, exchanged: CallFailure, before?: unknown): Promise<Verdict> {
    const {outcomeAfter} = await import('./failures/outcome.js')
    return outcomeAfter(call, exchanged, this.#followUp, before)
  }

  /**
   * An undocumented status of success is a success, with a warning; so is an envelope of SUCCESS under a status of
   * failure.
   */
  #warnOfStatus({id, successes}: Pick<Operation, 'id' | 'successes'>, status: number): void {
    const {warn} = this.options
    if (status >= 400) warn?.(successUnderFailure(id, status))
    else if (successes && !successes.includes(status)) {
      warn?.(`warning: ${id} was answered with HTTP ${status}; the document shows ${successes.join(' or ')}`)
    }
  }

  async #failureFor(refused: RefusedCall, exchanged: CallFailure, verdict: Verdict): Promise<Error> {
    const {failureAfter} = await failures()
    return failureAfter(refused, exchanged, verdict, this.#followUp)
  }

  #learn({headers, text}: ApiResponse): void {
    this.options.secrets.learn(Object.values(headers).join('\n'))
    this.options.secrets.learn(text)
  }

  #addSecrets(names: readonly string[], values: Values): void {
    for (const name of names) {
      const value = values[name]
      if (typeof value === 'string' || value instanceof Uint8Array) this.options.secrets.add(value, name)
    }
  }

  /** Registers the secrets in an answer, and returns it with all others masked. */
  #masked({secrets = []}: Operation, data: unknown): unknown {
    const members = membersOf(data)
    this.#addSecrets(secrets, members)
    const shown = this.options.secrets.maskResultIn(data)
    const own = Object.entries(members).filter(([name]) => secrets.includes(name))
    return own.length === 0 ? shown : {...membersOf(shown), ...Object.fromEntries(own)}
  }
}

/** A link to another page of the same list (RFC 8288 §3.3). */
const nextLink = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![^\s,;]))/iu

function rawRequest({service, method}: PreparedRequest, name: string): RawRequest {
  return {
    id: name,
    service,
    action: 'call {name}',
    effect: readingMethods.has(method) ? 'read' : 'create',
    change: {
      mayHave: '{name} may have been carried out',
      ifUnknown: {sentence: 'see the response with --debug, or check the address', command: ['config list']},
    },
  }
}

function valuesOf({path, query, headers, body, files}: CallArguments): Values {
  return {...path, ...query, ...headers, ...body, ...files}
}

/** An answer that names another object than was asked for is broken, as a cache or a mixed-up proxy may give it. */
function ofThisObject({operation, values}: RefusedCall, result: CallResult): CallResult {
  const what = result.kind === 'success' ? otherObject(operation, values, result.data) : undefined
  if (what === undefined || result.kind !== 'success') return result
  return {kind: 'broken', what, status: result.status, why: 'a cache or a proxy may have mixed up two answers'}
}

function replyName({responseFormat = 'envelope'}: Operation): string {
  if (responseFormat === 'envelope') return 'data'
  return responseFormat === 'headers' ? 'the header' : 'the answer'
}

const cellsNamed = 5

function unreadableCells(cells: readonly string[]): string {
  return `warning: not of the type that the document shows: ${someOf(cells, cellsNamed)}`
}

/** The reply in the document's shape. Throws Failure that names what differs. */
async function parseReply<O extends Operation>(
  operation: O,
  {data, status}: {data: unknown; status: number},
  call: RefusedCall,
  {url}: PreparedRequest,
  unreadable: UnreadableCells | undefined,
): Promise<Output<O>> {
  const reading = readReply(operation.reply, data, unreadable)
  // The shape is the entry's own, so its output is Output<O>; the compiler cannot see that.
  if (reading.success) return reading.data as Output<O>
  const {malformedReply} = await failures()
  const {path} = reading
  throw malformedReply(call, url.host, {
    status,
    place: [replyName(operation), ...path].join('.'),
    data: path.length === 0 ? data : undefined,
  })
}

/** Loaded when there is a failure: the texts of all documents. */
function failures(): Promise<typeof import('./failures/callFailure.js')> {
  return import('./failures/callFailure.js')
}

/** The members of an object; a list, which may have many thousand elements, has none. */
function membersOf(data: unknown): Values {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? {...data} : {}
}
