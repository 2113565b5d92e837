import {bodyPieces, isUncoded, readBody} from '../http/wire/message.js'
import type {WireResponse} from '../http/wire/transport.js'
import {bareRefusal, type ResponseReader, unreadFailure} from './response/response.js'

export type BodyPrefix = Readonly<Awaited<ReturnType<typeof begin>>>

/** The most that is read of a refusal. */
const refusalBytes = 64 * 1024

/** Reads no more of an answer than its first `maxBytes`, after decompression. */
export function prefixReader(maxBytes: number): ResponseReader<BodyPrefix> {
  return async (head, _request, signal) => {
    const {status, headers} = head
    const elsewhere = unreadFailure(head)
    if (elsewhere) return elsewhere
    if (status >= 200 && status < 300) return {kind: 'success', status, data: await begin(head, maxBytes, signal)}
    const text = (await readBody(head, {maxBytes: refusalBytes, signal})).toString('utf8')
    return bareRefusal({status, headers, text})
  }
}

async function begin(head: WireResponse, maxBytes: number, signal: AbortSignal) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyPieces(head, signal)) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size > maxBytes) break
  }
  const whole = size <= maxBytes
  return {
    contentType: head.headers['content-type'],
    size: whole ? size : announcedSize(head),
    bytes: Buffer.concat(chunks).subarray(0, maxBytes),
    whole,
  }
}

function announcedSize(head: WireResponse): number | undefined {
  const announced = isUncoded(head) ? Number(head.headers['content-length']) : Number.NaN
  return Number.isSafeInteger(announced) ? announced : undefined
}
