import {readPlain} from '../client/plain.js'
import {readBody} from '../http/body.js'
import {WireError, type WireRequest} from '../http/transport.js'
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

/**
 * Sends one request of an upload with the service's credential, and gives the headers of an answer of 2xx. Raises a
 * `SetbackError` for everything else. `bodyLeft` tells whether the whole body has been sent.
 */
export async function ask(
  {access, settings, signal}: Pick<UploadContext, 'access' | 'settings' | 'signal'>,
  request: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>,
  bodyLeft: () => boolean = () => true,
): Promise<Readonly<Record<string, string>>> {
  const own = new AbortController()
  const follow = () => own.abort(signal.reason)
  signal.addEventListener('abort', follow, {once: true})
  try {
    if (signal.aborted) throw new WireError('aborted', 'no', 'given up before it was sent')
    const answer = await access.transport({...request, signal: own.signal, silenceMs: settings.stallMs})
    const {status, headers} = answer
    const ok = status >= 200 && status < 300
    // Its end is waited for, so that the connection can be used again; that it does not come changes nothing.
    const bytes = await readBody(answer, {maxBytes: answerBytes, signal: own.signal}).catch(() => Buffer.alloc(0))
    if (ok) return headers
    // An answer in the middle of a body: the rest of it is not wanted.
    if (!bodyLeft()) own.abort()
    throw refused(status, headers, bytes.toString('utf8'))
  } catch (error) {
    throw error instanceof WireError ? new SetbackError({kind: 'lost', error}) : error
  } finally {
    signal.removeEventListener('abort', follow)
  }
}

function refused(status: number, headers: Readonly<Record<string, string>>, text: string): SetbackError {
  const read = readPlain({status, headers, text}, 'headers')
  const said = read.kind === 'refused' ? read.refusal.message : undefined
  return new SetbackError({kind: 'answered', status, retryAfter: headers['retry-after'], said}, headers)
}
