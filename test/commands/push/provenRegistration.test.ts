import {existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {type Gateway, type GatewayOptions, serveGateway} from '../../support/gateway.js'
import {
  byCertificate,
  file,
  ids,
  keys,
  p12,
  passDeadline,
  password,
  passwordFile,
  pem,
  proxyTo,
  stepDeadlines,
} from './proving.js'
import {knownKeys, newFile, RegisteredConfiguration, shownKey} from './registeredKeys.js'
import {changeOf, registry} from './registering.js'
import {pushWire} from './wire.js'

const key = {ios_apns_type: 'TOKEN', bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY7654321'}
const certificate = {
  ios_apns_type: 'CERTIFICATE',
  bundle_id: 'com.example.rooms',
  certificate_expiry_date: '2049-12-31',
}
const registrations = [
  {words: ['push', 'ios', file, ...ids], stored: key},
  {words: ['push', 'ios', p12, '--password-file', passwordFile], stored: certificate},
]

async function registered({words, stored}: (typeof registrations)[number], options: GatewayOptions, more: string[]) {
  const service = await registry({before: null, after: stored})
  const gateway = await serveGateway({keys, onWait: passDeadline, ...options})
  const line = [...words, '--application-id', 'app-1', '--prove', '--server', gateway.url, '--ca-file', gateway.caFile]
  return {service, gateway, ran: await cli([...line, ...more], {env: service.env})}
}

/** How the advised proof ends, which asks the same gateway. */
async function asAdvised(advice: string, {words, stored}: (typeof registrations)[number], gateway: Gateway) {
  const [, line = ''] = /: roomctl (push prove .*)$/u.exec(advice) ?? []
  const typed = line.split(' ')
  const password = stored === certificate ? words.slice(3) : []
  const asked = ['--server', gateway.url, '--ca-file', gateway.caFile, ...password]
  return (await cli([...typed, ...asked])).exit
}

stepDeadlines()

describe('--prove of a registration', () => {
  test('is refused on the sandbox, which never calls Apple', () =>
    everyCase(['--confirm=app-1', '--dry-run', '--environment=both'], async (more) => {
      const ran = await cli(['push', 'ios', file, ...ids, '--application-id', 'app-1', '--prove', more])
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
      expect(ran.stderr).toContain('--prove cannot be used with the sandbox; nothing was sent')
    }))

  test('asks Apple first and registers an accepted credential, with the proof in the result', async () => {
    for (const one of registrations) {
      const {service, gateway, ran} = await registered(one, {}, ['-o', 'json'])
      expect(ran.exit).toBe(0)
      const proof = [
        {
          environment: 'production',
          verdict: 'accepted',
          reason: 'BadDeviceToken',
          http_status: 400,
          host: gateway.host,
        },
      ]
      expect(JSON.parse(ran.stdout)).toMatchObject({...one.stored, verified: true, proof})
      expect(changeOf(service)).toBeDefined()
      expect(gateway.pushed).toHaveLength(1)
    }
  })

  test('says to people where it was accepted', async () => {
    const {ran} = await registered({words: ['push', 'ios', file, ...ids], stored: key}, {}, [])
    expect(ran).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('(read back: equal; accepted by Apple in production)\n'),
    })
  })

  test('registers nothing that is not accepted', async () => {
    const cases: [GatewayOptions, number, string][] = [
      [{answer: () => ({status: 403, reason: 'InvalidProviderToken'})}, 15, 'ids-or-key'],
      [{answer: () => ({status: 400, reason: 'TopicDisallowed'})}, 15, 'topic'],
      [{answer: () => ({status: 500, reason: 'InternalServerError'})}, 15, 'unknown'],
      [{answer: () => 'silent'}, 10, 'not reached'],
    ]
    await everyCase(cases, async (options, exit, words) => {
      for (const one of registrations) {
        const {service, gateway, ran} = await registered(one, options, ['-o', 'json'])
        if (words === 'ids-or-key' && one.stored === certificate) continue
        expect(ran).toMatchObject({exit, stdout: ''})
        const {error} = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')
        expect(error).toMatchObject({code: 'not-proven', outcome: 'none', exit_code: exit})
        expect(error.message).toContain(words)
        expect(changeOf(service)).toBeUndefined()
        expect(await asAdvised(error.try, one, gateway)).toBe(exit)
      }
    })
  })

  test('names the way back before anything changes, and replaces nothing that was registered meanwhile', async () => {
    const wayBack =
      'to go back, keep its file: roomctl push ios AuthKey_OLDKEY1234.p8 --application-id app-1 --bundle-id com.example.rooms --team-id TEAM123456\n'
    const cases: [answer: NonNullable<GatewayOptions['answer']> | 'other', exit: number, registered: object][] = [
      [() => undefined, 0, shownKey('NEWKEY1234')],
      [() => ({status: 403, reason: 'InvalidProviderToken'}), 15, shownKey('OLDKEY1234')],
      ['other', 7, shownKey('FOREIGN123')],
    ]
    await everyCase(cases, async (answer, exit, expected) => {
      const configuration = new RegisteredConfiguration()
      const service = await pushWire((request, nth) => configuration.answer(request, nth))
      const register = () => {
        configuration.registered = shownKey('FOREIGN123')
        return undefined
      }
      const gateway = await serveGateway({keys: knownKeys, answer: answer === 'other' ? register : answer})
      const words = ['push', 'ios', newFile, ...ids, '--application-id', 'app-1', '--confirm', 'app-1', '--prove']
      const ran = await cli([...words, '--server', gateway.url, '--ca-file', gateway.caFile], {env: service.env})
      expect([ran.exit, configuration.registered]).toEqual([exit, expected])
      expect(ran.stderr).toContain(wayBack)
      if (exit !== 7) return
      expect(ran.stderr).toContain('another credential was registered meanwhile; nothing was sent\n')
      expect(ran.stderr).toContain('registered now: the iOS key FOREIGN123')
    })
  })

  test('sends nothing in a dry run or without a confirmation, and nothing without the flag', async () => {
    const [one] = registrations
    if (!one) throw new Error('there is no registration')
    const dry = await registered(one, {}, ['--dry-run', '-o', 'json'])
    expect(dry.gateway.connections()).toBe(0)
    expect(JSON.parse(dry.ran.stdout)).toMatchObject([
      {operation: 'push.iosKey', proof: [{operation: 'push.prove', method: 'POST'}]},
    ])
    const declined = await registered(one, {}, ['--confirm', 'app-2'])
    expect([declined.ran.exit, declined.gateway.connections(), changeOf(declined.service)]).toEqual([13, 0, undefined])
    const service = await registry({before: null, after: key})
    const {asked, env} = await proxyTo(1)
    await cli([...one.words, '--application-id', 'app-1'], {env: {...service.env, ...env, NO_PROXY: '127.0.0.1'}})
    expect(asked).toEqual([])
  })

  test('needs the file, and a host that needs no confirmation', async () => {
    const line = ['push', 'ios', ...ids, '--key-id', 'KEY7654321', '--application-id', 'app-2', '--prove']
    expect(await cli([...line, '--no-file'])).toMatchObject({exit: 2, sent: []})
    expect(await cli([...line, file, '--server', 'https://push.example.com'])).toMatchObject({exit: 13, stdout: ''})
    expect(await cli([...line.slice(0, -1), file, '--server', 'https://127.0.0.1'])).toMatchObject({exit: 2, sent: []})
  })
})

/** All that is below a folder, as one text. */
function contentsOf(folder: string): string {
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
  return files.map(({parentPath, name}) => readFileSync(path.join(parentPath, name), 'latin1')).join('\n')
}

/** The three parts of each token that came. */
function tokensOf({pushed}: Gateway): string[] {
  return pushed.flatMap(({headers}) => String(headers.authorization ?? '').match(/[\w-]{12,}/gu) ?? [])
}

describe('no credential', () => {
  const secrets = [
    ...pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----')),
    password,
    encodeURIComponent(password),
  ]

  test('is shown or kept, in any format, under --debug, on success and failure', async () => {
    // A gateway that repeats all that it was sent.
    const echo: GatewayOptions['answer'] = ({headers}) => ({
      status: 403,
      body: JSON.stringify({reason: String(headers.authorization), more: headers}),
      headers: {'x-echo': String(headers.authorization ?? 'none'), 'content-type': 'application/json'},
    })
    const prove = ['push', 'prove', file, ...ids]
    const lines = [prove, byCertificate, ...registrations.map(({words}) => words)]
    const cases = [
      ...lines.flatMap((line) =>
        [undefined, echo, () => 'silent' as const].map((answer) => ({line, answer, format: 'table'})),
      ),
      // What a format shows does not depend on the credential.
      ...['json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'].map((format) => ({line: prove, answer: echo, format})),
      ...registrations.map(({words}) => ({line: words, answer: echo, format: 'json'})),
    ]
    await everyCase(cases, async ({answer, line, format}) => {
      const {gateway, service, said, tokens} = await told(answer, line, format)
      expect(said).toContain(`> POST ${gateway.url}/3/device/0000`)
      expect(tokens).toHaveLength(line.includes(file) ? 3 * gateway.pushed.length : 0)
      for (const secret of [...secrets, ...tokens]) expect(said).not.toContain(secret)
      for (const {headers, body} of service.arrived) expect(JSON.stringify(headers) + body).not.toContain('eyJ')
    })
  })
})

/** All that a run says and keeps, and what its gateway got. */
async function told(answer: GatewayOptions['answer'], line: readonly string[], format: string) {
  const gateway = await serveGateway({keys, onWait: passDeadline, ...(answer ? {answer} : {})})
  const service = await registry({before: null, after: line.includes(p12) ? certificate : key})
  const home = freshHome()
  const registers = line[1] === 'prove' ? [] : ['--prove', '--application-id', 'app-1']
  const words = [...line, ...registers, '--server', gateway.url, '--ca-file', gateway.caFile]
  const ran = await cli([...words, '--debug', '-o', format], {env: {...service.env, DEBUG: '*'}, home})
  return {gateway, service, said: ran.stdout + ran.stderr + contentsOf(home), tokens: tokensOf(gateway)}
}
