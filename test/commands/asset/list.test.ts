import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'
import {answering, bare, json, listing} from './answer.js'

/** The three kinds of entries, as the document has them (asset, Container listing). */
const documented = json({
  type: 'BasicContainer',
  name: 'foo',
  contains: [{type: 'BasicContainer', uri: '/asset/games/foo/%ED%9A%8C%20a/'}],
  resources: {
    assetResources: [
      {
        type: 'AssetResource',
        platform: 'ANDROID',
        name: 'a.bundle',
        uri: 'http://sandbox.localhost/asset/games/foo/u-1?type=asset',
        description: 'A bundle',
      },
    ],
    commonResources: [{type: 'CommonResource', name: 'b.png', uri: '/asset/games/foo/u-2', extra: 1}],
  },
})
const foo = answering({'GET /games/foo/': documented})

describe('a container', () => {
  test('is listed with its content', async () => {
    const ran = await cli('asset list games/puzzle')
    // The listing's own name and type are no entry of it.
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toBe(
      'KIND    NAME           TYPE            PLATFORM  UUID       DESCRIPTION\n' +
        'asset   catalog.json   AssetResource   IOS       a-catalog  What the bundles hold\n' +
        'asset   level1.bundle  AssetResource   IOS       a-level1   The first level\n' +
        'common  logo.png       CommonResource  -         a-logo     -\n',
    )
    expect(ran.sent).toMatchObject([{method: 'GET', path: '/asset/games/puzzle/'}])
  })

  test('gives its entries to programs in the words of the document, with their paths', async () => {
    const ran = await cli('asset list games/foo -o json', {transport: foo})
    expect(JSON.parse(ran.stdout)).toEqual([
      {
        kind: 'container',
        path: 'games/foo/회 a',
        name: '회 a',
        type: 'BasicContainer',
        platform: null,
        uuid: null,
        uri: '/asset/games/foo/%ED%9A%8C%20a/',
        description: null,
      },
      {
        kind: 'asset',
        path: 'games/foo/u-1',
        name: 'a.bundle',
        type: 'AssetResource',
        platform: 'ANDROID',
        uuid: 'u-1',
        uri: 'http://sandbox.localhost/asset/games/foo/u-1?type=asset',
        description: 'A bundle',
      },
      {
        kind: 'common',
        path: 'games/foo/u-2',
        name: 'b.png',
        type: 'CommonResource',
        platform: null,
        uuid: 'u-2',
        uri: '/asset/games/foo/u-2',
        description: null,
      },
    ])
  })

  test('is filtered by platform and kind', () =>
    everyCase(
      [
        ['--platform ios', ['a-catalog', 'a-level1']],
        ['--platform IOS --kind asset', ['a-catalog', 'a-level1']],
        ['--platform android', []],
        ['--kind common', ['a-logo']],
        ['--kind common --kind asset', ['a-catalog', 'a-level1', 'a-logo']],
        ['--kind container', []],
      ],
      async (flags, uuids) => {
        const ran = await cli(`asset list games/puzzle ${flags} -o json --query [].uuid`)
        expect([ran.exit, JSON.parse(ran.stdout)]).toEqual([0, uuids])
      },
    ))

  test('that is empty is an empty list, and says so on a terminal', async () => {
    expect(await cli('asset list games/archive -o json')).toMatchObject({exit: 0, stdout: '[]\n'})
    expect((await cli('asset list games/archive', terminal(80))).stderr).toContain('the container is empty')
  })

  test('whose entries lead elsewhere shows them without a path', async () => {
    const contains = [{uri: 'https://evil.test/asset/x/'}, {uri: '/asset/../admin/'}, {uri: '//evil.test/x/'}]
    const transport = answering({'GET /games/': json({contains})})
    const ran = await cli('asset list games --tree -o json', {transport})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject(contains.map(({uri}) => ({uri, path: null})))
    expect(ran.sent).toHaveLength(1)
  })

  test('that is not there ends with 6 and says what the service said', async () => {
    const ran = await cli('asset list games/nope')
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot list container games\/nope: .*\n {2}why: .*\n {2}try: .*\n$/)
  })

  test('with a wrong path is refused before anything is sent', () =>
    everyCase(
      ['..', 'games/%2e%2e', '//evil.test/x', 'https://evil.test/asset/x', 'games\\x', 'a/b?c', ''],
      async (word) => {
        expect(await cli(['asset', 'list', word])).toMatchObject({exit: 2, stdout: '', sent: []})
      },
    ))
})

describe('a tree', () => {
  test('is indented for people', async () => {
    const {stdout} = await cli('asset list games --tree --columns name,uuid')
    expect(stdout).toBe(
      'NAME             UUID\n' +
        'puzzle/          -\n' +
        '  catalog.json   a-catalog\n' +
        '  level1.bundle  a-level1\n' +
        '  logo.png       a-logo\n' +
        'archive/         -\n',
    )
  })

  test('is flat for programs, with a path in each row', async () => {
    const ran = await cli('asset list games --tree -o csv --columns depth,path,name --no-header')
    expect(ran.stdout).toBe(
      '0,games/puzzle,puzzle\n1,games/puzzle/a-catalog,catalog.json\n1,games/puzzle/a-level1,level1.bundle\n' +
        '1,games/puzzle/a-logo,logo.png\n0,games/archive,archive\n',
    )
    expect((await cli('asset list games --tree --kind common -q')).stdout).toBe('games/puzzle/a-logo\n')
  })

  test('shows whole paths where rows are left out or sorted', async () => {
    const {stdout} = await cli('asset list games --tree --platform ios --columns path --no-header')
    expect(stdout).toBe('games/puzzle/a-catalog\ngames/puzzle/a-level1\n')
  })

  test('ends although containers contain one another, and says so', async () => {
    const transport = answering({
      'GET /a/': listing('/asset/a/b/', '/asset/a/'),
      'GET /a/b/': listing('/asset/a/', '/asset/a/c/'),
      'GET /a/c/': listing('/asset/a/b/'),
    })
    const ran = await cli('asset list a --tree -o json', {transport})
    expect(ran.exit).toBe(0)
    const rows: {path: string; depth: number; repeated?: true}[] = JSON.parse(ran.stdout)
    expect(rows.map(({path, depth, repeated}) => [path, depth, repeated])).toEqual([
      ['a/b', 0, undefined],
      ['a', 1, true],
      ['a/c', 1, undefined],
      ['a/b', 2, true],
      ['a', 0, true],
    ])
    expect(ran.sent).toHaveLength(3)
  })

  test('shows a container that cannot be listed, and ends with 11', async () => {
    const transport = answering({
      'GET /a/': listing('/asset/a/shut/', '/asset/a/open/'),
      'GET /a/shut/': json({message: 'not yours'}, 403),
      'GET /a/open/': listing('/asset/a/open/b/'),
      'GET /a/open/b/': listing(),
    })
    const ran = await cli('asset list a --tree', {transport})
    expect(ran.exit).toBe(11)
    expect(ran.stdout).toBe(
      'NAME   KIND       TYPE            PLATFORM  UUID  DESCRIPTION\n' +
        'shut/  container  BasicContainer  -         -     (not listed: cannot list container a/shut: not yours)\n' +
        'open/  container  BasicContainer  -         -     -\n' +
        '  b/   container  BasicContainer  -         -     -\n',
    )
    expect(ran.stderr).toContain('error: cannot list container a/shut: not yours\n')
    const filtered = await cli('asset list a --tree --kind asset -o json', {transport})
    expect(filtered).toMatchObject({exit: 11, stderr: ''})
    expect(JSON.parse(filtered.stdout)).toMatchObject([{path: 'a/shut', error: {exit_code: 5, http_status: 403}}])
  })

  test('whose first container cannot be listed fails as that', async () => {
    expect(await cli('asset list nope --tree')).toMatchObject({exit: 6, stdout: ''})
  })

  test('ends at once where the token is not accepted any more', async () => {
    const transport = answering({'GET /a/': listing('/asset/a/b/'), 'GET /a/b/': bare(401)})
    expect(await cli('asset list a --tree', {transport})).toMatchObject({exit: 4, stdout: ''})
  })

  test('asks for no more than eight listings at once', async () => {
    let running = 0
    let most = 0
    const children = Array.from({length: 40}, (_, n) => `/asset/a/c${n}/`)
    const transport: Transport = async ({url}) => {
      if (url.pathname === '/asset/a/') return listing(...children)()
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return listing()()
    }
    const ran = await cli('asset list a --tree -q', {transport})
    expect(ran.stdout.trimEnd().split('\n')).toEqual(children.map((uri) => uri.slice('/asset/'.length, -1)))
    expect(most).toBe(8)
  })

  test('of containers that share one shows it at the same place whatever the network does', async () => {
    for (const slow of ['/asset/a/one/', '/asset/a/two/']) {
      const transport: Transport = async ({url}) => {
        if (url.pathname === '/asset/a/') return listing('/asset/a/one/', '/asset/a/two/')()
        if (url.pathname === '/asset/shared/') return listing()()
        if (url.pathname === slow) await new Promise((resolve) => setTimeout(resolve, 20))
        return listing('/asset/shared/')()
      }
      const rows: {repeated?: true}[] = JSON.parse((await cli('asset list a --tree -o json', {transport})).stdout)
      expect(rows.map(({repeated}) => repeated === true)).toEqual([false, false, false, true])
    }
  })
})
