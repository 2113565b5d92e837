import {spawn} from 'node:child_process'
import {createHash, randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {nodeBinary} from '../../scripts/nodes.js'
import {installGlobally} from '../../scripts/pack.js'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {ended} from '../support/ended.js'
import {freshFolder} from '../support/folder.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {packed} from '../support/packed.js'
import {pjson, root} from '../support/repository.js'

const {version} = pjson
const made = new TestCredentials()

/** The result of `npm i -g` of the tarball, without a registry and scripts. */
export interface Installed {
  readonly folder: string
  /** The installed command; there is one when the tests run. */
  command(): string
  /** The environment in which a major version of Node runs it, with a home of its own. */
  environment(major: number): Record<string, string>
}

/** Installs the package before the tests of the file, and takes it away after them. */
export function installPackage(): Installed {
  const folder = freshFolder()
  let command = ''
  beforeAll(() => {
    command = installGlobally(packed().tarball, path.join(folder, 'prefix'))
  })
  return {
    folder,
    command: () => command,
    environment: (major) => {
      const home = path.join(folder, `home${major}`)
      mkdirSync(home, {recursive: true})
      return {PATH: `${path.dirname(nodeOfMajor(major))}:${process.env.PATH}`, HOME: home}
    },
  }
}

/** Where its files are. */
export function packageRoot({folder}: Installed): string {
  return path.join(folder, 'prefix/lib/node_modules/roomctl')
}

function nodeOfMajor(major: number): string {
  return nodeBinary(major, path.join(root, '.bench'))
}

/** Runs a line of it to its end. */
export async function runInstalled({command}: Installed, line: string, env: Readonly<Record<string, string>>) {
  const child = spawn(command(), line.split(' '), {env, stdio: ['ignore', 'pipe', 'pipe']})
  const {code: exit, ...written} = await ended(child)
  return {...written, exit}
}

/** Facts about the installed package on that major version of Node. */
export function testInstalled(installed: Installed, major: number): void {
  let env: Record<string, string>
  let home: string

  beforeAll(() => {
    env = installed.environment(major)
    home = env.HOME ?? ''
  }, 120_000)

  const roomctl = (line: string, own: Record<string, string> = {}) => runInstalled(installed, line, {...env, ...own})

  async function newRoom(name: string): Promise<string> {
    const {stdout} = await roomctl(`room create ${name} --created-by anna -p sandbox -q`)
    return stdout.trim()
  }

  test('says its version at once, as oclif says it', async () => {
    const short = await roomctl('--version')
    expect(short).toEqual({
      stdout: expect.stringMatching(
        new RegExp(`^roomctl/${version.replaceAll('.', '\\.')} ${process.platform}-${process.arch} node-v${major}\\.`),
      ),
      stderr: '',
      exit: 0,
    })
    expect(await roomctl('--version --no-input')).toEqual(short)
  })

  test('starts from its code cache the second time', async () => {
    const cache = path.join(home, '.cache/roomctl')
    await roomctl('room list -p sandbox')
    const before = readdirSync(cache)
    expect(before).toContainEqual(expect.stringMatching(/^code-[0-9a-f]{16}-v.*-main\.bin$/))
    expect(await roomctl('room list -p sandbox -o json')).toMatchObject({stderr: '', exit: 0})
    expect(readdirSync(cache)).toEqual(before)
  })

  test('finds each package that only some commands need', async () => {
    const id = await newRoom('Planning')
    const bundle = path.join(home, 'level1.bundle')
    const bytes = randomBytes(3 * 2 ** 20)
    writeFileSync(bundle, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const outputs = [
      ['conf and proper-lockfile', 'config set requester anna', ''],
      ['the file they wrote', 'config get requester', 'anna'],
      ['yaml', 'room list -p sandbox -o yaml', 'name: Planning'],
      ['csv-stringify', 'room list -p sandbox -o csv', `${id},Planning,`],
      ['jmespath', 'room list -p sandbox -o json --query [].name', '"Planning"'],
      ['cli-table3', `room show ${id} -p sandbox`, 'Host        '],
      ['the asset service of the sandbox', 'asset create games --description Games -p sandbox', 'games'],
      [
        'tus-js-client, @tus/server and the thread that computes digests',
        `asset upload games ${bundle} --platform ios --description Level -p sandbox -o json`,
        sha256,
      ],
    ] as const
    const type = inOneProcess([], [], {root: packageRoot(installed), node: nodeOfMajor(major)})
    for (const [what, line, part] of outputs) {
      const {stdout, stderr, exit} = await type({words: line.split(' '), cwd: home, env})
      expect({what, stdout, exit, stderr}).toMatchObject({stdout: expect.stringContaining(part), exit: 0})
    }
  })

  test('opens a certificate with node-forge, and one whose public key is damaged', async () => {
    const bare = made.p12({encryption: 'none', mac: false})
    // The sequence within the public key becomes a set: Node 24 ends over that in X509Certificate.toLegacyObject.
    const damaged = Buffer.from(bare.toString('hex').replace('0382010f003082010a', '0382010f003182010a'), 'hex')
    for (const [name, bytes, exit] of [
      ['old.p12', made.p12({password: '', encryption: '3des'}), 0],
      ['damaged.p12', damaged, 14],
    ] as const) {
      const file = path.join(home, name)
      writeFileSync(file, bytes)
      const said = await roomctl(`push inspect ${file}`)
      expect(said).toMatchObject({exit, stdout: expect.stringContaining('com.example.rooms')})
    }
  })

  test('reaches a service through a proxy, with undici', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'application/json')
      answer.end('{"status": "SUCCESS", "data": []}')
    })
    server.on('connect', ({url}, socket) => {
      seen.push(url)
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      server.emit('connection', socket)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const {port} = server.address() as AddressInfo
    // Plain http to this machine is never proxied, and a profile alone allows it to others.
    const folder = path.join(home, 'plain')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'config.json'), '{"version":1,"profiles":{"default":{"allowHttp":true}}}')
    const {stdout, stderr} = await roomctl('room list -o json', {
      ROOMCTL_CONFIG_DIR: folder,
      ROOMCTL_ROOM_URL: 'http://rooms.test:9/media',
      ROOMCTL_ROOM_TOKEN: 'token',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    })
    server.close()
    server.closeAllConnections()
    expect({stdout, stderr, seen}).toEqual({
      stdout: '[]\n',
      stderr: expect.stringContaining('rooms.test:9 is plain http'),
      seen: ['rooms.test:9'],
    })
  })

  test('starts without a cache folder it could use, and without HOME', async () => {
    expect(await roomctl('room list -p sandbox', {ROOMCTL_CACHE_DIR: '/dev/null'})).toMatchObject({stderr: '', exit: 0})
    const {HOME: _, ...homeless} = env
    const names = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']
    env = {...homeless, ...Object.fromEntries(names.map((name) => [name, home]))}
    expect(await roomctl('room list -p sandbox')).toMatchObject({
      stderr: 'no rooms; add some: roomctl sandbox seed\n',
      exit: 0,
    })
  })
}
