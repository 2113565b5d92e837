import type http from 'node:http'
import {brotliCompressSync, constants, gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {measured} from '../stories/measured.js'
import {freshPlace, type Place} from '../stories/place.js'
import {type Service, serve} from '../stories/service.js'
import {type ConnectProxy, proxyFor, throughProxy} from './proxy.js'
import {environmentOf} from './stage.js'

const mebibyte = 1024 * 1024
const json = {'content-type': 'application/json'}
const blanks = Buffer.alloc(mebibyte, 0x20)

/** Writes endlessly, as fast as it is read. */
function pour(response: http.ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(blanks));
    response.once('drain', more)
  }
  response.writeHead(200, json).write('{"status":"SUCCESS","data":[')
  more()
}

const tooLarge = /larger than 64 MiB/

const tooMany = /more than 4,000,000 values|data\.0(?:\.room_id)? is missing or has another type/

/** Answers that are larger than they look, and the messages about them. */
const bombs: Readonly<Record<string, {answer: (response: http.ServerResponse) => unknown; says: RegExp}>> = {
  'an answer without end': {answer: pour, says: tooLarge},
  // A stream of gzip may be several, one after the other.
  '200 MB in 200 kB of gzip': coded('gzip', Buffer.concat(Array<Buffer>(200).fill(gzipSync(blanks)))),
  '200 MB in 200 bytes of brotli': coded(
    'br',
    brotliCompressSync(Buffer.alloc(200 * mebibyte, 0x20), {params: {[constants.BROTLI_PARAM_QUALITY]: 3}}),
  ),
  '60 MB of empty objects': filled('{"status":"SUCCESS","data":[', '{},', '{}]}', 200, tooMany),
  '60 MB of opening brackets': filled('{"status":"SUCCESS","data":', '[', '', 600, /more than 500 levels/),
  'a list of 3,900,000 zeros': filled(
    '{"status":"SUCCESS","data":[',
    '0,',
    '0]}',
    39,
    /why: data\.0 is missing or has another type/,
  ),
  'a text of 60 MB': filled('{"status":"', 'x', '"}', 600, /neither SUCCESS nor FAIL/),
}

function coded(coding: string, bytes: Buffer) {
  const answer = (response: http.ServerResponse) =>
    response.writeHead(200, {...json, 'content-encoding': coding}).end(bytes)
  return {answer, says: tooLarge}
}

/** A part, repeated hundreds of thousands of times, between a beginning and an end. */
function filled(begin: string, part: string, end: string, times: number, says: RegExp) {
  const piece = Buffer.from(part.repeat(100_000))
  const length = begin.length + times * piece.length + end.length
  const answer = (response: http.ServerResponse) => {
    response.writeHead(200, {...json, 'content-length': length}).write(begin)
    for (let at = 0; at < times; at += 1) response.write(piece)
    response.end(end)
  }
  return {answer, says}
}

/** Of the other ways to read an answer, those that meet the same; JSON of another shape is only no envelope. */
const others = ['push records', 'asset info games', 'push send ann --title Hello --body World']

describe('a service that answers with', () => {
  let place: Place
  let service: Service
  let proxy: ConnectProxy

  beforeAll(async () => {
    service = await serve((path, response) => bombs[decodeURIComponent(path.split('/')[1] ?? '')]?.answer(response))
    place = freshPlace({ROOMCTL_CONFIG_DIR: ''})
    proxy = await proxyFor()
  })

  test.each(Object.entries(bombs))('%s takes a bounded memory', {timeout: 60_000}, async (name, {says}) => {
    const turn = Object.keys(bombs).indexOf(name)
    const other = /of 3,900,000 zeros|a text of/.test(name) ? [] : [others[turn % others.length]]
    for (const line of ['room list', ...other]) {
      const own = environmentOf(`${service.url}/${encodeURIComponent(name)}`)
      const way = turn % 2 === 0 ? own : throughProxy(proxy, own, place.dir)
      const env = {...way, ROOMCTL_TIMEOUT: '30s'}
      const ran = await measured(place, `roomctl ${line}`, env)
      expect(ran.stderr, line).toMatch(says)
      // The network is not to blame; a possible change has the command that shows it.
      if (/larger than|more than/.test(ran.stderr) && line?.startsWith('push send') !== true) {
        expect(ran.stderr, line).toMatch(/\n {2}try: ask for less, or read this answer with another program/)
        expect(ran.stderr.slice(ran.stderr.indexOf('error:')), line).not.toMatch(/network|address/)
      }
      expect(ran.stderr, line).toMatch(
        /^(?:warning: .* plain http.*\n|waiting for .*\n)*error: (?:cannot |.* may have been ).*\n(?: {2}why: .*\n)?(?: {2}try: .*\n)?$/,
      )
      expect(ran, line).toMatchObject({exit: 10, stdout: ''})
      expect(ran.peakMiB, line).toBeLessThan(500)
    }
  })

  test('a resource is read only as far as it is shown', async () => {
    for (const name of ['an answer without end', '200 MB in 200 kB of gzip']) {
      const env = environmentOf(`${service.url}/${encodeURIComponent(name)}`)
      const ran = await measured(place, 'roomctl asset show games/a --view asset', env)
      expect(ran, name).toMatchObject({exit: 0, stderr: 'to write the bytes: roomctl asset download games/a\n'})
      expect(ran.stdout.length).toBeLessThan(20_000)
      expect(ran.peakMiB).toBeLessThan(250)
    }
  })
})
