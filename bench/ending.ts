import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

// A room service that ends every requested room, without state. It runs in a process of its own, so that its work
// is not charged to the program that is measured. Prints its address. Its argument is how many milliseconds each request takes.

const delayMs = Number(process.argv[2] ?? 0)
const success = Buffer.from('{"status":"SUCCESS"}')

const server = createServer((request, answer) => {
  request.resume()
  request.on('end', () => {
    const ends = request.method === 'POST' && /^\/media\/v1\/rooms\/[^/]+\/end$/.test(request.url ?? '')
    const reply = () =>
      answer
        .writeHead(ends ? 200 : 404, {'content-type': 'application/json', 'content-length': success.length})
        .end(success)
    if (delayMs > 0) setTimeout(reply, delayMs)
    else reply()
  })
})

server.listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/media\n`)
})
