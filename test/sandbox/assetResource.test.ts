import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {assetStage, begin, createHeaders, patchHeaders, sha256} from './assetStage.js'

describe('GET /{container}/{uuid}', () => {
  test('is the link: uri and type', async () => {
    const on = await assetStage()

    const common = await on.ask('GET /asset/games/puzzle/a-logo')
    expect(common).toMatchObject({status: 200, json: {uri: '/asset/games/puzzle/a-logo', type: 'CommonResource'}})
    expect((await on.ask('GET /asset/games/puzzle/a-level1')).json).toEqual({
      uri: '/asset/games/puzzle/a-level1?type=asset',
      type: 'AssetResource',
    })
  })

  test('?type=meta is every documented field in its order, the platform in capitals, times without a zone', async () => {
    const on = await assetStage()

    const {json} = await on.ask('GET /asset/games/puzzle/a-level1?type=meta')
    const documented = {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      uuid: 'a-level1',
      assetResourceFileId: 'a-catalog',
      originalFileName: 'level1.bundle',
      fileExtension: 'bundle',
      description: 'The first level',
      dataUrl: `${on.origin}/asset-data/a-level1/level1.bundle`,
      platform: 'IOS',
      parents: '/games/puzzle/',
      owners: ['sandbox'],
      trashed: false,
      trashingUserId: null,
      trashedAt: null,
      readAt: null,
      updatedAt: '2026-12-01T10:35:00',
      createdAt: '2026-12-01T10:35:00',
    }
    expect(Object.entries(json as object)).toEqual(Object.entries(documented))
  })

  test('?type=catalog is the catalog that the bundle is linked to, and that of a catalog itself', async () => {
    const on = await assetStage()
    const metaJson = {version: 1, bundles: [{name: 'level1.bundle', assets: ['level1/board', 'level1/music']}]}

    expect((await on.ask('GET /asset/games/puzzle/a-level1?type=catalog')).json).toEqual({
      _id: expect.any(String),
      uuid: 'a-level1',
      originalFileName: 'level1.bundle',
      description: 'The first level',
      dataUrl: `${on.origin}/asset-data/a-level1/level1.bundle`,
      platform: 'IOS',
      parents: '/games/puzzle/',
      owners: ['sandbox'],
      metaJson,
    })
    expect((await on.ask('GET /asset/games/puzzle/a-catalog?type=catalog')).json).toMatchObject({metaJson})
    expect((await on.ask('GET /asset/games/puzzle/a-logo?type=catalog')).status).toBe(404)
  })

  test('?type=asset is the bytes', async () => {
    const on = await assetStage()

    const {status, headers, body} = await on.ask('GET /asset/games/puzzle/a-level1?type=asset')
    expect([status, headers['content-length'], body.length]).toEqual([200, '3000', 3000])
    expect(sha256(body)).toBe(
      sha256((await (await assetStage()).ask('GET /asset/games/puzzle/a-level1?type=asset')).body),
    )
    expect(JSON.parse((await on.ask('GET /asset/games/puzzle/a-catalog?type=asset')).body.toString())).toHaveProperty(
      'bundles',
    )
  })

  test('is 404 for a missing resource, in another container too, and 400 for another view', async () => {
    const on = await assetStage()

    for (const path of ['games/puzzle/a-nothing', 'games/a-logo', 'games/archive/a-logo', 'games/puzzle']) {
      expect([path, (await on.ask(`GET /asset/${path}`)).status]).toEqual([path, 404])
    }
    expect((await on.ask('GET /asset/games/puzzle/a-logo?type=bytes')).status).toBe(400)
    expect((await on.ask('DELETE /asset/games/puzzle/a-logo')).status).toBe(405)
  })

  test('is 404 while the upload is not complete, and the listing does not know it', async () => {
    const on = await assetStage()
    const location = await begin(on, 11)
    await on.ask(`PATCH ${location}`, patchHeaders(0), 'hello')

    for (const view of ['', '?type=meta', '?type=catalog', '?type=asset']) {
      expect([view, (await on.ask(`GET ${location}${view}`)).status]).toEqual([view, 404])
    }
    const none = {assetResources: [], commonResources: []}
    expect((await on.ask('GET /asset/games/archive/')).json.resources).toEqual(none)

    await on.ask(`PATCH ${location}`, patchHeaders(5), ' world')
    expect((await on.ask(`GET ${location}?type=asset`)).body.toString()).toBe('hello world')
    expect((await on.ask('GET /asset/games/archive/')).json.resources.assetResources).toHaveLength(1)
  })

  test('a slash at the end asks for a container', async () => {
    expect((await (await assetStage()).ask('GET /asset/games/puzzle/a-logo/')).json.message).toMatch(/^container/)
  })
})

test('bundles, catalogs and linked files are asset resources, others common', () =>
  everyCase(
    [
      ['scene.bundle', {}, 'assetResources'],
      ['catalog_2026.hash', {}, 'assetResources'],
      ['catalog.bin', {}, 'assetResources'],
      ['picture.png', {}, 'commonResources'],
      ['mycatalog.json', {}, 'commonResources'],
      ['data.bin', {Asset_Resource_File_Id: 'a-catalog'}, 'assetResources'],
    ],
    async (name, headers, kind) => {
      const on = await assetStage()
      await begin(on, 0, {...createHeaders, Original_File_Name: name, 'Upload-Length': '0', ...headers})

      const {resources} = (await on.ask('GET /asset/games/archive/')).json
      expect(resources[kind]).toHaveLength(1)
      expect(resources[kind][0]).toMatchObject({name})
    },
  ))

test('the data url gives the bytes to any client, under the name of the file', async () => {
  const on = await assetStage()
  const location = await begin(on, 2, {Original_File_Name: encodeURIComponent('텍스처 1.png')})
  await on.ask(`PATCH ${location}`, patchHeaders(0), 'ab')

  const {dataUrl, originalFileName} = (await on.ask(`GET ${location}?type=meta`)).json
  expect(originalFileName).toBe('텍스처 1.png')
  expect(dataUrl).toMatch(/\/asset-data\/[0-9a-f-]{36}\/%ED%85%8D%EC%8A%A4%EC%B2%98%201\.png$/)
  const {status, body} = await on.ask(`GET ${dataUrl}`, {})
  expect([status, body.toString()]).toEqual([200, 'ab'])
  expect((await on.ask('GET /asset-data/a-logo/other.png', {})).status).toBe(404)
  expect((await on.ask('GET /asset-data/a-logo', {})).status).toBe(404)
  expect((await on.ask('PUT /asset-data/a-logo/logo.png', {})).status).toBe(405)
})
