import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from '../stories/place.js'
import {cli, freshHome} from '../support/cli.js'

const mark = '\ufeff'

describe('on files as Windows has them', () => {
  let place: Place

  beforeAll(() => {
    const preload = path.join(import.meta.dirname, 'windowsFiles.cjs')
    place = freshPlace({ROOMCTL_PROFILE: 'sandbox', NODE_OPTIONS: `--require=${preload}`})
    writeFileSync(path.join(place.dir, 'a.bundle'), 'bundle')
    mkdirSync(path.join(place.dir, 'shared'))
    writeFileSync(path.join(place.dir, 'shared/notes.txt'), 'other')
  })

  test.each([
    [
      'a profile and a token',
      'roomctl config profile add live --room-url https://rooms.example.com && printf tok-1 | roomctl config login room --no-check -p live && roomctl config set timeout 5s -p live && roomctl config list -p live',
    ],
    [
      'a change and its journal',
      'roomctl sandbox reset --seed demo && roomctl room update r-party --name X && roomctl history',
    ],
    [
      'an upload and its ledger',
      'roomctl asset upload games/puzzle a.bundle --platform ios --description d && roomctl asset uploads',
    ],
    [
      'a ledger in a folder with other files',
      'roomctl asset upload games/puzzle a.bundle --platform ios --description d --state-dir shared --fresh',
    ],
    ['a download', 'roomctl asset download games/puzzle/a-logo'],
    ['doctor', 'roomctl doctor || test $? = 15'],
  ])('%s: nothing is refused for modes that are not there', async (_, line) => {
    const ran = await shell(place, line)
    expect(ran).toMatchObject({exit: 0})
    expect(ran.stderr).not.toMatch(/^error|warning|chmod|EPERM/mu)
  })
})

describe('lines that end as on Windows, behind a byte order mark,', () => {
  const crlf = (...lines: readonly string[]) => `${mark}${lines.join('\r\n')}\r\n`

  /** A folder with a file of that content, by which a line names it. */
  function written(name: string, text: string): string {
    const file = path.join(freshHome(), name)
    writeFileSync(file, text, {mode: 0o600})
    return file
  }

  test('are ids on stdin, users in a file, and recipients', async () => {
    const ended = await cli('room end - --yes -o json', {stdin: crlf('r-party', '', 'r-full')})
    expect(JSON.parse(ended.stdout).map(({room_id: id}: {room_id: string}) => id)).toEqual(['r-party', 'r-full'])
    const added = await cli(['attendee', 'add', 'r-party', '--from-file', written('users.txt', crlf('zoe', '민준'))])
    expect(added.sent.at(-1)?.body).toMatchObject({attendees: ['zoe', '민준']})
    const file = written('people.txt', crlf('ann', 'ben'))
    const pushed = await cli(['push', 'send', '--recipients-from', file, '--title', 'x', '--body', 'y'])
    expect(pushed.sent.at(-1)?.body).toMatchObject({recipient_ids: ['ann', 'ben']})
  })

  test('are a token on stdin, JSON data and a manifest', async () => {
    const device = 'd3v1ce'.repeat(12)
    const registered = await cli('push register ann --type ANDROID', {stdin: `${device}\r\n`})
    expect(registered.sent.at(-1)?.body).toMatchObject({push_token: device})
    const data = written('data.json', crlf('{', '"room": "r-1"', '}'))
    const pushed = await cli(['push', 'send', 'ann', '--title', 'x', '--body', 'y', '--data-json', data])
    expect(JSON.stringify(pushed.sent.at(-1)?.body)).toContain('r-1')
    const folder = freshHome()
    writeFileSync(path.join(folder, 'one.bundle'), 'bytes')
    writeFileSync(
      path.join(folder, 'm.yaml'),
      crlf('version: 1', 'platform: ios', 'description: d', 'files:', '  - path: one.bundle', '    role: asset'),
    )
    const synced = await cli(['asset', 'sync', 'games/puzzle', path.join(folder, 'm.yaml'), '--dry-run', '-o', 'json'])
    expect(JSON.parse(synced.stdout)).toMatchObject([{file: 'one.bundle', action: 'upload', platform: 'ios'}])
  })
})
