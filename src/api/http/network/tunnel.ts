import http from 'node:http'
import {isIP, type Socket} from 'node:net'
import type {SecureContext} from 'node:tls'
import {decodeOnce} from '../../../text/text.js'
import {hostAndPort, noConnectionText, WireError} from '../wire/transport.js'
import {bareHost, loopbackLookup} from './address.js'

interface TunnelOptions {
  readonly proxy: URL
  readonly target: URL
  readonly connectMs: number
  readonly secureContext: SecureContext | undefined
}

/**
 * Opens a tunnel through a proxy by CONNECT, for http and https alike, so that the proxy never sees a request or its credential.
 * Throws a `WireError` whose request was not sent. (undici's own ProxyAgent connects again without end when a proxy hangs up on
 * CONNECT: 4,000 times a second.)
 */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const {proxy, target, connectMs} = options
  const at = hostAndPort(target)
  const by = hostAndPort(proxy)
  const agent = await agentFor(proxy, options.secureContext)
  return new Promise((resolve, reject) => {
    const headers = {host: at, 'proxy-connection': 'keep-alive', ...proxyCredential(proxy)}
    const asked = http.request(new URL(proxy.origin), {
      method: 'CONNECT',
      path: at,
      headers,
      agent,
      ...loopbackLookup(proxy.hostname),
    })
    const timer = setTimeout(() => {
      asked.destroy(
        new WireError('connect-timeout', 'no', `${noConnectionText(target, connectMs)} (through the proxy ${by})`),
      )
    }, connectMs)
    asked.on('connect', (answer, socket, head) => {
      clearTimeout(timer)
      if (answer.statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        // A CONNECT of node:http hands over the net.Socket it was sent on; its type is only wider for other agents.
        resolve(socket as Socket)
        return
      }
      socket.on('error', () => {}).destroy()
      const message = `the proxy ${by} does not connect to ${at}: it answered ${answer.statusCode}${answer.statusCode === 407 ? credentialAdvice(proxy) : ''}`
      reject(new WireError('proxy', 'no', message))
    })
    asked.on('error', (error) => {
      clearTimeout(timer)
      if (error instanceof WireError) reject(error)
      else
        reject(
          new WireError('proxy', 'no', `cannot reach ${at} through the proxy ${by}: ${reason(error)}`, {cause: error}),
        )
    })
    asked.end()
  })
}

async function agentFor(proxy: URL, secureContext: SecureContext | undefined): Promise<http.Agent> {
  if (proxy.protocol === 'http:') return new http.Agent({keepAlive: true})
  const {Agent} = await import('node:https')
  // Else Node takes it from the header Host, which names the target.
  const servername = isIP(bareHost(proxy.hostname)) === 0 ? proxy.hostname : ''
  return new Agent({keepAlive: true, servername, rejectUnauthorized: true, ...(secureContext ? {secureContext} : {})})
}

function credentialAdvice(proxy: URL): string {
  const isGiven = Object.keys(proxyCredential(proxy)).length > 0
  return `, so it ${isGiven ? 'refuses the user and password of its address' : 'needs a user and password in its address'}`
}

function proxyCredential(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {}
  const pair = `${decodeOnce(proxy.username)}:${decodeOnce(proxy.password)}`
  return {'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}`}
}

function reason(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ECONNREFUSED') return 'the proxy refused the connection'
  if (code === 'ENOTFOUND') return 'unknown proxy host'
  return code === 'ECONNRESET' ? 'the proxy closed the connection' : `the proxy failed (${code})`
}
