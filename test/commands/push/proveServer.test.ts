import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {type GatewayAnswer, type Pushed, serveGateway} from '../../support/gateway.js'
import {terminal} from '../answers.js'
import {
  byCertificate,
  file,
  ids,
  keys,
  p12,
  password,
  passwordFile,
  pem,
  proxyTo,
  row,
  rowsOf,
  workshop,
} from './proving.js'

describe('the gateways of Apple', () => {
  test('are asked through the proxy by CONNECT, both with one token', async () => {
    const gateway = await serveGateway({keys})
    const {asked, env} = await proxyTo(gateway.port)
    const line = ['push', 'prove', file, ...ids, '--environment', 'both', '--ca-file', gateway.caFile, '-o', 'json']
    const ran = await cli(line, {env})
    expect({exit: ran.exit, rows: JSON.parse(ran.stdout)}).toEqual({
      exit: 0,
      rows: [
        {...row('accepted', 'BadDeviceToken', 400, 'api.push.apple.com:443')},
        {...row('accepted', 'BadDeviceToken', 400, 'api.sandbox.push.apple.com:443'), environment: 'development'},
      ],
    })
    expect(asked.toSorted()).toEqual(['api.push.apple.com:443', 'api.sandbox.push.apple.com:443'])
    expect(gateway.pushed.map(({servername}) => servername).toSorted()).toEqual([
      'api.push.apple.com',
      'api.sandbox.push.apple.com',
    ])
    expect(new Set(gateway.pushed.map(({headers}) => headers.authorization)).size).toBe(1)
  })

  test('give a row each, and one that is not accepted decides the exit code', async () => {
    const answer = ({servername}: Pushed): GatewayAnswer | undefined =>
      servername === 'api.push.apple.com' ? undefined : {status: 403, reason: 'BadEnvironmentKeyIdInToken'}
    const gateway = await serveGateway({keys, answer})
    const {env} = await proxyTo(gateway.port)
    const line = ['push', 'prove', file, ...ids, '--ca-file', gateway.caFile, '-o', 'json']
    const both = await cli([...line, '--environment', 'both'], {env})
    expect(both.exit).toBe(15)
    expect(JSON.parse(both.stdout)).toMatchObject([{verdict: 'accepted'}, {verdict: 'wrong-environment'}])
    const development = await cli([...line, '--environment', 'development'], {env})
    expect(development.exit).toBe(15)
    expect(JSON.parse(development.stdout)).toMatchObject([{environment: 'development', verdict: 'wrong-environment'}])
    expect((await cli(line, {env})).exit).toBe(0)
  })

  test('are unreachable behind a proxy that is closed; this machine is reached without one', async () => {
    const {env} = await proxyTo(1)
    const ran = await cli(['push', 'prove', file, ...ids, '-o', 'json'], {
      env: {...env, HTTPS_PROXY: 'http://127.0.0.1:1'},
    })
    expect(ran.exit).toBe(10)
    expect(JSON.parse(ran.stdout)).toMatchObject([{verdict: 'unreachable', reason: 'proxy'}])
    expect((await rowsOf({}, {env: {HTTPS_PROXY: 'http://127.0.0.1:1'}})).exit).toBe(0)
  })
})

describe('the server', () => {
  const prove = (...more: string[]) => ['push', 'prove', file, ...ids, ...more]

  test('is https, this machine or below push.apple.com; any other host has to be confirmed', async () => {
    const gateway = await serveGateway({keys})
    const {asked, env} = await proxyTo(gateway.port)
    const other = ['--server', 'https://push.example.com', '--ca-file', gateway.caFile, '-o', 'json']
    const unconfirmed = await cli(prove(...other), {env})
    expect(unconfirmed).toMatchObject({exit: 13, stdout: ''})
    expect(JSON.parse(unconfirmed.stderr).error.try).toBe('add --confirm push.example.com')
    expect(await cli(prove(...other, '--confirm', 'app-1'), {env})).toMatchObject({exit: 13, stdout: ''})
    expect(asked).toEqual([])
    expect((await cli(prove(...other, '--confirm', 'push.example.com'), {env})).exit).toBe(0)
    expect(asked).toEqual(['push.example.com:443'])
  })

  test('that is another is typed on a terminal', async () => {
    const gateway = await serveGateway({keys})
    const {env} = await proxyTo(gateway.port)
    const line = prove('--server', 'https://push.example.com', '--ca-file', gateway.caFile)
    const {env: colour = {}, ...circumstances} = terminal(120, 'push.example.com')
    expect(await cli(line, {...circumstances, env: {...colour, ...env}})).toMatchObject({exit: 0})
    const declined = terminal(120, 'no')
    expect(await cli(line, {...declined, env: {...declined.env, ...env}})).toMatchObject({exit: 13, stdout: ''})
    expect(gateway.pushed).toHaveLength(1)
  })

  test('is refused by its form, and where it is the other environment', async () => {
    const cases = [
      ['http://127.0.0.1'],
      ['http://api.push.apple.com'],
      ['api.push.apple.com'],
      ['https://api.push.apple.com/3/device'],
      ['https://user:hunter2@api.push.apple.com'],
      ['https://api.push.apple.com?a=1'],
      ['https://api.push.apple.com', 'development'],
      ['https://api.push.apple.com:2197', 'both'],
      ['https://api.sandbox.push.apple.com', 'production'],
      ['https://api.development.push.apple.com', 'production'],
      ['https://API.development.push.apple.com:443'],
      ['https://api.sandbox.push.apple.com:2197'],
      ['https://api.new.push.apple.com'],
      ['https://gateway.sandbox.push.apple.com'],
      ['https://push.apple.com'],
    ]
    await everyCase(cases, async (server, environment) => {
      const named = environment === undefined ? [] : ['--environment', environment]
      const ran = await cli(prove('--server', server ?? '', ...named, '--dry-run'))
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).not.toContain('hunter2')
    })
  })

  test('below push.apple.com is asked about the environment that is named', async () => {
    const servers = [
      ['https://api.development.push.apple.com', 'development'],
      ['https://api.development.push.apple.com:2197', 'development'],
      ['https://api.new.push.apple.com', 'production'],
      ['https://api.new.push.apple.com', 'development'],
    ] as const
    await everyCase(servers, async (server, environment) => {
      const ran = await cli(prove('--server', server, '--environment', environment, '--dry-run', '-o', 'json'))
      const note = expect.stringContaining(`in the ${environment} environment`)
      expect(JSON.parse(ran.stdout)).toMatchObject([{note, url: expect.stringContaining(server)}])
    })
  })

  test.each(['https://evilpush.apple.com', 'https://push.apple.com.example.org', 'https://api.push.apple.com.'])(
    '%s is not Apple’s',
    async (server) => {
      expect(await cli(prove('--server', server))).toMatchObject({exit: 13, stdout: ''})
    },
  )

  test('comes from neither environment nor profile', async () => {
    const gateway = await serveGateway({keys})
    const env = {
      HTTPS_PROXY: 'http://127.0.0.1:1',
      ROOMCTL_SERVER: gateway.url,
      ROOMCTL_PUSH_SERVER: gateway.url,
      ROOMCTL_PUSH_URL: gateway.url,
      ROOMCTL_CA_FILE: gateway.caFile,
    }
    expect(await cli(prove('-o', 'json'), {env})).toMatchObject({exit: 10})
    expect(gateway.connections()).toBe(0)
  })
})

describe('a credential that cannot be proven connects to nothing', () => {
  const expired = workshop.certificate({from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z'})
  const certificate = (pems: string[]) => workshop.p12({certificates: pems, password})
  const nameless = workshop.file('key.p8', pem)
  const missing = workshop.file('truncated.p8', pem.slice(0, 100))
  const cases: [string, string[], number][] = [
    ['no team id', [file, '--bundle-id', 'com.example.rooms'], 2],
    ['no bundle id', [file, '--team-id', 'TEAM123456'], 2],
    ['no key id', [nameless, ...ids], 2],
    ['a bundle id of another form', [file, '--bundle-id', 'com.example.*', '--team-id', 'TEAM123456'], 2],
    ['ids that are swapped', [file, '--bundle-id', 'com.example.rooms', '--team-id', 'KEY7654321'], 14],
    ['a key id for a certificate', [p12, '--password-file', passwordFile, '--key-id', 'KEY7654321'], 2],
    ['another bundle id than the certificate', [p12, '--password-file', passwordFile, '--bundle-id', 'com.other'], 14],
    ['a wrong password', [p12, '--password-file', workshop.file('wrong.txt', 'battery')], 14],
    ['no password', [p12], 2],
    [
      'an expired certificate',
      [workshop.file('expired.p12', certificate([expired])), '--password-file', passwordFile],
      14,
    ],
    ['a key that is cut off', [missing, ...ids], 14],
    ['a file that is not there', ['nowhere.p8', ...ids], 14],
    ['another file', [passwordFile, ...ids], 14],
    ['an environment that is none', [file, ...ids, '--environment', 'staging'], 2],
  ]

  test('and ends with 2 or 14', async () => {
    const gateway = await serveGateway({keys})
    await everyCase(cases, async (_, words, exit) => {
      const line = ['push', 'prove', ...words, '--server', gateway.url, '--ca-file', gateway.caFile]
      expect(await cli(line)).toMatchObject({exit, stdout: ''})
    })
    expect(gateway.connections()).toBe(0)
  })

  test('as does a dry run, which shows what would go where', async () => {
    for (const line of [['push', 'prove', file, ...ids], byCertificate]) {
      const gateway = await serveGateway({keys})
      const words = [...line, '--server', gateway.url, '--dry-run']
      const ran = await cli(words)
      expect(ran).toMatchObject({exit: 0, stderr: ''})
      const host = new URL(gateway.url).host
      expect(ran.stdout.split('\n')).toEqual([
        expect.stringMatching(`^would ask ${host} whether it accepts .* for com.example.rooms in production$`),
        `would send: POST ${gateway.url}/3/device/${'0'.repeat(64)}`,
        '  {"aps":{"content-available":1}}',
        '',
      ])
      const shown = await cli(['push', 'prove', ...line.slice(2), '--environment', 'both', '--dry-run', '-o', 'json'])
      expect(JSON.parse(shown.stdout).map(({url}: {url: string}) => new URL(url).host)).toEqual([
        'api.push.apple.com',
        'api.sandbox.push.apple.com',
      ])
      expect(gateway.connections()).toBe(0)
    }
  })

  test('and asks on a terminal for the ids that the file does not have', async () => {
    const gateway = await serveGateway({keys})
    const {env, ...circumstances} = terminal(120, 'TEAM123456', 'com.example.rooms')
    const line = ['push', 'prove', file, '--server', gateway.url, '--ca-file', gateway.caFile]
    expect(await cli(line, {...circumstances, env: {...env}})).toMatchObject({
      exit: 0,
      asked: ['Team id:', 'Bundle id:'],
    })
  })
})
