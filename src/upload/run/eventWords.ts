import {type Failure, type FailureJson, failureJson} from '../../api/contract/failure.js'
import type {UploadEvent} from '../model/event.js'

/** What a person is told of an event: a sentence without a stop, or a failure, which is drawn as failures are. */
export type Telling = {readonly text: string} | {readonly failure: Failure}

/** An event as one object for programs. */
export interface EventJson {
  readonly event: string
  readonly file?: string
  readonly [member: string]: string | number | null | FailureJson | undefined
}

/** What is told of an event in a line of its own; undefined where the bars, or the lines about all files, tell enough. */
export function telling(event: UploadEvent): Telling | undefined {
  if (event.kind === 'warned') return {text: `warning: ${event.text}`}
  if (event.kind === 'renewed') return {text: `${event.key} begins anew: ${event.why}`}
  return event.kind === 'failed' ? {failure: event.failure} : undefined
}

/** An event in the names of the results; undefined for `sent`, of which there are too many and which proves nothing. */
export function eventJson(event: UploadEvent): EventJson | undefined {
  switch (event.kind) {
    case 'sent':
      return undefined
    case 'warned':
      return {event: 'warned', message: event.text}
    case 'begun':
      return {event: 'begun', file: event.key, bytes: event.size, resumed_from: event.from}
    case 'acked':
      return {event: 'acked', file: event.key, acked: event.offset}
    case 'waiting':
      return {event: 'waiting', file: event.key, ms: Math.round(event.ms), why: event.why}
    case 'renewed':
      return {event: 'renewed', file: event.key, why: event.why}
    case 'done':
      return {event: 'done', file: event.key, uuid: event.result.uuid, sha256: event.result.sha256}
    case 'failed':
      return {event: 'failed', file: event.key, error: failureJson(event.failure)}
  }
}
