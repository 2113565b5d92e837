import {randomUUID} from 'node:crypto'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

// An asset service that takes uploads with the document's headers, reads the bytes and keeps none of them, so that a container
// is always empty. Checksums are not verified. It runs in a process of its own, so that its work is not charged to the program that is measured. Prints
// its address. Its argument is how many milliseconds each request takes.

const delayMs = Number(process.argv[2] ?? 0)
const createHeaders = ['original_file_name', 'upload-length', 'platform', 'description']
const uploads = new Map<string, {readonly length: number; offset: number}>()

const server = createServer((request, answer) => {
  answer.setHeader('Tus-Resumable', '1.0.0')
  if (delayMs > 0) setTimeout(() => reply(request, answer), delayMs)
  else reply(request, answer)
})

function reply(request: IncomingMessage, answer: ServerResponse): void {
  const upload = uploads.get(request.url ?? '')
  if (request.method === 'POST') create(request, answer)
  else if (request.method === 'GET') list(request, answer)
  else if (!upload) answer.writeHead(404).end()
  else if (request.method === 'HEAD') {
    answer.writeHead(200, {'Upload-Offset': upload.offset, 'Upload-Length': upload.length, 'Cache-Control': 'no-store'})
    answer.end()
  } else if (request.method !== 'PATCH') answer.writeHead(405).end()
  else if (Number(request.headers['upload-offset']) !== upload.offset) answer.writeHead(409).end()
  else take(request, answer, upload)
}

function list({url = ''}: IncomingMessage, answer: ServerResponse): void {
  // What it took is in no container.
  if (url.endsWith('?type=meta')) {
    answer.writeHead(404).end()
    return
  }
  const resources = {assetResources: [], commonResources: []}
  const container = {type: 'BasicContainer', name: url.split('/').at(-1), contains: [], resources}
  answer.setHeader('content-type', 'application/json').end(JSON.stringify(container))
}

function create({headers, url}: IncomingMessage, answer: ServerResponse): void {
  const missing = createHeaders.find((name) => headers[name] === undefined)
  if (missing !== undefined) {
    answer.writeHead(400).end(`${missing} is missing`)
    return
  }
  const location = `${url}/${randomUUID()}`
  uploads.set(location, {length: Number(headers['upload-length']), offset: 0})
  answer.writeHead(201, {Location: `http://${headers.host}${location}`}).end()
}

function take(request: IncomingMessage, answer: ServerResponse, upload: {offset: number}): void {
  request.on('data', (bytes: Buffer) => {
    upload.offset += bytes.length
  })
  request.on('end', () => answer.writeHead(204, {'Upload-Offset': upload.offset}).end())
}

server.listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/asset\n`)
})
