import {type Kind, kinds} from './answers.js'
import type {CanaryName} from './canaries.js'

/** A command line of the matrix. */
export interface Line {
  /** The words, with spaces between them. `$IN` is the folder of the files that hold secrets. */
  readonly line: string
  /** The file of `$IN` that is stdin. */
  readonly stdin?: string
  /** The lines that run before it, on a service on which all goes well. */
  readonly before?: readonly string[]
  /** The canaries that its stdout shows because they were asked for. */
  readonly shows?: readonly CanaryName[]
  /** The formats in place of table, json and csv. */
  readonly formats?: readonly string[]
  /** The exit code if the service accepts everything; default 0. */
  readonly exit?: number
  /** Its requests are an upload: a change after a change. */
  readonly isUpload?: true
  /** A dry run. */
  readonly isDry?: true
  /** After N milliseconds it is interrupted. */
  readonly stop?: number
  /** It asks no service, or does not wait for one: what a service answers makes no difference to it. */
  readonly alone?: true
  /** The kinds of answers in place of all. */
  readonly kinds?: readonly Kind[]
}

const text = '--title Hello --body World'
const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
const upload = '--platform ios --description d'
const left = `asset upload games/puzzle left.bundle ${upload}`
const key = '--bundle-id com.example.rooms --team-id TEAM123456'
const certificate = 'push ios $IN/push.p12 --password-file $IN/password'
const registered = '--confirm app-1'

/** Lines for every command, by its id: those that carry, ask for or store a secret, and those that change something. */
export const lines: Readonly<Record<string, readonly Line[]>> = {
  api: [
    {line: 'api room GET /v1/rooms/r-standup --include', formats: ['table', 'json', 'yaml']},
    {line: 'api push POST /v1/tokens --input $IN/register.json', formats: ['table', 'json', 'yaml']},
    {line: 'api push POST /v1/tokens --input -', stdin: 'register.json', formats: ['table', 'json', 'yaml']},
    {
      line: 'api room POST /v1/rooms/r-standup/attendees/ben/token -f user_name=Ben',
      shows: ['room token'],
      formats: ['table', 'json', 'yaml'],
    },
  ],
  complete: [{line: 'complete --shell bash -- room show r-'}],
  completion: [{line: 'completion bash', alone: true}],
  // It gives each service five seconds.
  doctor: [
    {line: 'doctor', kinds: kinds.filter((kind) => kind !== 'timeout')},
    {line: 'doctor', kinds: ['timeout'], formats: ['table']},
  ],
  explain: [{line: 'explain CE002', alone: true}],
  history: [
    {
      line: 'history',
      before: ['room end r-standup --yes', 'push register ann --type ANDROID --token-file $IN/device-token'],
      alone: true,
    },
  ],
  'asset:create': [{line: 'asset create games/chess --description Chess'}],
  'asset:describe': [{line: 'asset describe games/puzzle Levels'}],
  'asset:download': [{line: 'asset download games/puzzle/a-logo --to out.bin --overwrite'}],
  'asset:forget': [{line: 'asset forget --all', before: [left]}],
  'asset:info': [{line: 'asset info games/puzzle'}, {line: 'asset info games/puzzle --methods'}],
  'asset:list': [{line: 'asset list games --tree'}],
  'asset:resume': [{line: 'asset resume', before: [left]}],
  'asset:show': [
    {line: 'asset show games/puzzle/a-level1 --view link'},
    {line: 'asset show games/puzzle/a-level1 --view meta'},
    {line: 'asset show games/puzzle/a-level1 --view catalog'},
    {line: 'asset show games/puzzle/a-level1 --view asset'},
  ],
  'asset:sync': [{line: `asset sync games/puzzle build ${upload} --verify download`}],
  'asset:upload': [{line: `asset upload games/puzzle level2.bundle ${upload} --fresh`, isUpload: true}],
  'asset:uploads': [{line: 'asset uploads --all', before: [left], alone: true}],
  'attendee:add': [{line: 'attendee add r-townhall zoe yuna'}],
  'attendee:block': [{line: 'attendee block r-standup ben --yes'}],
  'attendee:find': [{line: 'attendee find ben'}],
  'attendee:list': [{line: 'attendee list r-standup'}],
  'attendee:restore': [{line: 'attendee restore r-standup dora'}],
  'attendee:token': [
    {line: 'attendee token r-standup ben', shows: ['room token']},
    {line: 'attendee token r-standup ben --decode', shows: ['room token']},
  ],
  'attendee:why': [{line: 'attendee why r-private eve', exit: 7}],
  'config:get': [{line: 'config get room.url', alone: true}],
  'config:init': [{line: 'config init', alone: true, exit: 2}],
  'config:list': [{line: 'config list', alone: true}],
  'config:login': [
    {line: 'config login room', stdin: 'room-login', alone: true},
    {line: 'config login room --token-file $IN/room-login', alone: true},
  ],
  'config:logout': [
    {line: 'config logout room', before: ['config login room --token-file $IN/room-login'], alone: true},
  ],
  'config:set': [{line: 'config set timeout 5s', alone: true}],
  'config:unset': [{line: 'config unset bizId', alone: true}],
  'config:app:create': [{line: 'config app create --application-id app-9 --max 50'}],
  'config:app:update': [
    {
      line: 'config app update --application-id app-1 --max 50',
      before: ['config app create --application-id app-1 --max 40'],
    },
  ],
  'config:profile:add': [{line: 'config profile add other --room-url https://rooms.example.com/media', alone: true}],
  'config:profile:export': [{line: 'config profile export live', alone: true}],
  'config:profile:import': [{line: 'config profile import live.json --overwrite', alone: true}],
  'config:profile:list': [{line: 'config profile list', alone: true}],
  'config:profile:remove': [{line: 'config profile remove old --yes', before: ['config profile add old'], alone: true}],
  'config:profile:use': [{line: 'config profile use live', alone: true}],
  'config:route:list': [{line: 'config route list', alone: true}],
  'push:android': [
    {line: `push android --package com.example.rooms --server-key-file $IN/server-key --legacy ${registered}`},
    {line: `push android --package com.example.rooms --server-key-stdin --legacy ${registered}`, stdin: 'server-key'},
  ],
  'push:audit': [{line: 'push audit', exit: 15}],
  'push:broadcast': [{line: `push broadcast ${text} --at +2h ${registered}`}],
  'push:cancel': [{line: `push cancel ${scheduled} u-2 --yes`, exit: 11}],
  'push:inspect': [
    {line: 'push inspect $IN/push.p12 --password-file $IN/password', alone: true},
    {line: 'push inspect $IN/AuthKey_KEY7654321.p8', alone: true},
  ],
  'push:ios': [
    {line: `push ios $IN/AuthKey_KEY7654321.p8 ${key} ${registered}`},
    {line: `${certificate} ${registered}`},
    {line: `push ios $IN/push.p12 --password-stdin ${registered}`, stdin: 'password'},
  ],
  'push:modify': [{line: `push modify ${scheduled} ${text} --to ANDROID --dispatch immediate`}],
  // Nothing listens there: test/commands/push checks requests to Apple.
  'push:prove': [
    {line: `push prove $IN/AuthKey_KEY7654321.p8 ${key} --server https://127.0.0.1:9`, alone: true, exit: 10},
  ],
  'push:records': [{line: 'push records'}],
  'push:register': [
    {line: 'push register ann --type ANDROID --token-file $IN/device-token'},
    {line: 'push register ann --type ANDROID', stdin: 'device-token'},
  ],
  'push:send': [{line: `push send ann ben ${text} --data k=v`}],
  'push:show': [{line: 'push show'}, {line: 'push show --reveal', shows: ['server key']}],
  'record:list': [{line: 'record list r-retro'}],
  'record:start': [{line: 'record start r-standup'}],
  'record:stop': [{line: 'record stop r-support'}],
  'room:create': [
    {line: 'room create Standup --created-by ann -a ben --check'},
    {line: 'room create Standup --created-by ann --token', shows: ['room token']},
  ],
  'room:delegate': [{line: 'room delegate r-standup ben'}],
  'room:delete': [{line: 'room delete r-townhall r-retro --yes'}],
  'room:end': [{line: 'room end r-standup --yes'}, {line: 'room end r-standup r-test-1 --as ann --yes', exit: 11}],
  'room:list': [{line: 'room list --with-counts'}],
  'room:presenter': [{line: 'room presenter r-standup ben'}],
  'room:send': [{line: 'room send r-standup hello --from ann'}],
  'room:show': [{line: 'room show r-standup'}],
  'room:update': [{line: 'room update r-standup --max 50'}, {line: 'room update r-standup --admin --name Daily'}],
  'room:watch': [{line: 'room watch r-standup --interval 1s --timeout 1s', formats: ['table', 'json', 'ndjson']}],
  'sandbox:enter': [{line: 'sandbox enter r-townhall ann', before: ['sandbox seed'], alone: true}],
  'sandbox:leave': [{line: 'sandbox leave r-standup ben', before: ['sandbox seed'], alone: true}],
  'sandbox:reset': [{line: 'sandbox reset --seed demo', alone: true}],
  'sandbox:seed': [{line: 'sandbox seed', alone: true}],
  'sandbox:start': [{line: 'sandbox start --port 0 --seed demo', alone: true, stop: 100, exit: 130}],
}
