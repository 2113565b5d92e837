import {describe, expect, test} from 'vitest'
import {pushWire} from '../commands/push/wire.js'
import {cli, freshHome} from '../support/cli.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {answered, changeOf} from '../support/operations.js'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const app = ['--application-id', 'app 1']

describe('the Authorization of the push service', () => {
  test.each([
    ['Bearer', 'Bearer token-of-the-test-9c1f'],
    ['none', 'token-of-the-test-9c1f'],
    ['key', 'key token-of-the-test-9c1f'],
  ])('with the scheme %s is %s', async (scheme, header) => {
    const env = {ROOMCTL_PUSH_AUTH_SCHEME: scheme}
    const wire = await pushWire(() => ({status: 204}))
    const ran = await cli(['push', 'show', ...app], {env: {...wire.env, ...env}})
    expect(ran.exit).toBe(0)
    expect(wire.arrived.map(({headers}) => headers.authorization)).toEqual([header])
    const dry = await cli(['push', 'cancel', uuid, ...app, '--dry-run', '-o', 'json'], {env: {...wire.env, ...env}})
    const shown = scheme === 'none' ? '***' : `${scheme} ***`
    expect(dry.stdout).toContain(`"authorization": "${shown}"`)
  })

  test('is the setting of the profile, which config list shows, and of the push service alone', async () => {
    const home = freshHome()
    const server = await pushWire(() => ({status: 200, body: {status: 'SUCCESS', data: []}}))
    const env = {...server.env, ROOMCTL_ROOM_URL: server.origin, ROOMCTL_ROOM_TOKEN: 'room-token'}
    for (const [key, value] of [
      ['push.authScheme', 'none'],
      ['push.dispatchDateFormat', 'extended'],
    ] as const) {
      expect((await cli(`config set ${key} ${value}`, {home, env})).exit).toBe(0)
      const listed = JSON.parse((await cli('config list -o json', {home, env})).stdout)
      expect(listed).toContainEqual(expect.objectContaining({key, value, source: 'profile'}))
    }
    await cli(['push', 'records'], {home, env})
    await cli('room list', {home, env})
    expect(server.arrived.map(({headers}) => headers.authorization)).toEqual([
      'token-of-the-test-9c1f',
      'Bearer room-token',
    ])
  })
})

test('a secret is not sent over plain http to another machine, even where the profile allows http', () =>
  everyCase(['push.register', 'push.iosKey', 'push.iosCertificate', 'push.android'], async (operation) => {
    const remote = {ROOMCTL_PUSH_URL: 'http://192.0.2.1:9/push', ROOMCTL_PUSH_TOKEN: 'some-token', ...credentialRoutes}
    const home = freshHome()
    const env = {ROOMCTL_PROFILE: 'default'}
    expect((await cli('config set allowHttp true', {home, env})).exit).toBe(0)
    for (const more of [[], ['--dry-run']]) {
      const ran = await cli([...answered(changeOf(operation)), ...more], {home, env: {...env, ...remote}})
      expect(ran).toMatchObject({exit: 3, stdout: ''})
      expect(ran.stderr).toMatch(
        /error: cannot [^\n]+ over plain http: nothing was sent\n {2}why: [^\n]+ allowHttp does not change that\n/,
      )
    }
  }))
