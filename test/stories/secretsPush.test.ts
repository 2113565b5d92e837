import {readFileSync} from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {start} from './place.js'
import {
  expectNone,
  expectNoneBelow,
  finder,
  keyLines,
  lines,
  placeWith,
  runAll,
  secrets,
  serverKey,
} from './secretsPushPlace.js'
import {
  cutting,
  page,
  parrot,
  type Request,
  refusing,
  repeated,
  truncated,
  ways,
  well,
  whole,
} from './secretsPushService.js'
import {type Service, serve} from './service.js'

/** The first secret that a request carries, but for the token. */
function carried({url, body, authorization}: Request): string {
  const value = new URL(url, 'http://service').searchParams.get('apns_certificate_password')
  if (value !== null) return value
  const {push_token, fcm_server_key} = body.startsWith('{') ? JSON.parse(body) : {}
  return push_token ?? fcm_server_key ?? (body.includes('PRIVATE KEY') ? keyLines : authorization)
}

let other: Service
let service: Service

/** What each service does; the first segment of the path names it. */
const does: Readonly<Record<string, (response: http.ServerResponse, request: Request) => void>> = {
  success: well(serverKey),
  'success with an echo': parrot('raw', serverKey),
  'success with an echo in base64': parrot('base64', serverKey),
  400: refusing(400, 'raw'),
  401: refusing(401, 'base64'),
  403: refusing(403, 'base64 in lines'),
  404: refusing(404, 'percent'),
  422: cutting(422, carried),
  500: refusing(500, 'hex'),
  HTML: page(200, 'HTML'),
  truncated,
  redirect: (response, request) => {
    response.writeHead(307, {location: `${other.url}/?q=${repeated('percent', request)}`}).end()
  },
  reset: (response) => response.socket?.destroy(),
  silence: () => {},
}

const urlOf = (what: string) => `${service.url}/${encodeURIComponent(what)}`
const loud = {DEBUG: '*', ROOMCTL_DEBUG: '1'}

beforeAll(async () => {
  other = await serve((_, response) => response.end('other'))
  service = await serve((asked, response) =>
    whole(response, (request) => does[decodeURIComponent(asked.split('/')[1] ?? '')]?.(response, request)),
  )
})

test('the finder finds each secret in every way in which a service here repeats it', () => {
  for (const [name, secret] of Object.entries(secrets)) {
    if (typeof secret !== 'string') continue
    const request = {method: 'POST', url: '/', authorization: '', body: `say ${secret}!`}
    for (const way of ways) expect(finder.find(repeated(way, request)).join(), way).toContain(name)
    expect(finder.find(secret.slice(4, 20)).join()).toContain(name)
    expect(finder.find([...secret].reverse().join('')).join()).toContain(name)
  }
  expect(finder.find(`x${secrets['the .p12'].toString('base64')}`).join()).toContain('the .p12')
  expect(finder.find('registered an ANDROID token of 12 characters: AAAA*** (152 characters)')).toEqual([])
})

describe('what a push carries is not shown, kept or sent elsewhere', () => {
  const answers = Object.keys(does).filter((what) => what !== 'silence')
  const {register, send, cancelTwo, iosCert, android} = lines

  test.each(answers)('where the answer is: %s', {timeout: 90_000}, async (what) => {
    const place = placeWith(urlOf(what))
    const before = other.asked.length
    const chattering = await runAll(place, Object.values(lines), '--debug', loud)
    const quiet = await runAll(place, [register, send, cancelTwo, iosCert, android], '-o json')
    for (const ran of [chattering, quiet]) expectNone(ran)
    expectNoneBelow(place)
    expect(other.asked.length).toBe(before)
    expect(chattering.stderr).toContain('authorization: ***')
    expect(chattering.stderr).toMatch(/"push_token":"\*\*\*"/)
    expect(readFileSync(path.join(place.dir, 'state/journal.ndjson'), 'utf8')).toContain('"push.send"')
  })

  test('and each of the requests did carry what it is about', () => {
    const asked = service.asked.filter(({path: one}) => one.startsWith('/success/')).map((one) => one.path)
    for (const part of ['apns_certificate_password=p4ssw0rd', '/ios/key', '/config/android', '/v1/tokens']) {
      expect(asked.join('\n')).toContain(part)
    }
  })

  test('in any format of a result, nor of what would be sent', {timeout: 90_000}, async () => {
    const place = placeWith(urlOf('success with an echo'))
    const {show, records, broadcast, iosKey} = lines
    const shown = [show, `${show} --columns fcm_server_key,package_name,bundle_id`, records, send, broadcast]
    for (const format of ['table', 'ndjson', 'yaml', 'csv', 'tsv', 'ids']) {
      expectNone(await runAll(place, shown, `-o ${format}`))
    }
    expectNone(await runAll(place, [show, records], "-o json --query '[@, keys(@[0] || @), to_string(@)]'"))
    const dry = await runAll(place, [register, iosKey, iosCert, android], '--dry-run --debug', loud)
    expectNone(dry)
    expectNone(await runAll(place, [register, iosKey, iosCert, android], '--dry-run -o json'))
    expect(dry.stdout.match(/would send: POST/g)).toHaveLength(4)
    expect(dry.stdout).toContain('apns_certificate_password=***')
  })

  test('by Node, asked for what it does', {timeout: 90_000}, async () => {
    const ran = await runAll(placeWith(urlOf('400')), Object.values(lines), '--debug', {...loud, NODE_DEBUG: '*'})
    expectNone(ran)
    expect(ran.stderr).toContain('HTTP ')
    expect(ran.stderr).toContain('while NODE_DEBUG is set: nothing was sent')
  })

  test('in the command line that other users can see', async () => {
    const place = placeWith(urlOf('silence'))
    const running = start(place, `exec roomctl push ${lines.iosCert}`)
    while (!service.asked.some(({path: asked}) => asked.startsWith('/silence/'))) await pause(10)
    const commandLine = readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8')
    expect(commandLine).toContain('ios-cert')
    expect(finder.find(commandLine)).toEqual([])
    running.child.kill('SIGINT')
    expectNone(await running.ended)
    expectNoneBelow(place)
  })
})

describe('a server key that is asked for', () => {
  test.each([...Object.keys({table: 0, json: 0, ndjson: 0, yaml: 0, csv: 0, tsv: 0})])(
    'stands in the result as %s, and nowhere else',
    async (format) => {
      const place = placeWith(urlOf('success'))
      const ran = await runAll(place, ['show --reveal'], `-o ${format} --debug`, loud)
      expect(ran).toMatchObject({exit: 0})
      expect(ran.stdout).toContain(serverKey)
      expect(finder.find(ran.stderr)).toEqual([])
      expectNoneBelow(place)
    },
  )
})
