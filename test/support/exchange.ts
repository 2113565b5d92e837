import {once} from 'node:events'
import http from 'node:http'
import {buffer} from 'node:stream/consumers'

/** A whole answer. `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<http.IncomingHttpHeaders>
  readonly body: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into bodies whose form is what they test
  readonly json: any
}

/** Sends a request over a connection of its own. Rejects if the connection breaks. */
export async function exchange(url: string, options: http.RequestOptions, sent?: string | Buffer): Promise<Answer> {
  const request = http.request(url, {...options, agent: false})
  // A server that answers early may close the connection while the rest is written.
  request.on('error', () => undefined)
  request.end(sent)
  const [response]: http.IncomingMessage[] = await once(request, 'response')
  if (!response) throw new Error('there is no response')
  const body = await buffer(response)
  const text = body.toString('utf8')
  return {status: response.statusCode ?? 0, headers: response.headers, body, text, json: parsed(text)}
}

/** The value of a JSON text, or undefined. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
