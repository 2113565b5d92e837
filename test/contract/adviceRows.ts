import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {WireError, type WireRequest, type WireResponse} from '../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {newWorld, type Room} from '../../src/sandbox/world/world.js'
import {isChange, lost, page, reply, sandboxOf} from '../commands/answers.js'
import {writeProfiles} from '../commands/live.js'
import {type Circumstances, esc, type Ran} from '../support/cli.js'

/** A machine on which a line fails, and on which its advice is tried. */
export interface Place {
  readonly home: string
  readonly store: WorldStore
  /** Replacements for the placeholders of lines and advice. */
  readonly values: Record<string, string>
  readonly run: (line: string, more?: Circumstances) => Promise<Ran>
}

/** A line that fails, and what makes it fail. */
export interface AdviceRow {
  readonly line: string
  /** Lines before it, which all succeed. */
  readonly before?: readonly string[]
  readonly state?: (place: Place) => unknown
  readonly where?: Circumstances | ((place: Place) => Circumstances | Promise<Circumstances>)
  /** Where settings are changed: the sandbox has none, and refuses no token. */
  readonly settings?: Circumstances
}

/** No profile but those of the machine. */
export const own = {env: {ROOMCTL_PROFILE: '', NO_COLOR: '1'}} as const
export const terminal = {answers: [esc], columns: 100, env: {NO_COLOR: '1'}} as const
export const closed = 'https://127.0.0.1:1'
export const token = {store: 'file', origin: closed, token: 'token'}

export const profile =
  (settings: object = {}) =>
  ({home}: Place) =>
    writeProfiles(home, {live: {'room.url': closed, 'asset.url': closed, 'push.url': closed, ...settings}}, 'live')
export const file =
  (name: string, text = '{') =>
  ({home}: Place) => {
    mkdirSync(path.dirname(path.join(home, name)), {recursive: true})
    writeFileSync(path.join(home, name), text, {mode: 0o600})
  }
/** The sandbox, in which requests that fit are answered otherwise. */
export const answering =
  (fits: (request: WireRequest) => boolean, answer: () => WireResponse) =>
  ({store}: Place): Circumstances => ({
    transport: async (request) => (fits(request) ? answer() : sandboxOf(store)(request)),
  })
const changedRoom =
  (roomId: string, members: Partial<Room>) =>
  ({store}: Place) =>
    store.change(({rooms}) => {
      for (const room of rooms) if (room.room_id === roomId) Object.assign(room, members)
    })
/** The sandbox answers at first, and is out of reach then. */
function afterFirst({store}: Place): Circumstances {
  let asked = 0
  return {
    transport: async (request) => {
      asked += 1
      if (asked > 2) throw lost('refused', 'no')
      return sandboxOf(store)(request)
    },
  }
}
async function damagedAfterChange(place: Place): Promise<void> {
  for (const line of ['config profile add live', 'config set timeout 5s']) await place.run(line, own)
  file('.config/roomctl/config.json')(place)
}
export async function cutUpload(place: Place): Promise<void> {
  await place.run(
    upload,
    answering(
      ({method}) => method === 'PATCH',
      () => page(502),
    )(place),
  )
}
export const upload = 'asset upload games/puzzle FILE --platform ios --description d'
export const sync = 'asset sync games/puzzle DIR --platform ios --description d'

export const adviceRows: readonly AdviceRow[] = [
  ...[
    // Words that no command takes.
    ...['frobnicate', 'room nothing', 'room ned r-standup', 'update', 'asset delete games/a', 'whoami', 'push list'],
    ...['--limit 3 room list', 'help frobnicate', 'help rom', 'help fields rom list'],
    ...[
      'push send ann --title a --body b --at +1h',
      'explain XY',
      'explain ER002',
      'explain ER001 --operation room.fly',
    ],
    ...['explain 404 --operation room.end', 'explain ER001 --operation push.send', 'sandbox reset --document no=yes'],
    ...[
      'config route list room.fly',
      'room end Nosuch --by-name',
      'room list --watch',
      'help selectors',
      'sandbox status',
    ],
    // Missing arguments, and missing objects.
    ...['room show', 'room delegate r-standup', 'attendee block r-standup', 'room create Standup', 'push audit'],
    ...['asset sync', 'asset download', 'asset download --recursive'],
    ...[
      'asset download games/puzzle',
      'asset show games/puzzle/',
      'asset show a-level1',
      'asset forget',
      'push cancel',
      'asset forget ffff',
    ],
    ...['asset upload games/puzzle DIR --platform ios --description d', `${upload} --link 'a b'`],
    ...['asset upload games/nowhere FILE --platform ios --description d'],
    ...[
      'push audit --profiles nosuch',
      'asset list nowhere',
      'room watch r-nowhere',
      'room watch r-retro --until-status MEETING',
    ],
    // Changes that a room does not allow.
    ...['attendee why r-private eve', 'attendee why r-townhall zoe', 'attendee why r-review zoe', 'explain T001'],
    ...['room end r-standup --as zoe --yes', 'room delegate r-standup zoe'],
  ].map((line) => ({line})),
  {line: 'attendee why r-townhall zoe', state: changedRoom('r-townhall', {is_joinable: false})},
  {
    line: 'attendee why r-townhall zoe',
    state: changedRoom('r-townhall', {
      reserved_start_time: '2026-12-01T10:00:00Z',
      reserved_end_time: '2026-12-01T11:00:00Z',
    }),
  },
  {
    line: 'explain 404 --operation push.show',
    state: ({values}) => Object.assign(values, {ID: 'push.show'}),
    settings: own,
  },
  {line: 'attendee why gina', where: terminal},
  {line: 'completion', where: {env: {SHELL: ''}}},
  {line: 'config app update --application-id app-9 --max 10'},
  {line: 'room list standup'},
  {line: 'attendee add r-full zoe yuna'},
  {line: 'room list --token x', state: profile(), where: own},
  {line: 'room show', state: ({store}) => store.replace(newWorld()), where: terminal},
  {line: 'room delegate r-standup', state: changedRoom('r-standup', {attendees: []}), where: terminal},
  {line: 'room create Standup', state: profile(), where: own},
  {line: 'asset create chess --description d', where: {env: {ROOMCTL_ASSET_CONTAINER_PATH: 'parent'}}},
  {line: 'asset create games/chess --description d', where: answering(isChange, () => reply('{}', {status: 404}))},
  {
    line: 'api room GET /v1/rooms',
    where: answering(
      () => true,
      () => page(200),
    ),
  },
  {
    line: 'asset list games',
    where: answering(
      () => true,
      () => page(200),
    ),
  },
  {
    line: 'room watch r-standup --until-status ENDED --timeout 100ms --retries 0',
    where: answering(
      () => true,
      () => page(502),
    ),
  },
  ...(['refused', 'tls', 'too-large'] as const).map((problem) => ({
    line: 'asset list games',
    where: {transport: () => Promise.reject(lost(problem, 'no'))},
  })),
  {
    line: 'asset list games',
    where: {transport: () => Promise.reject(new WireError('tls', 'no', 'its certificate is wrong', {tls: 'name'}))},
  },
  {line: 'room watch r-standup --timeout 1s --retries 0', where: afterFirst},
  {line: 'asset show games/puzzle/a-level1 --view asset'},
  {line: 'asset resume UPLOAD', before: [upload]},
  {
    line: upload,
    where: answering(
      ({method}) => method === 'PATCH',
      () => page(502),
    ),
  },
  {
    line: upload,
    where: answering(isChange, () => reply('', {status: 302, headers: {location: '/moved'}})),
  },
  {
    line: 'asset list games',
    state: profile(),
    settings: own,
    where: {
      env: {ROOMCTL_ROUTE_ASSET_LIST: 'GET /v2/{container}'},
      transport: async () => reply('', {status: 404}),
    },
  },
  {line: 'asset resume UPLOAD', state: (place) => cutUpload(place).then(() => file('file.txt', 'other')(place))},
  // Profiles, addresses and tokens.
  {line: 'room list', where: own},
  {line: 'config init', where: own},
  {line: 'room list -p nosuch'},
  {line: 'config profile use nosuch', state: profile(), where: own},
  {line: 'config profile add live', state: profile(), where: own},
  {line: 'config set token abc', state: profile(), where: own},
  {line: 'config login room', state: profile({'room.url': undefined}), where: {...own, stdin: 'token'}},
  {line: 'room list', state: profile(), where: own},
  {line: 'room list', state: profile({credentials: {room: {...token, origin: 'https://other.example'}}}), where: own},
  {line: 'room list', state: profile({credentials: {room: {...token, origin: 'nowhere'}}}), where: own},
  {
    line: 'room list',
    state: profile({credentials: {room: {store: 'command', origin: closed, command: ['no']}}}),
    where: own,
  },
  {line: 'room list', state: profile({output: 'nonsense'}), where: own},
  {line: 'room list --ca-file nowhere.pem', state: profile({credentials: {room: token}}), where: own},
  {line: 'room list', state: profile({credentials: {room: token}, routes: {'room.list': 'nonsense'}}), where: own},
  {
    line: 'config route list',
    state: profile({routes: {'push.show': {method: 'GET', path: '/v2', rename: {}}}}),
    where: own,
  },
  {line: 'room end r-1 --as ann', state: profile({readOnly: true}), where: {...terminal, ...own}},
  {line: 'room list', where: {env: {ROOMCTL_READ_ONLY: '1', ROOMCTL_ROUTE_ROOM_LIST: 'DELETE /v1/rooms'}}},
  {line: 'push audit', state: profile(), where: own},
  ...['config route import FILE', 'config route set a b', 'config route unset a', 'room list --route a'].map(
    (line) => ({
      line,
      state: profile(),
      where: own,
      settings: own,
    }),
  ),
  {
    line: 'push ios KEYFILE --bundle-id com.x --team-id TEAM123456 --application-id app-1',
    state: profile(),
    where: own,
  },
  {line: 'config get timeout', state: file('.config/roomctl/config.json'), where: own},
  {line: 'config get timeout', state: damagedAfterChange, where: own},
  {line: 'config init', where: {...terminal, ...own}},
  {line: 'config set room.url https://127.0.0.1:2', state: profile({credentials: {room: token}}), where: own},
  {line: 'doctor -o json', state: damagedAfterChange, where: own},
  {
    line: 'push ios KEYFILE --bundle-id com.x --team-id TEAM123456 --application-id app-1 --dry-run',
    state: profile(),
    where: own,
  },
  {line: 'doctor -o json', where: own},
  {line: 'doctor -o json', state: profile(), where: own},
  {line: 'doctor -o json', state: file('.config/roomctl/config.json'), where: own},
  {line: 'sandbox enter r-townhall ann --data DATA', state: file('data/world.json')},
  // Pushes.
  {
    line: 'push send ann --title a --body b',
    where: answering(isChange, () => reply('{"transactions":[]}', {status: 202})),
  },
  {
    line: 'push send ann --title a --body b',
    where: answering(isChange, () =>
      reply('{"transactions":[{"recipient_id":"ann","status":"FAILED"}]}', {status: 202}),
    ),
  },
  // Files.
  {line: 'asset sync games/puzzle MANIFEST', state: file('build.yaml', 'files: [')},
  {
    line: 'asset sync games/puzzle FILE --platform ios',
    state: ({values}) => writeFileSync(values.FILE ?? '', Buffer.from([0xff])),
  },
  {line: 'asset sync games/puzzle DIR --description d', state: file('build/x/a.bundle')},
  {line: sync, state: (place) => [file('build/x/a.png')(place), file('build/y/a.png')(place)]},
  {line: 'asset sync games/puzzle DIR --platform ios --description \u0001', state: file('build/a.png')},
]
