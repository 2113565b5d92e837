import type {Answers} from '../contract/operation.js'
import type {Answer, Exchanged} from './answer.js'
import {parseJson} from './envelope.js'

/** The members in which services that have no envelope say why they refuse; their documents show none. */
const messageMembers = ['message', 'error_description', 'detail', 'title', 'error'] as const

/** A service's own words are quoted up to this many characters. */
const quotedLength = 300

/**
 * Reads an answer without an envelope: the status decides, and the result stands in the JSON body, in the headers, or nowhere
 * (contract `Answers`). Redirects have been refused before. Never throws.
 */
export function readPlain({status, headers, text}: Answer, answers: Exclude<Answers, 'envelope'>): Exchanged {
  if (status < 200) return {kind: 'broken', what: `has the status ${status}`, status}
  if (status >= 400) return {kind: 'refused', refusal: {status, message: messageIn(text)}}
  if (answers === 'headers') return {kind: 'success', data: headers, status}
  if (answers === 'nothing') return {kind: 'success', data: undefined, status}
  if (text.trim() === '') return {kind: 'broken', what: 'is empty', status}
  const data = parseJson(text)
  if (data === undefined) return {kind: 'broken', what: `is not JSON (content type ${typeOf(headers)})`, status}
  return {kind: 'success', data, status}
}

function messageIn(text: string): string | undefined {
  const json = parseJson(text)
  if (typeof json === 'object' && json !== null) {
    const words = messageMembers.map((name) => (json as Record<string, unknown>)[name])
    return words.find((word): word is string => typeof word === 'string' && word !== '')?.slice(0, quotedLength)
  }
  const line = text.trim()
  return line === '' || line.startsWith('<') || line.includes('\n') ? undefined : line.slice(0, quotedLength)
}

function typeOf(headers: Answer['headers']): string {
  return headers['content-type']?.slice(0, 60) ?? 'not given'
}
