import {Readable} from 'node:stream'
import type {SecureContext} from 'node:tls'
import type {buildConnector} from 'undici'
import {answerBody, incomingHeaders, outgoingHeaders, streamedBody} from './message.js'
import {proxyFor} from './proxy.js'
import {withResend} from './resend.js'
import type {Transport, WireRequest} from './transport.js'
import {trust} from './trust.js'
import {openTunnel} from './tunnel.js'
import {bodyFailure, connectFailure, exchangeFailure, givenUp, place} from './wireFailure.js'
import {ADDRESS_ATTEMPT_MS, IDLE_MS, MAX_HEADER_BYTES, type WireOptions} from './wireOptions.js'

const SLICE_BYTES = 64 * 1024
const DRAIN = {bytes: 64 * 1024, ms: 1_000}

/**
 * The transport on undici, for many concurrent requests (twice those of node:http a second) and for proxies
 * (`options.proxy`). undici is loaded here and nowhere else.
 */
export async function pooledTransport(options: WireOptions): Promise<Transport> {
  // undici parses HTTP by WebAssembly. V8's optimising compiler spends 100 ms on it at the first request; its baseline
  // compiler spends next to nothing and the parser is fast enough. To be said before the module is compiled.
  const {setFlagsFromString} = await import('node:v8')
  setFlagsFromString('--liftoff-only')
  const undici = await import('undici')
  const dispatcher = new undici.Agent({
    connect: connector(undici.buildConnector, options, await trust(options.ca)),
    headersTimeout: options.headersMs,
    bodyTimeout: options.headersMs,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  return withResend(async (request) => {
    const {url, signal, silenceMs = options.headersMs} = request
    const at = place(url)
    const [headers, body] = [outgoingHeaders(request), outgoingBody(request)]
    const silence = {headersTimeout: silenceMs, bodyTimeout: silenceMs}
    const target = {origin: url.origin, path: `${url.pathname}${url.search}`, method: request.method}
    // Asked of the dispatcher itself: undici.request would take the URL apart once more.
    const sent = dispatcher.request({...target, headers, body, signal: signal ?? null, ...silence})
    const answer = await sent.catch((error: unknown) => {
      throw signal?.aborted ? givenUp('maybe', at, signal.reason) : exchangeFailure(error, at, silenceMs)
    })
    // Without a listener a body that is let go half read would end the process.
    answer.body.on('error', () => {})
    return {
      status: answer.statusCode,
      headers: incomingHeaders(answer.headers),
      body: answerBody(answer.body, request, (error) => bodyFailure(error, at)),
      // What is left of a small body is let through, so that the connection can be used again.
      discard: () => {
        answer.body.dump({limit: DRAIN.bytes, signal: AbortSignal.timeout(DRAIN.ms)}).catch(() => {})
      },
    }
  })
}

/** Connects straight or through the proxy that the target has; its errors are all `WireError`s that were not sent. */
function connector(
  build: typeof buildConnector,
  options: WireOptions,
  secureContext: SecureContext | undefined,
): buildConnector.connector {
  // Said aloud so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the check off behind the user's back.
  const tls = {rejectUnauthorized: true, ...(secureContext ? {secureContext} : {})}
  const open = build({...tls, timeout: options.connectMs, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS})
  const connect = async (target: buildConnector.Options, done: buildConnector.Callback) => {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`)
    const explained: buildConnector.Callback = (...[error, socket]) =>
      error ? done(connectFailure(error, place(url), options.connectMs), null) : done(null, socket)
    const proxy = proxyFor(url, options.proxy ?? {})
    if (!proxy) return open(target, explained)
    const socket = await openTunnel({proxy, target: url, connectMs: options.connectMs, secureContext})
    return url.protocol === 'https:' ? open({...target, httpSocket: socket}, explained) : done(null, socket)
  }
  return (target, done) => {
    connect(target, done).catch((error) => done(error, null))
  }
}

/** Large bodies go in slices: each one tells the timer of the headers that a slow upload is alive. */
function outgoingBody(request: WireRequest): string | Uint8Array | Readable | null {
  const {body} = request
  if (body === undefined || typeof body === 'string') return body ?? null
  if (body instanceof Uint8Array) return body.length <= SLICE_BYTES ? body : Readable.from(slices(body))
  return Readable.from(streamedBody(body, request))
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES)
}
