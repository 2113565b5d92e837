import type {WireResponse} from '../../src/api/http/wire/transport.js'
import {reply} from '../commands/answers.js'
import type {Held} from './gate.js'

/** A moment of a command at which a signal comes. */
export interface Stage {
  readonly name: string
  /** The words behind `roomctl`. */
  readonly line: string
  /** The request that is never answered, as `METHOD /path`; without one the command is let come to rest by itself. */
  readonly at?: RegExp
  /** The late answer. */
  readonly held?: Held
  readonly env?: Readonly<Record<string, string>>
  /** stderr in a pipe; undefined: empty. */
  readonly says?: RegExp
  /** stdout; undefined: empty. */
  readonly gives?: RegExp
  /** Whether the change was made, as in JSON; undefined if JSON is no error but the result. */
  readonly outcome?: 'none' | 'unknown'
  /** The command lets running requests end, and is ended by the second signal. */
  readonly lasts?: true
  /** The machine format; default -o json. */
  readonly machine?: string
}

const busy = (): WireResponse =>
  reply('{"status":"FAIL","error_code":"CE101","message":"busy"}', {status: 429, headers: {'retry-after': '5'}})
const interrupted = (doing: string) => new RegExp(`^error: cannot ${doing}: interrupted\n$`, 'u')
const notSent = /^interrupted; nothing was sent\n$/u
const inDoubt = (mayHave: string) =>
  new RegExp(
    `^error: ${mayHave}: interrupted\n {2}why: the request was sent but no definite answer came back, so it may have been carried out\n`,
    'u',
  )
/** The row of a file that was cut, in JSON and in a table. */
const cut = /"reason": "unfinished",\s+"percent": \d+|(?:unfinished \d+ %|not started)[\s\S]*interrupted/u
const unfinished =
  /(?:kept \d+ % of .*|nothing uploaded) in .*, 1 not finished\nto resume the rest, run the same command again\n/u
const patiently = {ROOMCTL_TIMEOUT: '20s', ROOMCTL_RETRIES: '5'}
const upload = 'asset upload games/puzzle f.bundle --platform ios --description d --chunk-size 64KiB'

/** Every stage of a command without a question. */
export const stages: readonly Stage[] = [
  {name: 'a read', line: 'room list', at: /GET/u, says: notSent, outcome: 'none'},
  {
    name: 'a change',
    line: 'room end r-party --yes --as ann',
    at: /end/u,
    says: inDoubt('room r-party may have been ended'),
    outcome: 'unknown',
  },
  {
    name: 'a creation',
    line: 'room create X --created-by ann',
    at: /POST/u,
    says: inDoubt('room X may have been created'),
    outcome: 'unknown',
  },
  {
    name: 'the wait before a read is sent again',
    line: 'room list',
    at: /GET/u,
    held: busy,
    env: patiently,
    says: notSent,
    outcome: 'none',
  },
  {
    name: 'the wait before a change is sent again',
    line: 'room end r-party --yes --as ann',
    at: /end/u,
    held: busy,
    env: patiently,
    says: interrupted('end room r-party'),
    outcome: 'none',
  },
  {
    name: 'a push',
    line: 'push send ann --title x --body y',
    at: /POST/u,
    says: inDoubt('the push may have been sent to ann'),
    outcome: 'unknown',
  },
  {
    name: 'changes of a run',
    line: 'room end r-party r-full r-standup --yes --as host --concurrency 2',
    at: /end/u,
    says: /^finishing 2 requests, .* to stop now\nerror: (?:interrupted|the terminal was closed); 2 changes may have been made: end room r-party, end room r-full; see: roomctl history --outcome unknown\n$/u,
    outcome: 'unknown',
    lasts: true,
  },
  {
    name: 'the creation of an upload',
    line: upload,
    at: /POST/u,
    says: unfinished,
    gives: cut,
  },
  {
    name: 'the sending of a chunk',
    line: upload,
    at: /PATCH/u,
    says: unfinished,
    gives: cut,
  },
  {
    name: 'the look at what was uploaded',
    line: upload,
    at: /type=meta/u,
    says: /^uploaded 1 file, .*, 1 not verified\n$/u,
    gives: /done[\s\S]+not verified: interrupted/u,
  },
  {
    name: 'the digest of a large file',
    line: 'asset upload games/puzzle big.bundle --platform ios --description d --chunk-size 64GiB',
    // It is started, and the checksum of its one chunk takes minutes.
    at: /POST/u,
    held: () => reply('', {status: 201, headers: {location: '/asset/games/puzzle/big-1'}}),
    says: unfinished,
    gives: cut,
  },
  {
    name: 'a chunk of a sync',
    line: 'asset sync games/puzzle build --platform ios --description d',
    at: /PATCH/u,
    says: unfinished,
    gives: cut,
  },
  {
    name: 'the head of a download',
    line: 'asset download games/puzzle/a-logo',
    at: /asset-data/u,
    says: /interrupted/u,
    outcome: 'none',
  },
  {
    name: 'the body of a download',
    line: 'asset download games/puzzle/a-logo',
    at: /asset-data/u,
    held: () => endless('begin'),
    says: /interrupted/u,
    outcome: 'none',
  },
  {name: 'the first look of a watch', line: 'room watch r-party', at: /GET/u, machine: '-o ndjson'},
  {
    name: 'the wait of a watch',
    line: 'room watch r-party --until-status ENDED',
    says: /^watching room r-party on 127\.0\.0\.1:\d+ every 5s\n$/u,
    machine: '-o ndjson',
  },
  {
    name: 'a later look of a watch',
    line: 'room watch r-party --interval 1s',
    at: /GET.*r-party$/u,
    held: (arrivals) => (arrivals === 1 ? reply(party) : undefined),
    says: /^watching room r-party on 127\.0\.0\.1:\d+ every 1s\n$/u,
    machine: '-o ndjson',
  },
  {name: 'a check of doctor', line: 'doctor', at: /GET/u, says: notSent, outcome: 'none'},
  {
    name: 'a raw change',
    line: 'api room POST /v1/rooms -f name=X',
    at: /POST/u,
    says: inDoubt('POST /v1/rooms may have been carried out'),
    outcome: 'unknown',
  },
  {name: 'a list of ids that never comes', line: 'room end -', says: notSent, outcome: 'none'},
  {
    name: 'a list in a pipe that never comes',
    line: 'push send --recipients-from silent --title x --body y',
    says: notSent,
    outcome: 'none',
  },
  {
    name: 'a served sandbox',
    line: 'sandbox start --port 0',
    says: /^serving the sandbox; Ctrl-C to stop\. .*\n$/u,
    gives: /ROOMCTL_ROOM_URL/u,
  },
]

const party = JSON.stringify({
  status: 'SUCCESS',
  data: {room_id: 'r-party', name: 'Friday drinks', room_status: 'MEETING', created_by: 'eve', attendees: []},
})

/** Bytes that begin and do not go on. */
function endless(beginning: string): WireResponse {
  async function* bytes() {
    yield Buffer.from(beginning)
    await new Promise(() => undefined)
  }
  return {
    status: 200,
    headers: {'content-type': 'application/octet-stream', 'content-length': '1000'},
    body: bytes(),
    discard: () => undefined,
  }
}
