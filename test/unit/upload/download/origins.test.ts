import {readdirSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {download} from '../../../../src/upload/download/download.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {resource, token} from './context.js'
import {contextFor, type Handler, notFound, serve, serveAssets} from './stage.js'

const bytes = Buffer.from('the bytes of the bundle')
const whole: Handler = (_, response) => response.end(bytes)
const sendOn =
  (location: () => string, status = 302): Handler =>
  (_, response) => {
    response.writeHead(status, {location: location()}).end()
  }

async function downloadFrom(base: URL) {
  const folder = freshFolder()
  const options = {folder, overwrite: false, claimed: new Set<string>()}
  return {folder, file: await download(await contextFor(base), resource, options)}
}

describe('the credential', () => {
  test('goes to the service’s own origin, where the bytes lie there', async () => {
    const own = await serveAssets(() => ({dataUrl: '/asset-data/u-1/a.bundle'}), whole)
    const {file} = await downloadFrom(own.url)
    expect(file.bytes).toBe(bytes.length)
    expect(own.seen.map(({path, headers}) => [path, headers.authorization])).toEqual([
      ['/asset/games/foo/u-1?type=meta', `Bearer ${token}`],
      ['/asset-data/u-1/a.bundle', `Bearer ${token}`],
    ])
  })

  test('never goes to another origin that the metadata names', async () => {
    const other = await serve(whole)
    const own = await serveAssets(() => ({dataUrl: new URL('/files/a.bundle', other.url).href}))
    const {file} = await downloadFrom(own.url)
    expect(file.bytes).toBe(bytes.length)
    expect(other.seen.map(({path, headers}) => [path, headers.authorization])).toEqual([['/files/a.bundle', undefined]])
    expect(JSON.stringify(other.seen)).not.toContain(token)
  })

  test('is dropped by a redirect to another origin, and not taken up again by one that leads back', async () => {
    const other = await serve(sendOn(() => new URL('/back', own.url).href))
    const own = await serveAssets(
      () => ({dataUrl: '/first'}),
      (request, response) => {
        if (request.url === '/first') return sendOn(() => new URL('/away', other.url).href, 307)(request, response)
        whole(request, response)
      },
    )
    await downloadFrom(own.url)
    expect(JSON.stringify(other.seen)).not.toContain(token)
    expect(own.seen.slice(1).map(({path, headers}) => [path, headers.authorization])).toEqual([
      ['/first', `Bearer ${token}`],
      ['/back', undefined],
    ])
  })

  test('is not sent a second time by a redirect within the own origin', async () => {
    const own = await serveAssets(
      () => ({dataUrl: '/first'}),
      (request, response) =>
        request.url === '/first' ? sendOn(() => '/second', 301)(request, response) : whole(request, response),
    )
    await downloadFrom(own.url)
    expect(own.seen.map(({path, headers}) => [path, headers.authorization !== undefined])).toEqual([
      ['/asset/games/foo/u-1?type=meta', true],
      ['/first', true],
      ['/second', false],
    ])
  })
})

describe('an address of the bytes', () => {
  test('is the form ?type=asset where the metadata names none', async () => {
    const own = await serveAssets(() => ({originalFileName: 'a.bundle', dataUrl: null}), whole)
    await downloadFrom(own.url)
    expect(own.seen.map(({path}) => path)).toEqual([
      '/asset/games/foo/u-1?type=meta',
      '/asset/games/foo/u-1?type=asset',
    ])
  })

  test('that must not be followed is refused, and nothing is asked for', () =>
    everyCase(
      [
        ['ftp://127.0.0.1/a', 'the address of the bytes begins with ftp:'],
        ['file:///etc/passwd', 'the address of the bytes begins with file:'],
        ['data:text/plain,hello', 'the address of the bytes begins with data:'],
        [
          'http://files.example.com/a?signature=s3cret',
          'the address of the bytes is plain http, on files.example.com:80',
        ],
        ['//files.example.com/a', 'the address of the bytes is plain http, on files.example.com:80'],
        ['http://127.0.0.1.example.com/a', 'the address of the bytes is plain http, on 127.0.0.1.example.com:80'],
        ['http://ann:s3cret@127.0.0.1/a', 'the address of the bytes on 127.0.0.1:80 holds a user name or a password'],
        ['http://[', 'cannot read the address of games/foo/u-1: the dataUrl of the metadata is no address'],
      ],
      async (dataUrl, message) => {
        const own = await serveAssets(() => ({dataUrl}))
        const {facts, exitCode} = await failureOf(downloadFrom(own.url))
        expect(exitCode).toBe(10)
        expect(facts.message).toContain(message)
        expect(JSON.stringify(facts)).not.toContain('s3cret')
        expect(own.seen).toHaveLength(1)
      },
    ))

  test('that a redirect names is checked like the first', async () => {
    const own = await serveAssets(
      () => ({dataUrl: '/first'}),
      sendOn(() => 'http://files.example.com/a'),
    )
    const {facts} = await failureOf(downloadFrom(own.url))
    expect(facts.message).toBe(
      'cannot download games/foo/u-1: the address of the bytes is plain http, on files.example.com:80',
    )
    expect(own.seen).toHaveLength(2)
  })

  test('may send on five times and no more', async () => {
    let hops = 0
    const own = await serveAssets(
      () => ({dataUrl: '/first'}),
      sendOn(() => `/hop-${++hops}`),
    )
    const {facts} = await failureOf(downloadFrom(own.url))
    expect([facts.code, facts.message]).toEqual([
      'broken-answer',
      'cannot download games/foo/u-1: the bytes were sent on more than 5 times',
    ])
    expect(own.seen).toHaveLength(1 + 6)
  })
})

describe('an answer that is not the file', () => {
  const answers: [string, Handler, number, string][] = [
    ['404', notFound, 6, 'answered HTTP 404 for the bytes'],
    ['401', (_, response) => response.writeHead(401).end(), 5, 'answered HTTP 401 for the bytes'],
    ['403', (_, response) => response.writeHead(403).end(), 5, 'answered HTTP 403 for the bytes'],
    ['204', (_, response) => response.writeHead(204).end(), 10, 'HTTP 204 came instead of the bytes'],
    ['304', (_, response) => response.writeHead(304).end(), 10, 'HTTP 304 came instead of the bytes'],
    [
      'a page',
      (_, response) => response.writeHead(200, {'content-type': 'text/html; charset=utf-8'}).end('<html>log in'),
      10,
      'an HTML page came instead of the bytes',
    ],
  ]
  test('an answer that is not the file leaves no file', () =>
    everyCase(answers, async (_, answer, exit, message) => {
      const other = await serve(answer)
      const own = await serveAssets(() => ({dataUrl: other.url.href, originalFileName: 'a.bundle'}))
      const folder = freshFolder()
      const options = {folder, overwrite: false, claimed: new Set<string>()}
      const {facts, exitCode} = await failureOf(download(await contextFor(own.url), resource, options))
      expect(exitCode).toBe(exit)
      expect(facts.message).toContain(message)
      expect(readdirSync(folder)).toEqual([])
      expect(other.seen).toHaveLength(1)
    }))

  test('401 of the service itself is about the token', async () => {
    const own = await serveAssets(
      () => ({dataUrl: '/asset-data/a'}),
      (_, response) => response.writeHead(401).end(),
    )
    const {facts, exitCode} = await failureOf(downloadFrom(own.url))
    expect([exitCode, facts.try]).toEqual([4, 'roomctl config login asset'])
  })

  test('JSON from ?type=asset is no bundle', async () => {
    const own = await serveAssets(
      () => ({originalFileName: 'a.bundle'}),
      (_, response) => response.writeHead(200, {'content-type': 'application/json'}).end('{"uri":"/elsewhere"}'),
    )
    const {facts, exitCode} = await failureOf(downloadFrom(own.url))
    expect([exitCode, facts.code]).toEqual([10, 'broken-answer'])
    expect(facts.message).toContain('JSON came instead of the bytes')
  })

  test('a page and JSON are accepted as files if their names say so', async () => {
    for (const [name, type] of [
      ['index.html', 'text/html'],
      ['catalog.json', 'application/json'],
    ]) {
      const own = await serveAssets(
        () => ({originalFileName: name}),
        (_, response) => response.writeHead(200, {'content-type': type}).end(bytes),
      )
      const {file, folder} = await downloadFrom(own.url)
      expect(path.relative(folder, file.file)).toBe(name)
    }
  })
})
