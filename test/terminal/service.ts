import type {Operation} from '../../src/api/contract/operation.js'
import type {Transport, WireRequest, WireResponse} from '../../src/api/http/wire/transport.js'
import {reply} from '../commands/answers.js'
import {operationOf} from '../support/operations.js'
import {filled, type Text} from './fill.js'
import {everyAttack} from './hostile.js'

/** A text with all attacks in it, another one first for each. */
export function hostileText(): Text {
  let number = 0
  return () => everyAttack(number++)
}

/** Values that must be valid, or the command stops before it shows others. */
export const needed: Readonly<Record<string, string>> = {
  room_id: 'r-standup',
  user_id: 'ann',
  room_status: 'MEETING',
  uuid: 'u-1',
  uri: '/asset/games/puzzle/u-1',
  location: '/asset/games/puzzle/u-1',
  originalFileName: 'level2.bundle',
}

/** Hostile texts everywhere, except where a command needs a valid text. */
export function mostlyHostile(): Text {
  const text = hostileText()
  return (member) => needed[member] ?? text(member)
}

/** A service of the contract that answers every operation with success, each text of its answer by `text`. */
export function serviceOf(text: Text): Transport {
  return async (request) => {
    const operation = operationOf(request.method, request.url.href)
    if (!operation) return reply(`no operation: ${text('')}`, {status: 404})
    const sent = await sizeOf(request)
    return answerOf(operation, named(filled(operation.reply, text), request), request, sent)
  }
}

/** The answer as that of the room or container that was asked for; else it is the answer to another request. */
function named(value: unknown, {url}: WireRequest): unknown {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const asked = decodeURIComponent(parts[parts.indexOf('rooms') + 1] ?? '')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (parts.includes('rooms') && 'room_id' in value) return {...value, room_id: asked}
  const isContainer = parts[0] === 'asset' && url.pathname.endsWith('/')
  return isContainer ? {...value, name: decodeURIComponent(parts.at(-1) ?? '')} : value
}

function answerOf(operation: Operation, value: unknown, request: WireRequest, sent: number): WireResponse {
  const status = operation.successes?.[0] ?? 200
  const {responseFormat = 'envelope'} = operation
  if (responseFormat === 'envelope') return reply(JSON.stringify({status: 'SUCCESS', data: value}), {status})
  if (responseFormat === 'nothing') return reply('', {status: 204})
  if (responseFormat !== 'headers') return reply(JSON.stringify(value), {status})
  // What the shape of headers holds are texts.
  const headers = value as Record<string, string>
  return reply('', {
    status: operation.method === 'POST' ? 201 : 200,
    headers: {...headers, 'tus-resumable': '1.0.0', 'upload-offset': String(offsetOf(request) + sent)},
  })
}

function offsetOf({headers}: WireRequest): number {
  return Number(headers['Upload-Offset'] ?? 0)
}

async function sizeOf({body, method}: WireRequest): Promise<number> {
  if (body === undefined || method !== 'PATCH') return 0
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body)
  let size = 0
  for await (const chunk of body) size += chunk.length
  return size
}
