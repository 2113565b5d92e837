import {webcrypto} from 'node:crypto'
import http2 from 'node:http2'
import type {AddressInfo, Socket} from 'node:net'
import tls from 'node:tls'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {afterFile} from './afterFile.js'

/** A request as it came to the gateway. */
export interface Pushed {
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  /** The TLS name that the client asked for; false for an address. */
  readonly servername: string | false
  /** The subject's UID of the client's certificate. */
  readonly client: string | undefined
}

/** The gateway's answer: a status with a reason, a raw body, or an invalid answer. */
export type GatewayAnswer =
  | {readonly status: number; readonly reason?: string; readonly body?: string; readonly headers?: object}
  | 'silent'
  | 'cut'
  | 'slow'
  | 'endless'

/** Its behaviour on a connection after a request, by frames that are made by hand. */
export type Frames =
  | ('lost' | 'goaway' | 'goaway-late' | 'goaway-answered' | 'rst-stream' | 'lost-answered' | 'garbage')
  /** GOAWAY with a reason, and perhaps a second one without. */
  | {readonly reason: string; readonly frames: number}

/** A key that the gateway knows. */
export interface KnownKey {
  readonly keyId: string
  readonly teamId: string
  /** PEM of the public or private key. */
  readonly publicKey: string
}

export interface GatewayOptions {
  readonly keys?: readonly KnownKey[]
  readonly topics?: readonly string[]
  /** Which of the two APNs judges first. */
  readonly order?: 'topic' | 'device'
  /** The gateway's clock. */
  readonly now?: () => Date
  /** Whether a token is signed with a key; by WebCrypto otherwise. */
  readonly verified?: (text: string, signature: Buffer, publicKey: string) => boolean | Promise<boolean>
  /** In place of its judgement; undefined for that. */
  readonly answer?: (request: Pushed, nth: number) => GatewayAnswer | undefined | Promise<GatewayAnswer | undefined>
  readonly frames?: (connection: number) => Frames | undefined
  /** Called when a client has all that it gets of an answer that never ends: the time to let its deadline pass. */
  readonly onWait?: () => void
}

/** The gateway of a test: its requests and its address. */
export interface Gateway {
  readonly url: string
  readonly port: number
  /** `127.0.0.1:1234`, as rows name it. */
  readonly host: string
  /** A file with the authority that signed its certificate. */
  readonly caFile: string
  readonly pushed: Pushed[]
  /** How many connections there were. */
  readonly connections: () => number
  /** How many connections are open now. */
  readonly open: () => number
}

const made = new TestCredentials()
const from = '2020-01-01T00:00:00Z'
const authority = made.certificate({key: 'gateway-ca', name: 'Gateway Authority', authority: true, from})
const own = made.certificate({
  key: 'gateway',
  name: 'gateway',
  alternatives: 'IP:127.0.0.1,DNS:localhost,DNS:api.push.apple.com,DNS:api.sandbox.push.apple.com,DNS:push.example.com',
  issuer: {certificate: authority, key: 'gateway-ca'},
  from,
})

/** The certificate of all gateways, its key, and the authority that signed it. */
export const gatewayCertificate = {cert: own, key: made.key('gateway'), ca: authority}

/** The file of the authority of all gateways. */
export const gatewayCa = made.file('gateway-ca.pem', authority)

/** A gateway of APNs on a port of this machine, until the tests of the file are over. It shares no code with what it tests. */
export async function serveGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const pushed: Pushed[] = []
  const judge = http2.createServer()
  judge.on('sessionError', () => undefined)
  judge.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', async () => {
      const socket = stream.session?.socket as tls.TLSSocket
      const {servername} = socket
      const request = {
        headers,
        body: Buffer.concat(pieces).toString(),
        servername: servername ?? false,
        client: uidOf(socket),
      }
      pushed.push(request)
      const given = (await options.answer?.(request, pushed.length)) ?? (await judgement(request, options))
      // A client that was killed meanwhile gets no answer.
      if (stream.destroyed || stream.closed) return
      send(stream, given)
      if (given === 'silent' || given === 'slow' || given === 'endless') stream.session?.ping(() => options.onWait?.())
    })
  })
  let connections = 0
  const sockets = new Set<Socket>()
  const server = tls.createServer(
    {cert: own, key: made.key('gateway'), ALPNProtocols: ['h2'], requestCert: true, rejectUnauthorized: false},
    (socket) => {
      connections += 1
      const frames = options.frames?.(connections)
      if (frames === undefined) judge.emit('connection', socket)
      else sendFrames(socket, frames)
    },
  )
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => undefined)
  server.on('secureConnection', (socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const {port} = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    url: `https://${host}`,
    port,
    host,
    caFile: gatewayCa,
    pushed,
    connections: () => connections,
    open: () => sockets.size,
  }
}

/** Judges as Apple does: the request, the credential, then the topic and the device, in either order. */
async function judgement(request: Pushed, options: GatewayOptions): Promise<GatewayAnswer> {
  const {headers, client} = request
  const malformed = malformation(request)
  if (malformed) return malformed
  const refused = client === undefined ? await tokenRefusal(String(headers.authorization ?? ''), options) : undefined
  if (refused !== undefined) return {status: 403, reason: refused}
  const {topics = ['com.example.rooms'], order = 'device'} = options
  const topic = String(headers['apns-topic'])
  const allowed = client === undefined ? topics.includes(topic) : topic === client
  const topicFirst = [
    ...(allowed ? [] : [{status: 400, reason: 'TopicDisallowed'}]),
    ...(/0{64}$/u.test(String(headers[':path'])) ? [{status: 400, reason: 'BadDeviceToken'}] : []),
  ]
  return (order === 'device' ? topicFirst.at(-1) : topicFirst[0]) ?? {status: 200}
}

function malformation({headers, body}: Pushed): GatewayAnswer | undefined {
  if (headers[':method'] !== 'POST') return {status: 405, reason: 'MethodNotAllowed'}
  if (!/^\/3\/device\/[0-9a-f]{64}$/u.test(String(headers[':path']))) return {status: 404, reason: 'BadPath'}
  if (body === '' || typeof JSON.parse(body).aps !== 'object') return {status: 400, reason: 'PayloadEmpty'}
  const isBackground = headers['apns-push-type'] === 'background' && headers['apns-priority'] === '5'
  return isBackground ? undefined : {status: 400, reason: 'BadPriority'}
}

/** Whole seconds from 1970, as a token has them. */
const hour = 3600

async function tokenRefusal(authorization: string, options: GatewayOptions): Promise<string | undefined> {
  const [, head = '', claims = '', signature = ''] =
    /^bearer ([\w-]+)\.([\w-]+)\.([\w-]{86})$/u.exec(authorization) ?? []
  if (signature === '') return 'MissingProviderToken'
  const {alg, kid, ...others} = JSON.parse(Buffer.from(head, 'base64url').toString())
  const {iss, iat, ...more} = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (Object.keys(others).length > 0 || Object.keys(more).length > 0 || alg !== 'ES256') return 'InvalidProviderToken'
  const key = options.keys?.find(({keyId, teamId}) => keyId === kid && teamId === iss)
  const verified = options.verified ?? verifiedByWebCrypto
  if (!key || !(await verified(`${head}.${claims}`, Buffer.from(signature, 'base64url'), key.publicKey))) {
    return 'InvalidProviderToken'
  }
  const seconds = Math.floor((options.now?.() ?? new Date('2026-12-01T12:00:00Z')).getTime() / 1000)
  if (!Number.isInteger(iat) || Math.abs(seconds - iat) > hour) return 'ExpiredProviderToken'
  return undefined
}

async function verifiedByWebCrypto(text: string, signature: Buffer, pem: string): Promise<boolean> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/gu, ''), 'base64')
  const ecdsa = {name: 'ECDSA', namedCurve: 'P-256'}
  const key = await webcrypto.subtle.importKey('spki', der, ecdsa, false, ['verify'])
  return webcrypto.subtle.verify({name: 'ECDSA', hash: 'SHA-256'}, key, signature, Buffer.from(text))
}

function uidOf(socket: tls.TLSSocket): string | undefined {
  const subject: Readonly<Record<string, unknown>> = {...socket.getPeerCertificate()?.subject}
  return typeof subject.UID === 'string' ? subject.UID : undefined
}

/** The answer of APNs to a credential that it accepts. */
const acceptance = '{"reason":"BadDeviceToken"}'

function send(stream: http2.ServerHttp2Stream, given: GatewayAnswer): void {
  if (given === 'silent') return
  if (given === 'cut' || given === 'slow') {
    stream.respond({':status': 400})
    stream.write('{"reason":"BadDevice')
    // The client has what was sent when it answers a ping.
    if (given === 'cut') stream.session?.ping(() => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
    return
  }
  if (given === 'endless') {
    stream.respond({':status': 400})
    stream.write(acceptance)
    return
  }
  const {status, reason, body = reason === undefined ? '' : JSON.stringify({reason}), headers} = given
  stream.respond({':status': status, 'apns-id': '7A1B', ...headers})
  stream.end(body)
}

/** A frame of HTTP/2 (RFC 9113 §4.1). */
function frame(type: number, stream: number, payload: Buffer = Buffer.alloc(0), flags = 0): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const settings = frame(4, 0)

function goaway(last: number, code: number, data: string): Buffer {
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(last, 0)
  numbers.writeUInt32BE(code, 4)
  return frame(7, 0, Buffer.concat([numbers, Buffer.from(data)]))
}

/** HEADERS with `:status: 400` of the static table, and DATA, which ends the stream or leaves that to another frame. */
function answered(endsStream: boolean): Buffer {
  return Buffer.concat([frame(1, 1, Buffer.from([0x8c]), 4), frame(0, 1, Buffer.from(acceptance), endsStream ? 1 : 0)])
}

function framesOf(frames: Frames): Buffer {
  if (frames === 'goaway-answered') return Buffer.concat([settings, answered(true), goaway(1, 0, '')])
  if (frames === 'lost-answered') return Buffer.concat([settings, answered(false)])
  if (frames === 'garbage') return Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n<html>')
  if (frames === 'rst-stream') return Buffer.concat([settings, frame(3, 1, Buffer.from([0, 0, 0, 2]))])
  if (typeof frames === 'object') {
    const first = goaway(1, 0, JSON.stringify({reason: frames.reason}))
    return Buffer.concat([settings, first, ...(frames.frames > 1 ? [goaway(1, 0, '')] : [])])
  }
  // It refuses the stream, or says only that it was the last one.
  return Buffer.concat([settings, goaway(frames === 'goaway' ? 0 : 1, 0, '{"reason":"Shutdown"}')])
}

/** Leaves the connection open after the client has closed its side; only a client that has left altogether resets it. */
function staysOpen(socket: tls.TLSSocket): void {
  socket.allowHalfOpen = true
  socket.once('end', () => {
    const writing = setInterval(() => socket.write(settings), 10)
    socket.once('close', () => clearInterval(writing))
  })
}

function sendFrames(socket: tls.TLSSocket, frames: Frames): void {
  // The request has come when its body has; how many pieces that takes says nothing.
  let seen = Buffer.alloc(0)
  socket.on('data', (piece) => {
    seen = Buffer.concat([seen, piece])
    if (!seen.includes('content-available')) return
    seen = Buffer.alloc(0)
    if (frames === 'lost') {
      socket.destroy()
      return
    }
    if (frames === 'goaway-answered') staysOpen(socket)
    socket.write(framesOf(frames))
    if (typeof frames === 'object' || frames === 'garbage' || frames === 'goaway-late' || frames === 'lost-answered')
      socket.end()
  })
}
