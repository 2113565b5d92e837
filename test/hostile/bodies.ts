import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import type {ResponseFormat} from '../../src/api/contract/operation.js'
import type {Answer} from './stage.js'

/** The defect of a body, which decides for which operations it matters. */
type Wrong = 'page' | 'empty' | 'no content' | 'garbage' | 'text' | 'charset' | 'coding'

export interface Body {
  readonly answer: Answer
  readonly wrong: Wrong
  /** The message about it. */
  readonly says: RegExp
}

/** For which bodies an operation fails, by where its result is; without a place for one, the body does not matter. */
export const fails: Readonly<Record<ResponseFormat | 'bytes', readonly Wrong[]>> = {
  envelope: ['page', 'empty', 'no content', 'garbage', 'text', 'charset', 'coding'],
  json: ['page', 'empty', 'no content', 'garbage', 'text', 'charset', 'coding'],
  'json-or-none': ['page', 'empty', 'garbage', 'text', 'charset', 'coding'],
  nothing: ['page', 'garbage', 'charset', 'coding'],
  unshown: ['page', 'garbage', 'charset', 'coding'],
  headers: [],
  bytes: ['coding'],
}

const json = {'content-type': 'application/json'}

/** ResponseFormat with this exact body, which calls itself JSON unless the headers say otherwise. */
export function body(text: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Answer {
  return (response) => response.writeHead(status, {...json, ...headers}).end(text)
}

/** A number inside `levels` lists, or whatever else opens and closes. */
export function nested(levels: number, [open, close] = ['[', ']']): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

function page(headers: Readonly<Record<string, string>>): Body {
  const answer = body('<!doctype html><p>Please log in\u001b[2J</p>', headers)
  return {answer, wrong: 'page', says: /is an HTML page, not JSON/}
}

function empty(answer: Answer): Body {
  return {answer, wrong: 'empty', says: /is empty/}
}

/** It calls itself JSON, so even an operation that needs no body fails. */
function garbage(answer: Answer, says = /is truncated or invalid JSON/): Body {
  return {answer, wrong: 'garbage', says}
}

function coded(bytes: Buffer | string, coding: string, says = /cannot be decompressed: it is incomplete/): Body {
  return {answer: body(bytes, {'content-encoding': coding}), wrong: 'coding', says}
}

function inCharset(bytes: Buffer, charset?: string): Body {
  const headers = charset === undefined ? {} : {'content-type': `application/json; charset=${charset}`}
  const named = charset?.replaceAll('"', '') ?? 'not given'
  return {answer: body(bytes, headers), wrong: 'charset', says: new RegExp(`is not UTF-8 \\(charset ${named}\\)`)}
}

const success = '{"status":"SUCCESS","data":[]}'
const tooDeep = /is JSON of more than 500 levels/
const noJson = /is not JSON/
const wrongCoding = /is damaged, or not in its Content-Encoding: (?:gzip|deflate)/
const unasked = /a Content-Encoding that cannot be decoded: /

/** Bodies that are no answer of any operation. */
export const bodies: Readonly<Record<string, Body>> = {
  'a page': page({'content-type': 'text/html'}),
  'a page that calls itself JSON': page(json),
  nothing: empty(body('')),
  'no content': {...empty((response) => response.writeHead(204).end()), wrong: 'no content'},
  blanks: empty(body(' \n\t ')),
  'half of an object': garbage(body('{"status":"SUCCESS","data":[{"room_id')),
  'two objects': garbage(body(`${success}${success}`)),
  'an object with a comment': garbage(body('{/* */"status":"SUCCESS"}')),
  'an object in single quotes': garbage(body("{'status':'SUCCESS'}")),
  'a control character within a text': garbage(body('{"status":"SUC\u0001CESS"}')),
  'not a number': garbage(body('NaN'), noJson),
  text: {
    answer: body('connect error\u001b[2J', {'content-type': 'text/plain'}),
    wrong: 'text',
    says: /not JSON \(content type text\/plain\)/,
  },
  'a content type of 8 kB': {
    answer: body('?', {'content-type': `text/${'x'.repeat(8000)}`}),
    wrong: 'text',
    says: /not JSON \(content type text\/x{55}\)/,
  },
  'UTF-16': inCharset(Buffer.from(`\ufeff${success}`, 'utf16le'), 'utf-16'),
  'UTF-16 without a mark, but with its name': inCharset(Buffer.from(success, 'utf16le'), '"UTF-16LE"'),
  'EUC-KR': inCharset(Buffer.from(success.replace('[]', '["\u00c8\u00b8\u00c0\u00c7"]'), 'latin1'), 'EUC-KR'),
  'EUC-KR that looks like UTF-8': inCharset(Buffer.from(success.replace('[]', '["\u00c8\u00b8"]'), 'latin1'), 'EUC-KR'),
  'ISO-2022-JP': inCharset(Buffer.from(success.replace('[]', '["\u001b$B2q5D\u001b(B"]')), 'iso-2022-jp'),
  'Latin-1 that calls itself UTF-8': inCharset(Buffer.from(success.replace('[]', '["caf\u00e9"]'), 'latin1'), 'utf-8'),
  'UTF-16 without a mark': garbage(body(Buffer.from(success, 'utf16le'))),
  'bytes that are no text': inCharset(Buffer.from([0xff, 0xfe, 0x00, 0x9b, 0x41])),
  'lists 100,000 deep': garbage(body(nested(1e5)), tooDeep),
  'objects 100,000 deep': garbage(body(nested(1e5, ['{"a":', '}'])), tooDeep),
  'a member of no document, 100,000 deep': garbage(
    body(`{"status":"SUCCESS","data":[],"contains":[],"more":${nested(1e5)}}`),
    tooDeep,
  ),
  'gzip that is none': coded(success, 'gzip', wrongCoding),
  'gzip cut off': coded(gzipSync(success).subarray(0, -9), 'gzip'),
  'brotli cut off': coded(brotliCompressSync(success.repeat(99)).subarray(0, -3), 'br'),
  'deflate that is damaged': coded(deflateSync(success).fill(0, 2, 9), 'deflate', wrongCoding),
  'gzip cut off within gzip': coded(gzipSync(gzipSync(success).subarray(0, -9)), 'gzip, gzip'),
  'a coding that nobody asked for': coded(success, 'zstd', unasked),
  'a coding of the prototype': coded(success, '__proto__', unasked),
}
