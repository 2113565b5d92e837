import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import {FileStore} from '@tus/file-store'
import {Server} from '@tus/server'
import {describe, expect, test} from 'vitest'
import type {UploadSettings} from '../../../../src/upload/model/job.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {listen} from '../../api/http/support.js'
import {file, job, run, sha256Of} from './stage.js'

// The official server as it comes from npm, with none of our code in it. It takes no checksums and keeps the received part of a chunk.

const mebibyte = 1024 * 1024
const settings = {chunkBytes: mebibyte}

/** The server; and a way to it that is cut each time that N bytes went through. */
async function stock(...cuts: number[]) {
  const directory = freshFolder()
  const tus = new Server({
    path: '/asset/games/foo',
    datastore: new FileStore({directory}),
    respectForwardedHeaders: true,
  })
  const behind = await listen(http.createServer((request, response) => void tus.handle(request, response)))
  const left = [...cuts]
  const front = await listen(net.createServer((socket) => relay(socket, Number(behind.port), left)))
  return {base: new URL('/asset', front), stored: (uuid: string) => path.join(directory, uuid), directory}
}

function relay(socket: net.Socket, port: number, cuts: number[]): void {
  const onward = net.connect(port, '127.0.0.1')
  const end = () => {
    socket.resetAndDestroy()
    onward.destroy()
  }
  let passed = 0
  socket.on('data', (bytes) => {
    const [cut = Number.POSITIVE_INFINITY] = cuts
    passed += bytes.length
    if (passed > cut) {
      cuts.shift()
      // Later bytes are dropped.
      socket.removeAllListeners('data')
      onward.write(bytes.subarray(0, bytes.length - (passed - cut)), end)
    } else if (!onward.write(bytes)) {
      socket.pause()
      onward.once('drain', () => socket.resume())
    }
  })
  onward.on('data', (bytes) => socket.write(bytes))
  onward.on('error', end)
  socket.on('error', end)
  socket.on('close', () => onward.destroy())
}

test.each([0, 1, mebibyte, mebibyte + 1, 5 * mebibyte + 7])('a file of %i bytes arrives', async (size) => {
  const service = await stock()
  const at = file(size)
  const {upload} = await run(service.base, {settings})
  const {uuid, sha256} = await upload(job(at))
  expect([sha256Of(service.stored(uuid)), sha256]).toEqual([sha256Of(at), sha256Of(at)])
})

test.each([
  ['with checksums', {checksum: 'sha1'}],
  ['without checksums', {checksum: 'none'}],
  ['in one part', {checksum: 'none', chunkBytes: 64 * mebibyte}],
] as const)('a connection that is cut again and again loses nothing and doubles nothing, %s', async (_, changed) => {
  const service = await stock(700_000, 1_500_000, 300, 2_222_222, 100_000)
  const at = file(7 * mebibyte + 3)
  const {upload} = await run(service.base, {settings: {...settings, ...changed}})
  const {uuid} = await upload(job(at))
  expect(sha256Of(service.stored(uuid))).toBe(sha256Of(at))
})

describe('an upload of a run that ended', () => {
  async function endedRun(changed: Partial<UploadSettings> = {}) {
    const service = await stock(2_600_000)
    const [at, state, abort] = [file(5 * mebibyte), freshFolder(), new AbortController()]
    const onEvent = ({kind}: {kind: string}) => kind === 'waiting' && abort.abort()
    const first = await run(service.base, {state, abort, settings: {...settings, ...changed}, onEvent})
    expect((await failureOf(first.upload(job(at)))).exitCode).toBe(130)
    await first.end()
    return {service, at, state}
  }

  test('is resumed in the middle of the part that was cut', async () => {
    const {service, at, state} = await endedRun()
    const {upload} = await run(service.base, {state, settings})
    const {uuid, resumedFrom = 0, sentBytes} = await upload(job(at))
    expect(sha256Of(service.stored(uuid))).toBe(sha256Of(at))
    expect([resumedFrom > 2 * mebibyte, resumedFrom + sentBytes]).toEqual([true, 5 * mebibyte])
  })
})
