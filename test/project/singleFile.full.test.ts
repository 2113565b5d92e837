import {execFileSync, spawn} from 'node:child_process'
import {createHash, randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {beforeAll, describe, expect, test} from 'vitest'
import {buildExecutable} from '../../scripts/binary/build.js'
import {binaryNode, nodeOf, ownTarget} from '../../scripts/binary/targets.js'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {withoutWaits} from '../support/ended.js'
import {serveGateway} from '../support/gateway.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {onTerminal} from '../support/pty.js'
import {root} from '../support/repository.js'
import {installPackage, packageRoot} from './installedPackage.js'

const installed = installPackage()
/** A root folder with the single file, the libraries that it needs, and no other program. */
const jail = path.join(installed.folder, 'jail')
const unshare = execFileSync('sh', ['-c', 'command -v unshare'], {encoding: 'utf8'}).trim()
const inJail = [unshare, '--map-root-user', `--root=${jail}`, '--wd=/home']

const own = {HOME: '/home', PATH: '', LANG: 'C.UTF-8', TERM: 'xterm-256color', ROOMCTL_PROFILE: 'sandbox'}

beforeAll(async () => {
  for (const folder of ['home', 'tmp']) mkdirSync(path.join(jail, folder), {recursive: true})
  const executable = await buildExecutable(root, ownTarget, jail)
  const libraries = execFileSync('ldd', [executable], {encoding: 'utf8'}).matchAll(/\/\S+/gu)
  for (const [file] of libraries) {
    mkdirSync(path.dirname(path.join(jail, file)), {recursive: true})
    copyFileSync(file, path.join(jail, file))
    chmodSync(path.join(jail, file), 0o755)
  }
  const p12 = new TestCredentials().p12({password: '', encryption: '3des'})
  writeFileSync(path.join(jail, 'home/push.p12'), p12)
  expect((await single('sandbox seed')).exit).toBe(0)
}, 240_000)

function start(command: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = '', ...words] = command
  return spawn(program, words, {cwd: path.join(jail, 'home'), env, stdio: ['ignore', 'pipe', 'pipe']})
}

async function ended(child: ReturnType<typeof start>) {
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return {stdout, stderr: withoutWaits(stderr), exit}
}

const startSingle = (line: string, env = {}) => start([...inJail, '/roomctl', ...line.split(' ')], {...own, ...env})
const single = (line: string, env = {}) => ended(startSingle(line, env))

/** Runs the same lines by the npm package on the same Node, in the same home; paths as they are in the jail. */
function byPackage() {
  const type = inOneProcess([], [], {root: packageRoot(installed), node: nodeOf(ownTarget, root)})
  const cwd = path.join(jail, 'home')
  const env = {...own, HOME: cwd, ROOMCTL_CACHE_DIR: path.join(jail, 'tmp/cache')}
  return async (line: string) => {
    const ran = await type({words: line.split(' '), cwd, env})
    return {...ran, stdout: ran.stdout.replaceAll(jail, ''), stderr: ran.stderr.replaceAll(jail, '')}
  }
}

test('is one program of at most 125 MB', () => {
  expect(statSync(path.join(jail, 'roomctl')).size).toBeLessThan(125e6)
  expect(readdirSync(jail).filter((name) => !/^(?:lib|home|tmp)/u.test(name))).toEqual(['roomctl'])
})

test('is the same, byte by byte, when it is built again', async () => {
  const again = await buildExecutable(root, ownTarget, path.join(installed.folder, 'again'))
  const digests = [again, path.join(jail, 'roomctl')].map((file) =>
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  )
  expect(digests[0]).toBe(digests[1])
})

describe('without Node, and with an empty PATH', () => {
  test('says what the npm package says', async () => {
    // One for each part that is read from the file: code, cold packages, manifests, pages.
    const lines = [
      '--version',
      '--help',
      'room list --help',
      'help exit-codes',
      'help fields room list -o json',
      'room list -o csv --columns id,name,status',
      'room list -o yaml --columns id,name',
      'room list -o json --query [].name',
      'room show r-standup -o json',
      'room end r-standup r-townhall --dry-run',
      'asset list games/puzzle -o json',
      'push inspect push.p12',
      'explain ER001',
      'api room GET /v1/rooms',
      'config list -o json',
      'completion bash',
      'room lits',
    ]
    const type = byPackage()
    for (const line of lines) {
      const [ran, expected] = await Promise.all([single(line), type(line)])
      expect({line, ...ran}).toEqual({line, ...expected})
    }
  })

  test('keeps the code that it compiled for its next start', async () => {
    const cache = path.join(jail, 'home/.cache/roomctl')
    expect(readdirSync(cache)).toContainEqual(expect.stringMatching(/^code-[0-9a-f]{16}-v26\..*-main\.bin$/u))
    expect(readdirSync(cache).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('names itself in doctor, and says that the keyring needs the npm package', async () => {
    const {stdout} = await single('doctor -o json')
    expect(JSON.parse(stdout)[0]).toMatchObject({
      check: 'program',
      what: `single file, Node v${binaryNode}, ${ownTarget}`,
    })
    const credentials = {room: {store: 'keyring', origin: 'http://127.0.0.1:9'}}
    mkdirSync(path.join(jail, 'home/keyring'), {mode: 0o700})
    const config = {version: 1, profiles: {live: {'room.url': 'http://127.0.0.1:9/media', credentials}}}
    writeFileSync(path.join(jail, 'home/keyring/config.json'), JSON.stringify(config), {mode: 0o600})
    const refused = await single('room list -p live', {ROOMCTL_CONFIG_DIR: '/home/keyring'})
    expect(refused.exit).toBe(3)
    expect(refused.stderr).toContain('error: the keyring of this machine is not available')
    expect(refused.stderr).toContain('install roomctl from npm together with @napi-rs/keyring')
  })

  test('uploads 4 MB, and has the digest of the file', async () => {
    const bytes = randomBytes(4_000_000)
    writeFileSync(path.join(jail, 'home/level.bundle'), bytes)
    const line = 'asset upload games/puzzle level.bundle --platform ios --description Level -o json'
    const {stdout, stderr, exit} = await single(line)
    expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
    expect(stdout).toContain(createHash('sha256').update(bytes).digest('hex'))
  })

  test('asks a question on a terminal', async () => {
    const command = [...inJail, '/roomctl', 'room', 'delete', 'r-retro']
    const steps = [{expect: 'Delete room', send: 'Sprint retro\r'}]
    expect(await onTerminal({command, env: own, columns: 120, steps})).toMatchObject({exit: 0, waiting: null})
  })

  test('asks a gateway of Apple about a credential', async () => {
    const gateway = await serveGateway({answer: () => ({status: 400, reason: 'BadDeviceToken'})})
    copyFileSync(gateway.caFile, path.join(jail, 'home/gateway.pem'))
    const ran = await single(`push prove push.p12 --server ${gateway.url} --ca-file gateway.pem -o json`)
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining('"accepted"')})
    expect(gateway.pushed).toHaveLength(1)
  })

  test('serves the sandbox until Ctrl-C, also to a change of many rooms', async () => {
    const child = startSingle('sandbox start --port 0')
    const errors = text(child.stderr)
    let said = ''
    let answered = 0
    let ended = {}
    for await (const piece of child.stdout) {
      const before = said.includes('ROOMCTL_PUSH_TOKEN=')
      said += String(piece)
      if (before || !said.includes('ROOMCTL_PUSH_TOKEN=')) continue
      const [, url = ''] = /ROOMCTL_ROOM_URL='?([^'\n]+)/u.exec(said) ?? []
      const [, token = ''] = /ROOMCTL_ROOM_TOKEN='?([^'\n]+)/u.exec(said) ?? []
      answered = (await fetch(`${url}/v1/rooms`, {headers: {authorization: `Bearer ${token}`}})).status
      const service = {ROOMCTL_PROFILE: '', ROOMCTL_ROOM_URL: url, ROOMCTL_ROOM_TOKEN: token}
      ended = await single('room end r-test-1 r-test-2 r-review --yes', service)
      child.kill('SIGINT')
    }
    expect({answered, exit: child.exitCode ?? (await once(child, 'exit'))[0]}).toEqual({answered: 200, exit: 130})
    expect(await errors).not.toContain('error')
    expect(ended).toMatchObject({exit: 11, stdout: expect.stringMatching(/r-test-1 +done.*r-review +failed/su)})
  })

  test('watches until Ctrl-C', async () => {
    const child = startSingle('room watch --interval 1s')
    const end = ended(child)
    child.stderr.once('data', () => child.kill('SIGINT'))
    expect(await end).toMatchObject({exit: 130})
  })
})
