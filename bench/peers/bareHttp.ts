import {createHash} from 'node:crypto'
import {closeSync, openSync, readFileSync, readSync, statSync} from 'node:fs'
import {Agent, type ClientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, request} from 'node:http'
import path from 'node:path'

// The floor of uploads: a loop over node:http that reads each file, computes the digests and sends the requests of its upload. It
// checks no answer, remembers nothing, and cannot resume. Arguments: the address that uploads are created at, how many files at a
// time, `sha1` for a checksum with each chunk or `none`, `sha256` for the digest of the whole file or `none`, and the files.

const [endpoint = '', width = '1', checksum, sha256, ...files] = process.argv.slice(2)
const agent = new Agent({keepAlive: true})
const common = {Authorization: 'Bearer bench', 'Tus-Resumable': '1.0.0'}
const mebibyte = 2 ** 20
const blockBytes = mebibyte
/** With a checksum a large file goes in chunks, without one in a single request, as by roomctl. */
const chunkBytes = checksum === 'sha1' ? 64 * mebibyte : Number.POSITIVE_INFINITY

async function send(
  method: string,
  url: URL,
  headers: OutgoingHttpHeaders,
  write: (asked: ClientRequest) => Promise<void> | void = () => {},
): Promise<IncomingHttpHeaders> {
  const asked = request(url, {agent, method, headers: {...common, ...headers}})
  const answered = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.headers))).on('error', reject)
  })
  await write(asked)
  asked.end()
  return answered
}

async function create(file: string, size: number): Promise<URL> {
  const url = new URL(endpoint)
  const names = {Original_File_Name: path.basename(file), Platform: 'ios', Description: 'bench'}
  const {location = ''} = await send('POST', url, {'Upload-Length': size, ...names})
  return new URL(location, url)
}

function partHeaders(offset: number, bytes: number, digest: string | undefined): OutgoingHttpHeaders {
  const part = {'Upload-Offset': offset, 'Content-Type': 'application/offset+octet-stream', 'Content-Length': bytes}
  return digest === undefined ? part : {...part, 'Upload-Checksum': `sha1 ${digest}`}
}

async function uploadSmall(file: string): Promise<void> {
  const content = readFileSync(file)
  const digest = checksum === 'sha1' ? createHash('sha1').update(content).digest('base64') : undefined
  if (sha256 === 'sha256') createHash('sha256').update(content).digest('hex')
  const url = await create(file, content.length)
  await send('PATCH', url, partHeaders(0, content.length, digest), (asked) => void asked.end(content))
}

async function uploadLarge(file: string, size: number): Promise<void> {
  const fd = openSync(file, 'r')
  const block = Buffer.allocUnsafeSlow(blockBytes)
  const readAt = (at: number, to: number) =>
    block.subarray(0, readSync(fd, block, 0, Math.min(blockBytes, to - at), at))
  const whole = sha256 === 'sha256' ? createHash('sha256') : undefined
  const url = await create(file, size)
  for (let from = 0; from < size; from += chunkBytes) {
    const to = Math.min(size, from + chunkBytes)
    const chunk = checksum === 'sha1' ? createHash('sha1') : undefined
    if (chunk) for (let at = from; at < to; at += blockBytes) chunk.update(readAt(at, to))
    await send('PATCH', url, partHeaders(from, to - from, chunk?.digest('base64')), async (asked) => {
      for (let at = from; at < to; at += blockBytes) {
        const bytes = readAt(at, to)
        whole?.update(bytes)
        await new Promise((resolve) => asked.write(bytes, resolve))
      }
    })
  }
  closeSync(fd)
}

async function lane(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const {size} = statSync(file)
    await (size <= blockBytes ? uploadSmall(file) : uploadLarge(file, size))
  }
}

void Promise.all(Array.from({length: Number(width)}, lane)).then(() => agent.destroy())
