// A process of its own: asks argv[2] over both adapters as `chooseTransport` sets them up, with the authorities of the file
// argv[3] if there is one, and prints the bodies or the problems as JSON.
import {readFileSync} from 'node:fs'
import {certificateBlocks} from '../../../../../src/api/http/network/caCertificates.js'
import {selectTransport} from '../../../../../src/api/http/transports/selectTransport.js'
import {readBody} from '../../../../../src/api/http/wire/message.js'
import {WireError} from '../../../../../src/api/http/wire/transport.js'

const [, , address = '', caFile = ''] = process.argv
const options = {
  connectMs: 5_000,
  headersMs: 5_000,
  env: process.env,
  ...(caFile ? {ca: certificateBlocks(readFileSync(caFile))} : {}),
}

async function outcome(concurrency: number): Promise<string> {
  try {
    const send = selectTransport({...options, concurrency})
    const answer = await send({method: 'GET', url: new URL(address), headers: {}})
    return (await readBody(answer, {maxBytes: 1000, signal: AbortSignal.timeout(5_000)})).toString()
  } catch (error) {
    return error instanceof WireError ? error.problem : String(error)
  }
}

process.stdout.write(JSON.stringify({direct: await outcome(1), pooled: await outcome(100)}))
