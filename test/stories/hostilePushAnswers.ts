import type http from 'node:http'
import {gzipSync} from 'node:zlib'
import {steering} from './hostileAssetAnswers.js'
import {sendJson, token} from './service.js'

export type Answer = (response: http.ServerResponse) => void

const json = {'content-type': 'application/json'}
const mebibyte = 1024 * 1024

/** 200 MiB of blanks. */
const bomb = gzipSync(Buffer.alloc(200 * mebibyte, 0x20), {level: 9})

/** A text inside `depth` lists. */
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

function endless(response: http.ServerResponse): void {
  const block = Buffer.alloc(mebibyte, 0x20)
  const more = () => {
    while (!response.destroyed && response.write(block));
    response.once('drain', more)
  }
  response.writeHead(200, json).write('{"transactions": [')
  more()
}

function dripping(response: http.ServerResponse): void {
  response.writeHead(200, json).write('{"transactions": [')
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

/** What any service can do to any operation, with what is said of it; the exit is 10 where it is not named. */
export const faults: Readonly<Record<string, {answer: Answer; exit?: number; text: RegExp}>> = {
  'an HTML page': {
    answer: (response) => response.writeHead(200, {'content-type': 'text/html'}).end(`<!doctype html>${steering}`),
    text: /the answer is an HTML page, not JSON/,
  },
  'an HTML page that calls itself JSON': {
    answer: (response) => sendJson(response, '<html>Please log in</html>'),
    text: /the answer is an HTML page, not JSON/,
  },
  'half of it, then a closed connection': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-length': '1000'}).write('{"trans', () => response.destroy())
    },
    text: /incomplete/,
  },
  'an answer without end': {answer: endless, text: /larger than 64 MiB/},
  'a byte now and then': {answer: dripping, text: /no complete answer within 2 s/},
  '200 MB in 200 kB of gzip': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-encoding': 'gzip'})
      response.end(bomb)
    },
    text: /larger than 64 MiB/,
  },
  'a redirect': {
    answer: (response) => response.writeHead(302, {location: 'http://evil.example/steal'}).end(),
    text: /is a redirect \(HTTP 302\), which is not followed/,
  },
  '10,000 headers': {
    answer: (response) => {
      for (let at = 0; at < 10_000; at += 1) response.setHeader(`x-${at}`, '1')
      response.end('{}')
    },
    text: /headers larger than 16 KiB/,
  },
  'no HTTP at all': {answer: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'), text: /no valid HTTP/},
  'the end of the connection': {
    answer: (response) => response.socket?.destroy(),
    text: /was reset before an answer came/,
  },
  'a refusal that steers the terminal': {
    answer: (response) => sendJson(response, {message: `no ${steering} for ${token}`}, 403),
    exit: 5,
    text: /no x\\u\{1b\}\[2J/,
  },
  'a refusal of 100,000 characters': {
    answer: (response) => sendJson(response, {message: 'n'.repeat(1e5)}, 400),
    exit: 8,
    text: /n{300}…\n/,
  },
  'a refusal without a word': {
    answer: (response) => response.writeHead(422).end(),
    exit: 8,
    text: /the service answered HTTP 422/,
  },
  'a status that nobody knows': {
    answer: (response) => response.socket?.end('HTTP/1.1 799 Weird\r\ncontent-length: 0\r\n\r\n'),
    exit: 9,
    text: /HTTP 799/,
  },
}

const shown = (body: unknown, status = 200): Answer => {
  return (response) => sendJson(response, body, status)
}

/** What is JSON and not what the document describes, by the operation that it answers, with what is said of it. */
export const wrong: Readonly<Record<'send' | 'show' | 'records', readonly (readonly [Answer, RegExp])[]>> = {
  send: [
    [shown('', 202), /the answer is empty/],
    [shown('{"transactions": [{"rec', 202), /JSON that breaks off/],
    [shown([], 202), /why: the answer is missing or has another type/],
    [shown({transactions: {}}, 202), /why: the answer\.transactions is/],
    [shown({transactions: [null]}, 202), /why: the answer\.transactions\.0 is/],
    [shown({transactions: [{recipient_id: 7}]}, 202), /why: the answer\.transactions\.0\.recipient_id is/],
    [shown({transactions: [{status: ['SENT']}]}, 202), /why: the answer\.transactions\.0\.status is/],
    [shown(`{"transactions": ${nested(1e5)}}`, 202), /the answer is JSON of more than 500 levels/],
  ],
  show: [
    [shown('42'), /why: the answer is missing or has another type/],
    [shown([]), /why: the answer is missing or has another type/],
    [shown({fcm_server_key: 7}), /why: the answer\.fcm_server_key is/],
    [shown({certificate_expiry_date: {}}), /why: the answer\.certificate_expiry_date is/],
    [shown({ios_apns_type: ['TOKEN']}), /why: the answer\.ios_apns_type is/],
    [shown({data: {bundle_id: 'b'}}), /why: it is an object without a member of the configuration record, with data /],
    [shown(`{"bundle_id": "b", "more": ${nested(1e5)}}`), /the answer is JSON of more than 500 levels/],
    [shown({[steering]: 1, ['n'.repeat(1e6)]: 1}), /with x\\u\{1b\}.{0,600}n… \(push §9\)/],
  ],
  records: [
    [shown('"none"'), /why: the answer is missing or has another type/],
    [shown([null]), /why: the answer is missing or has another type/],
    [shown([{request_id: 7}]), /why: the answer is missing or has another type/],
    [shown({transactions: 'none'}), /why: it is an object|why: the answer is missing/],
    [shown({hello: 1}), /why: it is an object without a member of a transaction record, with hello /],
    [shown(nested(1e5)), /the answer is JSON of more than 500 levels/],
  ],
}

/** A service that answers every operation as its document says, and each text of it steers the terminal. */
export function steeringAnswer(asked: string, response: http.ServerResponse): void {
  const transaction = {
    recipient_id: `ann${steering}`,
    request_id: steering,
    transaction_id: steering,
    transaction_type: steering,
    transaction_at: `2026-12-01T09:00:00+09:00[${steering}]`,
    status: `FAILED ${steering}`,
    [steering]: steering,
  }
  const configuration = {
    fcm_server_key: `AAAA${steering.repeat(4)}`,
    package_name: steering,
    bundle_id: steering,
    team_id: steering,
    key_id: steering,
    ios_apns_type: steering,
    certificate_expiry_date: `2026-12-31T${steering}`,
    [steering]: steering,
  }
  response.setHeader('x-steering', '\u009b31m')
  const polluted = (body: object) =>
    JSON.stringify(body).replace('{', '{"__proto__":{"status":"inherited"},"constructor":{"prototype":{"a":1}},')
  if (asked.includes('/messages')) sendJson(response, polluted({transactions: [transaction, transaction]}), 202)
  else if (asked.includes('/transactions')) sendJson(response, `[${polluted(transaction)}]`)
  else if (asked.includes('/tokens')) sendJson(response, {message: steering}, 201)
  else sendJson(response, polluted({request_uuid: steering, ...configuration}))
}
