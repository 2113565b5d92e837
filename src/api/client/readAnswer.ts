import type {Answers} from '../contract/operation.js'
import {readBody} from '../http/wire/message.js'
import type {StopSignal} from '../http/wire/stopSignal.js'
import type {WireResponse} from '../http/wire/transport.js'
import type {PreparedRequest} from './request/request.js'
import type {ApiResponse, CallFailure, CallResult} from './response/response.js'
import {errorBodyOf, isClientError, readBareResponse, readEnvelope} from './response/response.js'

/** The largest answer, after decompression. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** Reads an answer. Raises a `WireError` where it is incomplete. */
export type ResponseReader<T> = (
  head: WireResponse,
  request: PreparedRequest,
  signal: StopSignal,
) => Promise<CallResult<T>>

/** Reads an answer whole. `onResponseText` hears all that can be a part of the result. */
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
    // A connection that is not released keeps the program from ending.
    answer.discard()
    return {status: answer.status, headers: answer.headers, text: ''}
  }
  const bytes = await readBody(answer, {maxBytes: maxAnswerBytes, signal})
  return {status: answer.status, headers: answer.headers, text: bytes.toString('utf8')}
}

/** The failure of an answer that redirects; undefined for any other. */
export function redirectFailure(status: number): CallFailure | undefined {
  if (status < 300 || status >= 400) return undefined
  return {kind: 'broken', status, what: `is a redirect (HTTP ${status}), which is not followed with a credential`}
}

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
