import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {environmentOf, steers, token} from '../hostile/stage.js'
import {type Service, sendJson, serve} from '../stories/service.js'
import {cli, freshHome} from '../support/cli.js'

/** Runs a download into an empty folder, and returns the contents of that folder. */
async function run(service: Service, line: readonly string[], stdin?: string) {
  const home = freshHome()
  const folder = path.join(home, 'here')
  mkdirSync(folder)
  const given = stdin === undefined ? {} : {stdin}
  const options = {env: environmentOf(service.url), store: memoryStore(), home, ...given}
  const ran = await cli([...line, '--dir', folder], options)
  return {ran, here: () => readdirSync(folder)}
}

const refusedAddresses: Readonly<Record<string, string>> = {
  'file:///etc/passwd': 'begins with file:',
  'javascript:alert(1)': 'begins with javascript:',
  'http://10.0.0.1/x': 'is plain http',
  'http://ann:s3cret@127.0.0.1:1/x': 'holds a user name or a password',
  'http://127.0.0.1:99999/x': 'the dataUrl of the metadata is no address',
}

describe('an address of bytes', () => {
  test.each(Object.entries(refusedAddresses))('like %s is not followed', async (dataUrl, says) => {
    const service = await serve((_, response) => sendJson(response, {uuid: 'u-1', originalFileName: 'a.txt', dataUrl}))
    const {ran, here} = await run(service, ['asset', 'download', 'games/u-1'])
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot .*games\/u-1/)
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).not.toContain('s3cret')
    expect(here()).toEqual([])
    expect(service.asked.filter(({method}) => method === 'GET')).toHaveLength(1)
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
      const {ran} = await run(service, ['asset', 'download', 'games/u-1'])
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
    '/asset/games/%ff%00',
    '-',
    `http://ann:s3cret@127.0.0.1/asset/games/x`,
    '/asset/games/x\u001b[2J\u009b31m\u202e\u200b\u0000\ud800',
  ]

  test.each(uris)('like %j takes no download anywhere', async (uri) => {
    const evil = await serve((_, response) => response.end('evil'))
    const service = await serve((asked, response) => {
      const resources = [uri, `${evil.url}/asset/games/x`, `//${new URL(evil.url).host}/asset/games/x`]
      const assetResources = resources.map((one) => ({name: 'a.bundle', uri: one}))
      if (asked === '/asset/games/') sendJson(response, {resources: {assetResources, commonResources: []}})
      else sendJson(response, {message: 'there is no such resource'}, 404)
    })
    const listed = await cli('asset list games -q', {env: environmentOf(service.url), store: memoryStore()})
    const {ran, here} = await run(service, ['asset', 'download', '-'], listed.stdout)
    expect([2, 6, 11]).toContain(ran.exit)
    expect(listed.stdout).not.toMatch(steers)
    expect(ran.stderr).toMatch(/^error: /)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    expect(ran.stdout + ran.stderr).not.toContain('root:')
    expect(here()).toEqual([])
    expect(evil.asked).toEqual([])
    expect(service.asked.filter(({path: asked}) => !asked.startsWith('/asset/games/'))).toEqual([])
  })
})

interface Told {
  readonly location?: string | undefined
  readonly offset?: string
  readonly version?: string
}

/** A service that accepts uploads and answers by the table. */
function taking({location = '/asset/games/u-1', offset = '3', version = '1.0.0'}: Told): Promise<Service> {
  return serve((asked, response) => {
    response.setHeader('tus-resumable', version)
    if (asked === '/asset/games/') sendJson(response, {contains: []})
    else if (asked === '/asset/games') response.setHeader('location', location).writeHead(201).end()
    else response.setHeader('upload-offset', offset).writeHead(204).end()
  })
}

describe('an upload to a service that', () => {
  async function uploading(told: Told) {
    const service = await taking(told)
    const home = freshHome()
    const file = path.join(home, 'a.bundle')
    writeFileSync(file, 'abc')
    const line = ['asset', 'upload', 'games', file, '--platform', 'ios', '--description', 'd', '--verify', 'none']
    return {service, ran: await cli(line, {env: environmentOf(service.url), store: memoryStore(), home})}
  }

  test.each([
    ['//127.0.0.1:1/x', 'is not below'],
    ['file:///etc/passwd', 'that begins with file:'],
    ['http://[', 'is no address'],
    ['/', 'names no upload'],
    ['', 'sent no Location header'],
  ])('gives it the address %j sends it nothing', async (location, says) => {
    const {service, ran} = await uploading({location})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot upload .*a\.bundle to games: .*\n {2}why: .*\n {2}try: .*\n$/)
    expect(ran.stderr).toContain(says)
    // The listing, and the creation.
    expect(service.asked.map(({method}) => method)).toEqual(['GET', 'POST'])
  })

  test('gives it an address that steers the terminal has it shown as text', async () => {
    const {ran} = await uploading({location: '/asset/games/x\u009b31m\u009d0;pwned\u009c\u00ad'})
    expect(ran.exit).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    expect(ran.stdout).toContain('x\\u{9b}31m')
  })

  test('says that it has more than it was sent is not trusted', async () => {
    const {ran} = await uploading({offset: '4'})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('the service says that it has 4 bytes when it was sent 3')
  })
})
