import http from 'node:http'
import {listening} from '../hostile/stage.js'

/** A server that nothing of a service's may reach. */
export interface Stranger {
  readonly url: string
  readonly host: string
  /** Everything that was ever sent to it, or tried: a connection counts already. */
  readonly heard: string[]
}

/** Listens until the tests of the file are over, and answers like a plausible service. */
export async function stranger(): Promise<Stranger> {
  const heard: string[] = []
  const server = http.createServer(({method, url, rawHeaders}, response) => {
    heard.push(`${method} ${url} ${rawHeaders.join(' ')}`)
    response.writeHead(200, {'content-type': 'application/json'}).end('{"status":"SUCCESS","data":[]}')
  })
  server.on('connection', () => heard.push('a connection'))
  const url = await listening(server)
  return {url, host: new URL(url).host, heard}
}
