import {readBareResponse} from '../../api/client/response/response.js'
import {readBody} from '../../api/http/wire/message.js'
import {WireError, type WireRequest, type WireResponse} from '../../api/http/wire/transport.js'
import type {UploadContext} from './context.js'
import type {Setback} from './policy.js'

/** More than this is not read of an answer, whose headers tell everything but why it refuses. */
const answerBytes = 16 * 1024

/** A step that did not bring the upload further. */
export class SetbackError extends Error {
  override readonly name = 'SetbackError'
  readonly setback: Setback
  /** The answer's headers, where there was one. */
  readonly headers: Readonly<Record<string, string>>

  constructor(setback: Setback, headers: Readonly<Record<string, string>> = {}) {
    super(setback.kind === 'lost' ? setback.error.message : setback.kind, {cause: setback})
    this.setback = setback
    this.headers = headers
  }
}

type Asker = Pick<UploadContext, 'access' | 'settings' | 'signal'>
type Request = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>

/**
 * Sends one request of an upload with the service's credential, and gives the headers of an answer of 2xx. Raises a
 * `SetbackError` for everything else. `bodyLeft` tells whether the whole body has been sent.
 */
export async function ask(
  asker: Asker,
  request: Request,
  bodyLeft: () => boolean = () => true,
): Promise<Readonly<Record<string, string>>> {
  const {signal} = asker
  const isStreamed = typeof request.body === 'object' && Symbol.asyncIterator in request.body
  if (!isStreamed) return exchange(asker, request, signal)
  // What is sent can be given up by itself: an answer may come in the middle of it.
  const own = new AbortController()
  const follow = () => own.abort(signal.reason)
  signal.addEventListener('abort', follow, {once: true})
  try {
    if (signal.aborted) follow()
    return await exchange(asker, request, own.signal)
  } catch (error) {
    if (!bodyLeft()) own.abort()
    throw error
  } finally {
    signal.removeEventListener('abort', follow)
  }
}

async function exchange({access, settings}: Asker, request: Request, signal: AbortSignal) {
  try {
    const answer = await access.transport({...request, signal, silenceMs: settings.stallMs})
    const {status, headers} = answer
    if (status < 200 || status >= 300) throw refused(status, headers, await textOf(answer, signal))
    if (answer.isWhole?.()) answer.discard()
    else await textOf(answer, signal)
    return headers
  } catch (error) {
    throw error instanceof WireError ? new SetbackError({kind: 'lost', error}) : error
  }
}

/** The end of an answer is waited for, so that the connection can be used again; that it does not come changes nothing. */
async function textOf(answer: WireResponse, signal: AbortSignal): Promise<string> {
  if (answer.status === 204 || answer.headers['content-length'] === '0') {
    answer.discard()
    return ''
  }
  const bytes = await readBody(answer, {maxBytes: answerBytes, signal}).catch(() => undefined)
  return bytes?.toString('utf8') ?? ''
}

function refused(status: number, headers: Readonly<Record<string, string>>, text: string): SetbackError {
  const read = readBareResponse({status, headers, text}, 'headers')
  const said = read.kind === 'refused' ? read.refusal.message : undefined
  return new SetbackError({kind: 'answered', status, retryAfter: headers['retry-after'], said}, headers)
}
