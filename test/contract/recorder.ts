import net from 'node:net'
import {listen} from '../support/listen.js'

/** A request exactly as it arrived, taken apart by hand. */
export interface Arrived {
  readonly line: string
  /** Header lines as they were written. */
  readonly headers: readonly string[]
  readonly body: string
}

export interface Recorder {
  readonly origin: string
  readonly arrived: Arrived[]
}

/** A server on bare TCP that keeps every byte of each request and answers each with `answer`, a whole HTTP message. */
export async function recorder(answer: () => string): Promise<Recorder> {
  const arrived: Arrived[] = []
  const server = net.createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const request = takeApart(received)
      if (!request) return
      received = Buffer.alloc(0)
      arrived.push(request)
      socket.end(answer())
    })
  })
  return {origin: `http://127.0.0.1:${await listen(server)}`, arrived}
}

/** An answer with an envelope, as bytes on the wire. */
export function envelope(value: unknown): string {
  const body = JSON.stringify(value)
  const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}

/** The request, once its body is there as long as it announced; no body is announced in chunks by this client. */
function takeApart(received: Buffer): Arrived | undefined {
  const text = received.toString('utf8')
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [line = '', ...headers] = text.slice(0, end).split('\r\n')
  const announced = headers.map((header) => /^content-length: (\d+)$/i.exec(header)?.[1]).find(Boolean)
  const body = received.subarray(Buffer.byteLength(text.slice(0, end + 4)))
  return body.length < Number(announced ?? 0) ? undefined : {line, headers, body: body.toString('utf8')}
}
