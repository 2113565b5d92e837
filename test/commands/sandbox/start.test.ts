import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {embeddedSandbox} from '../../../src/sandbox/sandbox.js'
import {sandboxToken} from '../../../src/sandbox/world/world.js'
import {cli, freshHome, noon, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {closedPort, listen} from '../../support/listen.js'

/** Serves a sandbox while `work` uses it, then presses Ctrl-C. */
async function whileServed(
  flags: readonly string[],
  work: (address: string, data: string, token: string) => Promise<void>,
  data = freshHome(),
  platform = 'linux',
): Promise<Ran> {
  const port = await closedPort()
  const controller = new AbortController()
  const running = cli(['sandbox', 'start', '--port', String(port), '--data', data, ...flags], {
    signal: controller.signal,
    platform,
  })
  try {
    await untilAnswered(`http://127.0.0.1:${port}/`)
    await work(`http://127.0.0.1:${port}`, data, tokenOf(data))
  } finally {
    controller.abort()
  }
  return running
}

/** The token of a sandbox that has been served. */
function tokenOf(data: string): string {
  return JSON.parse(readFileSync(join(data, 'world.json'), 'utf8')).applicationToken
}

async function untilAnswered(url: string): Promise<void> {
  const answered = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (!(await answered())) await pause(25)
}

describe('a served sandbox', () => {
  test('is used by the lines that it prints, and ends with 130 at Ctrl-C', async () => {
    let seen = ''
    let own = ''
    const ran = await whileServed(['--seed', 'demo'], async (address, _, token) => {
      own = token
      const env = {ROOMCTL_ROOM_URL: `${address}/media`, ROOMCTL_ROOM_TOKEN: token}
      const listed = await cli('room list --status reserved -q', {env})
      expect(listed).toMatchObject({exit: 0, stderr: ''})
      expect(listed.stdout).toBe('r-first\nr-townhall\nr-private\nr-arabic\n')
      expect((await cli('room end r-standup --yes', {env})).exit).toBe(0)
      expect((await cli('room list', {env: {...env, ROOMCTL_ROOM_TOKEN: 'wrong'}})).exit).toBe(4)
      seen = address
    })
    expect(ran.exit).toBe(130)
    expect(ran.stdout).toBe(
      `export ROOMCTL_ROOM_URL=${seen}/media\nexport ROOMCTL_ROOM_TOKEN=${own}\n` +
        `export ROOMCTL_ASSET_URL=${seen}/asset\nexport ROOMCTL_ASSET_TOKEN=${own}\n` +
        `export ROOMCTL_PUSH_URL=${seen}/push\nexport ROOMCTL_PUSH_TOKEN=${own}\n`,
    )
    expect(ran.stderr).toContain('Ctrl-C to stop')
    await expect(fetch(`${seen}/media/v1/rooms`)).rejects.toThrow()
  })

  test('prints lines for PowerShell on Windows', async () => {
    const {stdout} = await whileServed([], async () => undefined, freshHome(), 'win32')
    expect(stdout).toMatch(/^\$env:ROOMCTL_ROOM_URL = 'http:\/\/127\.0\.0\.1:\d+\/media'\n/u)
    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
  })

  test('serves assets too, by the lines that it prints, and keeps uploads in its folder', async () => {
    await whileServed(['--seed', 'demo'], async (address, data, token) => {
      const headers = {Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0'}
      const create = {Original_File_Name: 'a.bundle', 'Upload-Length': '5', Platform: 'ios', Description: 'a'}
      const created = await fetch(`${address}/asset/games/archive`, {method: 'POST', headers: {...headers, ...create}})
      const location = created.headers.get('location') ?? ''
      const patch = (offset: number, body: string) => {
        const chunk = {'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream'}
        return fetch(location, {method: 'PATCH', headers: {...headers, ...chunk}, body})
      }
      expect((await patch(0, 'hell')).status).toBe(204)
      expect((await patch(4, 'o')).status).toBe(204)
      const uuid = location.split('/').at(-1) ?? ''
      expect(readFileSync(join(data, 'files', uuid), 'utf8')).toBe('hello')
    })
  })

  test('has a random token, the same whenever it is served', async () => {
    const data = freshHome()
    const tokens: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const serve = async (address: string, _: string, token: string) => {
        tokens.push(token)
        const known = {ROOMCTL_ROOM_URL: `${address}/media`, ROOMCTL_ROOM_TOKEN: sandboxToken}
        expect((await cli('room list', {env: known})).exit).toBe(4)
        // The one that -p sandbox opens on the same folder, where nothing listens.
        const embedded = embeddedSandbox({dir: data, now: () => noon})
        const answer = await embedded.transport({
          method: 'GET',
          url: new URL(`${embedded.addresses.room}/v1/rooms`),
          headers: {authorization: `Bearer ${embedded.token}`},
        })
        expect(answer.status).toBe(200)
      }
      await whileServed([], serve, data)
    }
    await whileServed([], async (_, __, token) => void tokens.push(token))
    expect(tokens[0]).toMatch(/^[\w-]{32}$/u)
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  test('gives programs the address and the variables', async () => {
    let seen = ''
    let own = ''
    const ran = await whileServed(['-o', 'json'], async (address, _, token) => {
      seen = address
      own = token
    })
    expect(JSON.parse(ran.stdout)).toEqual({
      url: `${seen}/`,
      environment: {
        ROOMCTL_ROOM_URL: `${seen}/media`,
        ROOMCTL_ROOM_TOKEN: own,
        ROOMCTL_ASSET_URL: `${seen}/asset`,
        ROOMCTL_ASSET_TOKEN: own,
        ROOMCTL_PUSH_URL: `${seen}/push`,
        ROOMCTL_PUSH_TOKEN: own,
      },
    })
  })
})

test('port 0 takes a free one', async () => {
  const ran = await cli(['sandbox', 'start', '--port', '0', '--data', freshHome()], {signal: AbortSignal.abort()})
  expect(ran.exit).toBe(130)
  expect(ran.stdout).toMatch(/^export ROOMCTL_ROOM_URL=http:\/\/127\.0\.0\.1:[1-9]\d+\/media\n/)
})

test('a port that is taken ends with 10 and what to do', async () => {
  const port = await listen(createServer())
  const ran = await cli(['sandbox', 'start', '--port', String(port), '--data', freshHome()])
  expect(ran).toMatchObject({exit: 10, stdout: ''})
  expect(ran.stderr).toBe(
    `error: cannot listen on 127.0.0.1:${port}: another program uses this port\n` +
      '  try: choose another port with --port, or a free one with --port 0\n',
  )
})

test('refuses an invalid port', () =>
  everyCase(['70000', '-1', 'x', ''], async (port) => {
    expect(await cli(['sandbox', 'start', '--port', port])).toMatchObject({exit: 2, stdout: ''})
  }))
