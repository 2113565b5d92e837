import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {FileStore} from '@tus/file-store'
import {Server} from '@tus/server'

// @tus/server with @tus/file-store as they come from npm, at the path of one container. It runs in a process of its own.
// Prints the address of the asset service. Its arguments are the folder for the files and the container.

const [directory = '', container = ''] = process.argv.slice(2)
const tus = new Server({path: `/asset/${container}`, datastore: new FileStore({directory})})

const server = createServer((request, answer) => void tus.handle(request, answer)).listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/asset\n`)
})
