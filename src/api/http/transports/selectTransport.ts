import {extraCaCertificates} from '../network/caCertificates.js'
import {proxyFor, readProxy} from '../network/proxy.js'
import type {Transport} from '../wire/transport.js'
import type {WireOptions} from './direct.js'
import {directTransport} from './direct.js'

/** From this many requests at a time on, the pool's speed is worth the time that undici takes to load. */
const MANY = 16

/**
 * The transport for one run: pooled for a URL behind a proxy and for runs of many requests at a time (`concurrency`), else direct.
 * undici is loaded with the first request that needs it.
 */
export function selectTransport({
  env,
  concurrency = 1,
  ca = [],
  ...timeouts
}: Omit<WireOptions, 'proxy'> & {env: Readonly<NodeJS.ProcessEnv>; concurrency?: number}): Transport {
  const proxy = readProxy(env)
  const wire = {...timeouts, proxy, ...(ca.length === 0 ? {} : {ca: extraCaCertificates(ca, env)})}
  const direct = directTransport(wire)
  const isRun = concurrency >= MANY
  const open = async () => {
    // Not for a single call through a proxy, whose answer may be large.
    if (isRun) await fixHeapSize()
    const {pooledTransport} = await import('./pooled.js')
    return pooledTransport(wire)
  }
  let pooled: Promise<Transport> | undefined
  return async (request) => {
    const pool = isRun || proxyFor(request.url, proxy) !== undefined
    if (!pool) return direct(request)
    pooled ??= open()
    return (await pooled)(request)
  }
}

/**
 * Bounds the memory of a run of many calls. By default V8 lets the young part of the heap grow, and collects the old part only at
 * four times its size, so that 10,000 calls take 30 MiB more than 1,000, nearly all of it garbage.
 */
export async function fixHeapSize(): Promise<void> {
  const {setFlagsFromString} = await import('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
