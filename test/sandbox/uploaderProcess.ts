// A process of its own on the embedded sandbox of the folder argv[2]: as `stuck` it uploads a million bytes and then a chunk that
// stops half way; under another name it uploads ten files and prints their places and digests.
import {createHash, randomBytes} from 'node:crypto'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {embeddedSandbox} from '../../src/sandbox/sandbox.js'
import {fileStore} from '../../src/sandbox/world/store.js'

const [, , dir = '', name = ''] = process.argv
const {token, transport} = embeddedSandbox({dir, now: () => new Date()})
const common = {authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0'}

async function begin(size: number): Promise<string> {
  const file = {Original_File_Name: `${name}.bundle`, 'upload-length': String(size), Platform: 'ios', Description: name}
  const url = new URL('http://sandbox.localhost/asset/games/archive')
  return (await transport({method: 'POST', url, headers: {...common, ...file}})).headers.location ?? ''
}

async function patch(location: string, offset: number, bytes: Buffer, body: Buffer | AsyncIterable<Buffer> = bytes) {
  const headers = {
    ...common,
    'content-type': 'application/offset+octet-stream',
    'content-length': String(bytes.length),
    'upload-offset': String(offset),
    'upload-checksum': `sha1 ${createHash('sha1').update(bytes).digest('base64')}`,
  }
  const {status} = await transport({method: 'PATCH', url: new URL(location), headers, body})
  if (status !== 204) throw new Error(`PATCH was answered with ${status}`)
}

async function stuck(): Promise<void> {
  const location = await begin(3_000_000)
  await patch(location, 0, Buffer.alloc(1_000_000, 'a'))
  process.stdout.write(`${JSON.stringify({location, size: 3_000_000})}\n`)
  setInterval(() => undefined, 1000)
  const rest = Buffer.alloc(2_000_000, 'z')
  async function* half() {
    yield rest.subarray(0, 1_000_000)
    await new Promise(() => undefined)
  }
  await patch(location, 1_000_000, rest, half())
}

async function upload(): Promise<{readonly location: string; readonly sha256: string}> {
  const bytes = randomBytes(100_000)
  const location = await begin(bytes.length)
  await patch(location, 0, bytes.subarray(0, 60_000))
  await patch(location, 60_000, bytes.subarray(60_000))
  return {location, sha256: createHash('sha256').update(bytes).digest('hex')}
}

await seedSandbox(fileStore(dir), new Date())
if (name === 'stuck') await stuck()
else process.stdout.write(`${JSON.stringify(await Promise.all(Array.from({length: 10}, upload)))}\n`)
