import type {Answers} from '../contract/operation.js'
import {readBody} from '../http/wire/message.js'
import type {StopSignal} from '../http/wire/stopSignal.js'
import type {WireResponse} from '../http/wire/transport.js'
import type {PreparedRequest} from './request/request.js'
import type {ApiResponse, CallFailure, CallResult} from './response/response.js'
import {errorBodyOf, isClientError, readBareResponse, readEnvelope} from './response/response.js'

/** What is read of an answer at most, after decompression. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** Reads what an answer says. Raises a `WireError` where it does not come whole. */
export type ResponseReader<T> = (
  head: WireResponse,
  request: PreparedRequest,
  signal: StopSignal,
) => Promise<CallResult<T>>

/** Reads an answer to its end; its result stands where the operation has it. `onResponseText` is told all that can be a part of it. */
export function wholeResponseReader(
  answers: Answers = 'envelope',
  onResponseText?: (text: string) => void,
): ResponseReader<unknown> {
  return async (head, request, signal) => {
    const answer = await readWhole(head, request, signal)
    onResponseText?.(answers === 'headers' ? `${headerText(answer)}\n${answer.text}` : answer.text)
    return interpret(answer, answers)
  }
}

/** The names and values of an answer's headers, line by line. */
export function headerText({headers}: Pick<ApiResponse, 'headers'>): string {
  return Object.entries(headers)
    .map((header) => header.join(': '))
    .join('\n')
}

/** An answer with its whole body, after decompression. Raises a WireError. */
export async function readWhole(
  answer: WireResponse,
  {method}: PreparedRequest,
  signal: StopSignal,
): Promise<ApiResponse> {
  // An answer to HEAD announces the length and the coding of a body that does not come.
  if (method === 'HEAD') {
    // A connection that nobody lets go of keeps the program from ending.
    answer.discard()
    return {status: answer.status, headers: answer.headers, text: ''}
  }
  const bytes = await readBody(answer, {maxBytes: maxAnswerBytes, signal})
  return {status: answer.status, headers: answer.headers, text: bytes.toString('utf8')}
}

/** What an answer is that sends the client elsewhere; undefined for any other. */
export function redirectFailure(status: number): CallFailure | undefined {
  if (status < 300 || status >= 400) return undefined
  return {kind: 'broken', status, what: `is a redirect (HTTP ${status}), which is not followed with a credential`}
}

/** What an answer that was read to its end says of its call. */
export function interpret(answer: ApiResponse, answers: Answers): CallResult {
  const {status, headers, text} = answer
  const elsewhere = redirectFailure(status)
  if (elsewhere) return elsewhere
  if (answers !== 'envelope') return readBareResponse(answer, answers)
  const envelope = readEnvelope(text, headers['content-type'])
  if (envelope.kind === 'success') return {kind: 'success', data: envelope.data, status}
  if (envelope.kind === 'fail') {
    const {code, message = errorBodyOf(text).message} = envelope
    return {kind: 'refused', refusal: {status, code, message}}
  }
  if (status >= 400) {
    const refusal = {status, broken: envelope.what, isForeign: isClientError(status), ...errorBodyOf(text)}
    return {kind: 'refused', refusal}
  }
  return {kind: 'broken', what: envelope.what, status}
}
