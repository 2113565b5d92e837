import {chmodSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {onTestFinished, vi} from 'vitest'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {lost, page, reply, sandboxOf} from '../commands/answers.js'
import {live} from '../commands/live.js'
import {proxyTo} from '../commands/push/proving.js'
import {knownKeys, made, newFile, oldFile, RegisteredConfiguration} from '../commands/push/registeredKeys.js'
import {pushWire} from '../commands/push/wire.js'
import {type GatewayOptions, gatewayCa, gatewayCertificate, serveGateway} from '../support/gateway.js'
import {sealed} from '../support/logText.js'
import {tlsServer} from '../support/tlsServer.js'
import {
  type AdviceRow,
  answering,
  closed,
  cutUpload,
  file,
  own,
  type Place,
  profile,
  terminal,
  token,
  upload,
} from './adviceRows.js'

const filledIn = (values: Readonly<Record<string, string>>) => (place: Place) => Object.assign(place.values, values)

async function twoCutUploads(place: Place): Promise<void> {
  await cutUpload(place)
  const other = path.join(place.home, 'other.txt')
  writeFileSync(other, 'other')
  filledIn({FILE: other})(place)
  await cutUpload(place)
}

function latch() {
  let open = () => undefined as unknown
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {opened, open: () => open()}
}

/** An upload that another run is busy with until the test ends. */
async function heldUpload({run, store}: Place): Promise<void> {
  const [sending, held] = [latch(), latch()]
  const transport: Transport = async (request) => {
    if (request.method === 'PATCH') {
      sending.open()
      await held.opened
    }
    return sandboxOf(store)(request)
  }
  const other = run(upload, {transport})
  onTestFinished(async () => {
    held.open()
    await other
  })
  await sending.opened
}

/** An upload whose address in the ledger is that of another service. */
async function movedUpload(place: Place): Promise<void> {
  await cutUpload(place)
  const ledger = path.join(place.home, '.local/state/roomctl/uploads/uploads.jsonl')
  writeFileSync(
    ledger,
    sealed(
      readFileSync(ledger, 'utf8').replaceAll(
        'sandbox.localhost/asset/games/puzzle/',
        'other.localhost/asset/games/puzzle/',
      ),
    ),
  )
}

const ios = {ROOMCTL_APPLICATION_ID: 'app-1', ROOMCTL_P12_PASSWORD: 'secret'} as const
const p12 = made.file('push.p12', made.p12())
const certificate = made.file('AuthKey_CERTIFIC12.p8', made.certificate())
const files = {OLD: oldFile, NEW: newFile, P12: p12}
const refused = {status: 403, reason: 'InvalidProviderToken'}

/** A service at which OLD is registered, and Apple, which refuses requests after the first. */
async function apple(
  answer: NonNullable<GatewayOptions['answer']> = (_, nth) => (nth > 1 ? refused : undefined),
  prepare?: (configuration: RegisteredConfiguration) => void,
) {
  const configuration = new RegisteredConfiguration()
  prepare?.(configuration)
  const service = await pushWire((request, nth) => configuration.answer(request, nth))
  const gateway = await serveGateway({keys: knownKeys, answer})
  const {env} = await proxyTo(gateway.port)
  return {
    env: {...service.env, ...ios, ...env, NO_PROXY: '127.0.0.1', ROOMCTL_CA_FILE: gateway.caFile, ROOMCTL_RETRIES: '0'},
  }
}

const ofKeyring = profile({tokenStore: 'keyring', credentials: {room: {store: 'keyring', origin: closed}}})

/** The package of the keyring until the test ends: an empty keyring, a locked one, or a single file, which cannot load it. */
function keyring({isLocked = false, isSingleFile = false} = {}): void {
  const kept = new Map<string, string>()
  class AsyncEntry {
    constructor(
      _service: string,
      readonly account: string,
    ) {
      if (isLocked) throw new Error('locked')
    }
    getPassword = async () => kept.get(this.account) ?? null
    setPassword = async (secret: string) => kept.set(this.account, secret)
  }
  vi.doMock('@napi-rs/keyring', () => {
    if (isSingleFile) throw new Error('no native code')
    return {AsyncEntry}
  })
  vi.doMock('node:sea', () => ({isSea: () => isSingleFile}))
  onTestFinished(() => {
    for (const name of ['@napi-rs/keyring', 'node:sea']) vi.doUnmock(name)
  })
}

/** States that take more than a line: signals, other programs, faulty services. */
export const stateRows: readonly AdviceRow[] = [
  // Signals and the ends of runs.
  {
    line: 'asset resume',
    state: twoCutUploads,
    where: answering(
      ({method}) => method === 'PATCH',
      () => page(502),
    ),
  },
  {
    line: 'config init',
    where: async () => {
      const {origin} = await live()
      return {...terminal, ...own, answers: ['', 'live', `${origin}/media`, 'wrong', '', '', '', '', 'host', false]}
    },
  },
  {line: 'room end r-standup r-support --yes', where: {...terminal, rows: 7}},
  {
    line: 'room end r-1 r-2 --as ann --yes --concurrency 2',
    where: () => {
      const leaving = new AbortController()
      return {
        leaving: leaving.signal,
        transport: async () => {
          leaving.abort()
          throw lost('reset', 'maybe')
        },
      }
    },
  },
  {
    line: 'room watch r-standup --timeout 100ms --retries 0',
    where: {
      transport: ({signal}) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(lost('aborted', 'maybe')))),
    },
  },
  // Apple and its credentials.
  {line: 'push ios CERTIFICATE', state: filledIn({CERTIFICATE: certificate, FILE: p12}), where: {env: ios}},
  {
    line: 'push ios NEW --team-id TEAM123456 --bundle-id com.example.rooms --prove --confirm app-1',
    state: filledIn({...files, FILE: newFile}),
    where: () => apple((_, nth) => (nth === 1 ? refused : undefined)),
  },
  // Keyrings.
  {
    line: 'config login room',
    state: (place) => [profile({tokenStore: 'keyring'})(place), keyring({isLocked: true})],
    where: {...own, stdin: 'token'},
  },
  {line: 'room list', state: (place) => [ofKeyring(place), keyring()], where: own},
  {line: 'room list', state: (place) => [ofKeyring(place), keyring({isSingleFile: true})], where: own},
  // Other programs, disks and answers.
  {
    line: 'doctor -o json',
    state: (place) => {
      profile({credentials: {room: token}})(place)
      chmodSync(path.join(place.home, '.config/roomctl/config.json'), 0o644)
    },
    where: own,
  },
  {
    line: upload,
    where: answering(
      ({method}) => method === 'POST',
      () => reply('', {status: 201, headers: {location: 'https://other.example/games/puzzle/1'}}),
    ),
  },
  {line: 'asset forget UPLOAD', state: heldUpload},
  {line: 'asset resume UPLOAD', state: movedUpload},
  {
    line: `${upload} --name Größe.txt`,
    state: profile(),
    settings: own,
    where: ({store}) => ({
      transport: (request) =>
        sandboxOf(store)(
          request.headers.Original_File_Name === undefined
            ? request
            : {...request, headers: {...request.headers, Original_File_Name: 'Gr__e.txt'}},
        ),
    }),
  },
  {
    line: 'sandbox reset --data DATA',
    state: (place) => [file('data', 'a file')(place), filledIn({DIR: path.join(place.home, 'elsewhere')})(place)],
  },
  {
    line: 'asset download games/puzzle/a-level1 --dir DATA',
    where: answering(
      ({method, url}) => method === 'GET' && url.pathname.endsWith('a-level1'),
      () => reply(JSON.stringify({originalFileName: 'a', platform: 'ios', trashed: false, dataUrl: 'ftp://x/y'})),
    ),
  },
  {
    line: 'push register ann --type ANDROID',
    state: profile({'push.url': 'http://192.0.2.1', allowHttp: true}),
    where: {...own, stdin: 'token'},
    settings: own,
  },
  {
    line: 'doctor -o json',
    where: async () => {
      const {origin} = await live()
      return {env: {...own.env, ROOMCTL_ASSET_URL: `${origin}/asset`, ROOMCTL_ASSET_TOKEN: sandboxToken}}
    },
  },
  {
    line: 'doctor -o json',
    state: filledIn({FILE: gatewayCa}),
    where: async () => {
      const {port} = await tlsServer(gatewayCertificate.cert, gatewayCertificate.key)
      return {
        env: {
          ...own.env,
          ROOMCTL_ROOM_URL: `https://127.0.0.1:${port}`,
          ROOMCTL_ROOM_TOKEN: 'token',
          ROOMCTL_TIMEOUT: '200ms',
        },
      }
    },
  },
]
