import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {everyCase} from '../../../support/everyCase.js'
import {emptyHome, type Home} from '../home.js'

function fileIn({folder}: Home, name: string, content: string | Buffer): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const yaml = `# the push service
push.iosKey: POST /v2/apps/{application_id}/apns-key
push.iosCertificate:
  method: PUT
  path: /v2/apps/{application_id}/apns
`
const stored = {
  'push.iosKey': 'POST /v2/apps/{application_id}/apns-key',
  'push.iosCertificate': 'PUT /v2/apps/{application_id}/apns',
}

describe('routes come from', () => {
  test('a YAML file, beside those that the profile has', async () => {
    const home = emptyHome()
    await home.cli(['config', 'route', 'set', 'room.end', 'PUT /a/{roomId}'])
    const ran = await home.cli(['config', 'route', 'import', fileIn(home, 'routes.yaml', yaml)])
    expect(ran).toMatchObject({
      exit: 0,
      stderr: '',
      stdout: 'imported 2 routes into profile default: push.iosKey, push.iosCertificate\n',
    })
    expect(home.file().profiles.default.routes).toEqual({'room.end': 'PUT /a/{roomId}', ...stored})
    const listed = await home.cli('config route list push.iosKey -o csv --no-header --columns path,source')
    expect(listed.stdout).toBe('/v2/apps/{application_id}/apns-key,profile\n')
  })

  test('a JSON file, for programs', async () => {
    const home = emptyHome()
    const file = fileIn(home, 'routes.json', JSON.stringify({'push.show': 'get /v2/config'}))
    const ran = await home.cli(['config', 'route', 'import', file, '-o', 'json'])
    expect(JSON.parse(ran.stdout)).toEqual({
      profile: 'default',
      routes: [{operation: 'push.show', method: 'GET', path: '/v2/config'}],
    })
    expect((await home.cli(['config', 'route', 'import', file, '-q'])).stdout).toBe('push.show\n')
  })

  test('stdin, and an exported profile', async () => {
    const home = emptyHome()
    expect((await home.cli('config route import -', {stdin: yaml})).exit).toBe(0)
    const {stdout: exported} = await home.cli('config profile export default')
    const other = emptyHome()
    expect((await other.cli('config route import -', {stdin: exported})).exit).toBe(0)
    expect(other.file().profiles.default.routes).toEqual(stored)
  })
})

test('a file of the wrong form imports no route: exit 2 with the line', () =>
  everyCase(
    [
      ['', 'contains no routes'],
      ['[]', 'contains no routes'],
      ['{}', 'contains no routes'],
      ['push.show: GET /a\nroom.edn: POST /b/{roomId}\n', 'line 2: room.edn: unknown operation'],
      ['push.show: GET /a\npush.iosKey: POST a\n', 'line 2: push.iosKey: the path of a route begins'],
      ['push.show: GET /a\nroom.end: POST /b\n', 'line 2: room.end: the path for room.end does not name {roomId}'],
      ['push.show: GET /a\npush.records: 5\n', 'line 2: push.records: a route is a method and a path'],
      ['push.show: GET /a\npush.records:\n', 'line 2: push.records: a route is a method and a path'],
      ['push.show: GET /a\npush.show: GET /b\n', 'line 2, column 1: this name is given twice'],
      ['{"push.show": "GET /a", "push.show": "GET /b"}', 'line 1, column 25: this name is given twice'],
      ['push.show: GET /a\n---\npush.records: GET /b\n', 'line 2, column 1: a second document begins'],
      ['push.show: [GET /a\n', 'line '],
    ] as const,
    async (content, words) => {
      const home = emptyHome()
      const ran = await home.cli(['config', 'route', 'import', fileIn(home, 'routes.yaml', content)])
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain(words)
      expect(() => home.text()).toThrow('ENOENT')
    },
  ))

test('a file that cannot be read ends with 14', async () => {
  const home = emptyHome()
  expect(await home.cli('config route import no-such.json')).toMatchObject({exit: 14, stdout: ''})
  expect(await home.cli(['config', 'route', 'import', home.folder])).toMatchObject({exit: 14, stdout: ''})
  const latin = fileIn(home, 'latin.yaml', Buffer.from('# Schl\xfcssel\npush.show: GET /a\n', 'latin1'))
  const ran = await home.cli(['config', 'route', 'import', latin])
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('line 1 is not UTF-8 text')
})

test('the sandbox has no routes to import', async () => {
  const home = emptyHome()
  const ran = await home.cli('config route import - -p sandbox', {stdin: yaml})
  expect(ran).toMatchObject({exit: 2, stdout: ''})
})
