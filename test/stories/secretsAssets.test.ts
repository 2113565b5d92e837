import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from './place.js'
import {type Service, sendJson, serve} from './service.js'

/** Every coding spells it otherwise. */
const canary = 'c4nary+/tok=5f2c9d~1e7b"q'

const spellings: Readonly<Record<string, string>> = {
  plain: canary,
  percent: encodeURIComponent(canary),
  'form, with a plus': new URLSearchParams({s: canary}).toString().slice(2),
  base64: Buffer.from(canary).toString('base64'),
  'base64 of the header': Buffer.from(`Bearer ${canary}`).toString('base64'),
  JSON: JSON.stringify(canary).slice(1, -1),
}

/** What a service says that knows the token and would like to see it on a screen. */
const telling = `no: ${Object.values(spellings).join(' ')} for Bearer ${canary}`

let other: Service
let service: Service
const resets = new Map<string, number>()

/** What each service does; the first segment of the path names it. */
const does: Readonly<Record<string, (response: http.ServerResponse, asked: string) => void>> = {
  success: good,
  ...Object.fromEntries([401, 403, 404, 500].map((status) => [String(status), refusing(status)])),
  'an answer in two pieces': (response) => {
    const body = JSON.stringify({message: telling})
    response.writeHead(403, {'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body))})
    const half = body.indexOf(canary.slice(0, 12)) + 6
    response.write(body.slice(0, half), () => setTimeout(() => response.end(body.slice(half)), 20))
  },
  redirect: (response) => response.writeHead(307, {location: `${other.url}/${canary}`}).end(),
  'foreign Location': (response, asked) => {
    if (response.req.method === 'POST') response.writeHead(201, {location: `${other.url}/up/u-1`}).end()
    else good(response, asked)
  },
  'foreign dataUrl': (response, asked) => {
    if (asked.endsWith('u-1?type=meta')) sendJson(response, {...metadata, dataUrl: `${other.url}/bytes`})
    else good(response, asked)
  },
  reset: (response, asked) => {
    const before = resets.get(asked) ?? 0
    resets.set(asked, before + 1)
    // An upload is tried again for long; the second time it is refused.
    if (before % 2 === 0 || response.req.method === 'GET') response.socket?.destroy()
    else refusing(400)(response)
  },
}

const metadata = {uuid: 'u-1', originalFileName: 'a.bundle', platform: 'IOS', metaJson: {}}

function refusing(status: number) {
  return (response: http.ServerResponse) => {
    response.setHeader('x-echo', telling).setHeader('retry-after', '0')
    sendJson(response, {message: telling}, status)
  }
}

/** A service on which everything goes well, which repeats what it was sent in a header. */
function good(response: http.ServerResponse, asked: string): void {
  const {method, headers} = response.req
  response.setHeader('x-echo', telling).setHeader('tus-resumable', '1.0.0')
  if (method === 'POST' && !asked.endsWith('/')) {
    response.writeHead(201, {location: `${asked}/u-1`}).end()
  } else if (method === 'PATCH' && 'upload-offset' in headers) {
    response.writeHead(204, {
      'upload-offset': String(Number(headers['upload-offset']) + Number(headers['content-length'])),
    })
    response.end()
  } else if (method === 'PATCH' || method === 'OPTIONS' || method === 'HEAD') {
    response.writeHead(204, {allow: 'GET'}).end()
  } else if (asked.endsWith('/')) {
    const uri = asked.endsWith('/games/') ? `${asked}u-1?type=asset` : asked
    sendJson(response, {uuid: 'c-1', uri, contains: [], resources: {assetResources: [{name: 'a.bundle', uri}]}})
  } else {
    sendJson(response, {...metadata, uri: asked, type: 'CommonResource', name: 'games'})
  }
}

const said = '--platform ios --description d'

const commands = [
  'list games',
  'list games --tree -o json',
  'info games',
  'create games/new --description d',
  'describe games d',
  'methods games',
  ...['link', 'meta', 'catalog', 'asset'].map((view) => `show games/u-1 --view ${view}`),
  'download games/u-1 --dir out --force',
  `upload games a.bundle ${said}`,
  `upload games b.bundle ${said} --progress json -o json`,
  `sync games build ${said} --verify download`,
  'resume',
  'uploads --all -o json',
  'forget --all',
  'delete games',
]

function expectNone(where: string, text: string): void {
  const found = Object.entries(spellings).filter(([, spelling]) => text.includes(spelling))
  expect(found, where).toEqual([])
}

function placeFor(what: string): Place {
  const place = freshPlace({
    ROOMCTL_ASSET_URL: `${service.url}/${encodeURIComponent(what)}`,
    ROOMCTL_ASSET_TOKEN: canary,
    ROOMCTL_RETRIES: '0',
    ROOMCTL_TIMEOUT: '5s',
  })
  mkdirSync(path.join(place.dir, 'build'))
  for (const name of ['a.bundle', 'b.bundle', 'build/c.bundle']) writeFileSync(path.join(place.dir, name), name)
  return place
}

beforeAll(async () => {
  other = await serve((_, response) => response.end('bytes'))
  service = await serve((asked, response) => does[decodeURIComponent(asked.split('/')[1] ?? '')]?.(response, asked))
})

const chatter = {DEBUG: '*', NODE_DEBUG: 'http,net,tls,undici', ROOMCTL_DEBUG: '1'}

describe('the token of the asset service, whatever is asked of it, is not shown, kept or sent elsewhere', () => {
  test.each(Object.keys(does))('where the answer is: %s', {timeout: 90_000}, async (what) => {
    const place = placeFor(what)
    const before = [service.asked.length, other.asked.length] as const
    const chattering = [...commands, 'resume'].map((line) => `roomctl asset ${line} --debug`).join('; ')
    const plain = [`upload games a.bundle ${said} --fresh`, 'resume', 'list games', 'info games -o json']
    const ran = await shell(place, chattering, {env: chatter})
    const quiet = await shell(place, plain.map((line) => `roomctl asset ${line}`).join('; '))
    const raw = await shell(place, 'roomctl api asset GET /games/ --include --debug >/dev/null', {env: chatter})

    for (const {stdout, stderr} of [ran, quiet, raw]) {
      expectNone('stdout', stdout)
      expectNone('stderr', stderr)
    }
    expect(ran.stderr).toContain('authorization: ***')
    expect(quiet.stderr + quiet.stdout).not.toBe('')
    for (const file of filesBelow(place.dir)) expectNone(file, readFileSync(file, 'latin1'))
    expect(service.asked.slice(before[0]).every(({headers}) => headers.authorization === `Bearer ${canary}`)).toBe(true)
    expectNone('another origin', JSON.stringify(other.asked.slice(before[1])))
    for (const {headers} of other.asked.slice(before[1])) expect(headers).not.toHaveProperty('authorization')
  })

  test('and the tests above did reach what they are about', () => {
    expect(other.asked.map(({path: asked}) => asked)).toContain('/bytes')
    const methods = new Set(service.asked.map(({method}) => method))
    expect([...methods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'])
  })
})

describe('what an upload leaves behind', () => {
  test('is there, for its owner alone, and holds no token', async () => {
    const place = placeFor('success')
    expect(await shell(place, `roomctl asset upload games a.bundle ${said}`)).toMatchObject({exit: 0})
    const kept = filesBelow(path.join(place.dir, 'state'))
    expect(kept.map((file) => path.basename(file))).toEqual(expect.arrayContaining(['uploads.jsonl', 'journal.ndjson']))
    for (const file of kept) expectNone(file, readFileSync(file, 'latin1'))
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
