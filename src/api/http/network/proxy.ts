import {BlockList, isIP} from 'node:net'
import {WireError} from '../wire/transport.js'
import {bareHost, isLoopback} from './address.js'

export interface ProxySettings {
  readonly http?: string
  readonly https?: string
  readonly no?: string
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. As in curl the lower-case name wins and an empty value counts as unset; unlike curl,
 * the upper-case HTTP_PROXY is read, too: this program is no CGI script.
 */
export function readProxy(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const {http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY} = env
  const http = http_proxy || HTTP_PROXY
  const https = https_proxy || HTTPS_PROXY
  const no = no_proxy || NO_PROXY
  return {...(http ? {http} : {}), ...(https ? {https} : {}), ...(no ? {no} : {})}
}

/**
 * The proxy of a URL, or undefined. Plain http to this machine has none: the proxy would read all of it, and means another machine
 * by such an address. Else the rules are curl's: `*` in NO_PROXY exempts everything; a name exempts itself and all names below it,
 * with or without a leading dot; addresses are compared exactly or by prefix (`10.0.0.0/8`). Beyond curl, `host:port` exempts one
 * port. Raises a `WireError` 'proxy' for a value that is no http or https address, without quoting it: it can hold a password.
 */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const value = url.protocol === 'https:' ? settings.https : settings.http
  if (!value || isPlainLoopback(url) || isExempt(url, settings.no ?? '')) return undefined
  const text = value.includes('://') ? value : `http://${value}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  throw new WireError('proxy', 'no', `the environment variable ${variable} does not name an http or https proxy`)
}

/** Whether a URL is asked without a proxy, whatever the environment says. */
export function isPlainLoopback({protocol, hostname}: URL): boolean {
  return protocol === 'http:' && isLoopback(hostname)
}

function isExempt(url: URL, list: string): boolean {
  const host = bare(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && covers(entry, host, port))
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = entry, onlyPort = port] = /^(\[[^\]]*\]|[^:]+):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== port) return false
  const pattern = bare(name.replace(/^\*?\./, ''))
  if (isIP(host) !== 0) return pattern === host || inPrefix(pattern, host)
  return host === pattern || host.endsWith(`.${pattern}`)
}

function inPrefix(pattern: string, address: string): boolean {
  const [network = '', bits = ''] = pattern.split('/')
  const family = isIP(network)
  if (family === 0 || family !== isIP(address) || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const block = new BlockList()
  block.addSubnet(network, Number(bits), kind)
  return block.check(address, kind)
}

/** A host without the brackets of an IPv6 address and without a final dot. */
function bare(host: string): string {
  return bareHost(host).replace(/\.$/, '')
}
