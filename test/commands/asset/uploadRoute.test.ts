import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {bench, creates} from './uploads.js'

/** The sandbox as a service that takes uploads at another path, by PUT, and their bytes by POST. */
function moved(store: WorldStore): Transport {
  const sandbox = sandboxOf(store)
  return async (request) => {
    const {method, url} = request
    const {pathname} = url
    if (method === 'PUT' && pathname.startsWith('/asset/v2/')) {
      return sandbox({...request, method: 'POST', url: new URL(pathname.replace('/v2/', '/'), url)})
    }
    if (method === 'POST' && 'Upload-Offset' in request.headers) return sandbox({...request, method: 'PATCH'})
    return method === 'GET' || method === 'HEAD' ? sandbox(request) : reply('', {status: 405})
  }
}

/** The sandbox, where nothing answers but reads. */
function refusing(store: WorldStore, text: string, status: number): Transport {
  const sandbox = sandboxOf(store)
  return async (request) => (request.method === 'GET' ? sandbox(request) : reply(text, {status}))
}

const begin = {ROOMCTL_ROUTE_ASSET_UPLOAD: 'PUT /v2/{container}'}

describe('an upload to a service whose routes are set', () => {
  test('is started and resumed by them, method and path', async () => {
    const env = {...begin, ROOMCTL_ROUTE_ASSET_PATCH: 'POST /{container}/{uuid}'}
    const own = await bench()
    const made = own.file('a.bundle', 100_000)
    const ran = await own.upload([made], ['-q'], {transport: moved(own.store), env})
    expect(ran.exit).toBe(0)
    const changes = ran.sent.filter(({method}) => method !== 'GET')
    expect(changes.map(({method}) => method)).toEqual(['PUT', 'POST'])
    expect(changes[0]?.path).toBe('/asset/v2/games/puzzle')
    expect(await own.bytesOf(ran.stdout.trim())).toBe(made.sha256)
  })

  test('is shown by --dry-run as it would be sent', async () => {
    const own = await bench()
    const ran = await own.upload([own.file('a.bundle', 10)], ['--dry-run'], {env: begin})
    expect(ran.stdout).toContain('would send: PUT http://sandbox.localhost/asset/v2/games/puzzle\n')
  })

  test.each([404, 405])('names the setting where it is answered %i, with a body or without', async (status) => {
    const own = await bench()
    const made = own.file('a.bundle', 10)
    for (const text of ['', '{"message": "there is nothing"}']) {
      const transport = refusing(own.store, text, status)
      const ran = await own.upload([made], [], {transport, env: begin})
      expect(ran).toMatchObject({exit: 6, stdout: ''})
      expect(ran.stderr).toContain('  why: nothing answers at PUT /v2/{container}, the route set for asset.upload\n')
      expect(ran.stderr).toContain(
        "  try: set the path your service uses: roomctl config set route.asset.upload 'POST /{container}'\n",
      )
    }
  })

  test('names the setting by the documented route too, where the service says nothing', async () => {
    const own = await bench()
    const transport = refusing(own.store, '', 404)
    const ran = await own.upload([own.file('a.bundle', 10)], [], {transport})
    expect(ran.stderr).toContain("set them: roomctl config set route.asset.upload 'METHOD /{container}'\n")
  })

  test('that cannot be used ends every command with exit 2, before anything is sent', async () => {
    const own = await bench()
    const files = [own.file('a.bundle', 10), own.file('b.bundle', 10)]
    const sync = ['asset', 'sync', 'games/puzzle', `${own.home}/work`, '--platform', 'ios']
    await everyCase(
      [
        ['UPLOAD', 'NOPE'],
        ['PATCH', 'PATCH /x'],
        ['LIST', 'GET'],
      ],
      async (name, route) => {
        const env = {[`ROOMCTL_ROUTE_ASSET_${name}`]: route}
        for (const ran of [await own.upload(files, [], {env}), await own.cli([...sync, '-o', 'json'], {env})]) {
          expect({exit: ran.exit, stdout: ran.stdout, changes: creates(ran.sent)}).toEqual({
            exit: 2,
            stdout: '',
            changes: [],
          })
          expect(ran.stderr).toContain(`ROOMCTL_ROUTE_ASSET_${name} cannot be used`)
        }
      },
    )
  })
})
