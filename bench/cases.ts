import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {benchFolder, buildPeer, installRoomctl} from './installed.js'
import {writeJournal} from './kept.js'
import {measureRounds, type Subject} from './measure.js'
import {printTable} from './print.js'
import {type Aim, printAims, printResult, type Result} from './report.js'
import {writeStampedFiles} from './sync.js'
import {writeMany, writeNoise} from './upload/files.js'
import {startService} from './world.js'

export interface CasesOptions {
  readonly rounds: number
  /** The divisor of large amounts. */
  readonly part: number
  /** Only the cases whose title holds this text. */
  readonly only: string
}

interface Case {
  readonly title: string
  readonly floor: string
  readonly subjects: readonly Subject[]
  readonly aims: readonly Aim[]
  /** At most this many rounds, if the aim is a peak. */
  readonly most?: number
}

/** Commands beside the least that does the same work, or beside themselves with less to do; and their peaks. */
export async function benchCases({rounds, part, only}: CasesOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const closing = [() => rmSync(folder, {recursive: true, force: true})]
  const close = () => {
    for (const end of closing.splice(0).reverse()) end()
  }
  process.once('exit', close)
  process.once('SIGINT', () => process.exit(130))
  const results: Result[] = []
  try {
    const stage = await openStage(folder, part, closing)
    for (const make of [startCases, textCases, journalCases, transferCases, largeCases]) {
      for (const {title, floor, subjects, aims, most = rounds} of make(stage)) {
        if (!title.includes(only)) continue
        const runs = await measureRounds({subjects, runs: Math.min(rounds, most), env: stage.env})
        const result = {title, floor, aims, rounds: runs}
        results.push(result)
        printResult(result)
      }
    }
    printAims(results)
    printPackage()
  } finally {
    close()
  }
}

interface Stage {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly programs: {readonly roomctl: string; readonly bareDownload: string}
  /** Addresses of services with that much. */
  readonly urls: Readonly<
    Record<'few' | 'ascii' | 'emoji' | 'arabic' | 'crowd' | 'assets' | 'bytes' | 'sink' | 'stamped', string>
  >
  readonly large: number
}

async function openStage(folder: string, part: number, closing: (() => void)[]): Promise<Stage> {
  const below = (name: string) => path.join(folder, name)
  for (const name of ['home', 'cache', 'state', 'out', 'bare', 'build', 'small']) mkdirSync(below(name))
  const serve = async (script: string, ...args: readonly string[]) => {
    const {url, close} = await startService(script, ...args)
    closing.push(close)
    return url
  }
  const large = Math.ceil(100_000 / part)
  writeFileSync(below('stamps'), writeStampedFiles(below('build'), Math.ceil(20_000 / part), 2 ** 10))
  writeMany(below('small'), Math.ceil(3000 / part), 2 ** 10)
  const amounts = (value: object) => serve('large.ts', JSON.stringify(value))
  const urls = {
    few: await amounts({rooms: 20, attendees: 5, resources: 20}),
    ascii: await amounts({rooms: large}),
    emoji: await amounts({rooms: 20, suffix: ' 🎲'}),
    arabic: await amounts({rooms: 20, suffix: ' اجتماع'}),
    crowd: await amounts({attendees: 3 * large}),
    assets: await amounts({resources: large}),
    bytes: await amounts({resources: Math.ceil(1000 / part), bytes: 2 ** 14}),
    sink: await serve('sink.ts'),
    stamped: await serve('stamped.ts', below('stamps')),
  }
  writeJournal(below('journal'), Math.ceil(280_000 / part))
  writeJournal(below('empty'), 1)
  writeFileSync(below('ids'), Array.from({length: large}, (_, at) => `r-${at}\n`).join(''))
  writeFileSync(
    below('hundred'),
    Array.from({length: 100}, (_, at) => `5f3c9a1e-${String(at).padStart(8, '0')}\n`).join(''),
  )
  const {PATH, TMPDIR} = process.env
  const env = {
    PATH,
    TMPDIR,
    HOME: below('home'),
    ROOMCTL_CACHE_DIR: below('cache'),
    CI: '1',
    ROOMCTL_REQUESTER: 'user-0',
    ROOMCTL_APPLICATION_ID: 'bench',
  }
  return {
    folder,
    env,
    programs: {roomctl: installRoomctl(), bareDownload: await buildPeer('bareDownload')},
    urls,
    large,
  }
}

/** A command line of roomctl on a service; `stdin`: a file of the folder. */
function line(
  {programs, folder}: Stage,
  name: string,
  url: string,
  words: readonly string[],
  {env = {}, stdin, ...more}: Partial<Subject> & {readonly stdin?: string} = {},
): Subject {
  const argv = [process.execPath, programs.roomctl, ...words]
  const asset = url.endsWith('/asset') ? url : `${url}/asset`
  const room = `${url}/media`
  const services = {ROOMCTL_ROOM_URL: room, ROOMCTL_ASSET_URL: asset, ROOMCTL_PUSH_URL: url}
  const tokens = {ROOMCTL_ROOM_TOKEN: 'bench', ROOMCTL_ASSET_TOKEN: 'bench', ROOMCTL_PUSH_TOKEN: 'bench'}
  return {
    name,
    env: {...services, ...tokens, ROOMCTL_STATE_DIR: path.join(folder, 'state'), ...env},
    argv: stdin === undefined ? argv : ['sh', '-c', `exec "$0" "$@" < ${path.join(folder, stdin)}`, ...argv],
    ...more,
  }
}

const nothing = 'node -e 0'

function startCases(stage: Stage): Case[] {
  const end = ['room', 'end', 'r-1', '--yes']
  const starts: readonly (readonly [string, number, readonly string[]])[] = [
    ['room show', 3.1, ['room', 'show', 'r-1']],
    ['room end --yes', 3, end],
    ['asset list', 3, ['asset', 'list', 'games/puzzle']],
    ['history', 3, ['history']],
    ['explain', 3, ['explain', 'CE001']],
    ['config list', 3, ['config', 'list']],
    ['push show', 3, ['push', 'show', '-p', 'sandbox']],
  ]
  const zone = {env: {ROOMCTL_TZ: 'Asia/Seoul'}}
  return [
    {
      title: 'start of a command',
      floor: nothing,
      subjects: [
        {name: nothing, argv: [process.execPath, '-e', '0']},
        ...starts.map(([name, , words]) => line(stage, name, stage.urls.few, words)),
      ],
      aims: starts.map(([of, atMost]) => ({of, figure: 'cpu x', atMost})),
    },
    {
      title: 'a time zone',
      floor: 'no zone',
      subjects: [line(stage, 'no zone', stage.urls.few, end), line(stage, 'ROOMCTL_TZ', stage.urls.few, end, zone)],
      aims: [{of: 'ROOMCTL_TZ', figure: 'cpu x', atMost: 1.04}],
    },
    {
      title: 'a time zone, and times shown',
      floor: 'no zone',
      subjects: [
        line(stage, 'no zone', stage.urls.few, ['room', 'list']),
        line(stage, 'ROOMCTL_TZ', stage.urls.few, ['room', 'list'], zone),
      ],
      aims: [],
    },
  ]
}

function textCases(stage: Stage): Case[] {
  const {ascii, few, emoji, arabic} = stage.urls
  const list = ['room', 'list', '-o']
  return [
    {
      title: `room list of ${stage.large} rooms`,
      floor: 'csv',
      subjects: [
        line(stage, 'csv', ascii, [...list, 'csv']),
        line(stage, 'yaml', ascii, [...list, 'yaml']),
        line(stage, 'table', ascii, [...list, 'table']),
      ],
      aims: [{of: 'yaml', figure: 'cpu x', atMost: 2.5}],
    },
    {
      title: 'one name of other letters in room list',
      floor: 'ASCII',
      subjects: [
        line(stage, 'ASCII', few, [...list, 'table']),
        line(stage, 'emoji', emoji, [...list, 'table']),
        line(stage, 'Arabic', arabic, [...list, 'table']),
      ],
      aims: ['emoji', 'Arabic'].map((of) => ({of, figure: 'cpu x', atMost: 1.1})),
    },
  ]
}

function journalCases(stage: Stage): Case[] {
  const {few} = stage.urls
  const full = {env: {ROOMCTL_STATE_DIR: path.join(stage.folder, 'journal')}}
  const empty = {env: {ROOMCTL_STATE_DIR: path.join(stage.folder, 'empty')}}
  const dry = ['room', 'end', '-', '--dry-run']
  const beside = (
    title: string,
    words: readonly string[],
    more: {readonly stdin?: string},
    aims: readonly Aim[],
  ): Case => ({
    title: `${title}, over a full journal`,
    floor: 'empty',
    subjects: [
      line(stage, 'empty', few, words, {...empty, ...more}),
      line(stage, 'full', few, words, {...full, ...more}),
    ],
    aims,
  })
  return [
    beside('dry run of 100 rooms', dry, {stdin: 'hundred'}, [
      {of: 'full', figure: 'cpu x', atMost: 3.5},
      {of: 'full', figure: 'peak MiB', atMost: 105},
    ]),
    beside('attendee why', ['attendee', 'why', 'r-1', 'user-1'], {}, [{of: 'full', figure: 'cpu x', atMost: 3.5}]),
    beside('history -o ndjson', ['history', '-o', 'ndjson'], {}, [{of: 'full', figure: 'peak MiB', atMost: 400}]),
  ]
}

function transferCases(stage: Stage): Case[] {
  const {folder, urls} = stage
  const below = (name: string) => path.join(folder, name)
  const large = below('large/large.bundle')
  mkdirSync(below('large'))
  writeNoise(large, 2 ** 30 / (100_000 / stage.large), 0)
  const hash =
    "const fs=require('fs'),h=require('crypto').createHash('sha256'),b=Buffer.allocUnsafeSlow(1<<20),f=fs.openSync(process.argv[1]);for(let n;(n=fs.readSync(f,b));)h.update(b.subarray(0,n));h.digest()"
  const download = [
    'asset',
    'download',
    'games/puzzle',
    '--recursive',
    '--dir',
    below('out'),
    '--concurrency',
    '8',
    '-q',
  ]
  const about = ['--platform', 'ios', '--description', 'Build 42', '-q']
  return [
    {
      title: 'hashing a large file',
      floor: 'node:crypto',
      subjects: [
        {name: 'node:crypto', argv: [process.execPath, '-e', hash, large]},
        line(stage, 'asset sync --dry-run', urls.few, [
          'asset',
          'sync',
          'games/puzzle',
          below('large'),
          '--stamp',
          '--dry-run',
          ...about,
        ]),
      ],
      aims: [
        {of: 'asset sync --dry-run', figure: 'cpu x', atMost: 1.2},
        {of: 'asset sync --dry-run', figure: 'peak MiB', atMost: 65},
      ],
    },
    {
      title: 'download of small files, 8 at a time',
      floor: 'bare node:http',
      subjects: [
        {
          name: 'bare node:http',
          argv: [process.execPath, stage.programs.bareDownload, `${urls.bytes}/asset/games/puzzle`, below('bare'), '8'],
          empty: [below('bare')],
        },
        line(stage, 'asset download', urls.bytes, download, {empty: [below('out')]}),
      ],
      aims: [
        {of: 'asset download', figure: 'wall x', atMost: 1.8},
        {of: 'asset download', figure: 'cpu x', atMost: 2.2},
      ],
    },
    {
      title: 'upload of many small files, and a sync without changes',
      floor: nothing,
      subjects: [
        {name: nothing, argv: [process.execPath, '-e', '0']},
        line(
          stage,
          'asset sync',
          urls.sink,
          ['asset', 'sync', 'games/puzzle', below('small'), '--verify', 'none', ...about],
          {
            empty: [below('state')],
          },
        ),
        line(
          stage,
          'no-op sync',
          urls.stamped,
          ['asset', 'sync', 'games/puzzle', below('build'), '--stamp', ...about],
          {
            empty: [below('state')],
          },
        ),
      ],
      aims: [
        {of: 'asset sync', figure: 'peak MiB', atMost: 90},
        {of: 'no-op sync', figure: 'peak MiB', atMost: 110},
      ],
      most: 3,
    },
  ]
}

function largeCases(stage: Stage): Case[] {
  const {urls, large} = stage
  const all = ['--max', '1000000', '--concurrency', '32']
  const peaks: readonly (readonly [number, Subject])[] = [
    [300, line(stage, 'dry run', urls.ascii, ['room', 'end', '-', '--dry-run', ...all], {stdin: 'ids'})],
    [150, line(stage, 'room show', urls.crowd, ['room', 'show', 'r-1'])],
    [110, line(stage, 'asset list', urls.assets, ['asset', 'list', 'games/puzzle'])],
  ]
  return [
    {
      title: `peaks: a dry run of ${large} rooms, a room with ${3 * large} attendees, ${large} resources`,
      floor: nothing,
      subjects: [{name: nothing, argv: [process.execPath, '-e', '0']}, ...peaks.map(([, subject]) => subject)],
      aims: peaks.map(([atMost, {name}]) => ({of: name, figure: 'peak MiB', atMost})),
      most: 2,
    },
  ]
}

/** JavaScript of the installed package, in MB. */
function printPackage(): void {
  const dist = path.join(benchFolder, 'roomctl/lib/node_modules/roomctl/dist')
  const files = readdirSync(dist, {recursive: true, encoding: 'utf8'}).filter((name) => /\.c?js$/.test(name))
  const bytes = files.reduce((sum, name) => sum + statSync(path.join(dist, name)).size, 0)
  printTable('JavaScript in the package', ['', 'MB', 'aim'], [['roomctl', (bytes / 1e6).toFixed(2), '<= 2.4']])
}
