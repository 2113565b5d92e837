import {BlockList, isIP, type LookupFunction} from 'node:net'
import {domainToUnicode} from 'node:url'
import {type Failure, wrongUsage} from '../../../failure.js'
import {WireError} from '../wire/transport.js'

/** No backslash, blank or control character, by what is allowed: the class of control characters takes 1 % of a start to compile. */
const form = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?!\/)(?:[!-[\]-~]|(?!\s)[\u00a1-\uffff])+$/

/**
 * Checks a service's base address: https, or http on this machine or with `allowHttp`; no credentials, query or fragment.
 * Trailing slashes are trimmed. Throws Failure (usage).
 */
export function checkAddress(text: string, options: {readonly allowHttp: boolean}): URL {
  const whole = text.trim()
  // Refuse everything that URL would silently repair (tabs, backslashes, missing slashes): user and URL must see one host.
  if (!form.test(whole) || !URL.canParse(whole)) throw malformed(whole)
  if (whole.includes('#')) throw wrongUsage('the address must not contain a fragment (#…)')
  if (whole.includes('?')) throw wrongUsage('the address must not contain a query (?…)')
  const url = new URL(whole)
  if (url.username !== '' || url.password !== '') {
    throw wrongUsage(`the address of ${url.host} must not contain a user name or password`)
  }
  const [, host = ''] = /^[^:]+:\/\/([^/]*?)(?::\d*)?(?:\/|$)/.exec(whole) ?? []
  if (isRewritten(host, url.hostname)) throw malformed(whole)
  if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname)) {
    const where =
      'plain http is allowed only for this machine (127.0.0.1, ::1, localhost), unless the profile sets allowHttp'
    throw wrongUsage(`the address ${url.origin} must begin with https: ${where}`)
  }
  url.pathname = trimmed(url.pathname)
  return url
}

/** Whether URL made another host of a text, as of `256`, `%41` and a soft hyphen. The case, and the spelling of IPv6, may differ. */
function isRewritten(host: string, hostname: string): boolean {
  const written = host.toLowerCase().normalize('NFC')
  return !host.startsWith('[') && written !== hostname && written !== domainToUnicode(hostname)
}

/**
 * Appends a path (beginning with `/`, its values already encoded) and a query to a base address. Throws Failure (usage) for one that
 * would leave the base's origin or path, or has `.` or `..` between slashes. A space in the query becomes %20.
 */
export function appendPath(base: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const prefix = trimmed(base.pathname)
  const climbs = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
  if (!path.startsWith('/') || climbs || /[?#\\]|[^ -~\u00a0-\u{10ffff}]/u.test(path)) throw badPath(base)
  const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const {origin} = base
  const url = new URL(`${origin}${prefix}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`)
  if (url.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) throw badPath(base)
  return url
}

/** Quoted only if it cannot contain a password or a token. */
function malformed(text: string): Failure {
  const shown = /^[a-z]{2,8}:\/\/[\w.:/-]{1,40}$/iu.test(text) ? ` "${text}"` : ''
  return wrongUsage(`invalid address${shown}`, {why: 'an address has the form https://host/path'})
}

function badPath(base: URL): Failure {
  const rule = 'it begins with "/", has no "." or ".." between slashes, and no "?", "#", "\\" or control characters'
  return wrongUsage(`this path cannot be appended to ${base.origin}: ${rule}`)
}

/** Whether a host name of a `URL` means this machine. */
export function isLoopback(hostname: string): boolean {
  const isName = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isName || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** A host name of a `URL`, without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function trimmed(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * The look-up of a host that means this machine, to be spread into the options of a connection: plain http is allowed to `localhost`
 * and `*.localhost`, so they are the loopback addresses (RFC 6761, 6.3) whatever a name server or a hosts file says.
 */
export function loopbackLookup(hostname: string): {readonly lookup?: LookupFunction} {
  return isLoopback(hostname) ? {lookup: lookUpLoopback} : {}
}

export const loopbackAddresses = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
]

const lookUpLoopback: LookupFunction = (_, {all, family}, done) => {
  if (all) done(null, loopbackAddresses)
  else if (family === 6) done(null, '::1', 6)
  else done(null, '127.0.0.1', 4)
}

export interface ProxySettings {
  readonly http?: string | undefined
  readonly https?: string | undefined
  /** Of both, where they have none of their own. */
  readonly all?: string | undefined
  readonly no?: string | undefined
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. As in curl the lower-case name wins and an empty value counts as unset; unlike curl,
 * the upper-case HTTP_PROXY is read, too: this program is no CGI script.
 */
export function readProxy(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const variable = (name: string) => env[name] || env[name.toUpperCase()] || undefined
  return {
    http: variable('http_proxy'),
    https: variable('https_proxy'),
    all: variable('all_proxy'),
    no: variable('no_proxy'),
  }
}

/**
 * The proxy of a URL, or undefined. Plain http to this machine has none: the proxy would read all of it, and means another machine
 * by such an address. Else the rules are curl's: `*` in NO_PROXY exempts everything; a name exempts itself and all names below it,
 * with or without a leading dot; addresses are compared exactly or by prefix (`10.0.0.0/8`). Beyond curl, `host:port` exempts one
 * port. Throws a `WireError` 'proxy' for a value that is no http or https address, without quoting it: it can hold a password.
 */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const value = settings[scheme] ?? settings.all
  const isPlainLoopback = url.protocol === 'http:' && isLoopback(url.hostname)
  if (!value || isPlainLoopback || isExempt(url, settings.no ?? '')) return undefined
  const text = value.includes('://') ? value : `http://${value}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  const variable = `${settings[scheme] === undefined ? 'all' : scheme}_proxy`.toUpperCase()
  throw new WireError('proxy', 'no', `the environment variable ${variable} does not name an http or https proxy`)
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
  const pattern = bare(asciiName(name.replace(/^\*?\./, '')))
  if (isIP(host) !== 0) return pattern === host || inPrefix(name.replace(/[[\]]/g, ''), host)
  return host === pattern || host.endsWith(`.${pattern}`)
}

function asciiName(name: string): string {
  return /[^ -~]/.test(name) && URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name
}

/** An address without a length means itself. */
function inPrefix(pattern: string, address: string): boolean {
  const [network = '', length] = pattern.split('/')
  const [family, addressFamily] = [isIP(network), isIP(address)]
  const bits = length ?? (family === 4 ? '32' : '128')
  if (family === 0 || addressFamily < family || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false
  const block = new BlockList()
  block.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  // An IPv4 network includes its IPv4-mapped IPv6 addresses.
  return block.check(address, addressFamily === 4 ? 'ipv4' : 'ipv6')
}

/** A host without the brackets of an IPv6 address and without a final dot. */
function bare(host: string): string {
  return bareHost(host).replace(/\.$/, '')
}
