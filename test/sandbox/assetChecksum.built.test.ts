import {spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {readFileSync, statSync} from 'node:fs'
import http from 'node:http'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {buffer} from 'node:stream/consumers'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, onTestFinished, test} from 'vitest'
import {embeddedSandbox} from '../../src/sandbox/sandbox.js'
import {bundled} from '../support/bundled.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {assetStage, begin, checksumOf, noon, offsetOf, patchHeaders, sha256} from './assetStage.js'

const uuidIn = (location: string) => location.split('/').at(-1) ?? ''

const program = bundled(new URL('./uploaderProcess.ts', import.meta.url))

/** Starts a process that uploads; it prints one line, and is killed when the test is over. */
async function startUploader(dir: string, name: string) {
  const child = spawn(process.execPath, [await program, dir, name], {stdio: ['ignore', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const [line] = await once(createInterface(child.stdout), 'line')
  return {printed: JSON.parse(String(line)), ended, kill: () => void child.kill('SIGKILL')}
}

/** Sends the headers of a PATCH and half of its bytes, and hangs up once `isHere` shows that they have arrived. */
async function cutShort(
  location: string,
  bytes: Buffer,
  headers: Record<string, string>,
  isHere: () => boolean,
): Promise<void> {
  const request = http.request(location, {method: 'PATCH', headers: {...headers, 'Content-Length': bytes.length}})
  request.on('error', () => undefined)
  await new Promise((resolve) => request.write(bytes.subarray(0, bytes.length / 2), resolve))
  await until(isHere)
  request.destroy()
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 10) {
    if (holds()) return
    await pause(10)
  }
  throw new Error('the condition did not hold in time')
}

describe('Upload-Checksum', () => {
  test('of each algorithm is verified, and the chunk counts', () =>
    everyCase(['sha1', 'sha256', 'md5'], async (algorithm) => {
      const on = await assetStage()
      const location = await begin(on, 11)

      const {status, headers} = await on.ask(
        `PATCH ${location}`,
        patchHeaders(0, checksumOf('hello', algorithm)),
        'hello',
      )
      expect([status, headers['upload-offset']]).toEqual([204, '5'])
    }))

  test('the checksum of the tus document is that of its bytes', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)

    // tus 1.0.0, Checksum: the example of the specification.
    const headers = patchHeaders(0, 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=')
    expect((await on.ask(`PATCH ${location}`, headers, 'hello world')).status).toBe(204)
    expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
  })

  test('a mismatch is 460, the chunk is discarded, and the same offset is taken again', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)
    await on.ask(`PATCH ${location}`, patchHeaders(0, checksumOf('hello')), 'hello')

    const refused = await on.ask(`PATCH ${location}`, patchHeaders(5, checksumOf(' world')), ' wOrld')
    expect(refused.status).toBe(460)
    expect(refused.json.message).toMatch(/discarded$/)
    expect(await offsetOf(on, location)).toBe(5)
    expect(statSync(join(on.files, uuidIn(location))).size).toBe(5)
    await on.ask(`PATCH ${location}`, patchHeaders(5), ' world')
    expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
  })

  test('an upload that fails its last checksum is not complete', async () => {
    const on = await assetStage()
    const location = await begin(on, 5)
    await on.ask(`PATCH ${location}`, patchHeaders(0, checksumOf('hello')), 'jello')
    expect((await on.ask(`GET ${location}`)).status).toBe(404)
  })

  test('a chunk that is cut short is discarded whole; without a checksum the received bytes are kept', async () => {
    const on = await assetStage()
    const bytes = randomBytes(2_000_000)
    const [checked, plain] = [await begin(on, bytes.length), await begin(on, bytes.length)]

    const sizeOf = (location: string) => statSync(join(on.files, uuidIn(location))).size
    await cutShort(checked, bytes, patchHeaders(0, checksumOf(bytes)), () => true)
    await cutShort(plain, bytes, patchHeaders(0), () => sizeOf(plain) > 0)
    expect(sizeOf(checked)).toBe(0)
    expect(await offsetOf(on, checked)).toBe(0)
    const kept = await offsetOf(on, plain)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(1_000_000)
    await on.ask(`PATCH ${checked}`, patchHeaders(0, checksumOf(bytes)), bytes)
    await on.ask(`PATCH ${plain}`, patchHeaders(kept), bytes.subarray(kept))
    for (const location of [checked, plain]) {
      expect(sha256((await on.ask(`GET ${location}?type=asset`)).body)).toBe(sha256(bytes))
    }
  })
})

test('a process that is killed in a chunk with a checksum leaves the offset before it, where the next process resumes', async () => {
  const dir = freshFolder()
  const child = await startUploader(dir, 'stuck')
  const {location, size} = child.printed
  const file = join(dir, 'files', uuidIn(location))
  await pause(200)
  child.kill()
  await child.ended
  expect(statSync(file).size).toBe(1_000_000)

  const {transport} = embeddedSandbox({dir, now: () => noon})
  const head = await transport({method: 'HEAD', url: new URL(location), headers: patchHeaders(0)})
  expect(head.headers['upload-offset']).toBe('1000000')
  const rest = Buffer.alloc(size - 1_000_000, 'z')
  const patched = await transport({
    method: 'PATCH',
    url: new URL(location),
    headers: patchHeaders(1_000_000, checksumOf(rest)),
    body: rest,
  })
  expect([patched.status, patched.headers['upload-offset']]).toEqual([204, String(size)])
  expect(sha256(readFileSync(file))).toBe(sha256(Buffer.concat([Buffer.alloc(1_000_000, 'a'), rest])))
})

test('several processes upload to the same sandbox at once, and no upload is lost', async () => {
  const dir = freshFolder()
  const children = await Promise.all(['left', 'right'].map((name) => startUploader(dir, name)))
  const done = await Promise.all(children.map(async ({printed, ended}) => [printed, await ended]))
  expect(done.map(([, code]) => code)).toEqual([0, 0])

  const {transport} = embeddedSandbox({dir, now: () => noon})
  for (const {location, sha256: expected} of done.flatMap(([uploads]) => uploads)) {
    const answer = await transport({method: 'GET', url: new URL(`${location}?type=asset`), headers: patchHeaders(0)})
    expect(sha256(await buffer(answer.body))).toBe(expected)
  }
  expect(done.flatMap(([uploads]) => uploads)).toHaveLength(20)
})
