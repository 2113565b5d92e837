import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {writeProfiles} from '../commands/live.js'
import {type Stage, stageFor, token} from '../hostile/stage.js'
import {freshPlace, type Place, shell} from '../stories/place.js'
import {type Stranger, stranger} from './stranger.js'

/** Files that other tools read from a folder, each redirecting everything to a stranger. */
function tempting({url}: Stranger): Readonly<Record<string, string>> {
  const settings = {
    'room.url': `${url}/media`,
    roomUrl: url,
    ROOMCTL_ROOM_URL: `${url}/media`,
    proxy: url,
    'http-proxy': url,
  }
  const profile = {'room.url': `${url}/media`, credentials: {room: {store: 'file', origin: url, token}}}
  const profiles = JSON.stringify({version: 1, current: 'default', profiles: {default: profile, live: profile}})
  const variables = `ROOMCTL_ROOM_URL=${url}/media\nROOMCTL_PROFILE=other\nHTTP_PROXY=${url}\nhttp_proxy=${url}\n`
  const script = `require('node:http').get(${JSON.stringify(url)})`
  const own = {
    name: 'roomctl',
    version: '9.9.9',
    bin: './run.js',
    main: './run.js',
    type: 'commonjs',
    roomctl: settings,
  }
  return {
    '.env': variables,
    '.env.local': variables,
    '.roomctlrc': JSON.stringify(settings),
    '.roomctlrc.json': JSON.stringify(settings),
    '.roomctl.json': profiles,
    'roomctl.json': profiles,
    'config.json': profiles,
    'roomctl.config.js': script,
    '.config/roomctl/config.json': profiles,
    'config/roomctl/config.json': profiles,
    'package.json': JSON.stringify({
      ...own,
      oclif: {plugins: ['evil'], commands: './commands', hooks: {init: './hook'}},
    }),
    'oclif.manifest.json': '{"version":"9.9.9","commands":{}}',
    'hook.js': script,
    'run.js': script,
    'commands/room/list.js': script,
    'node_modules/evil/index.js': script,
    'node_modules/undici/index.js': script,
    '.npmrc': `proxy=${url}\nregistry=${url}\nnode-options=--require ./hook.js\n`,
    '.netrc': `machine 127.0.0.1 login a password b\n`,
    '.curlrc': `proxy=${url}\n`,
    'openssl.cnf': 'not for us',
  }
}

describe('a project folder that would send everything elsewhere', () => {
  let place: Place
  let stage: Stage
  let there: Stranger
  let heads: (string | undefined)[]

  beforeAll(async () => {
    const [list] = operations.filter(({id}) => id === 'room.list')
    if (!list) throw new Error('there is no room.list')
    stage = await stageFor(list)
    there = await stranger()
    place = freshPlace({ROOMCTL_RETRIES: '0', ROOMCTL_CONFIG_DIR: ''})
    const kept = {'room.url': `${stage.url}/media`, credentials: {room: {store: 'file', origin: stage.url, token}}}
    writeProfiles(place.dir, {live: kept}, 'live')
    for (const [name, content] of Object.entries(tempting(there))) {
      const file = path.join(place.dir, 'project', name)
      mkdirSync(path.dirname(file), {recursive: true})
      writeFileSync(file, content)
    }
    heads = []
    stage.hears = ({headers}) => heads.push(headers.authorization)
  })

  test.each([
    'room list -q',
    'room list -q -p live',
    'api room GET /v1/rooms',
    'attendee list r-standup',
    'config list -o json',
  ])('does not change what %s does', async (line) => {
    const [before, inside] = [
      await shell(place, `mkdir -p empty && cd empty && roomctl ${line}`),
      await shell(place, `cd project && roomctl ${line}`),
    ]
    expect(inside).toEqual(before)
    expect(inside.stdout).not.toBe('')
    expect(there.heard).toEqual([])
    expect(new Set(heads)).toEqual(new Set([`Bearer ${token}`]))
  })
})

test('a home that is no absolute path is the home of the account, and never the folder one happens to stand in', async () => {
  const place = freshPlace({ROOMCTL_CONFIG_DIR: '', ROOMCTL_STATE_DIR: '', ROOMCTL_CACHE_DIR: '', XDG_DATA_HOME: ''})
  const project = path.join(place.dir, 'project')
  const credential = {store: 'command', origin: 'http://127.0.0.1:9', command: ['touch', 'ran']}
  const profile = {'room.url': 'http://127.0.0.1:9/media', credentials: {room: credential}}
  mkdirSync(project)
  writeProfiles(project, {default: profile}, 'default')
  // The system's own answer for the account, since the account that runs the tests has files.
  const account = path.join(place.dir, 'account')
  const shim = path.join(place.dir, 'account.cjs')
  writeFileSync(shim, `require('node:os').homedir = () => process.env.HOME ?? ${JSON.stringify(account)}`)
  for (const HOME of ['', '.', 'project', '../project']) {
    const env = {HOME, NODE_OPTIONS: `--require ${shim}`}
    const ran = await shell(place, 'cd project && roomctl room list; roomctl config get file -o json', {env})
    expect(ran.stderr).toContain('no address is set for the room service')
    expect(JSON.parse(ran.stdout).value, HOME).toBe(path.join(account, '.config/roomctl/config.json'))
    expect(readdirSync(project)).toEqual(['.config'])
  }
  expect(readdirSync(path.join(account, '.cache'))).toEqual(['roomctl'])
})
