import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {nodeBinary} from '../scripts/nodes.js'
import {benchFolder, buildPeer, installPeer, installRoomctl} from './installed.js'
import {type Measured, measure, type Subject} from './measure.js'
import {printTable} from './print.js'
import {openWorld} from './world.js'

export interface StartupOptions {
  readonly runs: number
  /** Major versions of Node. */
  readonly nodes: readonly number[]
  readonly peers: boolean
}

/** The newest that ran on Node 20 when the first figures were taken, so that figures stay comparable. */
const peerVersions = {'eas-cli': '24.8.0', heroku: '11.10.0'}

/** Start-up of the installed package and its peers, each as a ratio to `node -e 0` of the same Node. */
export async function benchStartup({runs, nodes, peers}: StartupOptions): Promise<void> {
  const scripts = {roomctl: installRoomctl(), lean: await buildPeer('commander')}
  const others = peers ? peerSubjects() : []
  const world = await openWorld(20)
  try {
    for (const major of nodes) {
      const node = nodeBinary(major, benchFolder)
      const subjects = [...ownSubjects({...scripts, profile: keepProfile(world.url)}), ...others].map((one) => ({
        ...one,
        argv: [node, ...one.argv],
      }))
      const measured = await measure({floor: [node, '-e', '0'], subjects, runs, env: world.env})
      print(major, runs, measured)
    }
  } finally {
    world.close()
  }
}

/** The environment in which a profile file, as people have one, names the service and its token. */
function keepProfile(url: string): Readonly<Record<string, string>> {
  const folder = path.join(benchFolder, 'home/profile')
  mkdirSync(folder, {recursive: true, mode: 0o700})
  const room = {store: 'file', origin: new URL(url).origin, token: 'bench-5f2c9d1e7b3a4860-of-room'}
  const profiles = {default: {'room.url': url, credentials: {room}}}
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({version: 1, profiles}), {mode: 0o600})
  return {ROOMCTL_CONFIG_DIR: folder, ROOMCTL_ROOM_URL: '', ROOMCTL_ROOM_TOKEN: ''}
}

function ownSubjects({
  roomctl,
  lean,
  profile,
}: {
  readonly roomctl: string
  readonly lean: string
  readonly profile: Readonly<Record<string, string>>
}): Subject[] {
  return [
    {name: 'roomctl --version', argv: [roomctl, '--version']},
    {name: 'roomctl room list --help', argv: [roomctl, 'room', 'list', '--help']},
    {name: 'roomctl room list', argv: [roomctl, 'room', 'list']},
    {name: 'roomctl room list, a profile', argv: [roomctl, 'room', 'list'], env: profile},
    {name: 'roomctl room list, no code cache', argv: [roomctl, 'room', 'list'], env: {ROOMCTL_CACHE_DIR: '/dev/null'}},
    {name: 'lean --version', argv: [lean, '--version']},
    {name: 'lean room list --help', argv: [lean, 'room', 'list', '--help']},
    {name: 'lean room list', argv: [lean, 'room', 'list']},
  ]
}

function peerSubjects(): Subject[] {
  const eas = installPeer('eas-cli', peerVersions['eas-cli'], 'bin/run')
  const heroku = installPeer('heroku', peerVersions.heroku, 'bin/run.js')
  return [
    {name: 'eas --version', argv: [eas, '--version']},
    {name: 'eas build:configure --help', argv: [eas, 'build:configure', '--help']},
    {name: 'heroku --version', argv: [heroku, '--version']},
    {name: 'heroku apps:create --help', argv: [heroku, 'apps:create', '--help']},
  ]
}

/** The limit of a command, as a ratio of CPU. */
const aims: Readonly<Record<string, number>> = {
  'roomctl --version': 1.1,
  'roomctl room list --help': 2.4,
  'roomctl room list': 2.4,
}

function print(major: number, runs: number, measured: readonly Measured[]): void {
  printTable(
    `Node ${major}, ${runs} runs, medians; ratios to \`node -e 0\``,
    ['', 'cpu x', 'aim', 'wall x', 'cpu ms', 'wall ms', 'peak MiB'],
    measured.map(({name, cpuRatio, wallRatio, cpuMs, wallMs, peakMiB}) => [
      name,
      cpuRatio.toFixed(2),
      aims[name]?.toFixed(1) ?? '',
      wallRatio.toFixed(2),
      cpuMs.toFixed(0),
      wallMs.toFixed(0),
      peakMiB.toFixed(0),
    ]),
  )
}
