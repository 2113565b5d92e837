import {Api} from '../../../../src/api/client/api.js'
import {withCredential} from '../../../../src/api/http/transports/selectTransport.js'
import type {Transport} from '../../../../src/api/http/wire/transport.js'
import {Secrets} from '../../../../src/redaction/secrets.js'
import type {FetchContext} from '../../../../src/upload/download/openBytes.js'

export const token = 'token-of-the-asset-service'

/** The resource that every test reads. */
export const resource = {container: 'games/foo', uuid: 'u-1'}

export interface Calls {
  /** Where the asset service is, below `/asset`. */
  readonly base: URL
  readonly open: Transport
  readonly signal: AbortSignal
  /** Milliseconds for a whole call (`--timeout`). */
  readonly timeoutMs: number
}

/** The context of a download from that service, with its credential; the waits take no time, and are noted. */
export function contextOf({base, open, signal, timeoutMs}: Calls): FetchContext & {waits: number[]} {
  const header = async () => ({authorization: `Bearer ${token}`})
  const waits: number[] = []
  const common = {sleep: async (ms: number) => void waits.push(ms), now: () => new Date(), signal}
  const api = new Api({
    secrets: new Secrets(),
    assertWritable: () => undefined,
    ...common,
    access: async () => ({
      base: new URL('/asset', base),
      open,
      transport: withCredential(open, {origin: base.origin, header}),
      route: (operation) => ({method: operation.method, path: operation.route}),
    }),
    retry: {retries: 0, baseMs: 1, capMs: 1, random: () => 0},
    timeoutMs,
  })
  return {api, runtime: {...common, random: () => 0.5}, waits}
}
