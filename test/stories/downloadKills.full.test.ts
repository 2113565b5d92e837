import {createHash, randomBytes} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {seeded} from '../../bench/kills/seeded.js'
import {afterFile} from '../support/afterFile.js'
import {listen} from '../support/listen.js'
import {freshPlace, shell, start} from './place.js'

const mebibyte = 2 ** 20
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A service that gives the bytes of one resource in pieces with pauses. */
async function serveSlowly(bytes: Buffer): Promise<string> {
  const server = http.createServer((request, response) => {
    if (!request.url?.endsWith('?type=meta')) {
      void giveBytes(bytes, response)
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({uuid: 'u-1', originalFileName: 'a.bundle', description: 'd', dataUrl: '/data'}))
  })
  return `http://127.0.0.1:${await listen(server, {until: afterFile})}`
}

async function giveBytes(bytes: Buffer, response: http.ServerResponse) {
  response.writeHead(200, {etag: '"1"', 'content-length': bytes.length})
  for (let at = 0; at < bytes.length && !response.destroyed; at += mebibyte) {
    response.write(bytes.subarray(at, at + mebibyte))
    await pause(10)
  }
  response.end()
}

/** The size of the longest part in the folder. */
function partSize(folder: string): number {
  const parts = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.part')) : []
  return Math.max(0, ...parts.map((name) => statSync(path.join(folder, name), {throwIfNoEntry: false})?.size ?? 0))
}

test('a download that is killed again and again starts over, and leaves nothing but the file', async () => {
  const bytes = randomBytes(32 * mebibyte)
  const place = freshPlace({ROOMCTL_ASSET_URL: await serveSlowly(bytes), ROOMCTL_ASSET_TOKEN: 'a-token'})
  const folder = path.join(place.dir, 'out')
  const line = 'exec roomctl asset download games/foo/u-1 --dir out -o json'
  const random = seeded(7)
  for (let kills = 0; kills < 4; kills += 1) {
    const size = (5 + kills * 6 + 4 * random()) * mebibyte
    const running = start(place, line)
    while (partSize(folder) < size && running.child.exitCode === null) await pause(2)
    running.child.kill('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  }
  const {stdout, exit} = await shell(place, line)
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([{outcome: 'done', sha256: sha256(bytes)}])
  expect(sha256(readFileSync(path.join(folder, 'a.bundle')))).toBe(sha256(bytes))
  expect(readdirSync(folder)).toEqual(['a.bundle'])
})
