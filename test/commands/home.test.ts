import {chmodSync, chownSync, mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {live} from './live.js'

async function environment() {
  const {origin, arrived} = await live()
  return {env: {ROOMCTL_ROOM_URL: `${origin}/media`, ROOMCTL_ROOM_TOKEN: sandboxToken}, arrived}
}

const offline = ['explain ER001', 'completion bash', 'config list', 'help environment']

test('a HOME that is no folder is one without a profile', async () => {
  const {env} = await environment()
  const home = join(freshHome(), 'file')
  writeFileSync(home, '')
  const lines = [...offline, 'config profile list', 'room list -q', 'room end r-standup --as ann --yes']
  await everyCase(lines, async (line) => expect((await cli(line, {home, env})).exit).toBe(0))
  const {exit, stderr} = await cli('config set timeout 30s', {home, env})
  expect({exit, stderr}).toEqual({exit: 3, stderr: expect.stringContaining('a part of this path is not a folder')})
})

describe('a profile that this user may not open', () => {
  /** Root may read every file, but uses none of another user. */
  function closedHome(): string {
    const home = freshHome()
    const file = join(home, '.config/roomctl/config.json')
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    writeFileSync(file, '{"version": 2, "profiles": {"prod": {"readOnly": true}}}', {mode: 0o600})
    if (process.geteuid?.() === 0) chownSync(dirname(file), 4242, 4242)
    else chmodSync(dirname(file), 0)
    return home
  }

  test('stops no command that needs only the environment, and forbids changes', async () => {
    const {env, arrived} = await environment()
    const home = closedHome()
    await everyCase([...offline, 'room list -q'], async (line) => expect((await cli(line, {home, env})).exit).toBe(0))
    const before = arrived.length
    await everyCase(
      [
        'room end r-standup --as ann --yes',
        'room create x --created-by ann',
        'api room POST /v1/rooms --input -',
        'config set timeout 30s',
      ],
      async (line) => {
        const {exit, stderr} = await cli(line, {home, env, stdin: '{}'})
        expect({exit, stderr}).toEqual({exit: 3, stderr: expect.stringMatching(/permission denied|another user/u)})
      },
    )
    expect(arrived).toHaveLength(before)
    expect((await cli('room end r-standup --as ann --yes -p sandbox', {home})).exit).toBe(0)
  })

  test('is named as the reason for a missing setting', async () => {
    const {env} = await environment()
    const home = closedHome()
    await everyCase(
      [
        ['room list -p default', {}],
        ['room list', {ROOMCTL_ROOM_URL: env.ROOMCTL_ROOM_URL}],
        ['room list -p prod', {}],
        ['config list -p default', {}],
      ],
      async (line, variables) => {
        const {stderr} = await cli(line, {home, env: variables})
        expect(stderr).toMatch(/is not used for the profile: (?:permission denied|it belongs to another user)/u)
      },
    )
  })
})
