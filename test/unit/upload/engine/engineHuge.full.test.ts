import {truncateSync} from 'node:fs'
import http from 'node:http'
import {expect, test} from 'vitest'
import {listen} from '../../api/http/support.js'
import {file, job, run} from './stage.js'

const size = 4 * 2 ** 30 + 12_345

test('a file of more than 4 GiB is sent whole, its offsets beyond 32 bits', {timeout: 120_000}, async () => {
  const offsets: number[] = []
  let had = 0
  const server = http.createServer({requestTimeout: 0}, (request, response) => {
    if (request.method === 'POST') {
      response.writeHead(201, {Location: '/asset/games/foo/huge'}).end()
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
  const {upload} = await run(base, {settings: {checksum: 'none', sha256: false, chunkBytes: 3 * 2 ** 30}})
  expect(await upload(job(at))).toMatchObject({bytes: size, sentBytes: size, uuid: 'huge'})
  expect([had, offsets]).toEqual([size, [0, 3 * 2 ** 30]])
})
