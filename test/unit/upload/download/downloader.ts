import {directTransport} from '../../../../src/api/http/transports/direct.js'
import {Failure} from '../../../../src/failure.js'
import {download} from '../../../../src/upload/download/download.js'
import {contextOf, resource} from './context.js'

/** A process that downloads the resource: the service's address, the folder. It prints the outcome. */
const [address = '', folder = ''] = process.argv.slice(2)

const open = directTransport({connectMs: 2_000, headersMs: 5_000})
const context = contextOf({base: new URL(address), open, signal: new AbortController().signal, timeoutMs: 5_000})
download(context, resource, {folder, overwrite: false, claimed: new Set()}).then(
  (downloaded) => process.stdout.write(JSON.stringify(downloaded)),
  (error) => process.stdout.write(JSON.stringify(error instanceof Failure ? error.facts : String(error))),
)
