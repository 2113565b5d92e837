import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {steering, steers} from './hostileAssetAnswers.js'
import {freshPlace, type Place, shell} from './place.js'
import {assetEnvironmentOf, type Service, sendJson, serve, token} from './service.js'

const quick = {ROOMCTL_RETRIES: '0', ROOMCTL_TIMEOUT: '5s'}

/** A place that leads to the service, with an empty folder `out` in a folder of its own. */
function placeFor(service: Service): Place {
  const place = freshPlace({...quick, ...assetEnvironmentOf(service, '/asset')})
  mkdirSync(path.join(place.dir, 'here/out'), {recursive: true})
  return place
}

/** Everything below a folder, folders left out. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

const names: Readonly<Record<string, string>> = {
  'climbs out of the folder': '../../../owned',
  'is absolute': '/tmp/roomctl-owned',
  'climbs out as Windows does': '..\\..\\owned.txt',
  'is a hidden file': '.bashrc',
  'is an option': '-rf',
  'is a device': 'CON.txt',
  'holds a NUL': 'a\u0000b.txt',
  'steers the terminal': `${steering}.txt`,
  'is 100,000 characters long': `${'n'.repeat(1e5)}.bundle`,
  'holds a line break': 'a\nb.txt',
  'turns its end around': 'gpj\u202eexe.bundle',
  'is the prototype': '__proto__',
  'is nothing but dots': '..',
  'is a slash': '/',
  'names a stream': 'a.txt:evil',
}

describe('a file name of the service that', () => {
  test.each(Object.entries(names))('%s stays in the folder, as one plain file', async (_, originalFileName) => {
    const service = await serve((asked, response) => {
      if (asked.includes('type=meta')) sendJson(response, {uuid: 'u-1', originalFileName})
      else response.end('bytes')
    })
    const place = placeFor(service)
    const ran = await shell(place, 'cd here && roomctl asset download games/u-1 --dir out')
    expect(ran.exit).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    const [file = '', ...others] = filesIn(path.join(place.dir, 'here'))
    expect(others).toEqual([])
    expect(file).toMatch(/^out\/[^./\\-][^/\\]{0,199}$/)
    expect(file).not.toMatch(steers)
    expect(readFileSync(path.join(place.dir, 'here', file), 'utf8')).toBe('bytes')
    expect(existsSync(path.join(place.dir, 'owned')) || existsSync('/tmp/roomctl-owned')).toBe(false)
  })
})

const refusedAddresses: Readonly<Record<string, string>> = {
  'file:///etc/passwd': 'begins with file:',
  'javascript:alert(1)': 'begins with javascript:',
  'data:text/plain,x': 'begins with data:',
  'http://10.0.0.1/x': 'plain http address',
  'http://ann:s3cret@127.0.0.1:1/x': 'holds a user name or a password',
  'http://127.0.0.1:99999/x': 'the dataUrl of the metadata is no address',
}

describe('an address of bytes', () => {
  test.each(Object.entries(refusedAddresses))('like %s is not followed', async (dataUrl, says) => {
    const service = await serve((_, response) => sendJson(response, {uuid: 'u-1', originalFileName: 'a.txt', dataUrl}))
    const place = placeFor(service)
    const ran = await shell(place, 'roomctl asset download games/u-1 --dir here')
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot .*games\/u-1/)
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).not.toContain('s3cret')
    expect(filesIn(path.join(place.dir, 'here'))).toEqual([])
    expect(service.asked).toHaveLength(1)
  })

  test.each(['by the metadata', 'by a redirect'])(
    'on another origin that is given %s is asked without the token',
    async (how) => {
      const other = await serve((_, response) => response.end('bytes'))
      const service = await serve((asked, response) => {
        const dataUrl = how === 'by a redirect' ? '/moved' : `${other.url}/bytes`
        if (asked.includes('type=meta')) sendJson(response, {uuid: 'u-1', originalFileName: 'a.txt', dataUrl})
        else response.writeHead(302, {location: `${other.url}/bytes`}).end()
      })
      const ran = await shell(placeFor(service), 'roomctl asset download games/u-1 --dir here')
      expect(ran.exit).toBe(0)
      expect(other.asked).toHaveLength(1)
      expect(JSON.stringify(other.asked)).not.toContain(token)
    },
  )
})

describe('a listing whose uris lead elsewhere', () => {
  const uris = [
    '../../etc/passwd',
    '/asset/games/../../etc/passwd',
    '/asset/games/%2e%2e/%2e%2e/x',
    'file:///etc/passwd',
    '/asset/games/a\n/asset/games/ok',
    '/asset/games/a%00b',
    '/asset/games/%ff%fe',
    '#',
    '-',
    `http://ann:s3cret@127.0.0.1/asset/games/x`,
    `/asset/games/${steering}`,
  ]

  test.each(uris)('like %j takes no download anywhere', async (uri) => {
    const evil = await serve((_, response) => response.end('evil'))
    const service = await serve((asked, response) => {
      const resources = [uri, `${evil.url}/asset/games/x`, `//${new URL(evil.url).host}/asset/games/x`]
      const assetResources = resources.map((one) => ({name: 'a.bundle', uri: one}))
      if (asked === '/asset/games/') sendJson(response, {resources: {assetResources, commonResources: []}})
      else sendJson(response, {message: 'there is no such resource'}, 404)
    })
    const place = placeFor(service)
    const ran = await shell(place, 'set -o pipefail; roomctl asset list games -q | roomctl asset download - --dir here')
    expect([2, 6, 11]).toContain(ran.exit)
    expect(ran.stderr).toMatch(/^error: /)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    expect(ran.stdout + ran.stderr).not.toContain('root:')
    expect(filesIn(path.join(place.dir, 'here'))).toEqual([])
    expect(evil.asked).toEqual([])
    expect(service.asked.filter(({path: asked}) => !asked.startsWith('/asset/games/'))).toEqual([])
  })
})

interface Told {
  readonly location?: string | undefined
  readonly offset?: string
  readonly version?: string
}

/** A service that takes uploads and says what it is told to. */
function taking({location = '/asset/games/u-1', offset = '3', version = '1.0.0'}: Told): Promise<Service> {
  return serve((asked, response) => {
    response.setHeader('tus-resumable', version)
    if (asked === '/asset/games') response.setHeader('location', location).writeHead(201).end()
    else response.setHeader('upload-offset', offset).writeHead(204).end()
  })
}

describe('an upload to a service that', () => {
  const upload = 'roomctl asset upload games a.bundle --platform ios --description d --verify none'

  async function uploading(told: Told) {
    const service = await taking(told)
    const place = placeFor(service)
    writeFileSync(path.join(place.dir, 'a.bundle'), 'abc')
    return {service, ran: await shell(place, upload)}
  }

  test.each([
    ['http://127.0.0.1:1/asset/games/u-1', 'on another origin: http://127.0.0.1:1'],
    ['//127.0.0.1:1/x', 'on another origin: http://127.0.0.1:1'],
    ['\\\\127.0.0.1:1\\x', 'on another origin: http://127.0.0.1:1'],
    ['javascript:alert(1)', 'that begins with javascript:'],
    ['file:///etc/passwd', 'that begins with file:'],
    ['http://[', 'is no address'],
    ['/', 'names no upload'],
    ['', 'did not say where'],
  ])('gives it the address %j sends it nothing', async (location, says) => {
    const {service, ran} = await uploading({location})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot upload a\.bundle to games: .*\n {2}why: .*\n {2}try: .*\n$/)
    expect(ran.stderr).toContain(says)
    expect(service.asked.map(({method}) => method)).toEqual(['POST'])
  })

  test('gives it an address that steers the terminal shows what it is', async () => {
    const {ran} = await uploading({location: '/asset/games/x\u009b31m\u009d0;pwned\u009c\u00ad'})
    expect(ran.exit).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    expect(ran.stdout).toContain('x\\u{9b}31m')
  })

  test('says that it has more than it was sent is not believed', async () => {
    const {ran} = await uploading({offset: '4'})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('the service says that it has 4 bytes when it was sent 3')
  })
})
