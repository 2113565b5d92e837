import {describe, expect, test} from 'vitest'
import {reply, sandboxOf} from '../answers.js'
import {takingParents} from './answer.js'
import {outcomes, type SyncBench, syncBench, words} from './syncs.js'

const requests = ({sent}: {readonly sent: readonly {readonly method: string; readonly path: string}[]}) =>
  sent.map(({method, path}) => `${method} ${path}`)

const sync = (own: SyncBench, more: readonly string[] = [], where = {}) =>
  own.cli(['asset', 'sync', 'games/new/deep', own.folder, ...words, '--create', ...more], where)

describe('--create', () => {
  test('makes the container and the parents that are missing, before the files', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const ran = await sync(own)
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('created container games/new\ncreated container games/new/deep\n')
    expect(requests(ran).slice(0, 6)).toEqual([
      'GET /asset/games/new/deep/',
      'GET /asset/games/new/?type=meta',
      'GET /asset/games/?type=meta',
      'POST /asset/games/new/',
      'POST /asset/games/new/deep/',
      'POST /asset/games/new/deep',
    ])
    const history = await own.cli(['history', '--asc', '-o', 'json'])
    expect(JSON.parse(history.stdout).map(({operation}: {operation: string}) => operation)).toEqual([
      'asset.create',
      'asset.create',
      'asset.upload',
    ])
  })

  test('asks for nothing more where the container is there', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await sync(own)
    const again = await sync(own, ['-o', 'json'])
    expect(again.stderr).not.toContain('created')
    expect(outcomes(again)).toEqual([['a.txt', 'skipped']])
    expect(requests(again).filter((line) => !line.endsWith('?type=meta'))).toEqual(['GET /asset/games/new/deep/'])
  })

  test('takes 409 for there: another runner was first', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const sandbox = sandboxOf(own.store)
    const ran = await sync(own, [], {
      transport: async (request: Parameters<typeof sandbox>[0]) => {
        const answer = await sandbox(request)
        const isCreate = request.method === 'POST' && request.url.pathname.endsWith('/')
        return isCreate ? reply('', {status: 409}) : answer
      },
    })
    expect(ran.exit).toBe(0)
    // Uploads of the other runner must not be sent again.
    expect(requests(ran).filter((line) => line === 'GET /asset/games/new/deep/')).toHaveLength(2)
  })

  test('sends no file where the container cannot be made', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const sandbox = sandboxOf(own.store)
    const ran = await sync(own, [], {
      transport: async (request: Parameters<typeof sandbox>[0]) =>
        request.method === 'POST' ? reply('', {status: 403}) : sandbox(request),
    })
    expect(ran).toMatchObject({exit: 5, stdout: ''})
    expect(ran.sent.filter(({method}) => method === 'POST')).toHaveLength(1)
  })

  test('asks nothing of a parent that the token may not read', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const sandbox = sandboxOf(own.store)
    const ran = await own.cli(['asset', 'sync', 'games/new', own.folder, ...words, '--create'], {
      transport: async (request) =>
        request.url.pathname === '/asset/games/' ? reply('', {status: 403}) : sandbox(request),
    })
    expect(ran.exit).toBe(0)
  })

  test('makes containers by the reading that asset.containerPath names, and the error of the other one names the setting', async () => {
    const parent = {env: {ROOMCTL_ASSET_CONTAINER_PATH: 'parent'}}
    const posts = (ran: Parameters<typeof requests>[0]) => requests(ran).filter((line) => line.startsWith('POST'))
    const own = await syncBench({'a.txt': 'a'})
    const transport = takingParents(own.store)
    const wrong = await sync(own, [], {transport})
    expect({exit: wrong.exit, posts: posts(wrong)}).toEqual({exit: 6, posts: ['POST /asset/games/new/']})
    expect(wrong.stderr).toContain('try: export ROOMCTL_ASSET_CONTAINER_PATH=parent\n')
    const right = await sync(own, [], {...parent, transport})
    expect({exit: right.exit, posts: posts(right)}).toEqual({
      exit: 0,
      posts: ['POST /asset/games/', 'POST /asset/games/new/', 'POST /asset/games/new/deep'],
    })
    const other = await syncBench({'a.txt': 'a'})
    const swapped = await sync(other, [], parent)
    expect({exit: swapped.exit, posts: posts(swapped)}).toEqual({exit: 7, posts: ['POST /asset/games/']})
    expect(swapped.stderr).toContain('try: export ROOMCTL_ASSET_CONTAINER_PATH=itself\n')
  })

  test('sends no file where the service puts the container elsewhere', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const sandbox = sandboxOf(own.store)
    const ran = await sync(own, [], {
      transport: async (request: Parameters<typeof sandbox>[0]) =>
        request.method === 'POST' ? reply('{"uri":"/asset/games/new/new/"}', {status: 201}) : sandbox(request),
    })
    expect(ran.exit).toBe(7)
    expect(ran.stderr).toContain('the service created games/new/new, not games/new; no file was sent')
    expect(ran.stderr).toContain('export ROOMCTL_ASSET_CONTAINER_PATH=parent')
  })

  test('at the top works if the service does so; a dry run says the condition, or that it cannot work', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const top = (more: readonly string[] = [], where = {}) =>
      own.cli(['asset', 'sync', 'top/deep', own.folder, ...words, '--create', ...more], where)
    const dry = await top(['--dry-run'])
    expect({exit: dry.exit, said: dry.stderr}).toEqual({
      ...{
        exit: 0,
        said: expect.stringContaining('create container top, if the service creates containers at the top\n'),
      },
    })
    const sandbox = sandboxOf(own.store)
    const refused = await top([], {
      transport: async (request: Parameters<typeof sandbox>[0]) =>
        request.method === 'POST' ? reply('', {status: 404}) : sandbox(request),
    })
    expect({exit: refused.exit, posts: refused.sent.filter(({method}) => method === 'POST').length}).toEqual({
      exit: 6,
      posts: 1,
    })
    expect(refused.stderr).toContain('try: sync to a container below one that exists\n')
    for (const more of [['--dry-run'], []]) {
      const parent = await top(more, {env: {ROOMCTL_ASSET_CONTAINER_PATH: 'parent'}})
      expect({exit: parent.exit, methods: new Set(parent.sent.map(({method}) => method))}).toEqual({
        exit: 2,
        methods: new Set(['GET']),
      })
      expect(parent.stderr).toContain('error: container top cannot be created: it has no parent\n')
      expect(parent.stderr).toContain('try: export ROOMCTL_ASSET_CONTAINER_PATH=itself\n')
    }
    expect((await top()).exit).toBe(0)
  })

  test('--dry-run names what would be made, and only reads', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const ran = await sync(own, ['--dry-run', '-o', 'json'])
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toBe('would create container games/new\nwould create container games/new/deep\n')
    expect(JSON.parse(ran.stdout)).toMatchObject([{file: 'a.txt', action: 'upload', reason: 'new'}])
    expect(new Set(ran.sent.map(({method}) => method))).toEqual(new Set(['GET']))
  })
})
