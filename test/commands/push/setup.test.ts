import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, esc, freshHome} from '../../support/cli.js'
import {credentialRoutes} from '../../support/credentialRoutes.js'
import {everyCase} from '../../support/everyCase.js'
import {serveGateway} from '../../support/gateway.js'
import {terminal} from '../answers.js'
import {writeProfiles} from '../live.js'
import {keys, file as p8} from './proving.js'
import {changeOf, registry, type Story, stateOf} from './registering.js'

const workshop = new TestCredentials()
const p12 = workshop.file(
  'push.p12',
  workshop.p12({certificates: [workshop.certificate({uid: 'com.example.shop'})], password: 'correct horse'}),
)
const key = {ios_apns_type: 'TOKEN', bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY7654321'}
const old = {...key, key_id: 'OLDKEY1234'}
const unset = Object.fromEntries(Object.keys(credentialRoutes).map((name) => [name, '']))

/** `routed`: the routes are set. */
async function on(story: Story, routed: boolean, answers: readonly unknown[], more: readonly string[] = []) {
  const service = await registry(story)
  const {columns, answers: given, env} = terminal(200, ...answers)
  const home = freshHome()
  writeProfiles(home, {default: {}})
  const ran = await cli(['push', 'ios', ...more], {
    columns: columns ?? 0,
    answers: given ?? [],
    home,
    env: {...env, ...service.env, ...(routed ? {} : unset)},
  })
  return {ran, service, home}
}

describe('push ios without FILE', () => {
  test('asks for application, file, ids and proof, shows them and the replaced credential, and registers', async () => {
    const answers = ['app-1', p8, 'TEAM123456', 'com.example.rooms', 'no', 'app-1']
    const {ran, service, home} = await on({before: old, after: key}, true, answers)
    expect(ran).toMatchObject({
      exit: 0,
      stdout:
        'registered the iOS key KEY7654321 of team TEAM123456 for com.example.rooms in application app-1 (read back: equal)\n',
    })
    expect(ran.asked.map((question) => question.split(/[:?] /u)[0])).toEqual([
      expect.stringMatching(/^Application id on default/u),
      'File (.p8 or .p12):',
      'Team id:',
      'Bundle id:',
      'Register it only if Apple accepts it',
      expect.stringMatching(/^Register the iOS key of application app-1/u),
    ])
    expect(ran.stderr).toContain('Nothing changes before the last question. Esc cancels.\n')
    expect(ran.stderr).toContain('  key id     KEY7654321\n  team id    TEAM123456\n  bundle id  com.example.rooms\n')
    expect(ran.stderr).toContain('this replaces the iOS key OLDKEY1234 of team TEAM123456')
    expect(changeOf(service)).toBeDefined()
    expect(stateOf(home)).toContain('push.iosKey')
  })

  test('asks before it registers also where nothing is replaced', async () => {
    const answers = ['app-1', p8, 'TEAM123456', 'com.example.rooms', 'no']
    const yes = await on({before: null, after: key}, true, [...answers, true])
    expect(yes.ran.exit).toBe(0)
    expect(changeOf(yes.service)).toBeDefined()
    const no = await on({before: null, after: key}, true, [...answers, false])
    expect(no.ran).toMatchObject({exit: 13, stdout: ''})
    expect(changeOf(no.service)).toBeUndefined()
  })

  test('ask nothing that a flag answers', async () => {
    const flags = ['--application-id', 'app-1', '--team-id', 'TEAM123456', '--bundle-id', 'com.example.rooms']
    const {ran, service} = await on({before: null, after: key}, true, [p8, 'no', true], flags)
    expect([ran.exit, ran.asked.length]).toEqual([0, 3])
    expect(changeOf(service)).toBeDefined()
  })

  test('sends nothing to an undocumented route, and names both ways out', async () => {
    const {ran, service} = await on({before: null, after: key}, false, ['app-1', p8])
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('try: add --allow-assumed, or set route.push.iosKey')
    expect(changeOf(service)).toBeUndefined()
  })

  test('reads the ids of a certificate from it, its password from a hidden prompt', async () => {
    const stored = {ios_apns_type: 'CERTIFICATE', bundle_id: 'com.example.shop'}
    const answers = ['app-1', p12, 'correct horse', 'no', true]
    const {ran, service, home} = await on({before: null, after: stored}, true, answers)
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toMatch(/ {2}bundle id {2}com\.example\.shop\n/u)
    expect(changeOf(service)?.path).toContain('bundle_id=com.example.shop')
    expect(ran.stdout + ran.stderr + stateOf(home)).not.toContain('correct horse')
  })

  test('asks again after a file, a password or an id that cannot work', async () => {
    const answers = [
      ...['app-1', '', '/nowhere', p12, 'wrong', p8, 'short', 'KEY7654321', 'TEAM123456'],
      ...['com.example.*', 'com.example.rooms', 'no', true],
    ]
    const {ran, service} = await on({before: null, after: key}, true, answers)
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('cannot read /nowhere: no such file\n')
    expect(ran.stderr).toContain('a file is needed\n')
    expect(ran.stderr).toMatch(/push\.p12: .*password/u)
    expect(ran.stderr).toContain('it is not a team id: ten characters, A to Z and 0 to 9')
    expect(ran.stderr).toContain('KEY7654321')
    expect(ran.stderr).toContain('it is not a bundle id: letters, digits, - and full stops between them')
    expect(ran.asked.filter((question) => question.startsWith('File (.p8'))).toHaveLength(4)
    expect(changeOf(service)?.path).toContain('team_id=TEAM123456')
  })

  test('sends nothing of the credential where any of its questions is left by Esc or Ctrl-D', async () => {
    const answers = ['app-1', p8, 'TEAM123456', 'com.example.rooms', 'no', 'app-1']
    await everyCase(
      answers.map((_, at) => [at] as const),
      async (at) => {
        const {ran, service} = await on({before: old, after: key}, true, [...answers.slice(0, at), esc])
        expect(ran).toMatchObject({exit: 13, stdout: ''})
        expect(ran.stderr).toContain('cancelled; nothing was sent\n')
        expect(ran.asked).toHaveLength(at + 1)
        expect(changeOf(service)).toBeUndefined()
      },
    )
  })

  test('asks Apple after the last answer if that is chosen, and registers only an accepted credential', async () => {
    const answers = ['app-1', p8, 'TEAM123456', 'com.example.rooms', true]
    const proving = (options: object) => serveGateway({keys, ...options})
    const gateway = await proving({})
    const server = (one: typeof gateway) => ['--prove', '--server', one.url, '--ca-file', one.caFile]
    const yes = await on({before: null, after: key}, true, answers, server(gateway))
    expect(yes.ran).toMatchObject({exit: 0, stdout: expect.stringContaining('accepted by Apple in production')})
    expect(gateway.pushed).toHaveLength(1)
    const refusing = await proving({answer: () => ({status: 403, reason: 'InvalidProviderToken'})})
    const no = await on({before: null, after: key}, true, answers, server(refusing))
    expect(no.ran).toMatchObject({exit: 15, stdout: ''})
    expect(changeOf(no.service)).toBeUndefined()
  })

  test('never asks to call Apple on the sandbox', async () => {
    const answers = ['app-2', p8, 'TEAM123456', 'com.example.rooms', true]
    const ran = await cli(['push', 'ios'], terminal(200, ...answers))
    expect(ran.exit).toBe(0)
    expect(ran.asked.join('\n')).not.toContain('Apple')
    expect(ran.stderr).not.toContain('Apple')
  })

  test('in a dry run shows the request', async () => {
    const answers = ['app-1', p8, 'TEAM123456', 'com.example.rooms', 'no']
    const {ran, service} = await on({before: old, after: key}, true, answers, ['--dry-run'])
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('would send: POST ')
    expect(changeOf(service)).toBeUndefined()
  })

  test('need a terminal, and ask nothing on a read-only profile', async () => {
    const {env, arrived} = await registry({before: null, after: null})
    for (const command of ['ios', 'ios-key', 'ios-cert']) {
      for (const more of [[], ['--no-input'], ['-o', 'json']]) {
        const ran = await cli(['push', command, ...more], {...(more.length > 0 ? terminal(80) : {}), env})
        expect(ran).toMatchObject({exit: 2, stdout: '', asked: []})
        expect(ran.stderr).toContain('FILE is missing')
      }
    }
    const home = freshHome()
    writeProfiles(home, {live: {readOnly: true}})
    expect(await cli('push ios -p live', {...terminal(80), home})).toMatchObject({exit: 13, stdout: '', asked: []})
    expect(arrived).toEqual([])
  })

  test('are what push setup suggests', async () => {
    const ran = await cli('push setup')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('try: roomctl push ios')
  })
})
