import type {ProxySettings} from '../network/proxy.js'

/** What both adapters of the transport are set up with. Times are in milliseconds. */
export interface WireOptions {
  /** Until a connection stands: name look-up, proxy, TCP and TLS together. */
  readonly connectMs: number
  /** How long a connection may be silent, before the answer's headers and within its body. */
  readonly headersMs: number
  /** PEM texts of further certificate authorities, in addition to those that Node trusts. */
  readonly ca?: readonly string[]
  /** Where proxies are; only the pooled adapter heeds them. */
  readonly proxy?: ProxySettings
}

/** Larger answer headers are refused; a service that sends them is broken or hostile. */
export const MAX_HEADER_BYTES = 16 * 1024

/** An unused connection is closed after this time: most servers close theirs after 5 s, and whoever closes first is safe. */
export const IDLE_MS = 4_000

/** Node 20 gives each address of a name 250 ms, which a distant service with two addresses can miss. */
export const ADDRESS_ATTEMPT_MS = 1_000
