import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {build} from 'esbuild'
import {onTestFinished} from 'vitest'
import {freshFolder} from '../support/folder.js'

/**
 * What a process does with the embedded sandbox of a folder: as `stuck` it uploads a million bytes and then a chunk that
 * stops half way; under another name it uploads ten files and prints their places and states.
 */
const source = `
  import {createHash, randomBytes} from 'node:crypto'
  import {seedSandbox} from './src/sandbox/demo/scenarios.ts'
  import {embeddedSandbox} from './src/sandbox/sandbox.ts'
  import {fileStore} from './src/sandbox/world/store.ts'
  const [dir, name] = process.argv.slice(2)
  const now = () => new Date()
  const {token, transport} = embeddedSandbox({dir, now})
  const common = {authorization: 'Bearer ' + token, 'tus-resumable': '1.0.0'}
  const sum = (algorithm, bytes, form) => createHash(algorithm).update(bytes).digest(form)
  async function begin(size) {
    const headers = {...common, Original_File_Name: name + '.bundle', 'upload-length': String(size), Platform: 'ios', Description: name}
    const url = new URL('http://sandbox.localhost/asset/games/archive')
    return (await transport({method: 'POST', url, headers})).headers.location
  }
  async function patch(location, offset, bytes, body = bytes) {
    const headers = {
      ...common,
      'content-type': 'application/offset+octet-stream',
      'content-length': String(bytes.length),
      'upload-offset': String(offset),
      'upload-checksum': 'sha1 ' + sum('sha1', bytes, 'base64'),
    }
    const {status} = await transport({method: 'PATCH', url: new URL(location), headers, body})
    if (status !== 204) throw new Error('PATCH was answered with ' + status)
  }
  async function stuck() {
    const size = 3_000_000
    const location = await begin(size)
    await patch(location, 0, Buffer.alloc(1_000_000, 'a'))
    console.log(JSON.stringify({location, size}))
    setInterval(() => undefined, 1000)
    const rest = Buffer.alloc(2_000_000, 'z')
    async function* half() {
      yield rest.subarray(0, 1_000_000)
      await new Promise(() => undefined)
    }
    await patch(location, 1_000_000, rest, half())
  }
  async function several() {
    const uploads = []
    await Promise.all(Array.from({length: 10}, async () => {
      const bytes = randomBytes(100_000)
      const location = await begin(bytes.length)
      await patch(location, 0, bytes.subarray(0, 60_000))
      await patch(location, 60_000, bytes.subarray(60_000))
      uploads.push({location, sha256: sum('sha256', bytes, 'hex')})
    }))
    console.log(JSON.stringify(uploads))
  }
  seedSandbox(fileStore(dir), new Date()).then(name === 'stuck' ? stuck : several)
`

export interface Uploader {
  /** The line that it prints. */
  line(): Promise<string>
  /** Its exit code. */
  readonly ended: Promise<number | null>
  kill(): void
}

/** Starts such a process; it is killed when the test is over. */
export async function startUploader(dir: string, name: string): Promise<Uploader> {
  const script = join(freshFolder(), 'uploader.mjs')
  await build({
    stdin: {contents: source, resolveDir: process.cwd(), loader: 'ts'},
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: script,
    logLevel: 'error',
    banner: {js: "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url)"},
  })
  const child = spawn(process.execPath, [script, dir, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const printed = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  return {line: () => printed, ended, kill: () => void child.kill('SIGKILL')}
}
