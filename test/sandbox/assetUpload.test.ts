import {once} from 'node:events'
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {everyCase} from '../support/everyCase.js'
import {
  assetStage,
  bearer,
  begin,
  createHeaders,
  type Headers,
  noon,
  offsetOf,
  patchHeaders,
  tusHeaders,
} from './assetStage.js'

const without = (name: string) => Object.fromEntries(Object.entries(createHeaders).filter(([key]) => key !== name))

describe('POST /{container}', () => {
  test('answers with the upload url in Location, on the same origin, at /{container}/{uuid}', async () => {
    const on = await assetStage()

    const {status, headers, body} = await on.ask('POST /asset/games/archive', createHeaders)
    expect([status, body.length, headers['tus-resumable']]).toEqual([201, 0, '1.0.0'])
    expect(headers.location).toMatch(new RegExp(`^${on.origin}/asset/games/archive/[0-9a-f-]{36}$`))
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('requires each documented header', () =>
    everyCase(['Original_File_Name', 'Upload-Length', 'Platform', 'Description'], async (name) => {
      const on = await assetStage()

      for (const headers of [without(name), {...createHeaders, [name]: ' '}]) {
        const {status, json} = await on.ask('POST /asset/games/archive', headers)
        expect([status, json]).toEqual([400, {message: `${name}: the header is required`}])
      }
      expect(existsSync(on.files)).toBe(false)
    }))

  test('refuses a wrong header with 400', () =>
    everyCase(
      [
        [{Original_File_Name: 'README'}, /^Original_File_Name: expected a file name with extension$/],
        [{'Upload-Length': '1e3'}, /^Upload-Length: expected a whole number of bytes, got "1e3"$/],
        [{'Upload-Length': '-1'}, /^Upload-Length: /],
        [{Platform: 'linux'}, /^Platform: expected one of ios, android, windows, got linux$/],
      ],
      async (headers, message) => {
        const {status, json} = await (await assetStage()).ask('POST /asset/games/archive', {
          ...createHeaders,
          ...headers,
        })
        expect(status).toBe(400)
        expect(json.message).toMatch(message)
      },
    ))

  test('takes a platform without regard to case', () =>
    everyCase(
      [
        ['ios', 'IOS'],
        ['Android', 'ANDROID'],
        ['WINDOWS', 'WINDOWS'],
      ],
      async (platform, shown) => {
        const on = await assetStage()
        const location = await begin(on, 0, {Platform: platform})
        expect((await on.ask(`GET ${location}?type=meta`)).json.platform).toBe(shown)
      },
    ))

  test('keeps what the headers say of the file', async () => {
    const on = await assetStage()
    const location = await begin(on, 0, {
      Original_File_Name: '%ED%85%8D%EC%8A%A4%EC%B2%98.bundle',
      Description: '100% %EC%83%88',
      Asset_Resource_File_Id: 'a-catalog',
    })
    expect((await on.ask(`GET ${location}?type=meta`)).json).toMatchObject({
      uuid: location.split('/').at(-1),
      originalFileName: '텍스처.bundle',
      // Not an escape throughout, so it is as it came.
      description: '100% %EC%83%88',
      assetResourceFileId: 'a-catalog',
      createdAt: '2026-12-01T12:00:00',
    })
  })

  test('reads names in raw UTF-8 too', async () => {
    const on = await assetStage()
    const raw = Buffer.from('텍스처.bundle', 'utf8').toString('latin1')
    const location = await begin(on, 0, {Original_File_Name: raw})
    expect((await on.ask(`GET ${location}?type=meta`)).json.originalFileName).toBe('텍스처.bundle')
  })

  test('needs a container that is there: 404; with the slash it would create one', async () => {
    const on = await assetStage()

    expect((await on.ask('POST /asset/games/nothing', createHeaders)).status).toBe(404)
    expect((await on.ask('POST /asset/games/archive/', createHeaders)).json.message).toMatch(/^type: /)
  })

  test('"no body": bytes that come with it are refused', async () => {
    const on = await assetStage()
    const headers = {...createHeaders, 'Content-Type': 'application/offset+octet-stream'}
    expect((await on.ask('POST /asset/games/archive', headers, 'hello world')).status).toBe(400)
  })

  test('an empty file is complete at once', async () => {
    const on = await assetStage()
    const location = await begin(on, 0)

    expect(await on.ask(`GET ${location}?type=asset`)).toMatchObject({status: 200, headers: {'content-length': '0'}})
    expect(await offsetOf(on, location)).toBe(0)
  })
})

describe('PATCH /{container}/{uuid}', () => {
  test('answers with the new Upload-Offset and Tus-Resumable 1.0.0, until the file is there', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)

    const first = await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello')
    expect([first.status, first.body.length]).toEqual([204, 0])
    expect(first.headers).toMatchObject({'upload-offset': '5', 'tus-resumable': '1.0.0'})
    expect((await on.ask(`PATCH ${location}`, patchHeaders(5), ' world')).headers['upload-offset']).toBe('11')
    expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
  })

  test('at another offset than that of the upload is 409, and nothing is changed', () =>
    everyCase([4, 6, 11], async (offset) => {
      const on = await assetStage()
      const location = await begin(on, 11)
      await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello')

      expect((await on.ask(`PATCH ${location}`, patchHeaders(offset), 'XXXXX')).status).toBe(409)
      await on.ask(`PATCH ${location}`, patchHeaders(5), ' world')
      expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
    }))

  test('with a wrong header is refused with its status', () =>
    everyCase(
      [
        [{'Content-Type': 'application/octet-stream'}, 415, /^Content-Type: /],
        [{'Upload-Offset': 'x'}, 400, /^Upload-Offset: /],
        [{'Upload-Offset': ''}, 400, /^Upload-Offset: the header is required$/],
        [{'Tus-Resumable': '2.0.0'}, 412, /^Tus-Resumable: /],
        [{'Upload-Checksum': 'crc32 AAAA'}, 400, /^Upload-Checksum: the algorithm crc32 is not supported$/],
        [{'Upload-Checksum': 'sha1'}, 400, /^Upload-Checksum: /],
      ],
      async (headers, status, message) => {
        const on = await assetStage()
        const location = await begin(on, 11)

        const refused = await on.ask(`PATCH ${location}`, {...patchHeaders(0), ...headers}, 'hello')
        expect(refused.status).toBe(status)
        expect(refused.json.message).toMatch(message)
        expect(await offsetOf(on, location)).toBe(0)
      },
    ))

  test('without a Content-Length is 411', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)
    const refused = await on.ask(`PATCH ${location}`, {...patchHeaders(0), 'Transfer-Encoding': 'chunked'}, 'hello')
    expect(refused.status).toBe(411)
  })

  test('of more bytes than are missing is 413', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)
    expect((await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello world!')).status).toBe(413)
    expect(await offsetOf(on, location)).toBe(0)
  })

  test('of an upload that is not there, or in another container, is 404', async () => {
    const on = await assetStage()
    const uuid = (await begin(on, 11)).split('/').at(-1)
    for (const path of ['games/archive/0c602ad5', `games/${uuid}`, `games/puzzle/${uuid}`, 'games/archive/..%2Fx']) {
      expect([path, (await on.ask(`PATCH /asset/${path}`, patchHeaders(0), 'hello')).status]).toEqual([path, 404])
    }
  })
})

test('HEAD /{container}/{uuid} says how far the upload came and how long it is to be, and is not to be cached', async () => {
  const on = await assetStage()
  const location = await begin(on, 11)
  await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello')

  const {status, headers} = await on.ask(`HEAD ${location}`, tusHeaders)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'upload-offset': '5',
    'upload-length': '11',
    'cache-control': 'no-store',
    'tus-resumable': '1.0.0',
  })
  expect(headers).not.toHaveProperty('upload-metadata')
  expect((await on.ask(`HEAD ${location}`, bearer)).status).toBe(412)
  expect((await on.ask(`HEAD ${location}x`, tusHeaders)).status).toBe(404)
})

test.each([
  ['HEAD', tusHeaders],
  ['PATCH', patchHeaders(11)],
])('a file that was complete before the service was killed exists after %s', async (method, headers) => {
  const on = await assetStage()
  const location = await begin(on, 11)
  await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello world')
  await on.store.change((world) => {
    world.resources = []
  })
  expect((await on.ask(`GET ${location}`)).status).toBe(404)

  expect((await on.ask(`${method} ${location}`, headers)).headers['upload-offset']).toBe('11')
  expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
  await on.ask(`${method} ${location}`, headers)
  expect(await on.store.read(({resources}) => resources.length)).toBe(1)
})

test('a folder that is taken away while uploads are under way ends an upload, and not the service', async () => {
  const on = await assetStage()
  const location = await begin(on, 11)
  rmSync(on.files, {recursive: true})
  writeFileSync(on.files, 'no folder')
  const {status} = await on.ask(`HEAD ${location}`, tusHeaders)
  expect(status).toBeGreaterThanOrEqual(400)
  // An unhandled rejection is reported a turn later.
  await pause(20)
  expect((await on.ask('GET /asset/games/')).status).toBe(200)
})

test('OPTIONS where uploads begin says which checksums are known', async () => {
  const {status, headers} = await (await assetStage()).ask('OPTIONS /asset/games/archive')
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,checksum',
    'tus-checksum-algorithm': 'sha1,sha256,md5',
  })
})

describe('tus 1.0.0', () => {
  test('every answer names the version, also a refusal', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)
    const {pathname} = new URL(location, on.origin)
    const requests: [line: string, headers: Headers, status: number][] = [
      ['POST /asset/games/archive', createHeaders, 201],
      ['POST /asset/games/archive', without('Tus-Resumable'), 412],
      ['POST /asset/games/archive', without('Platform'), 400],
      ['POST /asset/games/archive', without('Authorization'), 401],
      ['POST /asset/games/nothing', createHeaders, 404],
      [`PATCH ${pathname}`, patchHeaders(4), 409],
      [`PATCH ${pathname}x`, patchHeaders(0), 404],
      [`HEAD ${pathname}`, tusHeaders, 200],
      [`HEAD ${pathname}`, bearer, 412],
      [`DELETE ${pathname}`, tusHeaders, 405],
      [`OPTIONS ${pathname}`, bearer, 204],
    ]
    await everyCase(requests, async (line, headers, status) => {
      const answer = await on.ask(line, headers)
      expect([answer.status, answer.headers['tus-resumable']]).toEqual([status, '1.0.0'])
    })
    const lost = await (await assetStage()).ask(`HEAD ${pathname}`, tusHeaders)
    expect([lost.status, lost.headers['tus-resumable']]).toEqual([404, '1.0.0'])
    expect((await on.ask(`GET ${pathname}`)).headers).not.toHaveProperty('tus-resumable')
  })
})

test('what the system refuses is reported by its reason, and is neither a full disk nor a missing upload', async () => {
  const on = await assetStage()
  const upload = await begin(on, 3)
  const file = path.join(on.files, path.basename(upload))
  rmSync(file)
  // A socket has no bytes, and cannot be opened.
  const socket = net.createServer().listen(file)
  await once(socket, 'listening')
  // In this process, as a profile of the sandbox has it: a server hides why its handler failed.
  const sandbox = createSandbox({store: on.store, now: () => noon, files: on.files})
  const url = new URL(upload)
  const headers = {...patchHeaders(0), 'Content-Length': '3'}
  await expect(sandbox({method: 'PATCH', url, headers, body: 'abc'})).rejects.toThrow('it is not a regular file')
  socket.close()
  rmSync(`${file}.json`)
  mkdirSync(`${file}.json`)
  await expect(sandbox({method: 'HEAD', url, headers: tusHeaders})).rejects.toThrow('it is a folder')
})
