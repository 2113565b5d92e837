import type http from 'node:http'
import type {Answer} from './stage.js'

/** An answer that is not HTTP, or missing, with the message about it. The default exit code is 10. */
export interface Fault {
  readonly answer: Answer
  readonly says: RegExp
  readonly exit?: number
  /** It is wrong with the body, which an answer to HEAD has not. */
  readonly inBody?: boolean
}

/** Sends bytes as they are, and hangs up unless the connection is to stay. */
export function bytes(text: string, {stays = false} = {}): Answer {
  return (response) => {
    const {socket} = response
    socket?.write(text, 'latin1', () => stays || socket.end())
  }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const success = '{"status":"SUCCESS","data":[]}'
const noHttp = /sent invalid HTTP/
const overflow = /answered with headers larger than 16 KiB/
const reset = /was reset before an answer came/
const cutOff = /the answer of .* is incomplete: the connection ended in the middle/

function many(count: number, header: (at: number) => string): string {
  return Array.from({length: count}, (_, at) => `${header(at)}\r\n`).join('')
}

/** An answer with one of its headers made up, and a body. */
function headed(headers: string, body = success): Answer {
  return bytes(`HTTP/1.1 200 OK\r\n${headers}\r\n${body}`)
}

/** Faults below the body, for every operation alike. */
export const wireFaults: Readonly<Record<string, Fault>> = {
  'the end of the connection': {answer: (response: http.ServerResponse) => response.socket?.destroy(), says: reset},
  'nothing, and a polite end': {answer: (response) => response.socket?.end(), says: reset},
  'another protocol': {answer: bytes('SSH-2.0-OpenSSH_9.6\r\n'), says: noHttp},
  'half a status line': {answer: bytes('HTTP/1.1 20'), says: /invalid HTTP|was reset/},
  'half of its headers': {answer: bytes(`${ok}x-a: 1`), says: /invalid HTTP|was reset/},
  'a protocol of another version': {answer: bytes('HTTP/9.9 200 OK\r\n\r\n'), says: noHttp},
  'a status of four digits': {answer: bytes('HTTP/1.1 2000 OK\r\n\r\n'), says: noHttp},
  'a status that is none': {answer: bytes('HTTP/1.1 OK 200\r\n\r\n'), says: noHttp},
  'a body cut off': {answer: headed('content-length: 1000\r\n', success), says: cutOff, inBody: true},
  'a chunk cut off': {answer: headed('transfer-encoding: chunked\r\n', '40\r\n{"sta'), says: cutOff, inBody: true},
  'chunks without an end': {
    answer: headed('transfer-encoding: chunked\r\n', '2\r\n{}\r\n'),
    says: cutOff,
    inBody: true,
  },
  'a chunk of no size': {
    answer: headed('transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n'),
    says: /is incomplete/,
    inBody: true,
  },
  'a chunk larger than numbers are': {
    answer: headed('transfer-encoding: chunked\r\n', `${'f'.repeat(17)}\r\n{}`),
    says: /is incomplete/,
    inBody: true,
  },
  'a chunk with 1 MB beside its size': {
    answer: headed('transfer-encoding: chunked\r\n', `2;${'x'.repeat(2 ** 20)}\r\n{}\r\n`),
    says: /is incomplete/,
    inBody: true,
  },
  'a length and chunks': {
    answer: headed('content-length: 2\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'),
    says: noHttp,
  },
  'two lengths': {answer: headed('content-length: 2\r\ncontent-length: 30\r\n'), says: noHttp},
  'a length below zero': {answer: headed('content-length: -1\r\n'), says: noHttp},
  'a length of 1e3': {answer: headed('content-length: 1e3\r\n'), says: noHttp},
  'a length larger than numbers are': {answer: headed(`content-length: ${'9'.repeat(30)}\r\n`), says: noHttp},
  'a length of 100 MB': {
    answer: headed('content-length: 100000000\r\n'),
    says: /larger than (?:16|64) MiB|incomplete/,
    inBody: true,
  },
  'a length of 8 EB': {
    answer: headed('content-length: 9223372036854775807\r\n'),
    says: /larger than (?:16|64) MiB|incomplete/,
    inBody: true,
  },
  '10,000 headers': {answer: headed(many(10_000, (at) => `x-${at}: 1`)), says: overflow},
  'one header of 1 MB': {answer: headed(`x-long: ${'x'.repeat(2 ** 20)}\r\n`), says: overflow},
  'a name of 1 MB': {answer: headed(`${'x'.repeat(2 ** 20)}: 1\r\n`), says: overflow},
  'trailers of 1 MB': {
    answer: headed('transfer-encoding: chunked\r\n', `0\r\nx-trailer: ${'x'.repeat(2 ** 20)}\r\n\r\n`),
    says: /is incomplete/,
    inBody: true,
  },
  'a header without a name': {answer: headed(': 1\r\n'), says: noHttp},
  'a header without a colon': {answer: headed('x-header\r\n'), says: noHttp},
  'a header with a NUL': {answer: headed('x-a: \u0000\r\n'), says: noHttp},
  'a switch of protocols': {
    answer: bytes('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    says: /invalid HTTP|was reset/,
  },
}
