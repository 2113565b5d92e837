import http from 'node:http'
import {Busboy} from '@fastify/busboy'
import {listen} from '../support/listen.js'

/** A request as it came over the socket. */
export interface PushArrived {
  /** Method and target, as they were written. */
  readonly line: string
  /** Header lines as they were written. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** A field of a multipart/form-data body, as another party reads it. */
export interface Part {
  readonly name: string
  /** Absent for a field that is no file. */
  readonly fileName?: string
  readonly type?: string
  readonly bytes: Buffer
}

export interface PushReader {
  readonly origin: string
  readonly arrived: PushArrived[]
}

/** An answer: its status, and JSON if it has a body. */
export type PushAnswer = (request: PushArrived) => {readonly status: number; readonly body?: unknown}

/** A service on a local socket that records requests, independent of the product. */
export async function pushReader(answer: PushAnswer): Promise<PushReader> {
  const arrived: PushArrived[] = []
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const whole = {line: `${request.method} ${request.url}`, headers: lines(request), body: Buffer.concat(pieces)}
      arrived.push(whole)
      const {status, body} = answer(whole)
      response.writeHead(status, body === undefined ? {} : {'content-type': 'application/json'})
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  return {origin: `http://127.0.0.1:${await listen(server)}`, arrived}
}

function lines({rawHeaders}: http.IncomingMessage): string[] {
  return rawHeaders.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${rawHeaders[at + 1] ?? ''}`] : []))
}

/** The values of a header. */
export function headerOf({headers}: PushArrived, name: string): string[] {
  const start = `${name}: `
  return headers.filter((line) => line.toLowerCase().startsWith(start)).map((line) => line.slice(start.length))
}

/** The parts of a multipart body, in their order. */
export function partsOf(request: PushArrived): Promise<Part[]> {
  const parts: Part[] = []
  const reader = new Busboy({headers: {'content-type': headerOf(request, 'content-type')[0] ?? ''}})
  return new Promise((resolve, reject) => {
    reader.on('field', (name, value) => parts.push({name, bytes: Buffer.from(value)}))
    reader.on('file', (name, stream, fileName, _coding, type) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => parts.push({name, fileName, type, bytes: Buffer.concat(pieces)}))
    })
    reader.on('error', reject)
    reader.on('finish', () => resolve(parts))
    reader.end(request.body)
  })
}
