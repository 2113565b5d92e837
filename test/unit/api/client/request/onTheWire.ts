import querystring from 'node:querystring'
import {Busboy} from '@fastify/busboy'
import type {PreparedRequest} from '../../../../../src/api/client/request/request.js'

/** A value that a request carries: its place, its name and its content. */
export type Carried = readonly [place: string, name: string, value: unknown]

/** A field of a multipart body as an independent parser reads it; a file with its name and type. */
export interface Part {
  readonly name: string
  readonly value: string
  readonly fileName?: string
  readonly type?: string
}

/** The headers that every request has. */
const usual = new Set(['accept', 'accept-encoding', 'content-type'])

/**
 * Everything that a request carries but its path, read by parsers that are not ours: querystring, JSON.parse and busboy. The
 * names of headers are in lower case, as a server has them.
 */
export async function carriedBy({url, headers, body}: PreparedRequest): Promise<Carried[]> {
  const inQuery = pairsOf(url.search.slice(1)).map(([name, value]) => ['query', name, value] as const)
  const inHeaders = Object.entries(headers)
    .map(([name, value]) => ['header', name.toLowerCase(), value] as const)
    .filter(([, name]) => !usual.has(name))
  const type = headers['content-type'] ?? ''
  return [...inQuery, ...inHeaders, ...(await inBody(type, body))]
}

async function inBody(type: string, body: PreparedRequest['body']): Promise<Carried[]> {
  if (body === undefined) return []
  if (type === 'application/json') {
    return Object.entries(JSON.parse(String(body))).map(([name, value]) => ['body', name, value])
  }
  return (await partsOf(type, body)).map(({name, value}) => ['form', name, value])
}

/** The pairs of a query. */
function pairsOf(text: string): [string, string][] {
  return Object.entries(querystring.parse(text)).flatMap(([name, value = '']) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
}

/** The parts of a multipart body, in their order; the bytes of a file as latin1. */
export function partsOf(type: string, body: string | Uint8Array): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    const parser = new Busboy({headers: {'content-type': type}})
    parser.on('field', (name, value) => parts.push({name, value}))
    parser.on('file', (name, stream, fileName, _encoding, mimeType) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () =>
        parts.push({name, value: Buffer.concat(chunks).toString('latin1'), fileName, type: mimeType}),
      )
    })
    parser.on('finish', () => resolve(parts))
    parser.on('error', reject)
    parser.end(Buffer.from(body))
  })
}
