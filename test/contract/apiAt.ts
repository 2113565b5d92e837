import {Api} from '../../src/api/client/api.js'
import {directTransport} from '../../src/api/http/transports/direct.js'
import {withCredential} from '../../src/api/http/transports/selectTransport.js'
import {Secrets} from '../../src/redaction/secrets.js'

/** A client of a service on a socket, below `prefix`, that sends its token and repeats nothing. */
export function apiAt({origin}: {readonly origin: string}, prefix: string, warned: string[] = []): Api {
  const transport = directTransport({connectMs: 2_000, headersMs: 2_000})
  return new Api({
    secrets: new Secrets(),
    assertWritable: () => undefined,
    access: async () => ({
      base: new URL(`${origin}${prefix}`),
      open: transport,
      transport: withCredential(transport, {origin, header: async () => ({Authorization: 'Bearer some-token'})}),
      route: (operation) => ({method: operation.method, path: operation.route}),
    }),
    retry: {retries: 0, baseMs: 1, capMs: 1, random: () => 0},
    timeoutMs: 5_000,
    sleep: async () => undefined,
    now: () => new Date(0),
    signal: new AbortController().signal,
    warn: (text) => warned.push(text),
  })
}
