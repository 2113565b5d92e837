import {randomBytes} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as wait} from 'node:timers/promises'
import {appleMarks, TestCredentials} from '../testCredentials.js'
import {exitOf, type RanLine, type Shell} from './shell.js'

/** One command of the day. */
export interface Step {
  /** As typed; `{name}` is a value that an earlier step found. */
  readonly type: string
  /** The expected exit code; default 0, null if it is killed. */
  readonly exit?: number | null
  /** Keeps the first group of `pattern`, found in the output, for the steps after it. */
  readonly find?: {readonly name: string; readonly pattern: RegExp}
  /** Does what a person does in another way than by a command of roomctl, in place of running the line. */
  readonly play?: (shell: Shell, line: string) => Promise<RanLine>
}

/** A part of the day, under its heading. */
export interface Chapter {
  readonly heading: string
  /** Needs nothing of the chapters before it but a sandbox: it is played in a home of its own, while they are. */
  readonly isFresh?: true
  /** Writes files of other people into the working folder before the steps. */
  readonly prepare?: (folder: string) => void
  readonly steps: readonly Step[]
}

/** Puts a bundle of some megabytes, which no other run has had. */
function putBundle(folder: string): void {
  mkdirSync(path.join(folder, 'bundle'))
  writeFileSync(path.join(folder, 'bundle/catalog.json'), '{"levels": 3}\n')
  for (const level of [1, 2, 3]) {
    writeFileSync(path.join(folder, `bundle/level${level}.bundle`), randomBytes(24_000_000))
  }
}

/** Kills the command once the service has acknowledged a chunk of a file, however slow the machine is. */
async function playKilled(shell: Shell, line: string): Promise<RanLine> {
  const child = shell.start(line)
  child.stdout?.resume()
  child.stderr?.resume()
  const ended = exitOf(child)
  const acknowledged = "roomctl asset uploads -o json --query '[?acked > `0`].id'"
  while (!(await shell.run(acknowledged)).output.includes('"') && child.exitCode === null) await wait(20)
  child.kill('SIGKILL')
  const exit = await ended
  return {output: exit === null ? 'killed\n' : '', exit}
}

/** Compares the download with the upload, byte for byte. */
async function playComparison({home}: Shell): Promise<RanLine> {
  const names = readdirSync(path.join(home, 'back')).sort()
  const rows = names.map((name) => {
    const [sent, back] = ['bundle', 'back'].map((folder) => readFileSync(path.join(home, folder, name)))
    return {name, isEqual: back !== undefined && sent?.equals(back) === true}
  })
  const output = rows.map(({name, isEqual}) => `${name}: ${isEqual ? 'equal' : 'another'}\n`).join('')
  return {output, exit: names.length > 0 && rows.every(({isEqual}) => isEqual) ? 0 : 1}
}

/** Writes two certificates for the admin, as from Apple and the keychain: one for push, one for another use. */
function putCertificates(folder: string): void {
  const made = new TestCredentials()
  const to = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const certificates = {
    'wrong.p12': made.certificate({
      name: 'Apple Distribution: Example Ltd',
      uid: 'com.example.shop',
      extensions: {},
      to,
    }),
    'push.p12': made.certificate({uid: 'com.example.shop', extensions: appleMarks.production, to}),
  }
  for (const [name, certificate] of Object.entries(certificates)) {
    const bytes = made.p12({certificates: [certificate], password: 'a pass word'})
    writeFileSync(path.join(folder, name), bytes, {mode: 0o600})
  }
  writeFileSync(path.join(folder, 'password'), 'a pass word', {mode: 0o600})
  writeFileSync(path.join(folder, 'server-key'), `AAAAdemokey:${'0'.repeat(140)}`, {mode: 0o600})
}

function putDeviceToken(folder: string): void {
  writeFileSync(path.join(folder, 'device-token'), 'a-device-token-of-gina', {mode: 0o600})
}

/** The initial state of a chapter. */
export const onSandbox: readonly Step[] = [{type: 'roomctl sandbox reset --seed demo'}]

/** A working day: rooms, attendees and recordings, a bundle that goes up, and an hour of pushes and their credentials. */
export const day: readonly Chapter[] = [
  {
    heading: 'A sandbox to work on, inside the tool: nothing to start, nothing to configure',
    steps: [...onSandbox, {type: 'roomctl room list'}],
  },
  {
    heading: 'A meeting is set up',
    steps: [
      {
        type: 'roomctl room create "Design review" --created-by ann -a ben -a carl --start +10m --for 1h --check',
        find: {name: 'room', pattern: /created room (\S+)/},
      },
      {type: 'roomctl room show {room}'},
      {type: 'roomctl room update {room} --description "Second round" --max 10'},
    ],
  },
  {
    heading: 'Participants come and go, and the host changes',
    steps: [
      {type: 'roomctl sandbox enter {room} ann'},
      {type: 'roomctl sandbox enter {room} ben'},
      {type: 'roomctl sandbox enter {room} carl'},
      {type: 'roomctl room delegate {room} carl'},
      {type: 'roomctl sandbox leave {room} carl'},
      {type: 'roomctl attendee list {room} --present'},
      {type: 'roomctl room presenter {room} ben'},
      {type: 'roomctl room send {room} "The slides are up" --from ann --to ben'},
    ],
  },
  {
    heading: 'Who may come in',
    steps: [
      {type: 'roomctl attendee add {room} dora eve'},
      {type: 'roomctl attendee token {room} dora --name "Dora D." --decode'},
      {type: 'roomctl sandbox enter {room} dora'},
      {type: 'roomctl attendee block {room} dora --yes'},
      {type: 'roomctl attendee token {room} dora', exit: 5},
      {type: 'roomctl attendee restore {room} dora'},
      {type: 'roomctl sandbox enter {room} dora'},
    ],
  },
  {
    heading: 'A recording',
    steps: [
      {type: 'roomctl record start {room} --layout speaker'},
      {type: 'roomctl record start {room} --layout grid', exit: 7},
      {type: 'roomctl record stop {room}'},
      {type: 'roomctl record list {room}'},
    ],
  },
  {
    heading: 'The end of the meeting, and a refusal explained',
    steps: [
      {type: 'roomctl room delete {room} --dry-run'},
      {type: 'roomctl room end {room}', exit: 13},
      {type: 'roomctl room end {room} --dry-run'},
      {type: 'roomctl room end {room} --yes'},
      {type: 'roomctl room end {room} --yes', exit: 7},
      {type: 'roomctl explain ER001'},
    ],
  },
  {
    heading: 'Several rooms at once',
    steps: [
      {type: "roomctl room list --status meeting --older-than 8h --match 'test-*'"},
      {type: "roomctl room list --status meeting --older-than 8h --match 'test-*' -q | roomctl room end - --yes"},
      {type: 'roomctl room delete r-retro r-standup r-nowhere --yes', exit: 11},
    ],
  },
  {
    heading: 'A bundle goes up over a slow line, is interrupted and resumed',
    isFresh: true,
    prepare: putBundle,
    steps: [
      {type: 'roomctl sandbox reset --seed demo --latency 200ms'},
      {type: 'roomctl asset create games/demo --description "Build 42"'},
      {type: 'roomctl asset sync games/demo bundle --platform ios --dry-run'},
      {
        type: 'roomctl asset sync games/demo bundle --platform ios',
        play: playKilled,
        exit: null,
      },
      {type: 'roomctl asset uploads'},
      {type: 'roomctl asset sync games/demo bundle --platform ios'},
      {type: 'roomctl asset sync games/demo bundle --platform ios --columns file,outcome,reason'},
      {type: 'roomctl asset list games/demo'},
      {type: 'roomctl asset list games/demo -q | roomctl asset download - --dir back'},
      {type: '(compare bundle with back, byte for byte)', play: playComparison},
      {type: 'roomctl sandbox reset --seed demo'},
    ],
  },
  {
    heading: 'An admin’s hour: the wrong certificate is refused before anything is sent, the right one is registered',
    isFresh: true,
    prepare: putCertificates,
    steps: [
      {type: 'roomctl push inspect wrong.p12 --password-file password', exit: 14},
      {type: 'roomctl push ios wrong.p12 --application-id shop --password-file password', exit: 14},
      {type: 'roomctl push ios push.p12 --application-id shop --password-file password --dry-run'},
      {type: 'roomctl push ios push.p12 --application-id shop --password-file password'},
      {type: 'roomctl push ios push.p12 --application-id shop --password-file password', exit: 13},
      {type: 'roomctl push audit --application-id shop --expires-within 120d', exit: 15},
      {type: 'roomctl push show --application-id app-1'},
      {
        type: 'roomctl push android --application-id shop --package com.example.shop --server-key-file server-key',
        exit: 13,
      },
      {
        type: 'roomctl push android --application-id shop --package com.example.shop --server-key-file server-key --legacy',
      },
    ],
  },
  {
    heading: 'Pushes: a device, a message, and a schedule that is changed and cancelled',
    prepare: putDeviceToken,
    steps: [
      {type: 'roomctl push register gina --type ANDROID < device-token'},
      {type: 'roomctl push send gina eve --title "Moved" --body "Now at noon" --data room=r-standup', exit: 11},
      {
        type: 'roomctl push broadcast --title Maintenance --body "For an hour" --at +2h --application-id app-1',
        exit: 13,
      },
      {
        type: 'roomctl push broadcast --title Maintenance --body "For an hour" --at +2h --application-id app-1 --confirm app-1',
        find: {name: 'uuid', pattern: /: request (\S+)/},
      },
      {
        type: 'roomctl push modify {uuid} --title Maintenance --body "For two hours" --to ANDROID --at +3h --application-id app-1',
      },
      {type: 'roomctl push cancel {uuid} --application-id app-1 --yes'},
      {type: 'roomctl push cancel {uuid} --application-id app-1 --yes', exit: 8},
      {type: 'roomctl push records --failed'},
    ],
  },
  {
    heading: 'For scripts, and for what no command is there for',
    steps: [
      {type: `roomctl room list -o json --query "[?room_status=='MEETING'].{id: room_id, name: name}"`},
      {type: 'roomctl room list --status ended -o csv --columns room_id,name,created_by'},
      {type: 'roomctl room show r-nowhere -o json', exit: 6},
      {type: 'roomctl api room GET /v1/rooms/r-support/attendees'},
      {type: 'roomctl config list'},
    ],
  },
]
