import {truncateSync} from 'node:fs'
import http from 'node:http'
import {expect, test} from 'vitest'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {listen} from '../../api/http/support.js'
import {file, job, run} from './stage.js'

const size = 4 * 2 ** 30 + 12_345

test('an upload of more than 4 GiB resumes where the service is, its offsets beyond 32 bits', async () => {
  const [state, abort] = [freshFolder(), new AbortController()]
  const offsets: number[] = []
  let had = 4 * 2 ** 30 - 500_000
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') {
      response.writeHead(201, {Location: '/asset/games/foo/huge'}).end()
      return
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, {'Upload-Offset': String(had), 'Upload-Length': String(size)}).end()
      return
    }
    if (!abort.signal.aborted) {
      abort.abort()
      request.socket.resetAndDestroy()
      return
    }
    if (request.method === 'PATCH') offsets.push(Number(request.headers['upload-offset']))
    request.on('data', (bytes) => {
      had += bytes.length
    })
    request.on('end', () => response.writeHead(204, {'Upload-Offset': String(had)}).end())
  })
  const base = new URL('/asset', await listen(server))
  // It has no content, so it takes no room.
  const at = file(0)
  truncateSync(at, size)
  const settings = {checksum: 'none', chunkBytes: 505_000} as const
  const first = await run(base, {state, abort, settings})
  await failureOf(first.upload(job(at)))
  await first.end()
  const resumedFrom = had
  const {upload} = await run(base, {state, settings})
  expect(await upload(job(at))).toMatchObject({resumedFrom, bytes: size, sentBytes: size - resumedFrom, uuid: 'huge'})
  expect([had, offsets]).toEqual([size, [resumedFrom, 2 ** 32 + 5000]])
})
