import https from 'node:https'
import net from 'node:net'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {
  type GatewayAnswer,
  type GatewayOptions,
  gatewayCa,
  gatewayCertificate,
  serveGateway,
} from '../../support/gateway.js'
import {closedPort, listen} from '../../support/listen.js'
import {
  answering,
  byCertificate,
  file,
  ids,
  keys,
  passDeadline,
  proven,
  publicKeyOf,
  row,
  rowsOf,
  stepDeadlines,
  workshop,
} from './proving.js'

describe('a credential that Apple accepts', () => {
  test.each(['topic', 'device'] as const)('is a key, where the %s is judged first', async (order) => {
    const {gateway, exit, stderr, rows} = await rowsOf({order})
    expect({exit, stderr, rows}).toEqual({
      exit: 0,
      stderr: '',
      rows: [row('accepted', 'BadDeviceToken', 400, gateway.host)],
    })
    expect(
      gateway.pushed.map(({headers}) => [headers[':path'], headers['apns-topic'], headers['apns-expiration']]),
    ).toEqual([[`/3/device/${'0'.repeat(64)}`, 'com.example.rooms', '0']])
  })

  test('is a certificate, shown by TLS and without a token', async () => {
    for (const order of ['topic', 'device'] as const) {
      const {gateway, exit, rows} = await rowsOf({order}, {line: byCertificate})
      expect({exit, rows}).toEqual({exit: 0, rows: [row('accepted', 'BadDeviceToken', 400, gateway.host)]})
      expect(gateway.pushed).toMatchObject([
        {client: 'com.example.rooms', headers: {'apns-topic': 'com.example.rooms'}},
      ])
      expect(gateway.pushed[0]?.headers).not.toHaveProperty('authorization')
    }
  })

  test('shows the verdict to people in a table and a sentence', async () => {
    const {ran} = await proven()
    expect(ran.exit).toBe(0)
    expect(ran.stdout.split('\n').map((line) => line.split(/\s{2,}/u).slice(0, 4))).toMatchObject([
      ['ENVIRONMENT', 'VERDICT', 'REASON', 'HTTP STATUS'],
      ['production', 'accepted', 'BadDeviceToken', expect.stringMatching(/^\s*400/u)],
      [''],
    ])
    expect(ran.stderr).toMatch(/^production: Apple accepts the key.* did not refuse the topic com\.example\.rooms\n$/u)
    const {ran: quiet} = await proven({}, {more: ['-q']})
    expect(quiet).toMatchObject({exit: 0, stdout: 'production\n', stderr: ''})
  })
})

/** Apple's table of reasons, with the verdicts on a key. Others are `unknown`. */
const table: readonly (readonly [number, string, string?])[] = [
  [400, 'BadCollapseId'],
  [400, 'BadDeviceToken', 'accepted'],
  [400, 'BadExpirationDate'],
  [400, 'BadMessageId'],
  [400, 'BadPriority'],
  [400, 'BadTopic', 'topic'],
  [400, 'DeviceTokenNotForTopic'],
  [400, 'DuplicateHeaders'],
  [400, 'IdleTimeout'],
  [400, 'InvalidPushType'],
  [400, 'MissingDeviceToken'],
  [400, 'MissingTopic'],
  [400, 'PayloadEmpty'],
  [400, 'TopicDisallowed', 'topic'],
  [403, 'BadCertificate'],
  [403, 'BadCertificateEnvironment', 'wrong-environment'],
  [403, 'BadEnvironmentKeyIdInToken', 'wrong-environment'],
  [403, 'BadEnvironmentKeyInToken', 'wrong-environment'],
  [403, 'ExpiredProviderToken', 'clock'],
  [403, 'Forbidden'],
  [403, 'InvalidProviderToken', 'ids-or-key'],
  [403, 'MissingProviderToken'],
  [403, 'UnrelatedKeyIdInToken'],
  [404, 'BadPath'],
  [405, 'MethodNotAllowed'],
  [410, 'ExpiredToken'],
  [410, 'Unregistered'],
  [413, 'PayloadTooLarge'],
  [429, 'TooManyProviderTokenUpdates'],
  [429, 'TooManyRequests'],
  [500, 'InternalServerError'],
  [503, 'ServiceUnavailable'],
  [503, 'Shutdown'],
]

describe('what Apple answers', () => {
  test('is reported by the exact pair of status and reason, for each of its table', async () => {
    const answered = await answering()
    await everyCase(table, async (status, reason, verdict = 'unknown') => {
      const {gateway, exit, rows} = await answered({status, reason})
      const expected = [row(verdict, reason, status, gateway.host)]
      expect({exit, rows}).toEqual({exit: verdict === 'accepted' ? 0 : 15, rows: expected})
    })
  })

  test('is unknown with the same reason under another status, but for the wrong environment', async () => {
    const pairs = [
      [418, 'BadDeviceToken', 'unknown'],
      [400, 'baddevicetoken', 'unknown'],
      [403, 'BadDeviceToken', 'unknown'],
      [400, 'ExpiredProviderToken', 'unknown'],
      [400, 'BadCertificateEnvironment', 'wrong-environment'],
      [400, 'BadEnvironmentKeyIdInToken', 'wrong-environment'],
    ] as const
    const answered = await answering()
    await everyCase(pairs, async (status, reason, verdict) => {
      const {gateway, exit, rows} = await answered({status, reason})
      expect({exit, rows}).toEqual({exit: 15, rows: [row(verdict, reason, status, gateway.host)]})
    })
  })

  test('counts in GOAWAY like in an answer, and a second frame without a reason does not erase it', async () => {
    const reasons = [
      ['BadCertificateEnvironment', 'wrong-environment'],
      ['InvalidProviderToken', 'ids-or-key'],
      ['BadDeviceToken', 'unknown'],
    ] as const
    await everyCase(
      reasons.flatMap(([reason, verdict]) => [1, 2].map((frames) => [reason, verdict, frames] as const)),
      async (reason, verdict, frames) => {
        const {rows} = await rowsOf({frames: () => ({reason, frames})})
        expect(rows).toMatchObject([{verdict, reason, http_status: null}])
      },
    )
  })

  test('is asked for by the push type of the topic', async () => {
    const types = [
      ['com.example.rooms', 'background'],
      ['com.example.voip.rooms', 'background'],
      ['com.example.rooms.voip', 'voip'],
      ['com.example.rooms.voip-ptt', 'pushtotalk'],
      ['com.example.rooms.push-type.controls', 'controls'],
    ] as const
    await everyCase(types, async (topic, type) => {
      const line = ['push', 'prove', file, '--team-id', 'TEAM123456', '--bundle-id', topic, '--dry-run', '-o', 'json']
      const {stdout} = await cli(line)
      expect(JSON.parse(stdout)).toMatchObject([{headers: {'apns-topic': topic, 'apns-push-type': type}}])
    })
  })

  test('about a token says nothing about a certificate', async () => {
    for (const reason of ['InvalidProviderToken', 'ExpiredProviderToken']) {
      const {exit, rows} = await rowsOf({answer: () => ({status: 403, reason})}, {line: byCertificate})
      expect({exit, rows}).toMatchObject({exit: 15, rows: [{verdict: 'unknown', reason}]})
    }
  })

  test('is shown with its meaning', async () => {
    const cases: [number, string, RegExp][] = [
      [
        403,
        'InvalidProviderToken',
        /key id or team id is wrong, .* another team or of App Store Connect, revoked, or .*last hours, or the clock .* shows 2026-12-01T12:00:00/u,
      ],
      [403, 'ExpiredProviderToken', /clock of this machine, which shows 2026-12-01T12:00:00/u],
      [429, 'TooManyProviderTokenUpdates', /about 20 minutes; check the clock .* shows 2026-12-01T12:00:00/u],
      [403, 'UnrelatedKeyIdInToken', /not related to the key of the first push on this connection/u],
      [400, 'TopicDisallowed', /topic com\.example\.rooms/u],
      [403, 'BadEnvironmentKeyInToken', /the key is not for production/u],
    ]
    await everyCase(cases, async (status, reason, words) => {
      const {ran} = await proven({answer: () => ({status, reason})})
      expect(ran).toMatchObject({exit: 15, stderr: expect.stringMatching(words)})
      expect(ran.stdout).toContain(reason)
    })
  })

  test.each([
    [
      'another key of that id',
      {
        keys: [
          {
            ...keys[0],
            publicKey: publicKeyOf(workshop.key('other', 'P-256')),
          },
        ],
      },
      'ids-or-key',
    ],
    ['a key of another team', {keys: [{...keys[0], teamId: 'OTHER12345'}]}, 'ids-or-key'],
    ['another bundle id', {topics: ['com.example.other'], order: 'topic'}, 'topic'],
    ['another bundle id, judged after the device', {topics: ['com.example.other'], order: 'device'}, 'accepted'],
    ['a clock that is two hours off', {now: () => new Date('2026-12-01T14:00:01Z')}, 'clock'],
  ] as [string, GatewayOptions, string][])('is judged by the gateway itself: %s', async (_, options, verdict) => {
    const {rows} = await rowsOf(options)
    expect(rows).toMatchObject([{verdict}])
  })
})

describe('a gateway that misbehaves', () => {
  stepDeadlines()
  const misbehaviours: [string, GatewayOptions, object, number][] = [
    [
      'refuses twice by GOAWAY',
      {frames: () => 'goaway'},
      {verdict: 'unknown', reason: 'Shutdown', http_status: null},
      2,
    ],
    ['refuses once by GOAWAY', {frames: (nth) => (nth === 1 ? 'goaway' : undefined)}, {verdict: 'accepted'}, 2],
    [
      'takes the request and leaves by GOAWAY',
      {frames: () => 'goaway-late'},
      {verdict: 'unknown', reason: 'Shutdown'},
      1,
    ],
    ['resets the stream', {frames: () => 'rst-stream'}, {verdict: 'unknown', reason: 'rst-stream'}, 1],
    ['speaks no HTTP/2 after all', {frames: () => 'garbage'}, {verdict: 'unreachable', http_status: null}, 1],
    ['is silent', {answer: () => 'silent'}, {verdict: 'unreachable', reason: 'headers-timeout', http_status: null}, 1],
    ['stops amid its answer', {answer: () => 'slow'}, {verdict: 'unknown', reason: null, http_status: 400}, 1],
    ['never ends its answer', {answer: () => 'endless'}, {verdict: 'unknown', reason: null, http_status: 400}, 1],
    ['closes the connection amid its answer', {frames: () => 'lost-answered'}, {verdict: 'unknown', reason: null}, 1],
    ['answers and leaves by GOAWAY', {frames: () => 'goaway-answered'}, {verdict: 'accepted', http_status: 400}, 1],
    ['cuts its answer off', {answer: () => 'cut'}, {verdict: 'unknown', reason: null, http_status: 400}, 1],
    ['closes the connection', {frames: () => 'lost'}, {verdict: 'unreachable', reason: 'reset', http_status: null}, 1],
  ]
  const bodies: [string, GatewayAnswer, number][] = [
    [
      'a page in HTML',
      {status: 403, body: '<html>InvalidProviderToken</html>', headers: {'content-type': 'text/html'}},
      403,
    ],
    ['nothing', {status: 400, body: ''}, 400],
    ['success', {status: 200, body: ''}, 200],
    ['a list', {status: 400, body: '["BadDeviceToken"]'}, 400],
    ['a reason that is no text', {status: 400, body: '{"reason":{"a":"BadDeviceToken"}}'}, 400],
    ['a reason amid text', {status: 400, body: 'x{"reason":"BadDeviceToken"}'}, 400],
    ['a reason with controls', {status: 400, body: '{"reason":"Bad\\u001b[31mDeviceToken"}'}, 400],
    ['more than a line', {status: 400, body: `{"reason":"BadDeviceToken","more":"${'x'.repeat(100_000)}"}`}, 400],
    ['what is not UTF-8', {status: 400, body: '{"reason":"BadDeviceToken\ud800"}'}, 400],
  ]

  test('gets no verdict that it did not give', async () => {
    await everyCase(misbehaviours, async (_, options, expected, connections) => {
      const {gateway, exit, rows} = await rowsOf(options)
      expect(rows).toMatchObject([expected])
      const {verdict} = rows[0]
      expect(exit).toBe({accepted: 0, unreachable: 10}[verdict as string] ?? 15)
      expect(gateway.connections()).toBe(connections)
      // An open socket would keep the process alive.
      while (gateway.open() > 0) await nextTurn()
    })
  })

  test('and answers with a body that says nothing is unknown', async () => {
    const answered = await answering()
    await everyCase(bodies, async (_, answer, status) => {
      const {gateway, exit, rows} = await answered(answer)
      expect({exit, rows}).toEqual({exit: 15, rows: [row('unknown', null, status, gateway.host)]})
    })
  })

  test('is not followed elsewhere', async () => {
    const elsewhere = await serveGateway({keys})
    const answer = (): GatewayAnswer => ({status: 308, body: '', headers: {location: `${elsewhere.url}/3/device/1`}})
    const {exit, rows, gateway} = await rowsOf({answer})
    expect({exit, rows}).toMatchObject({exit: 15, rows: [{verdict: 'unknown', http_status: 308}]})
    expect([gateway.pushed.length, elsewhere.connections()]).toEqual([1, 0])
  })

  test('or no gateway is unreachable, and gets no request', async () => {
    const asked: string[] = []
    const old = https.createServer(gatewayCertificate, (request) => asked.push(request.url ?? ''))
    const plain = net.createServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
    const mute = net.createServer(passDeadline)
    const [oldPort, plainPort, mutePort] = [await listen(old), await listen(plain), await listen(mute)]
    const cases: [string, number, string[]][] = [
      ['HTTP/1.1 alone', oldPort, []],
      ['no TLS', plainPort, ['tls']],
      ['silence', mutePort, ['connect-timeout']],
      ['nobody', await closedPort(), ['refused']],
    ]
    await everyCase(cases, async (_, port, reasons) => {
      const server = ['--server', `https://127.0.0.1:${port}`, '--ca-file', gatewayCa]
      const ran = await cli(['push', 'prove', file, ...ids, ...server, '-o', 'json'])
      expect(ran.exit).toBe(10)
      const [found] = JSON.parse(ran.stdout)
      expect(found).toMatchObject({verdict: 'unreachable', http_status: null, host: `127.0.0.1:${port}`})
      if (reasons.length > 0) expect(reasons).toContain(found.reason)
    })
    expect(asked).toEqual([])
  })

  test('whose certificate is not trusted gets no request, even where Node is set not to check', async () => {
    const gateway = await serveGateway({keys})
    for (const env of [{}, {NODE_TLS_REJECT_UNAUTHORIZED: '0'}]) {
      const ran = await cli(['push', 'prove', file, ...ids, '--server', gateway.url, '-o', 'json'], {env})
      expect(ran.exit).toBe(10)
      const message = expect.stringMatching(/^.*127\.0\.0\.1:\d+.*certificate/u)
      expect(JSON.parse(ran.stdout)).toMatchObject([{verdict: 'unreachable', reason: 'tls', message}])
    }
    expect(gateway.pushed).toEqual([])
  })
})
