import {spawn} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {expect, test} from 'vitest'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {numberedFolder} from '../support/folder.js'
import {finder, inputs, tokens} from './canaries.js'
import {allCases, type Case, nameOf, scriptOf, split, wordsOf} from './cases.js'
import {type Arrived, type EchoService, echoService} from './service.js'
import {Streams} from './streams.js'

const runner = path.join(import.meta.dirname, 'runner.cjs')

/** A kind of tracing: flags of every line, and variables of the process. */
export interface Telling {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** One of N lines and answers. */
  readonly every?: number
}

/** The results of the cases. */
export interface Results {
  readonly cases: readonly Case[]
  /** How each ended: its exit code, or why it had to be ended. */
  readonly exits: readonly string[]
  /** Found canaries: line, name, spelling. */
  readonly found: readonly string[]
  readonly arrived: readonly Arrived[]
  /** The stderr of a command, except repeated rows. */
  readonly said: (command: string) => string
  /** The headers of requests to another origin. */
  readonly elsewhere: EchoService['elsewhere']
}

/** Runs every line against every kind of answer, all in one process. */
export async function runMatrix({flags = [], env = {}, every = 1}: Telling): Promise<Results> {
  const folder = numberedFolder(path.join(tmpdir(), 'roomctl-canary-'))
  const cases = allCases(every)
  const service = await echoService(cases.map(scriptOf))
  try {
    const homes = homesIn(folder, service.url)
    const given = cases.map((one, number) => ({
      words: wordsOf(one, flags),
      env: {...environmentOf(`${service.url}/${number}`, one), ...homes(one.command)},
      folder: homes(one.command).HOME,
      before: (one.line.before ?? []).map((line) => [...split(line), '-o', 'table']),
      stdin: one.line.stdin === undefined ? undefined : path.join(inputs, one.line.stdin),
      stop: one.line.stop,
      ready: one.line.before && `${service.url}/${number}/ready`,
    }))
    const file = path.join(folder, 'cases.json')
    writeFileSync(file, JSON.stringify(given))
    const streams = new Streams(finder, (line) => cases[line]?.line.shows ?? [])
    await ran(file, env, streams)
    rmSync(file)
    const shown = streams.found().map(({line, what}) => `${cases[line] && nameOf(cases[line])}: ${what}`)
    const found = [...shown, ...filesFound(folder)]
    const said = (command: string) => streams.said((line) => cases[line]?.command === command)
    return {cases, exits: streams.exits, found, said, arrived: service.arrived, elsewhere: service.elsewhere}
  } finally {
    service.close()
    rmSync(folder, {recursive: true, force: true})
  }
}

/** The time limit of a run of the matrix on a busy machine, in milliseconds. */
export const longest = 400_000

/** That nothing of a secret was seen or kept, that nothing went elsewhere, and that nothing failed that should not. */
export function expectNothingSeen(results: () => Results): void {
  test('by any command, on stdout, on stderr or in a file', () => {
    expect(results().found).toEqual([])
  })

  test('and no command ends with a bug of ours, or never', () => {
    const {cases, exits} = results()
    const isBad = (exit: string | undefined) => exit === undefined || exit === '1' || exit === 'too long'
    expect(cases.flatMap((one, at) => (isBad(exits[at]) ? [`${nameOf(one)}: ${exits[at]}`] : []))).toEqual([])
  })

  test('and nothing secret goes to another origin', () => {
    const {arrived, elsewhere} = results()
    expect(elsewhere.filter((headers) => finder.find(JSON.stringify(headers)).length > 0)).toEqual([])
    expect(arrived.filter(({script}) => script === -1)).toEqual([])
  })
}

/** Lines with json have the tokens in the environment, others in the profile. */
function environmentOf(url: string, {format, kind, line}: Case): Record<string, string> {
  const env = {
    ROOMCTL_ROOM_URL: `${url}/media`,
    ROOMCTL_ASSET_URL: `${url}/asset`,
    ROOMCTL_PUSH_URL: `${url}/push`,
    ...credentialRoutes,
    ROOMCTL_APPLICATION_ID: 'app-1',
    ROOMCTL_RETRIES: line.before === undefined && kind !== 'timeout' ? '1' : '0',
    ROOMCTL_TIMEOUT: kind === 'timeout' ? '200ms' : '10s',
  }
  if (format !== 'json') return {...env, ROOMCTL_PROFILE: 'live'}
  const {room, asset, push} = tokens
  return {...env, ROOMCTL_ROOM_TOKEN: room, ROOMCTL_ASSET_TOKEN: asset, ROOMCTL_PUSH_TOKEN: push}
}

/** A home for each command, with a profile that holds the tokens and with files to work on. */
function homesIn(folder: string, url: string): (command: string) => Record<'HOME', string> & Record<string, string> {
  const template = path.join(folder, 'template')
  const credentials = Object.fromEntries(
    Object.entries(tokens).map(([service, token]) => [service, {store: 'file', origin: url, token}]),
  )
  const addresses = Object.fromEntries(Object.keys(tokens).map((service) => [`${service}.url`, `${url}/0/${service}`]))
  const files = {
    'config/config.json': JSON.stringify({version: 1, profiles: {live: {...addresses, credentials}}}),
    'level2.bundle': 'the second level',
    'left.bundle': 'what is left over',
    'build/one.bundle': 'one',
    'routes.yaml': 'push.show: GET /v2/config\n',
    'live.json': JSON.stringify({kind: 'roomctl-profile', version: 1, name: 'copy', settings: addresses}),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(template, name)), {recursive: true, mode: 0o700})
    writeFileSync(path.join(template, name), content, {mode: 0o600})
  }
  const made = new Set<string>()
  return (command) => {
    const home = path.join(folder, 'homes', command.replaceAll(':', ' '))
    if (!made.has(home)) cpSync(template, home, {recursive: true})
    made.add(home)
    return {
      HOME: home,
      ROOMCTL_CONFIG_DIR: path.join(home, 'config'),
      ROOMCTL_STATE_DIR: path.join(home, 'state'),
      ROOMCTL_CACHE_DIR: path.join(home, 'cache'),
      XDG_DATA_HOME: path.join(home, 'data'),
    }
  }
}

/** Runs the cases of a file in one process, and passes its output to `streams`. */
async function ran(file: string, env: Readonly<Record<string, string>>, streams: Streams): Promise<void> {
  const child = spawn(process.execPath, [runner, file], {
    env: {PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TZ: 'Asia/Seoul', ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => streams.take(name, piece))
  }
  await new Promise((resolve) => child.once('close', resolve))
}

/** The only files that may hold a token: the profile file with its backup, and the bytes of a service that were asked for. */
const mayHold = /^(?:config\/config(?:\.backup)?\.json|out\.bin)$/

function filesFound(folder: string): string[] {
  const homes = path.join(folder, 'homes')
  return readdirSync(homes).flatMap((home) => {
    const files = readdirSync(path.join(homes, home), {recursive: true, withFileTypes: true})
    return files
      .filter((entry) => entry.isFile())
      .map(({parentPath, name}) => path.relative(path.join(homes, home), path.join(parentPath, name)))
      .filter((file) => !mayHold.test(file))
      .flatMap((file) => {
        const names = finder.find(readFileSync(path.join(homes, home, file), 'latin1'))
        return names.length === 0 ? [] : [`${home}: the file ${file}: ${names.join('; ')}`]
      })
  })
}
