import {expect, test} from 'vitest'
import {assetWitness} from '../../../contract/assetWitness.js'
import {pushWitness} from '../../../contract/pushWitness.js'
import {witness} from '../../../contract/witness.js'
import {writeProfiles} from '../../live.js'
import {emptyHome} from '../home.js'

/** Those whose method and path a document shows; one path has {room_Id}, and one method is OPTION there. */
const documented = [...witness.operations, ...assetWitness.operations].flatMap(({id, method, path}) =>
  path === null ? [] : [[id, method?.replace(/OPTION$/u, 'OPTIONS'), path.replace('room_Id', 'roomId')]],
)
const assumed = [...witness.operations, ...pushWitness.operations].flatMap(({id, path}) =>
  path === null || path === 'not shown' ? [id] : [],
)

test('lists every operation with where its route comes from', async () => {
  const home = emptyHome()
  const ran = await home.cli('config route list -o json')
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
  const rows: Record<string, string>[] = JSON.parse(ran.stdout)
  const bySource = (source: string) => rows.filter((row) => row.source === source)
  expect(bySource('documented').map(({operation, method, path}) => [operation, method, path])).toEqual(documented)
  expect(bySource('assumed').map(({operation}) => operation)).toEqual(assumed)
  expect(rows).toHaveLength(documented.length + assumed.length)
})

test('shows environment before profile', async () => {
  const home = emptyHome()
  await home.cli(['config', 'set', 'route.room.end', 'PUT /a/{roomId}'])
  const row = async (line: readonly string[], env: Record<string, string> = {}) => {
    const ran = await home.cli([...line, '-o', 'csv', '--no-header', '--columns', 'method,path,source'], {env})
    return ran.stdout.trimEnd()
  }
  const list = ['config', 'route', 'list', 'room.end']
  const env = {ROOMCTL_ROUTE_ROOM_END: 'PUT /b/{roomId}'}
  expect(await row(list)).toBe('PUT,/a/{roomId},profile')
  expect(await row(list, env)).toBe('PUT,/b/{roomId},env')
})

test('one operation is chosen, an unknown one refused', async () => {
  const home = emptyHome()
  expect((await home.cli('config route list room.send -q')).stdout).toBe('room.send\n')
  expect((await home.cli('config route list room.sendd')).stderr).toContain('did you mean room.send?')
})

test('a route in the profile that does not fit its operation is reported, and can be unset', async () => {
  const home = emptyHome()
  writeProfiles(home.folder, {default: {routes: {'push.show': {method: 'GET', path: '/v2', rename: {app: 'id'}}}}})
  const ran = await home.cli('config route list')
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toBe(
    'error: the route of push.show in the profile default cannot be used: a route is only a method and a path, and ' +
      '"rename" was removed\n  try: roomctl config unset route.push.show\n',
  )
  const used = await home.cli('push show --application-id app-1', {
    env: {ROOMCTL_PUSH_URL: 'http://127.0.0.1:9', ROOMCTL_PUSH_TOKEN: 'tok'},
  })
  expect(used).toMatchObject({exit: 3, stdout: '', sent: [], stderr: ran.stderr})
  await home.cli('config unset route.push.show')
  expect((await home.cli('config route list push.show')).exit).toBe(0)
})
