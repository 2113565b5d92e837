import {bodyPieces} from '../http/wire/message.js'
import {type StopSignal, WireError, type WireResponse} from '../http/wire/transport.js'
import {ListSplitter} from './response/listStream.js'
import {
  type CallResult,
  interpret,
  maxAnswerBytes,
  parseResponseJson,
  type ResponseReader,
  wholeResponseReader,
} from './response/response.js'

/** Elements that are parsed and checked together. */
const listPage = 500

/** A list that is too long to be held, read as its pages are asked for. */
export class LongList {
  readonly #head: WireResponse
  readonly #pieces: AsyncIterable<Uint8Array>
  readonly #onText: ((text: string) => void) | undefined

  constructor(head: WireResponse, pieces: AsyncIterable<Uint8Array>, onText?: (text: string) => void) {
    this.#head = head
    this.#pieces = pieces
    this.#onText = onText
  }

  /** Some hundred elements at a time, and at the end the envelope with an empty list; or a failure. */
  async *results(): AsyncGenerator<CallResult> {
    const {status, headers} = this.#head
    const splitter = new ListSplitter()
    try {
      for await (const page of this.#pages(splitter)) yield this.#parsed(page)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      yield {kind: 'lost', error, status}
      return
    }
    const text = splitter.end()
    this.#onText?.(text)
    yield interpret({status, headers, text}, 'envelope')
  }

  async *#pages(splitter: ListSplitter): AsyncGenerator<readonly string[]> {
    const decoder = new TextDecoder()
    let page: string[] = []
    for await (const piece of this.#pieces) {
      for (const text of splitter.take(decoder.decode(piece, {stream: true}))) page.push(text)
      if (page.length < listPage) continue
      yield page
      page = []
    }
    yield page
  }

  #parsed(page: readonly string[]): CallResult {
    const {status} = this.#head
    const data = page.map((text) => {
      this.#onText?.(text)
      return parseResponseJson(text)
    })
    return data.includes(undefined)
      ? {kind: 'broken', what: 'holds an element that is not JSON', status}
      : {kind: 'success', data, status}
  }
}

/** How much of an answer of unknown length is held before its list counts as long. */
const heldBytes = 8 * 1024 * 1024

/**
 * Reads an answer with a list: whole if it is of usual size, else as a `LongList`, which is read for as long as `signal` lets,
 * beyond the time limit of the call.
 */
export function listReader(signal: AbortSignal, onResponseText?: (text: string) => void): ResponseReader<unknown> {
  const readAll = wholeResponseReader('envelope', onResponseText)
  return async (head, request, callSignal) => {
    const {status, headers} = head
    if (status >= 300 || Number(headers['content-length'] ?? Number.NaN) <= maxAnswerBytes) {
      return readAll(head, request, callSignal)
    }
    let limit: StopSignal = callSignal
    const pieces = bodyPieces(head, () => limit)
    const held: Uint8Array[] = []
    for (let size = 0; size <= heldBytes; ) {
      const piece = await pieces.next()
      if (piece.done) {
        const text = Buffer.concat(held).toString('utf8')
        onResponseText?.(text)
        return interpret({status, headers, text}, 'envelope')
      }
      held.push(piece.value)
      size += piece.value.length
    }
    limit = signal
    return {kind: 'success', status, data: new LongList(head, both(held, pieces), onResponseText)}
  }
}

/** Held pieces, which are released one by one, and then the rest. */
async function* both(held: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let piece = held.shift(); piece; piece = held.shift()) yield piece
  yield* rest
}
