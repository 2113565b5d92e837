import type {Outcome} from '../contract/failure.js'
import type {Input, Operation, Output, Service} from '../contract/operation.js'
import {readReply} from '../contract/reading.js'
import {wordsOf} from '../contract/words.js'
import type {Route} from '../http/route/route.js'
import {WireError} from '../http/wire/transport.js'
import type {Values} from '../rules/templates.js'
import {Deadline} from './deadline.js'
import {
  type ExchangeOptions,
  exchange,
  headerText,
  LongList,
  listReader,
  type ResponseReader,
  receive,
  wholeResponseReader,
} from './exchange.js'
import type {FollowUp} from './failures/callFailure.js'
import type {RefusedCall} from './failures/refusal.js'
import {type BodyPrefix, prefixReader} from './readPrefix.js'
import {type Access, type PreparedRequest, prepare} from './request/request.js'
import {type CallArguments, placeParameters} from './request/requestParts.js'
import {type ApiResponse, type CallFailure, type CallResult, successUnderFailure} from './response/response.js'

interface ApiOptions extends ExchangeOptions {
  readonly access: (service: Service) => Promise<Access>
  /** Takes note of a secret that a request carries or an answer holds, and of its field there, before either could be shown. */
  readonly addSecret?: (secret: string | Uint8Array, name: string) => void
  /** Takes note of what a service said, before anything of it could be shown: it may repeat what it was sent. */
  readonly onResponseText?: (text: string) => void
  /** Takes out of a result what repeats a secret, before a part of it is told from the rest or laid out in lines. */
  readonly maskResult?: <T>(value: T) => T
  /** Takes note of words of the documents, which are never masked. */
  readonly keepWords?: (words: Iterable<string>) => void
  /** Says what was unusual about a call that succeeded. */
  readonly warn?: (text: string) => void
  /** The value of NODE_DEBUG, under which Node prints addresses: no secret is sent in one then. */
  readonly nodeDebug?: string | undefined
}

/** Calls the operations of the documents. Every member but `raw` raises a `Failure` for whatever goes wrong. */
export interface Api {
  /** Calls an operation and gives back `data` of its answer in the document's shape, values untouched. */
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>
  /**
   * As `call`, for an answer that is a list: as one page where it is of usual size, and else as it comes, some hundred elements at a
   * time. Then a failure can be raised after pages were given; the time limit of a call is that of its beginning.
   */
  pages<O extends Operation>(operation: O, input: Input<O>): AsyncIterable<Output<O>>
  /** The request that `call` would send, without its credential; sends nothing. */
  plan<O extends Operation>(operation: O, input: Input<O>): Promise<PreparedRequest>
  /** Calls a read whose answer may be anything, and gives back its first bytes, at most `maxBytes`. */
  readPrefix<O extends Operation>(operation: O, input: Input<O>, maxBytes: number): Promise<BodyPrefix>
  /**
   * Sends a request of the caller's own making once, with the service's credential, whatever it answers.
   * Raises a `WireError` where no answer came.
   */
  raw(request: PreparedRequest): Promise<ApiResponse>
  /** Where a service is. */
  access(service: Service): Promise<Access>
}

/** What came of a call, and what is needed to explain it. */
interface Attempted<T> {
  readonly exchanged: CallResult<T>
  readonly refused: RefusedCall
  readonly request: PreparedRequest
}

/** How long a read may take that only explains or settles what came of another call, in milliseconds. */
const sideReadMs = 10_000

export function createApi(options: ApiOptions): Api {
  const known = new Set<Operation>()

  async function call<O extends Operation>(operation: O, input: Input<O>, limits: ExchangeOptions): Promise<Output<O>> {
    const reader = wholeResponseReader(operation.answers, options.onResponseText)
    return settle(operation, await attempt(operation, input, reader, limits))
  }

  async function settle<O extends Operation>(
    operation: O,
    {exchanged, refused, request}: Attempted<unknown>,
    first = 0,
  ): Promise<Output<O>> {
    if (exchanged.kind === 'success') {
      warnOfStatus(operation, exchanged.status)
      addSecretsIn(operation, membersOf(exchanged.data))
      return await parseReply(
        operation,
        {...exchanged, data: maskOwnResult(operation, exchanged.data)},
        refused,
        request,
        first,
      )
    }
    const {outcomeAfter} = await failures()
    const outcome = await outcomeAfter(refused, exchanged, followUp)
    if (outcome !== 'applied') throw await failureFor(refused, exchanged, outcome)
    // No operation whose evidence can be read answers with data.
    return undefined as Output<O>
  }

  async function* pages<O extends Operation>(operation: O, input: Input<O>): AsyncGenerator<Output<O>> {
    const reader = listReader(options.signal, options.onResponseText)
    const {exchanged, ...sent} = await attempt(operation, input, reader, options)
    if (exchanged.kind !== 'success' || !(exchanged.data instanceof LongList)) {
      yield settle(operation, {exchanged, ...sent})
      return
    }
    let first = 0
    for await (const result of exchanged.data.results()) {
      const page = await settle(operation, {exchanged: result, ...sent}, first)
      if (Array.isArray(page)) first += page.length
      yield page
    }
  }

  /** Without what it repeats. The secrets that it is to give back are its own. */
  function maskOwnResult({secrets = []}: Operation, data: unknown): unknown {
    const shown = options.maskResult?.(data) ?? data
    const own = Object.entries(membersOf(data)).filter(([name]) => secrets.includes(name))
    return own.length === 0 ? shown : {...membersOf(shown), ...Object.fromEntries(own)}
  }

  async function attempt<O extends Operation, T>(
    operation: O,
    input: Input<O>,
    read: ResponseReader<T>,
    limits: ExchangeOptions,
  ): Promise<Attempted<T>> {
    const access = await options.access(operation.service)
    const route = access.route(operation)
    keepWords(operation)
    if (operation.secrets) addSentSecrets(operation, route, valuesOf(input))
    const request = await prepare(operation, access, input, options.nodeDebug)
    const exchanged = await exchange(access.transport, request, {effect: operation.effect, read}, limits)
    const refused: RefusedCall = {
      operation,
      route,
      get values() {
        return valuesOf(input)
      },
    }
    return {exchanged, refused, request}
  }

  function keepWords(operation: Operation): void {
    if (known.has(operation)) return
    known.add(operation)
    options.keepWords?.(wordsOf(operation))
  }

  function addSecretsIn({secrets = []}: Operation, values: Values): void {
    for (const name of secrets) addSecret(values[name], name)
  }

  /** A route may send a secret under another name than the document's. */
  function addSentSecrets(operation: Operation, route: Route, values: Values): void {
    if (!operation.secrets) return
    for (const {parameter, sentAs} of placeParameters(operation, route)) {
      if (operation.secrets.includes(parameter.name)) addSecret(values[parameter.name], sentAs)
    }
  }

  function addSecret(value: unknown, name: string): void {
    if (typeof value === 'string' || value instanceof Uint8Array) options.addSecret?.(value, name)
  }

  /**
   * A success with a status that the document does not show is one all the same (product §9), and said; so is an envelope of SUCCESS
   * under a status of failure, which whoever reads the status alone takes for one.
   */
  function warnOfStatus({id, successes}: Operation, status: number): void {
    if (status >= 400) options.warn?.(successUnderFailure(id, status))
    if (status >= 400 || !successes || successes.includes(status)) return
    options.warn?.(`warning: ${id} was answered with HTTP ${status}; the document shows ${successes.join(' or ')}`)
  }

  async function failureFor(refused: RefusedCall, exchanged: CallFailure, outcome: Outcome): Promise<Error> {
    const {failureAfter} = await failures()
    return failureAfter(refused, exchanged, outcome, followUp)
  }

  const followUp: FollowUp = {
    read: (operation, input) => call(operation, input, sideReadOptions()),
    interrupted: () => options.signal.aborted,
    wait: (ms) => options.sleep(ms, options.signal),
    now: options.now,
  }

  function sideReadOptions(): ExchangeOptions {
    return {...options, timeoutMs: Math.min(options.timeoutMs, sideReadMs)}
  }

  return {
    call: (operation, input) => call(operation, input, options),
    pages,
    access: options.access,
    readPrefix: async (operation, input, maxBytes) => {
      const {exchanged, refused} = await attempt(operation, input, prefixReader(maxBytes), options)
      if (exchanged.kind === 'success') {
        options.onResponseText?.(exchanged.data.bytes.toString())
        return exchanged.data
      }
      throw await failureFor(refused, exchanged, 'none')
    },
    plan: async (operation, input) => {
      const access = await options.access(operation.service)
      keepWords(operation)
      addSentSecrets(operation, access.route(operation), valuesOf(input))
      return prepare(operation, access, input, options.nodeDebug)
    },
    raw: async (request) => {
      const access = await options.access(request.service)
      const deadline = new Deadline(options)
      try {
        const answer = await receive(access.transport, request, deadline.signal)
        options.onResponseText?.(answer.text)
        options.onResponseText?.(headerText(answer))
        return answer
      } catch (error) {
        throw error instanceof WireError ? deadline.explain(error) : error
      } finally {
        deadline.clear()
      }
    },
  }
}

/** All arguments by their document names, for sentences and for settling. */
function valuesOf({path, query, headers, body, files}: CallArguments): Values {
  return {...path, ...query, ...headers, ...body, ...files}
}

/** Those of an object; a list, which may be of millions, has none that a document names. */
function membersOf(data: unknown): Values {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? {...data} : {}
}

/** What a member of the reply is named after, in a sentence about the answer. */
function placeOf({answers = 'envelope'}: Operation): string {
  if (answers === 'envelope') return 'data'
  return answers === 'headers' ? 'the header' : 'the answer'
}

/** The reply in the document's shape. Raises a Failure that names what is not as the document has it; `first`: the index of a page's first element. */
async function parseReply<O extends Operation>(
  operation: O,
  {data, status}: {data: unknown; status: number},
  refused: RefusedCall,
  {url}: PreparedRequest,
  first: number,
): Promise<Output<O>> {
  const reading = readReply(operation.reply, data)
  // The shape is the entry's own, so its output is Output<O>; the compiler cannot see that through the type parameter.
  if (reading.success) return reading.data as Output<O>
  const {malformedReply} = await failures()
  const path = reading.path.map((part, at) => (at === 0 && typeof part === 'number' ? part + first : part))
  throw malformedReply(refused, url.host, status, {
    place: [placeOf(operation), ...path].join('.'),
    whole: path.length === 0 ? data : undefined,
  })
}

/** What explains a failure is loaded when there is one: the texts of all documents. */
function failures(): Promise<typeof import('./failures/callFailure.js')> {
  return import('./failures/callFailure.js')
}
