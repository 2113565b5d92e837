import {backslashesBefore} from '../../text/json.js'
import type {Operation} from '../contract/operation.js'
import {bodyPieces} from '../http/wire/message.js'
import {type StopSignal, WireError, type WireResponse} from '../http/wire/transport.js'
import {
  type CallResult,
  interpret,
  maxAnswerBytes,
  parseResponseJson,
  type ResponseReader,
  wholeResponseReader,
} from './response/response.js'

const listPage = 500

/** A list that is too long to be held, read as its pages are asked for. */
export class LongList {
  constructor(
    private readonly head: WireResponse,
    private readonly pieces: AsyncIterable<Uint8Array>,
    private readonly onText?: (text: string) => void,
  ) {}

  /** Some hundred elements at a time, and at the end the envelope with an empty list; or a failure. */
  async *results(): AsyncGenerator<CallResult> {
    const {status, headers} = this.head
    const splitter = new ListSplitter()
    try {
      for await (const page of this.#pages(splitter)) yield this.#parsed(page)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      yield {kind: 'lost', error, status}
      return
    }
    const text = splitter.end()
    this.onText?.(text)
    yield interpret({status, headers, text}, 'envelope')
  }

  async *#pages(splitter: ListSplitter): AsyncGenerator<readonly string[]> {
    const decoder = new TextDecoder()
    let page: string[] = []
    for await (const piece of this.pieces) {
      for (const text of splitter.take(decoder.decode(piece, {stream: true}))) page.push(text)
      if (page.length < listPage) continue
      yield page
      page = []
    }
    yield page
  }

  #parsed(page: readonly string[]): CallResult {
    const {status} = this.head
    const data = page.map((text) => {
      this.onText?.(text)
      return parseResponseJson(text)
    })
    return data.includes(undefined)
      ? {kind: 'broken', what: 'holds an element that is not JSON', status}
      : {kind: 'success', data, status}
  }
}

/** Above this, the list of an answer of unknown length counts as long. */
const heldBytes = 8 * 1024 * 1024

/**
 * Reads an answer with a list: whole if it is of usual size, else as a `LongList`, which is read for as long as `signal` lets,
 * beyond the time limit of the call.
 */
export function listReader(
  operation: Operation,
  signal: AbortSignal,
  onResponseText?: (text: string) => void,
): ResponseReader<unknown> {
  const readAll = wholeResponseReader(operation, onResponseText)
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

/** Above every element of a list, and the rest of an envelope. */
const longestPart = 16 * 1024 * 1024

/** The list of an envelope begins behind this (room, Response envelope). */
const beforeList = /[{,]\s*"data"\s*:\s*$/
const longestBeforeList = 1000

const [quote, comma] = [0x22, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Splits the elements of `data` off the text of an envelope as it comes, so that a list of any length is read in bounded memory. It
 * only finds their ends; the parser checks them, and the rest: the envelope with an empty list. See
 * docs/decisions/0018.
 */
export class ListSplitter {
  /** The pieces of the unfinished part, without those of `#more` behind `#start`; and their length. */
  #begun: string[] = []
  #length = 0
  /** The current text, the next character, and where the part continues in it. */
  #more = ''
  #at = 0
  #start = 0
  #depth = 0
  #inList = false
  #string: 'none' | 'open' | 'escaped' = 'none'
  #envelope = ''
  #elements = 0

  /** The texts of the elements that are complete. Throws a WireError (too-large). */
  take(more: string): string[] {
    this.#more = more
    this.#at = 0
    this.#start = 0
    const found: string[] = []
    while (this.#at < more.length) {
      if (this.#string === 'none') this.#step(found)
      else this.#skipString()
    }
    this.#length += more.length - this.#start
    if (this.#length > longestPart) {
      throw new WireError('too-large', 'maybe', 'a part of the answer is larger than 16 MiB')
    }
    this.#begun.push(more.slice(this.#start))
    return found
  }

  /** The envelope with an empty list in place of the elements, after all of the answer. */
  end(): string {
    return this.#envelope + this.#begun.join('')
  }

  /** Skips to the end of the string, or of the text. */
  #skipString(): void {
    const from = this.#string === 'escaped' ? this.#at + 1 : this.#at
    let end = this.#more.indexOf('"', from)
    while (end !== -1 && backslashesBefore(this.#more, end, from) % 2 === 1) end = this.#more.indexOf('"', end + 1)
    this.#at = end === -1 ? this.#more.length : end + 1
    if (end !== -1) this.#string = 'none'
    else this.#string = backslashesBefore(this.#more, this.#at, from) % 2 === 1 ? 'escaped' : 'open'
  }

  /** One character outside of strings. */
  #step(found: string[]): void {
    const character = this.#more.charCodeAt(this.#at)
    switch (character) {
      case quote:
        this.#string = 'open'
        break
      case comma:
        if (this.#inList && this.#depth === 2) found.push(this.#element())
        break
      case openList:
      case openObject:
        if (this.#depth === 1 && character === openList) this.#openIfData()
        this.#depth += 1
        break
      case closeList:
      case closeObject:
        this.#depth -= 1
        if (this.#inList && this.#depth === 1) this.#close(found)
    }
    this.#at += 1
  }

  #openIfData(): void {
    const before = this.#part()
    this.#inList = beforeList.test(before.slice(-longestBeforeList))
    if (this.#inList) this.#envelope += `${before}[`
    else this.#begin(before)
    this.#start = this.#inList ? this.#at + 1 : this.#at
  }

  #close(found: string[]): void {
    this.#inList = false
    const last = this.#part()
    if (this.#elements > 0 || last.trim() !== '') found.push(last)
    this.#start = this.#at
  }

  #element(): string {
    const element = this.#part()
    this.#start = this.#at + 1
    this.#elements += 1
    return element
  }

  #part(): string {
    const part = this.#begun.join('') + this.#more.slice(this.#start, this.#at)
    this.#begin()
    return part
  }

  #begin(...pieces: string[]): void {
    this.#begun = pieces
    this.#length = pieces.reduce((sum, {length}) => sum + length, 0)
  }
}
