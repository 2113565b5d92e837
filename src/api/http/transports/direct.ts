import http from 'node:http'
import {loopbackLookup, type ProxySettings} from '../network/address.js'
import {createTrustContext} from '../network/caCertificates.js'
import {incomingHeaders, outgoingHeaders, streamedBody, translated, writeBody} from '../wire/message.js'
import {onStop} from '../wire/stopSignal.js'
import {
  bodyFailure,
  connectFailure,
  exchangeFailure,
  invalidHttpFailure,
  noAnswerText,
  noConnectionText,
  noteAnswer,
  silentBodyFailure,
  type Transport,
  unlessGivenUp,
  WireError,
  type WireRequest,
  type WireResponse,
} from '../wire/transport.js'

/** Options of both adapters of the transport. Times are in milliseconds. */
export interface WireOptions {
  /** Until a connection is open: name look-up, proxy, TCP and TLS together. */
  readonly connectMs: number
  /** How long a connection may be silent, before the answer's headers and within its body. */
  readonly headersMs: number
  readonly ca?: readonly string[]
  /** Where proxies are; only the pooled adapter uses them. */
  readonly proxy?: ProxySettings
}

export const MAX_HEADER_BYTES = 16 * 1024

/** Closes an idle connection after this time, before most servers close it after 5 s. */
export const IDLE_MS = 4_000

/** Node 20 gives each address of a name 250 ms, which a distant service with two addresses can miss. */
export const ADDRESS_ATTEMPT_MS = 1_000

/**
 * The transport on node:http(s), for single calls and uploads: quick to load, and its silence timer sees that a slow upload is
 * alive. It uses no proxy: node:http of Node 20 has none.
 */
export function directTransport(options: WireOptions): Transport {
  const reuse = {keepAlive: true, timeout: IDLE_MS, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS}
  const plain = new http.Agent(reuse)
  let secure: Promise<http.Agent> | undefined
  return async (request) => {
    const headers = outgoingHeaders(request)
    if (request.url.protocol === 'https:') secure ??= secureAgent(reuse, options)
    const agent = request.url.protocol === 'https:' && secure ? await secure : plain
    return exchange(request, headers, agent, options)
  }
}

async function secureAgent(reuse: http.AgentOptions, options: WireOptions): Promise<http.Agent> {
  const {Agent} = await import('node:https')
  const secureContext = await createTrustContext(options.ca)
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the check off.
  return new Agent({...reuse, rejectUnauthorized: true, ...(secureContext ? {secureContext} : {})})
}

function exchange(
  request: WireRequest,
  headers: Record<string, string>,
  agent: http.Agent,
  options: WireOptions,
): Promise<WireResponse> {
  const {url, method, body, signal, silenceMs = options.headersMs} = request
  const connectMs = Math.min(options.connectMs, silenceMs)
  return new Promise((resolve, reject) => {
    let connected = false
    let incoming: http.IncomingMessage | undefined
    const outgoing = http.request(url, {
      agent,
      method,
      timeout: silenceMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...loopbackLookup(url.hostname),
    })
    // Not the option `signal`, which watches the whole stream.
    const release = onStop(signal, () => outgoing.destroy())
    // Not among the options above, which Node prints under NODE_DEBUG, with the credential.
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    let timer: NodeJS.Timeout | undefined
    outgoing.on('socket', (socket) => {
      connected = outgoing.reusedSocket
      if (connected) return
      timer = setTimeout(() => {
        outgoing.destroy(new WireError('connect-timeout', 'no', noConnectionText(url, connectMs)))
      }, connectMs)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
        clearTimeout(timer)
      })
    })
    const silent = () => {
      if (!incoming) {
        reject(new WireError('headers-timeout', 'maybe', noAnswerText(url, silenceMs)))
        // Without a reset, data in the system's buffer would keep a slow line busy.
        if (url.protocol === 'http:') outgoing.socket?.resetAndDestroy()
        outgoing.destroy()
      }
      // Bytes that wait to be read mean that the reader is slow, not the service. Node itself reports silence only once.
      else if (incoming.readableLength > 0) outgoing.socket?.setTimeout(silenceMs).once('timeout', silent)
      else incoming.destroy(silentBodyFailure(url))
    }
    // The socket may be kept for other requests, whose silence is not this one's.
    outgoing.on('timeout', silent).on('close', () => {
      outgoing.socket?.off('timeout', silent)
      release()
      // A switch to another protocol (101) ends without an error and without a response.
      if (!incoming) reject(invalidHttpFailure(url))
    })
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      const failure = () => (connected ? exchangeFailure(error, url, silenceMs) : connectFailure(error, url, connectMs))
      reject(unlessGivenUp(request, connected ? 'maybe' : 'no', failure))
    })
    outgoing.on('response', (response) => {
      incoming = response
      noteAnswer(url)
      resolve(answerOf(response, request))
    })
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body)
    else writeBody(streamedBody(body, request), outgoing).catch((error) => outgoing.destroy(error))
  })
}

function answerOf(incoming: http.IncomingMessage, request: WireRequest): WireResponse {
  // Without a listener, a body that is discarded half read would end the process.
  incoming.on('error', () => {})
  return {
    status: incoming.statusCode ?? 0,
    headers: incomingHeaders(incoming.headersDistinct),
    body: translated(pieces(incoming), (error) =>
      unlessGivenUp(request, 'maybe', () => bodyFailure(error, request.url)),
    ),
    // A body that is complete is read on, so that the connection can be used again.
    isWhole: () => incoming.complete,
    discard: () => (incoming.complete ? incoming.resume() : incoming.destroy()),
  }
}

/**
 * The chunks of an answer, as by Node's own iterator, whose parts take 1 % of a start to load. Closes the answer if the reader
 * stops.
 */
async function* pieces(incoming: http.IncomingMessage): AsyncGenerator<Uint8Array> {
  let wake = () => {}
  const go = () => wake()
  for (const event of ['readable', 'end', 'error', 'close']) incoming.on(event, go)
  try {
    while (!incoming.readableEnded) {
      const piece = incoming.read()
      if (piece !== null) yield piece
      else if (incoming.errored) throw incoming.errored
      else if (incoming.closed) throw new Error('closed before its end')
      else if (!incoming.readableEnded)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    if (!incoming.readableEnded) incoming.destroy()
  }
}
