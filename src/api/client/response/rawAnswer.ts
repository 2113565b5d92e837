import {readingMethods, type Service} from '../../contract/operation.js'
import {unshown} from '../../contract/shapes.js'
import {errorIn} from './errorBody.js'
import {
  type ApiResponse,
  announcesJson,
  brokenJson,
  type CallResult,
  denied,
  emptyResult,
  interpret,
  isPage,
  isSuccess,
} from './response.js'

export interface RawCall {
  readonly service: Service
  readonly method: string
  /** Only JSON can be printed as the command asks. */
  readonly isJson: boolean
}

/** Judges the answer to a request of the user's own, whose form no document shows. */
export function interpretRaw(answer: ApiResponse, {service, method, isJson}: RawCall): CallResult<ApiResponse> {
  const {status} = answer
  const result = readingMethods.has(method)
    ? interpretRead(answer, method, isJson)
    : interpret(answer, service === 'room' ? 'envelope' : 'unshown', {reply: unshown})
  const failed = result.kind === 'success' ? brokenJson(answer, isJson) : result
  return failed ?? {kind: 'success', data: answer, status}
}

/** Only FAIL, an error or `success: false` denies: `{"status":"UP"}` is an answer. */
function interpretRead(answer: ApiResponse, method: string, isJson: boolean): CallResult {
  const {status, headers, text} = answer
  const result = interpret(answer, 'envelope')
  if (result.kind !== 'broken' || !isSuccess(status) || isPage(text) || answer.otherCharset) return result
  if (text.trim() !== '') return denied(answer, errorIn) ?? emptyResult(status)
  const isExpected = isJson || announcesJson(headers['content-type'])
  return isExpected && method !== 'HEAD' && status !== 204 ? result : emptyResult(status)
}
