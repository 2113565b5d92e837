import type http from 'node:http'
import {gzipSync} from 'node:zlib'
import {sendJson, success, summary} from './service.js'

type Answer = (response: http.ServerResponse) => void

const json = {'content-type': 'application/json'}
const mebibyte = 1024 * 1024

/** 200 MiB of blanks. */
const bomb = gzipSync(Buffer.alloc(200 * mebibyte, 0x20), {level: 9})

/** An answer of so many bytes, begun like JSON, written as fast as it is read. */
function endless(response: http.ServerResponse, bytes: number): void {
  const block = Buffer.alloc(mebibyte, 0x20)
  let left = bytes
  const more = () => {
    while (left > 0) {
      left -= block.length
      if (!response.write(block)) return response.once('drain', more)
    }
    return response.end()
  }
  response.writeHead(200, json).write('{"status": "SUCCESS", "data": [')
  more()
}

/** What a service does to `room list`: with which exit code that ends, and what is said of it. */
export const answers: Readonly<Record<string, {answer: Answer; exit: number; text: RegExp}>> = {
  'an HTML page': {
    answer: (response) => response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><p>\u001b[2J</p>'),
    exit: 10,
    text: /the answer is an HTML page, not JSON/,
  },
  'an HTML page with 502': {
    answer: (response) => response.writeHead(502, {'content-type': 'text/html'}).end('<html>Bad Gateway</html>'),
    exit: 9,
    text: /HTTP 502/,
  },
  nothing: {answer: (response) => response.writeHead(200, json).end(), exit: 10, text: /the answer is empty/},
  'no content': {answer: (response) => response.writeHead(204).end(), exit: 10, text: /the answer is empty/},
  'half of it, then silence': {
    answer: (response) => response.writeHead(200, {...json, 'content-length': '1000'}).write('{"status": "SUCC'),
    exit: 10,
    text: /no complete answer within 2 s/,
  },
  'half of it, then a closed connection': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-length': '1000'}).write('{"status": "SUCC', () => response.destroy())
    },
    exit: 10,
    text: /incomplete/,
  },
  'half of it, and calls that all': {
    answer: (response) => sendJson(response, '{"status": "SUCCESS", "data": [{"room_id"'),
    exit: 10,
    text: /JSON that breaks off/,
  },
  '100 MB announced': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-length': String(100 * mebibyte)})
      response.write(Buffer.alloc(mebibyte, 0x20))
    },
    exit: 10,
    text: /larger than 64 MiB/,
  },
  '100 MB unannounced': {answer: (response) => endless(response, 100 * mebibyte), exit: 10, text: /larger than 64 MiB/},
  '200 MB in 200 kB of gzip': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-encoding': 'gzip'})
      response.end(bomb)
    },
    exit: 10,
    text: /larger than 64 MiB/,
  },
  'gzip that is none': {
    answer: (response) => response.writeHead(200, {...json, 'content-encoding': 'gzip'}).end('{"status": "SUCCESS"}'),
    exit: 10,
    text: /cannot be decompressed/,
  },
  'a coding that nobody asked for': {
    answer: (response) => response.writeHead(200, {...json, 'content-encoding': 'rot13'}).end('{"status": "SUCCESS"}'),
    exit: 10,
    text: /compressed in a way that was not asked for/,
  },
  'JSON without an envelope': {
    answer: (response) => sendJson(response, [summary('r-1')]),
    exit: 10,
    text: /JSON but not an envelope/,
  },
  'an envelope with a status of its own': {
    answer: (response) => sendJson(response, {status: 'OK', data: []}),
    exit: 10,
    text: /neither SUCCESS nor FAIL/,
  },
  'a number': {answer: (response) => sendJson(response, '42'), exit: 10, text: /not an envelope/},
  'FAIL with 200': {
    answer: (response) => sendJson(response, {status: 'FAIL', error_code: 'CE003', message: 'not for you'}),
    exit: 5,
    text: /not for you \(CE003\)/,
  },
  'FAIL with a code that is in no document': {
    answer: (response) => sendJson(response, {status: 'FAIL', error_code: 'ZZ999', message: 'the moon is full'}, 409),
    exit: 7,
    text: /the moon is full \(ZZ999\)\n {2}why: the code ZZ999 is not in the service's document/,
  },
  'FAIL without a word': {
    answer: (response) => sendJson(response, {status: 'FAIL'}),
    exit: 8,
    text: /cannot list the rooms: /,
  },
  'FAIL with an object for a message': {
    answer: (response) => sendJson(response, {status: 'FAIL', error_code: {a: 1}, message: ['no']}, 400),
    exit: 8,
    text: /HTTP 400/,
  },
  'null for data': {
    answer: (response) => sendJson(response, success(null)),
    exit: 10,
    text: /not what the document describes\n {2}why: data /,
  },
  'no data': {
    answer: (response) => sendJson(response, {status: 'SUCCESS'}),
    exit: 10,
    text: /not what the document describes\n {2}why: data /,
  },
  'an object for the list': {
    answer: (response) => sendJson(response, success({rooms: []})),
    exit: 10,
    text: /not what the document describes\n {2}why: data /,
  },
  'a room without its id': {
    answer: (response) => sendJson(response, success([{...summary('r-1'), room_id: undefined}])),
    exit: 10,
    text: /why: data\.0\.room_id is missing/,
  },
  'a number for an id': {
    answer: (response) => sendJson(response, success([{...summary('r-1'), room_id: 7}])),
    exit: 10,
    text: /why: data\.0\.room_id /,
  },
  'arrays within arrays, 100,000 deep': {
    answer: (response) => sendJson(response, `{"status":"SUCCESS","data":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
    exit: 10,
    text: /the answer/,
  },
  'bytes that are no text': {
    answer: (response) => response.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00, 0x9b, 0x41])),
    exit: 10,
    text: /the answer is not JSON/,
  },
  'headers of 64 KiB': {
    answer: (response) => response.writeHead(200, {'x-long': 'x'.repeat(65_536)}).end('{}'),
    exit: 10,
    text: /headers larger than 16 KiB/,
  },
  'no HTTP at all': {
    answer: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
    exit: 10,
    text: /no valid HTTP/,
  },
  'the end of the connection': {
    answer: (response) => response.socket?.destroy(),
    exit: 10,
    text: /was reset before an answer came/,
  },
}
