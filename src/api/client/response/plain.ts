import type {Answers} from '../../contract/operation.js'
import type {ApiResponse, CallFailure, CallResult} from './answer.js'
import {isPage, notJson, parseResponseJson} from './envelope.js'
import {truncateMessage} from './quoted.js'

/** The members in which services that have no envelope say why they refuse; their documents show none. */
const messageMembers = ['message', 'error_description', 'detail', 'title', 'error'] as const

/**
 * Reads an answer without an envelope: the status decides, and the result stands where the operation has it (contract
 * `Answers`). Redirects have been refused before. Never throws.
 */
export function readBareResponse(answer: ApiResponse, answers: Exclude<Answers, 'envelope'>): CallResult {
  const {status, headers, text} = answer
  if (status < 200 || status >= 300) return bareRefusal(answer)
  if (answers === 'headers') return {kind: 'success', data: headers, status}
  if (answers === 'nothing') return isPage(text) ? notAnswered(answer) : {kind: 'success', data: undefined, status}
  if (text.trim() === '') return answers === 'json' ? {kind: 'broken', what: 'is empty', status} : none(status)
  const data = parseResponseJson(text)
  if (data !== undefined) return {kind: 'success', data, status}
  return answers === 'unshown' && !isPage(text) ? none(status) : notAnswered(answer)
}

/** Success without a body, or with one that says nothing. */
function none(status: number): CallResult {
  return {kind: 'success', data: null, status}
}

/** An answer whose status does not say that the request was carried out. */
export function bareRefusal({status, text}: ApiResponse): CallFailure {
  if (status >= 400) return {kind: 'refused', refusal: {status, message: messageIn(text)}}
  return {kind: 'broken', what: `has the status ${status}`, status}
}

/** A page of a proxy, or of a login, can come with any status. */
function notAnswered({status, headers, text}: ApiResponse): CallFailure {
  return {kind: 'broken', what: notJson(text, headers['content-type']), status}
}

function messageIn(text: string): string | undefined {
  const json = parseResponseJson(text)
  const words = json === undefined ? lineOf(text) : wordsOf(json)
  return words === undefined || words === '' ? undefined : truncateMessage(words)
}

function wordsOf(json: unknown): string | undefined {
  if (typeof json === 'string') return json.trim()
  if (typeof json !== 'object' || json === null) return undefined
  const words = messageMembers.map((name) => Reflect.get(json, name) as unknown)
  return words.find((word): word is string => typeof word === 'string' && word !== '')
}

/** A text of one line is taken for words; a page or a dump is not. */
function lineOf(text: string): string | undefined {
  const line = text.trim()
  return line.startsWith('<') || line.includes('\n') ? undefined : line
}
