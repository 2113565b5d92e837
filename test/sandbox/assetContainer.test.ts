import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {assetStage, bearer} from './assetStage.js'

const body = (value: object) => JSON.stringify(value)
const puzzle2 = body({type: 'BasicContainer', name: 'puzzle2', description: 'More of it'})

describe('GET /{container}/', () => {
  test('GET lists containers and both kinds of resources, by the documented names', () =>
    everyCase(['', '?type=all'], async (query) => {
      const on = await assetStage()

      const {status, json, headers} = await on.ask(`GET /asset/games/puzzle/${query}`)
      expect([status, headers['content-type']]).toEqual([200, 'application/json'])
      expect(json).toEqual({
        type: 'BasicContainer',
        name: 'puzzle',
        contains: [],
        resources: {
          assetResources: [
            {
              type: 'AssetResource',
              platform: 'IOS',
              name: 'catalog.json',
              uri: '/asset/games/puzzle/a-catalog?type=asset',
              description: 'What the bundles hold',
            },
            {
              type: 'AssetResource',
              platform: 'IOS',
              name: 'level1.bundle',
              uri: '/asset/games/puzzle/a-level1?type=asset',
              description: 'The first level',
            },
          ],
          commonResources: [{type: 'CommonResource', name: 'logo.png', uri: '/asset/games/puzzle/a-logo'}],
        },
      })
    }))

  test('"the URI of a container always ends with /"', async () => {
    const on = await assetStage()

    const {contains} = (await on.ask('GET /asset/games/')).json
    expect(contains).toEqual([
      {type: 'BasicContainer', uri: '/asset/games/puzzle/'},
      {type: 'BasicContainer', uri: '/asset/games/archive/'},
    ])
    for (const {uri} of contains) expect((await on.ask(`GET ${uri}`)).status).toBe(200)
  })

  test('?type=meta is the metadata, with every documented field', async () => {
    expect((await (await assetStage()).ask('GET /asset/games/puzzle/?type=meta')).json).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      uuid: 'c-puzzle',
      type: 'BasicContainer',
      name: 'puzzle',
      parents: '/games/',
      description: expect.stringContaining('퍼즐'),
      owners: ['sandbox'],
    })
  })

  test('refuses another view with 400, and a container that is not there with 404', async () => {
    const on = await assetStage()

    expect(await on.ask('GET /asset/games/?type=tree')).toMatchObject({
      status: 400,
      json: {message: 'type: expected one of all, meta, got "tree"'},
    })
    expect(await on.ask('GET /asset/games/?page=2')).toMatchObject({status: 400})
    expect(await on.ask('GET /asset/nothing/')).toMatchObject({
      status: 404,
      json: {message: 'container nothing does not exist'},
    })
  })

  test('a path outside the service is 404', () =>
    everyCase(
      [
        '/asset/',
        '/asset//',
        '/asset/games//',
        '/asset//games/',
        '/asset/%zz/',
        '/asset/games%2Fpuzzle/',
        '/assets/games/',
      ],
      async (path) => {
        expect((await (await assetStage()).ask(`GET ${path}`)).status).toBe(404)
      },
    ))
})

describe('POST /{container}/', () => {
  test('creates a container of any depth and says its uuid and uri', async () => {
    const on = await assetStage()

    const {status, json} = await on.ask('POST /asset/games/puzzle2/', bearer, puzzle2)
    expect(status).toBe(201)
    expect(json).toEqual({uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), uri: '/asset/games/puzzle2/'})
    const meta = (await on.ask('GET /asset/games/puzzle2/?type=meta')).json
    expect(meta).toMatchObject({uuid: json.uuid, name: 'puzzle2', parents: '/games/', description: 'More of it'})

    expect((await on.ask('POST /asset/games/puzzle2/a/', bearer, puzzle2)).status).toBe(201)
    const deep = await on.ask(`POST /asset/games/puzzle2/a/${encodeURIComponent('나 b')}/`, bearer, puzzle2)
    expect(deep.json.uri).toBe('/asset/games/puzzle2/a/%EB%82%98%20b/')
    expect((await on.ask(`GET ${deep.json.uri}`)).status).toBe(200)
    expect((await on.ask('POST /asset/top/', bearer, puzzle2)).json.uri).toBe('/asset/top/')
    expect((await on.ask('GET /asset/top/?type=meta')).json.parents).toBe('/')
  })

  test('refuses a second one with 409, and one in a container that is not there with 404', async () => {
    const on = await assetStage()

    expect(await on.ask('POST /asset/games/puzzle/', bearer, puzzle2)).toMatchObject({
      status: 409,
      json: {message: 'container games/puzzle exists already'},
    })
    expect(await on.ask('POST /asset/nothing/puzzle/', bearer, puzzle2)).toMatchObject({
      status: 404,
      json: {message: 'container nothing does not exist'},
    })
  })

  test('refuses an unsuitable request with 400 and names the problem', () =>
    everyCase(
      [
        ['no JSON', '{', /^body: expected a JSON object/],
        ['no body', '', /^type: .*missing; name: .*missing; description: .*missing$/],
        ['no type', body({name: 'a', description: ''}), /^type: expected string, but it is missing$/],
        ['no name', body({type: 'a', description: ''}), /^name: /],
        ['no description', body({type: 'a', name: 'a'}), /^description: /],
        ['a number for a text', body({type: 'a', name: 7, description: ''}), /^name: expected string, got number$/],
        ['an unknown field', body({type: 'a', name: 'a', description: '', owner: 'x'}), /^unknown body field: owner$/],
      ],
      async (_, text, message) => {
        const on = await assetStage()

        const {status, json} = await on.ask('POST /asset/games/puzzle2/', bearer, text)
        expect(status).toBe(400)
        expect(json.message).toMatch(message)
        expect((await on.ask('GET /asset/games/puzzle2/')).status).toBe(404)
      },
    ))
})

describe('PATCH /{container}/', () => {
  test('changes the description, and answers with 204 and no body', async () => {
    const on = await assetStage()

    const {
      status,
      body: answered,
      headers,
    } = await on.ask('PATCH /asset/games/puzzle/', bearer, body({description: '새 설명'}))
    expect([status, answered.length, headers['content-length']]).toEqual([204, 0, undefined])
    expect((await on.ask('GET /asset/games/puzzle/?type=meta')).json.description).toBe('새 설명')
  })

  test('refuses a missing description with 400, and an unknown container with 404', async () => {
    const on = await assetStage()

    expect((await on.ask('PATCH /asset/games/', bearer, '{}')).json.message).toMatch(/^description: /)
    expect((await on.ask('PATCH /asset/nothing/', bearer, body({description: 'x'}))).status).toBe(404)
  })
})

test('OPTIONS and HEAD on a container carry Allow and Link, as the two texts say', () =>
  everyCase(
    [
      ['OPTIONS', 204],
      ['HEAD', 200],
    ],
    async (method, expected) => {
      const on = await assetStage()

      const {status, headers, body: answered} = await on.ask(`${method} /asset/games/puzzle/`)
      expect([status, answered.length]).toEqual([expected, 0])
      expect(headers.allow).toBe('GET, POST, PATCH, OPTIONS, HEAD')
      expect(headers.link).toBe('</asset/games/puzzle/?type=meta>; rel="describedby"')
      expect((await on.ask(`${method} /asset/nothing/`)).status).toBe(404)
    },
  ))

test('DELETE is refused with 405: it is work in progress', async () => {
  const on = await assetStage()

  const {status, headers, json} = await on.ask('DELETE /asset/games/puzzle/')
  expect([status, headers.allow]).toEqual([405, 'GET, POST, PATCH, OPTIONS, HEAD'])
  expect(json.message).toMatch(/work in progress/)
  expect((await on.ask('PUT /asset/games/puzzle/')).status).toBe(405)
  expect((await on.ask('GET /asset/games/puzzle/')).status).toBe(200)
})

test('a missing, malformed or unknown access token is 401 for every request', () =>
  everyCase(
    [
      ['no header', {}],
      ['another scheme', {Authorization: 'Basic sandbox-application-token'}],
      ['another token', {Authorization: 'Bearer somebody-elses'}],
    ],
    async (_, headers) => {
      const on = await assetStage()
      const lines = ['GET /asset/games/', 'POST /asset/games/x/', 'PATCH /asset/games/', 'OPTIONS /asset/games/']
      const files = ['POST /asset/games', 'GET /asset/games/puzzle/a-logo', 'PATCH /asset/games/puzzle/a-logo']

      for (const line of [...lines, ...files]) {
        const {status, json} = await on.ask(line, headers)
        expect([line, status]).toEqual([line, 401])
        expect(json.message).toMatch(/Authorization header/)
      }
    },
  ))
