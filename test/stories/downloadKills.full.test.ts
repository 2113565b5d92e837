import {createHash, randomBytes} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
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

interface Resource {
  bytes: Buffer
  tag: string | undefined
  readonly hasStamp: boolean
  /** Gives the part that is asked for, whatever its content was. */
  ignoresIfRange?: boolean
}

/** A service that gives the bytes of one resource, parts of them too, in pieces with pauses. */
async function serveSlowly(state: Resource): Promise<string> {
  const server = http.createServer((request, response) => {
    if (!request.url?.endsWith('?type=meta')) {
      void giveBytes(state, request, response)
      return
    }
    const description = state.hasStamp ? `d [sha256:${sha256(state.bytes)}]` : 'd'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({uuid: 'u-1', originalFileName: 'a.bundle', description, dataUrl: '/data'}))
  })
  return `http://127.0.0.1:${await listen(server, {until: afterFile})}`
}

async function giveBytes(state: Resource, {headers}: http.IncomingMessage, response: http.ServerResponse) {
  const {bytes, tag, ignoresIfRange} = state
  const isSame = ignoresIfRange || headers['if-range'] === undefined || headers['if-range'] === tag
  const from = isSame ? Number(/\d+/u.exec(headers.range ?? '')?.[0] ?? 0) : 0
  if (tag !== undefined) response.setHeader('etag', tag)
  if (from > 0) response.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`)
  response.writeHead(from > 0 ? 206 : 200, {'content-length': bytes.length - from})
  for (let at = from; at < bytes.length && !response.destroyed; at += mebibyte) {
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

test.each([
  {by: 'its entity tag', tag: '"1"', hasStamp: false},
  {by: 'its stamp', tag: undefined, hasStamp: true},
])('a download that is killed again and again goes on, by $by, and is never a mixture', async ({tag, hasStamp}) => {
  const state: Resource = {bytes: randomBytes(32 * mebibyte), tag, hasStamp}
  const url = await serveSlowly(state)
  const place = freshPlace({ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'a-token'})
  const folder = path.join(place.dir, 'out')
  const file = path.join(folder, 'a.bundle')
  const line = 'exec roomctl asset download games/foo/u-1 --dir out -o json'
  const random = seeded(7)
  const killAfter = async (size: number) => {
    const running = start(place, line)
    while (partSize(folder) < size && running.child.exitCode === null) await pause(2)
    running.child.kill('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
  }
  const sizes = Array.from({length: 4}, (_, at) => (5 + at * 6 + 4 * random()) * mebibyte)
  for (const size of sizes) await killAfter(size)
  const {stdout, exit} = await shell(place, line)
  expect(exit).toBe(0)
  const [row] = JSON.parse(stdout)
  expect(row).toMatchObject({outcome: 'done', sha256: sha256(state.bytes)})
  expect(row.resumed_from).toBeGreaterThan(12 * mebibyte)
  expect(sha256(readFileSync(file))).toBe(sha256(state.bytes))
  expect(readdirSync(folder)).toEqual(['a.bundle'])

  rmSync(file)
  await killAfter(9 * mebibyte)
  Object.assign(state, {bytes: randomBytes(32 * mebibyte), tag: tag && '"2"', ignoresIfRange: true})
  await shell(place, line)
  expect(sha256(readFileSync(file))).toBe(sha256(state.bytes))
  expect(readdirSync(folder)).toEqual(['a.bundle'])
})
