import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {reply} from './answers.js'
import {live} from './live.js'

const token = 'q7Vz/f2c9d==1e7b+4f8a/x'

/** The token as a service may write it in a text of JSON. */
const codings: Readonly<Record<string, string>> = {
  raw: token,
  'JSON with \\/': token.replaceAll('/', '\\/'),
  'JSON with \\u003d': token.replaceAll('=', '\\u003d').replaceAll('/', '\\u002F'),
  percent: encodeURIComponent(token),
  'percent in lower case': encodeURIComponent(token).toLowerCase().replace('q7vz', 'q7Vz'),
}

/** Each answer of the service has this text in JSON. */
function repeating(coded: string): Transport {
  const room = `{"room_id":"${coded}","name":"${coded}","room_status":"MEETING","attendees":[{"user_id":"u1","is_host":true}]}`
  return async ({method, url}) => {
    if (url.pathname.startsWith('/push')) return reply(`{"request_uuid":"${coded}"}`)
    if (url.pathname.endsWith('/end')) return reply(`{"status":"FAIL","error_code":"ER001","message":"${coded}"}`)
    const data = method === 'GET' && url.pathname.endsWith('/rooms') ? `[${room}]` : room
    return reply(`{"status":"SUCCESS","data":${data}}`)
  }
}

function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((path) => join(folder, path))
  return paths.filter((path) => statSync(path).isFile() && !path.endsWith('config.json'))
}

test.each(Object.entries(codings))(
  'a token that a service repeats is neither shown nor written: %s',
  async (_, coded) => {
    const service = await live({applicationId: 'app-1'}, repeating(coded))
    const env = {ROOMCTL_ROOM_TOKEN: token, ROOMCTL_PUSH_TOKEN: token}
    const lines = [
      'room list',
      'room list -o json',
      'room list -o csv',
      'room show r1 -o yaml',
      'room create Review --created-by u1',
      'room end r1 --yes -o json',
      'push broadcast --title Hello --body All --at +2h --confirm app-1',
      'history -o json',
      'api room GET /v1/rooms',
    ]
    const value: unknown = JSON.parse(`"${coded}"`)
    for (const line of lines) {
      const {exit, stdout, stderr} = await service.cli(line, {env})
      if (exit === 2) throw new Error(line + stderr)
      for (const text of [stdout, stderr]) for (const form of [token, coded, value]) expect(text).not.toContain(form)
      expect(`${line}: ${stdout}${stderr}`).toMatch(/\*\*\*/u)
    }
    const files = filesIn(service.home)
    expect(files.map((file) => file.split('/').at(-1))).toEqual(expect.arrayContaining(['journal.ndjson']))
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
      for (const form of [token, coded, value])
        expect([file, text]).toEqual([file, expect.not.stringContaining(String(form))])
    }
  },
)
