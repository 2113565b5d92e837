import {describe, expect, test} from 'vitest'
import {cli, esc, freshHome} from '../../support/cli.js'
import {credentialRoutes} from '../../support/credentialRoutes.js'
import {everyCase} from '../../support/everyCase.js'
import {changeOf} from '../../support/operations.js'
import {terminal} from '../answers.js'
import {writeProfiles} from '../live.js'
import {type PushWire, pushWire} from './wire.js'

/** The three commands that send a credential, each with its route variable. */
const credentials = (
  [
    ['push.iosKey', 'ROOMCTL_ROUTE_PUSH_IOS_KEY'],
    ['push.iosCertificate', 'ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE'],
    ['push.android', 'ROOMCTL_ROUTE_PUSH_ANDROID'],
  ] as const
).map(([operation, variable]) => ({operation, line: changeOf(operation).line, variable}))
const unset = Object.fromEntries(Object.keys(credentialRoutes).map((name) => [name, '']))

/** A service on which nothing is registered, and an environment that names none of the routes. */
async function service(): Promise<PushWire> {
  const wire = await pushWire(() => ({status: 204}))
  return {...wire, env: {...wire.env, ...unset}}
}

describe('a credential', () => {
  test('is not sent to an undocumented route: 13, naming both ways out', () =>
    everyCase(credentials, async ({operation, line}) => {
      for (const where of [{}, terminal(100, true, true)]) {
        const {env, arrived} = await service()
        const ran = await cli(line, {...where, env: {...env, ...('env' in where ? where.env : {}), ...unset}})
        expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
        expect(ran.stderr).toMatch(/is\s+assumed; nothing was sent/u)
        expect(ran.stderr).toContain('--allow-assumed')
        expect(ran.stderr).toMatch(new RegExp(`set\\s+route\\.${operation}\\s+to\\s+the\\s+route`, 'u'))
        expect(arrived).toEqual([])
      }
    }))

  test('is, where the profile or a variable sets the route, or --allow-assumed is given', () =>
    everyCase(credentials, async ({operation, line, variable}) => {
      const route = credentialRoutes[variable]
      const home = freshHome()
      const ways = [{flags: ['--allow-assumed']}, {env: {[variable]: route}}, {home: true}]
      for (const {flags = [], env = {}, home: inProfile} of ways) {
        const {env: address, arrived} = await service()
        writeProfiles(home, {default: inProfile ? {routes: {[operation]: route}} : {}})
        await cli([...line, ...flags], {env: {...address, ...env}, home})
        expect(arrived.filter(({method}) => method === 'POST').map(({path}) => path.split('?')[0])).toEqual([
          `/push${route.slice('POST '.length)}`,
        ])
      }
    }))

  test('that is wrong is reported before its route is', async () => {
    const {env} = await service()
    const ran = await cli(['push', 'ios', '/nowhere.p8', '--application-id', 'app-1'], {env})
    expect(ran).toMatchObject({exit: 14, stdout: '', stderr: expect.stringContaining('cannot read /nowhere.p8')})
  })

  test('that a dry run shows is refused in the real run', () =>
    everyCase(credentials, async ({line}) => {
      const {env, arrived} = await service()
      const ran = await cli([...line, '--dry-run'], {env})
      expect(ran.exit).toBe(0)
      expect(ran.stderr).toContain('the real run requires --allow-assumed, or the setting route.push.')
      expect(arrived.every(({method}) => method === 'GET')).toBe(true)
    }))

  test('goes to the sandbox, whose routes are known', () =>
    everyCase(credentials, async ({line}) => {
      expect(await cli(line)).toMatchObject({exit: 0})
    }))

  test('no variable of the environment allows it', async () => {
    const {env, arrived} = await service()
    for (const {line} of credentials) {
      const hopeful = {ROOMCTL_ALLOW_ASSUMED: '1', ROOMCTL_LEGACY: '1', ROOMCTL_YES: '1', ROOMCTL_CONFIRM: 'app-2'}
      expect(await cli(line, {env: {...env, ...hopeful}})).toMatchObject({exit: 13})
    }
    expect(arrived).toEqual([])
  })
})

describe('a server key, whose interface Google shut down', () => {
  const line = credentials
    .find(({operation}) => operation === 'push.android')
    ?.line.filter((word) => word !== '--legacy')
  const words = line ?? []
  const said =
    /Google shut down the FCM interface for server keys \(from 2024-07-22 on, https:\/\/firebase\.google\.com/

  test('is asked about before it is read or sent, once', async () => {
    const yes = await cli(words, terminal(120, true))
    expect(yes).toMatchObject({exit: 0})
    expect(yes.asked[0]).toMatch(said)
    expect(yes.asked[0]).toContain('Register the Android configuration of application app-2 on sandbox (built in)?')
    expect(yes.stderr).not.toMatch(said)
    for (const answer of [false, esc]) {
      const no = await cli(words, terminal(120, answer))
      expect(no).toMatchObject({exit: 13, stdout: '', sent: []})
      expect(no.stderr).toContain('cancelled; nothing was sent')
    }
  })

  test('ends with 13 without a terminal, and names --legacy, which answers', async () => {
    const script = await cli(words)
    expect(script).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(script.stderr).toMatch(said)
    expect(script.stderr).toContain('try: add --legacy')
    const given = await cli([...words, '--legacy'])
    expect(given).toMatchObject({exit: 0, asked: []})
    expect(given.stderr).toMatch(said)
  })

  test('in a dry run is shown without a question', async () => {
    const ran = await cli([...words, '--dry-run'])
    expect(ran).toMatchObject({exit: 0, asked: []})
    expect(ran.stderr).toMatch(said)
  })
})
