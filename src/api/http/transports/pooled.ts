import {Readable} from 'node:stream'
import type {SecureContext} from 'node:tls'
import type {Agent, buildConnector, Dispatcher} from 'undici'
import {isLoopback, loopbackLookup, proxyFor} from '../network/address.js'
import {createTrustContext} from '../network/caCertificates.js'
import {openTunnel} from '../network/tunnel.js'
import {incomingHeaders, outgoingHeaders, streamedBody, translated} from '../wire/message.js'
import {onStop} from '../wire/stopSignal.js'
import type {Transport, WireRequest, WireResponse} from '../wire/transport.js'
import {bodyFailure, connectFailure, exchangeFailure, noteAnswer, unlessGivenUp} from '../wire/transport.js'
import {ADDRESS_ATTEMPT_MS, IDLE_MS, MAX_HEADER_BYTES, type WireOptions} from './direct.js'

const SLICE_BYTES = 64 * 1024

/** The transport on undici, for many concurrent requests (twice those of node:http a second) and for proxies. */
export async function pooledTransport(options: WireOptions): Promise<Transport> {
  // undici parses HTTP by WebAssembly, on which V8's optimising compiler spends 100 ms at the first request, and its baseline
  // compiler next to nothing. To be set before the module is compiled.
  const {setFlagsFromString} = await import('node:v8')
  setFlagsFromString('--liftoff-only')
  const undici = await import('undici')
  const dispatcher = new undici.Agent({
    connect: connector(undici.buildConnector, options, await createTrustContext(options.ca)),
    headersTimeout: options.headersMs,
    bodyTimeout: options.headersMs,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  return (request) => dispatched(dispatcher, request, request.silenceMs ?? options.headersMs)
}

/** By the dispatcher itself: undici.request would parse the URL once more, and make a stream of the body. */
async function dispatched(dispatcher: Agent, request: WireRequest, silenceMs: number): Promise<WireResponse> {
  const {url, method, signal} = request
  const [headers, body] = [outgoingHeaders(request), outgoingBody(request)]
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let isWhole = false
    const destroy = (error: Error | null, done: (error?: Error | null) => void) => {
      if (!isWhole) controller?.abort(error ?? new Error('read no further'))
      done(error)
    }
    const answer = new Readable({read: () => controller?.resume(), destroy})
    const release = onStop(signal, () => answer.destroy(new Error('given up')))
    answer.on('error', (error) => {
      // A body that waited for its turn has no reader.
      if (body instanceof Readable) body.on('error', () => {}).destroy()
      reject(unlessGivenUp(request, controller ? 'maybe' : 'no', () => exchangeFailure(error, url, silenceMs)))
    })
    answer.on('close', release)
    // The type lists some methods; undici takes any that HTTP allows.
    const target = {origin: url.origin, path: `${url.pathname}${url.search}`, method: method as Dispatcher.HttpMethod}
    dispatcher.dispatch(
      {headers, body, headersTimeout: silenceMs, bodyTimeout: silenceMs, ...target},
      {
        onRequestStart: (started) => {
          controller = started
          if (answer.errored) started.abort(answer.errored)
        },
        onRequestUpgrade: () => {
          throw new Error('the service switched to another protocol')
        },
        onResponseStart: (_, status, received) => {
          // Informational (1xx).
          if (status < 200) return
          noteAnswer(url)
          const explain = (error: unknown) => unlessGivenUp(request, 'maybe', () => bodyFailure(error, url))
          resolve({
            status,
            headers: incomingHeaders(received),
            body: translated(answer, explain),
            isWhole: () => isWhole,
            discard: () => answer.destroy(),
          })
        },
        onResponseData: (own, chunk) => {
          if (!answer.push(chunk)) own.pause()
        },
        onResponseEnd: () => {
          isWhole = true
          answer.push(null)
        },
        onResponseError: (_, error) => answer.destroy(error),
      },
    )
  })
}

/** Connects directly or through the proxy of the target; its errors are all `WireError`s that were not sent. */
function connector(
  build: typeof buildConnector,
  options: WireOptions,
  secureContext: SecureContext | undefined,
): buildConnector.connector {
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the check off.
  const tls = {rejectUnauthorized: true, ...(secureContext ? {secureContext} : {})}
  const limits = {...tls, timeout: options.connectMs, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS}
  const [openAnywhere, openLoopback] = [build(limits), build({...limits, ...loopbackLookup('localhost')})]
  const connect = async (target: buildConnector.Options, done: buildConnector.Callback) => {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`)
    const explained: buildConnector.Callback = (...[error, socket]) =>
      error ? done(connectFailure(error, url, options.connectMs), null) : done(null, socket)
    const open = isLoopback(url.hostname) ? openLoopback : openAnywhere
    const proxy = proxyFor(url, options.proxy ?? {})
    if (!proxy) return open(target, explained)
    const socket = await openTunnel({proxy, target: url, connectMs: options.connectMs, secureContext})
    return url.protocol === 'https:' ? open({...target, httpSocket: socket}, explained) : done(null, socket)
  }
  return (target, done) => {
    connect(target, done).catch((error) => done(error, null))
  }
}

/** In slices, each of which restarts the timer for the headers: a slow upload is alive. */
function outgoingBody(request: WireRequest): string | Uint8Array | Readable | null {
  const {body} = request
  if (body === undefined || typeof body === 'string') return body ?? null
  if (body instanceof Uint8Array) return body.length <= SLICE_BYTES ? body : Readable.from(slices(body))
  return Readable.from(streamedBody(body, request))
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES)
}
