import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {everyCase} from '../../../support/everyCase.js'
import {terminal} from '../../answers.js'
import {emptyHome} from '../home.js'

const exported = (settings: object, more: object = {}) =>
  JSON.stringify({kind: 'roomctl-profile', version: 1, name: 'live', settings, ...more})
const good = exported({'room.url': 'https://rooms.example.com/media', protected: true})

test('names the place of a syntax error, a forbidden member and a route that does not fit', () =>
  everyCase(
    [
      ['it is truncated at line 1, column 7', '{"kind'],
      ['it has an unknown key: settings.pager', exported({pager: 'less'})],
      ['the path for room.end does not name {roomId}', exported({}, {routes: {'room.end': 'POST /x'}})],
      ['unknown operation room.edn', exported({}, {routes: {'room.edn': 'POST /x'}})],
      ['it has version 2, and this roomctl reads 1', exported({}, {version: 2})],
    ],
    async (words, stdin) => {
      const {exit, stderr} = await emptyHome().cli('config profile import - --as other', {stdin})
      expect({exit, stderr: stderr.split('\n')[0]}).toEqual({exit: 2, stderr: expect.stringContaining(words)})
    },
  ))

test('stores an export, from stdin or a file', async () => {
  const home = emptyHome()
  const ran = await home.cli('config profile import -', {stdin: good})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: 'room.url: https://rooms.example.com/media\nprotected: true\n',
    stdout: 'imported profile live; log in with roomctl config login -p live\n',
  })
  const file = join(home.folder, 'live.json')
  writeFileSync(file, good)
  const again = await home.cli(['config', 'profile', 'import', file, '--as', 'live-2', '-o', 'json'])
  const changes = [
    {key: 'room.url', before: null, after: 'https://rooms.example.com/media'},
    {key: 'protected', before: null, after: true},
  ]
  expect(JSON.parse(again.stdout)).toEqual({profile: 'live-2', changes})
  const profile = {'room.url': 'https://rooms.example.com/media', protected: true}
  expect(home.file().profiles).toEqual({live: profile, 'live-2': profile})
})

test('goes from one machine to another unchanged', async () => {
  const here = emptyHome()
  await here.cli('config profile add live --room-url https://rooms.example.com')
  await here.cli('config set -p live requester ann')
  await here.cli('config set -p live asset.stamp true')
  await here.cli(['config', 'set', '-p', 'live', 'route.push.show', 'get /v2/config'])
  const there = emptyHome()
  await there.cli('config profile import -', {stdin: (await here.cli('config profile export live')).stdout})
  expect(there.file().profiles.live).toEqual(here.file().profiles.live)
})

test('of 0.3.0 is imported without the settings that are gone', async () => {
  const home = emptyHome()
  const stdin = exported({'journal.keep': 30, retries: 1})
  expect(await home.cli('config profile import - --as old', {stdin})).toMatchObject({exit: 0})
  expect(home.file().profiles.old).toEqual({retries: 1})
})

test('replaces a profile only on request, and then without its token', async () => {
  const home = emptyHome()
  await home.cli('config profile add live --room-url https://rooms.example.com')
  await home.cli('config login room -p live --no-check', {stdin: 'tok-3n'})
  const taken = await home.cli('config profile import -', {stdin: good})
  expect(taken).toMatchObject({exit: 2, stderr: expect.stringContaining('profile live already exists')})
  expect(home.text()).toContain('tok-3n')
  expect((await home.cli('config profile import - --overwrite', {stdin: good})).exit).toBe(0)
  expect(home.text()).not.toContain('tok-3n')
})

describe('a profile that is replaced', () => {
  async function guarded() {
    const home = emptyHome()
    await home.cli('config profile add live --room-url https://rooms.example.com --read-only')
    await home.cli('config set protected true -p live')
    return home
  }
  const weak = exported(
    {'room.url': 'https://elsewhere.example.com', readOnly: true},
    {routes: {'room.end': 'POST /{roomId}'}},
  )

  test('is not weakened unasked, and all that changes is shown', async () => {
    const home = await guarded()
    const before = home.text()
    const alone = await home.cli('config profile import - --overwrite', {stdin: weak})
    expect(alone).toMatchObject({exit: 13, stdout: ''})
    expect(alone.stderr).toContain('room.url: https://rooms.example.com → https://elsewhere.example.com\n')
    expect(alone.stderr).toContain('protected: true → unset\n')
    expect(alone.stderr).toContain('route.room.end: POST /{roomId}\n')
    expect(alone.stderr).toMatch(/drops protected; .*\n {2}why: .*\n {2}try: add --confirm live/u)
    for (const answer of [['--yes'], ['--confirm', 'other'], ['--yes', '--confirm', 'other']]) {
      const line = ['config', 'profile', 'import', '-', '--overwrite', ...answer]
      expect(await home.cli(line, {stdin: weak})).toMatchObject({exit: 13, stdout: ''})
    }
    const file = join(home.folder, 'weak.json')
    writeFileSync(file, weak)
    const line = ['config', 'profile', 'import', file, '--overwrite']
    expect(await home.cli(line, terminal(80, 'no'))).toMatchObject({exit: 13, stdout: ''})
    expect(home.text()).toBe(before)
    const asked = await home.cli(line, terminal(80, 'live'))
    expect(asked).toMatchObject({exit: 0, asked: [expect.stringContaining('drops protected')]})
    expect(home.file().profiles.live).not.toHaveProperty('protected')
  })

  test('loses its protection where a script names it', async () => {
    const home = await guarded()
    const line = 'config profile import - --overwrite --confirm live'
    expect((await home.cli(line, {stdin: weak})).exit).toBe(0)
    expect(home.file().profiles.live).not.toHaveProperty('protected')
  })

  test('is not set to plain http unasked', async () => {
    const home = await guarded()
    const http = exported({allowHttp: true, protected: true, readOnly: true})
    expect((await home.cli('config profile import - --overwrite', {stdin: http})).stderr).toContain('sets allowHttp')
    expect(home.file().profiles.live).not.toHaveProperty('allowHttp')
    expect((await home.cli('config profile import - --overwrite --yes', {stdin: http})).exit).toBe(0)
  })
})

describe('refusals, with nothing stored and nothing repeated', () => {
  test('is refused where it is no export', () =>
    everyCase(
      [
        ['no JSON', '{"s3cr3t'],
        ['something else', '{"name":"s3cr3t"}'],
        ['credentials', exported({}, {credentials: {room: {store: 'file', origin: 'https://x', token: 's3cr3t'}}})],
        ['a token among the settings', exported({token: 's3cr3t'})],
        ['a pager', exported({pager: 's3cr3t'})],
        ['a file to write to', exported({'journal.path': '/home/s3cr3t/.bashrc'})],
        ['authorities of whatever folder one stands in', exported({caFile: 's3cr3t.pem'})],
        ['plain http', exported({'room.url': 'http://s3cr3t.example.com'})],
        ['a name that is none', exported({}, {name: '../s3cr3t'})],
        ['the name of the sandbox', exported({}, {name: 'sandbox'})],
        ['the name constructor', exported({}, {name: 'constructor'})],
        ['an unknown setting', exported({hunter: 's3cr3t'})],
        ['a wrong type', exported({retries: 's3cr3t'})],
        ['a number out of range', exported({retries: 99})],
        ['an address with a password', exported({'room.url': 'https://me:s3cr3t@rooms.example.com'})],
        ['another version', exported({}, {version: 2})],
        ['__proto__', '{"kind": "roomctl-profile", "__proto__": {"version": 1}}'],
        ['a list', '[]'],
        ['an operation id that is none', exported({}, {routes: {room: 'POST /x'}})],
        ['a route that is none', exported({}, {routes: {'room.end': 's3cr3t'}})],
      ],
      async (_, stdin) => {
        const home = emptyHome()
        const ran = await home.cli('config profile import -', {stdin})
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).not.toContain('"s3cr3t')
        expect(() => home.text()).toThrow()
      },
    ))

  test('a file that cannot be read', async () => {
    expect(await emptyHome().cli('config profile import /nowhere.json')).toMatchObject({exit: 14, stdout: ''})
  })

  test('another, invalid name', async () => {
    const home = emptyHome()
    expect((await home.cli('config profile import - --as sandbox', {stdin: good})).exit).toBe(2)
    expect((await home.cli('config profile import - --as ..', {stdin: good})).exit).toBe(2)
    expect(() => home.text()).toThrow()
  })
})
