import {describe, expect, test, vi} from 'vitest'
import {withCredential, withTrace} from '../../../../../src/api/http/transports/selectTransport.js'
import {type Transport, WireError, type WireRequest} from '../../../../../src/api/http/wire/transport.js'
import {Secrets} from '../../../../../src/redaction/secrets.js'
import {safeText} from '../../../../../src/text/text.js'
import {answerWith, get, text, wireError} from '../support.js'

const HERE = new URL('https://h.test:8443/media/v1/rooms')

/** A transport that answers with `body` and keeps its requests. */
function answering(body = 'ok', headers: Record<string, string> = {}): {transport: Transport; asked: WireRequest[]} {
  const asked: WireRequest[] = []
  const transport: Transport = async (request) => {
    asked.push(request)
    return answerWith(body, headers)
  }
  return {transport, asked}
}

describe('a credential', () => {
  const credential = {origin: 'https://h.test:8443', header: async () => ({Authorization: 'Bearer t'})}

  test('is sent to its origin', async () => {
    const {transport, asked} = answering()
    await withCredential(transport, credential)(get(HERE, {headers: {Accept: 'x'}}))
    expect(asked[0]?.headers).toEqual({Accept: 'x', Authorization: 'Bearer t'})
  })

  test.each(['http://h.test:8443/', 'https://h.test/', 'https://evil.test:8443/', 'https://a.h.test:8443/'])(
    'is not sent to %s, and neither is the request',
    async (address) => {
      const {transport, asked} = answering()
      const header = vi.fn(credential.header)
      const error = await wireError(withCredential(transport, {...credential, header})(get(new URL(address))))
      expect([error.problem, error.sent, asked.length]).toEqual(['aborted', 'no', 0])
      expect(error.message).toContain('the credential is for https://h.test:8443')
      expect(header).not.toHaveBeenCalled()
    },
  )

  test('that is not available fails the request before anything is sent', async () => {
    const {transport, asked} = answering()
    const broken = withCredential(transport, {...credential, header: () => Promise.reject(new Error('no keyring'))})
    await expect(broken(get(HERE))).rejects.toThrow('no keyring')
    expect(asked).toEqual([])
  })
})

describe('a trace', () => {
  function traced(transport: Transport): {send: Transport; lines: string[]; secrets: Secrets} {
    const lines: string[] = []
    const secrets = new Secrets()
    const send = withTrace(transport, (line) => lines.push(safeText(line.replace(/\d+ ms/, 'N ms'))), secrets)
    return {send, lines, secrets}
  }

  test('shows request, answer and body, a line each, without the credential', async () => {
    const {transport} = answering('{"status":"SUCCESS"}', {'content-type': 'application/json', 'set-cookie': 's=1'})
    const {send, lines} = traced(transport)
    const headers = {Authorization: 'Bearer t', 'Content-Type': 'application/json'}
    const answer = await send(get(HERE, {method: 'POST', headers, body: '{"name":"a\nb"}'}))
    expect(await text(answer)).toBe('{"status":"SUCCESS"}')
    expect(lines).toEqual([
      '> POST https://h.test:8443/media/v1/rooms | Authorization: *** | Content-Type: application/json | {"name":"a\\u{a}b"}',
      '< 200 in N ms | content-type: application/json | set-cookie: ***',
      '< body, 20 bytes: {"status":"SUCCESS"}',
    ])
  })

  test('shows a failure', async () => {
    const {send, lines} = traced(() => Promise.reject(new WireError('refused', 'no', 'cannot reach h.test:8443')))
    await wireError(send(get(HERE)))
    expect(lines.at(-1)).toBe('! after N ms: cannot reach h.test:8443')
  })

  test('masks secrets in every place and cuts only after that', async () => {
    const secret = 'pa55 w/rd&"방"'
    const long = `${'x'.repeat(2040)}${secret}`
    const {transport} = answering(JSON.stringify({echo: long}), {'content-type': 'text/plain', 'x-echo': secret})
    const {send, lines, secrets} = traced(transport)
    secrets.add(secret)
    const url = new URL(`https://h.test/?apns=${encodeURIComponent(secret)}`)
    await text(await send(get(url, {method: 'POST', body: long})))
    const shown = lines.join('\n')
    expect(shown).not.toMatch(/pa55|w%2Frd|방/)
    expect(shown).toContain('***')
    for (const line of lines) expect(line.length).toBeLessThan(2300)
  })

  test('shows the size of bytes that are not text, and nothing of a streamed body', async () => {
    const {transport} = answering('\u0000\u0001', {'content-type': 'application/octet-stream'})
    const {send, lines} = traced(transport)
    await text(await send(get(HERE, {method: 'PUT', body: new Uint8Array(5)})))
    const stream = (async function* () {
      yield new Uint8Array(1)
    })()
    await send(get(HERE, {method: 'PUT', body: stream}))
    expect(lines[0]).toBe('> PUT https://h.test:8443/media/v1/rooms | 5 bytes')
    expect(lines[2]).toBe('< body, 2 bytes')
    expect(lines[3]).toBe('> PUT https://h.test:8443/media/v1/rooms | a streamed body')
  })

  test('escapes control characters of a terminal', async () => {
    const evil = `\u001b[2J\u009b31m\u202e\u200b\r\n\u2028${'\u0301'.repeat(20)}`
    const {transport} = answering(evil, {'content-type': 'text/html', 'x-a': '\u009b1m'})
    const {send, lines} = traced(transport)
    await text(await send(get(HERE)))
    expect(lines.join('')).not.toMatch(/[\p{C}\p{Zl}]|\p{Mn}{9}/u)
    expect(lines.at(-1)).toContain('\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{200b}\\u{d}\\u{a}\\u{2028}')
  })
})
