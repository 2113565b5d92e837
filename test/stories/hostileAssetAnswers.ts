import type http from 'node:http'
import {gzipSync} from 'node:zlib'
import {sendJson, token} from './service.js'

type Answer = (response: http.ServerResponse) => void

const json = {'content-type': 'application/json'}
const mebibyte = 1024 * 1024

/** Steers a terminal in every way that there is: escapes, the clipboard, C1, bidi, hidden characters, half a character. */
export const steering =
  'x\u001b[2J\u001b]52;c;cHduZWQ=\u0007\u001bP+q\u001b\\\u009b31m\u009d0;pwned\u009c\u202e\u2066\u200b\u2028\u0000\r\b\ud800\u{e0041}z'

/** What a terminal may be sent without colours: text, and the end of a line. */
export const steers = /[^\P{C}\r\n]/u

/** 200 MiB of blanks. */
const bomb = gzipSync(Buffer.alloc(200 * mebibyte, 0x20), {level: 9})

/** A listing with one asset resource and one container, as the document has it. */
export function listing(resource: object, contained: object = {type: 'BasicContainer', uri: '/games/foo/'}): object {
  return {
    type: 'BasicContainer',
    name: 'games',
    contains: [contained],
    resources: {
      assetResources: [
        {type: 'AssetResource', platform: 'IOS', name: 'a.bundle', uri: '/games/a?type=asset', ...resource},
      ],
      commonResources: [],
    },
  }
}

/** An answer that never ends, written as fast as it is read. */
function endless(response: http.ServerResponse, headers: object, block: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(block));
    response.once('drain', more)
  }
  response.writeHead(200, {...headers})
  more()
}

/** What an asset service does to `asset list`: with which exit code that ends, and what is said of it. */
export const answers: Readonly<Record<string, {answer: Answer; exit: number; text: RegExp}>> = {
  'an HTML page': {
    answer: (response) => response.writeHead(200, {'content-type': 'text/html'}).end(`<!doctype html>${steering}`),
    exit: 10,
    text: /the answer is an HTML page, not JSON/,
  },
  'an HTML page that calls itself JSON': {
    answer: (response) => sendJson(response, '<html><body>Please log in</body></html>'),
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
  'half of it, and calls that all': {
    answer: (response) => sendJson(response, '{"contains": [{"uri"'),
    exit: 10,
    text: /JSON that breaks off/,
  },
  'half of it, then a closed connection': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-length': '1000'}).write('{"contains": [', () => response.destroy())
    },
    exit: 10,
    text: /incomplete/,
  },
  'a listing without end': {
    answer: (response) => endless(response, json, Buffer.alloc(mebibyte, 0x20)),
    exit: 10,
    text: /larger than 64 MiB/,
  },
  'a byte now and then': {
    answer: (response) => {
      response.writeHead(200, json).write('{"contains": [')
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    },
    exit: 10,
    text: /no complete answer within 2 s/,
  },
  '200 MB in 200 kB of gzip': {
    answer: (response) => {
      response.writeHead(200, {...json, 'content-encoding': 'gzip'})
      response.end(bomb)
    },
    exit: 10,
    text: /larger than 64 MiB/,
  },
  'a list instead of an object': {
    answer: (response) => sendJson(response, []),
    exit: 10,
    text: /not what the document describes\n {2}why: the answer /,
  },
  'a number': {answer: (response) => sendJson(response, '42'), exit: 10, text: /not what the document describes/},
  null: {answer: (response) => sendJson(response, 'null'), exit: 10, text: /not what the document describes/},
  'resources as a list': {
    answer: (response) => sendJson(response, {contains: [], resources: []}),
    exit: 10,
    text: /why: the answer\.resources /,
  },
  'an object for the asset resources': {
    answer: (response) => sendJson(response, {resources: {assetResources: {}}}),
    exit: 10,
    text: /why: the answer\.resources\.assetResources /,
  },
  'a resource without its uri': {
    answer: (response) => sendJson(response, listing({uri: undefined})),
    exit: 10,
    text: /why: the answer\.resources\.assetResources\.0\.uri is missing/,
  },
  'a number for a name': {
    answer: (response) => sendJson(response, listing({name: 7})),
    exit: 10,
    text: /why: the answer\.resources\.assetResources\.0\.name /,
  },
  'null for a container': {
    answer: (response) => sendJson(response, {contains: [null]}),
    exit: 10,
    text: /why: the answer\.contains\.0 /,
  },
  'arrays within arrays, 100,000 deep': {
    answer: (response) => sendJson(response, `{"contains":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
    exit: 10,
    text: /the answer/,
  },
  'a member of no document, 100,000 deep': {
    answer: (response) => sendJson(response, `{"contains": [], "more": ${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`),
    exit: 10,
    text: /the answer is JSON of more than 500 levels/,
  },
  'a refusal that steers the terminal': {
    answer: (response) => sendJson(response, {message: `no ${steering} for ${token}`}, 403),
    exit: 5,
    text: /no x\\u\{1b\}\[2J/,
  },
  'a refusal of 100,000 characters': {
    answer: (response) => sendJson(response, {message: 'n'.repeat(1e5)}, 400),
    exit: 8,
    text: /^.{0,2000}\n/,
  },
  'a refusal without a word': {
    answer: (response) => response.writeHead(404).end(),
    exit: 6,
    text: /the service answered HTTP 404, not found/,
  },
  'a redirect': {
    answer: (response) => response.writeHead(302, {location: 'http://evil.example/steal'}).end(),
    exit: 10,
    text: /is a redirect \(HTTP 302\), which is not followed/,
  },
  'the end of the connection': {
    answer: (response) => response.socket?.destroy(),
    exit: 10,
    text: /was reset before an answer came/,
  },
}

/** Metadata of a resource in which every text steers the terminal, and members that no document has. */
export function steeringMeta(changed: object = {}): string {
  const members = {
    _id: steering,
    uuid: steering,
    originalFileName: `${steering}.bundle`,
    fileExtension: steering,
    description: steering,
    dataUrl: steering,
    platform: steering,
    parents: steering,
    owners: [steering],
    metaJson: {[steering]: steering},
    type: steering,
    name: steering,
    trashed: true,
    trashedAt: steering,
    trashingUserId: steering,
    createdAt: steering,
    updatedAt: steering,
    uri: steering,
    ...changed,
  }
  return JSON.stringify(members).replace(
    '{',
    `{"__proto__":{"polluted":"yes"},"uuid":"first",${JSON.stringify(steering)}:1,`,
  )
}
