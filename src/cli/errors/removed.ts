import type {Advice, AdvisedCommand} from '../../advice.js'
import {type Failure, wrongUsage} from '../../failure.js'

interface RemovedName {
  /** As it was typed: `room can`, `--where`. */
  readonly name: string
  /** The commands that had the flag; every command without it. */
  readonly of?: readonly string[]
  /** What to use instead: a command line, or a sentence. */
  readonly try: Advice
}

/** Something of 0.3.0 that 0.4.0 does not have. The whole table goes with 0.5.0. */
export interface Removed extends RemovedName {
  readonly kind: 'command' | 'flag' | 'help topic' | 'setting' | 'variable'
}

const idsOfPreview =
  'save the ids that --dry-run -q prints, check them, and pipe them to the same command with - as the target'
const watchAll: AdvisedCommand = {command: ['room watch', '--match', '*']}
const serves = ['sandbox start', 'sandbox reset']

const commands: readonly RemovedName[] = [
  {name: 'apply', try: idsOfPreview},
  {name: 'asset duplicates', try: 'to compare a folder with its container, use --check of asset sync'},
  {name: 'config current', try: {command: ['config list']}},
  {name: 'config path', try: {command: ['config list']}},
  {
    name: 'config route import',
    try: {sentence: 'to set a route, for example', command: ['config set', 'route.push.show', 'GET /v1/config']},
  },
  {
    name: 'config route set',
    try: {sentence: 'a route is a setting, for example', command: ['config set', 'route.push.show', 'GET /v1/config']},
  },
  {name: 'config route test', try: {command: ['config route list']}},
  {
    name: 'config route unset',
    try: {sentence: 'a route is a setting, for example', command: ['config unset', 'route.push.show']},
  },
  {name: 'push rotate', try: 'register the new file with push ios --prove; to go back, register the old file again'},
  {
    name: 'room attendance',
    try: {
      sentence: 'start it before the meeting, and keep its output',
      command: [...watchAll.command, '-o', 'ndjson'],
    },
  },
  {name: 'room can', try: 'room show says what is allowed now, and --dry-run predicts a change'},
  {name: 'sandbox status', try: {command: ['room list', '-p', 'sandbox']}},
  {name: 'undo', try: {command: ['history']}},
]

const flags: readonly RemovedName[] = [
  {
    name: '--allow-far',
    of: ['push broadcast', 'push modify'],
    try: 'leave --allow-far out: a time more than a year ahead is a warning',
  },
  {name: '--allow-http', of: ['config profile add'], try: 'set it in the profile: config set allowHttp true'},
  {name: '--asset-url', of: ['config profile add'], try: 'set it in the profile: config set asset.url'},
  {name: '--budget', of: ['room watch'], try: 'use --interval, which sets how often rooms are read'},
  {name: '--budget', of: ['push audit'], try: 'leave --budget out'},
  {name: '--budget', of: ['room list'], try: watchAll},
  {name: '--by-name', try: {sentence: 'to find the id by the name', command: ['room list', '--match', '*']}},
  {name: '--ci', try: 'leave --ci out; --result writes a file that later steps of a pipeline can read'},
  {name: '--no-color', try: 'use --color never'},
  {name: '--container', of: ['doctor'], try: 'name the container as an argument'},
  {name: '--cut-after', of: serves, try: 'leave --cut-after out: the sandbox breaks no connections'},
  {name: '--done', of: ['asset forget'], try: 'pipe the ids of asset uploads --all --query to -'},
  {name: '--fail', of: serves, try: 'leave --fail out: the sandbox does not fail on purpose'},
  {name: '--failed-out', try: `use -o json --query "[?outcome=='failed' || outcome=='not-tried'].room_id" -r`},
  {name: '--files', of: ['push audit'], try: 'check files with push inspect'},
  {name: '--frozen', of: ['asset sync'], try: 'use --check'},
  {name: '--ics', of: ['push audit'], try: 'use -o json, which has the days left of each credential'},
  {name: '--init', of: ['asset sync'], try: 'leave --init out: if a file needs manifest lines, the error shows them'},
  {name: '--initial', of: ['room watch'], try: {command: ['room list']}},
  {
    name: '--install',
    of: ['completion'],
    try: 'save the script in a file: the help of completion names the place for each shell',
  },
  {name: '--interval', of: ['room list'], try: watchAll},
  {name: '--lock', of: ['asset sync'], try: 'use --result, which records uuid and digest of each file'},
  {
    name: '--lock',
    of: ['asset download'],
    try: 'leave --lock out; asset sync --check compares a folder with its container',
  },
  {name: '--max-chunk', of: serves, try: 'leave --max-chunk out'},
  {name: '--plan-out', try: idsOfPreview},
  {name: '--protected', of: ['config profile add'], try: 'set it in the profile: config set protected true'},
  {name: '--reason', try: 'leave --reason out'},
  {name: '--replace', of: ['config profile import'], try: 'use --overwrite'},
  {name: '--requester', of: ['config profile add'], try: 'set it in the profile: config set requester'},
  {name: '--room', of: ['history'], try: 'name the room as an argument'},
  {name: '--route', of: serves, try: 'leave --route out: the sandbox serves the built-in routes'},
  {
    name: '--route',
    try: {
      sentence: 'use a variable such as ROOMCTL_ROUTE_PUSH_SHOW, or',
      command: ['config set', 'route.push.show', 'GET /v1/config'],
    },
  },
  {name: '--no-sha256', of: ['asset upload'], try: 'leave --no-sha256 out'},
  {name: '--sha256', of: ['asset upload'], try: 'leave --sha256 out: each result has the digest'},
  {name: '--stall', of: serves, try: 'leave --stall out: the sandbox stalls no uploads'},
  {name: '--trashed', of: ['asset download'], try: 'leave --trashed out: a note names what is in the trash'},
  {name: '--until', of: ['room watch'], try: 'use --until-status, as in --until-status ended'},
  {name: '--utc', try: 'use --tz utc'},
  {name: '--watch', of: ['room list'], try: watchAll},
  {
    name: '--where',
    try: 'use --status, --match, --created-by, --older-than or --empty; for the rest, pipe ids from room list --query to a command with -',
  },
]

const settings: readonly RemovedName[] = [
  {name: 'journal.keep', try: 'leave it out: roomctl keeps rotated journal files for 90 days, the newest five longer'},
  {name: 'pager', try: 'set the variable PAGER, or use --no-pager'},
]

const rowsOf = (kind: Removed['kind'], names: readonly RemovedName[]) => names.map((row) => ({kind, ...row}))

export const removals: readonly Removed[] = [
  ...rowsOf('command', commands),
  ...rowsOf('help topic', [{name: 'selectors', try: {command: ['room list', '--help']}}]),
  ...rowsOf('flag', flags),
  ...rowsOf('setting', settings),
  ...rowsOf('variable', [{name: 'ROOMCTL_PAGER', try: 'set PAGER instead, or use --no-pager'}]),
]

function removedFailure({kind, name, try: advice}: Removed): Failure {
  const noun = kind === 'flag' ? '' : `${kind === 'variable' ? 'environment variable' : kind} `
  return wrongUsage(`${noun}${name} was removed in 0.4.0`, {try: advice})
}

function removedAs(kind: Removed['kind'], fits: (removed: Removed) => boolean): Failure | undefined {
  const removed = removals.find((row) => row.kind === kind && fits(row))
  return removed && removedFailure(removed)
}

/** The failure for the removed command, or after `help` the removed topic, that the words begin with. */
export function removedCommand(words: readonly string[], isHelp: boolean): Failure | undefined {
  const line = `${words.join(' ')} `
  const fits = ({name}: Removed) => line.startsWith(`${name} `)
  return removedAs('command', fits) ?? (isHelp ? removedAs('help topic', fits) : undefined)
}

/** The failure for the first of these flags that a command had; without `command`, that any command had. */
export function removedFlag(names: readonly string[], command?: string): Failure | undefined {
  return removedAs(
    'flag',
    ({name, of}) => names.includes(name) && (of === undefined || (command !== undefined && of.includes(command))),
  )
}

export function removedSetting(key: string): Failure | undefined {
  return removedAs('setting', ({name}) => name === key)
}

export function removedVariable(name: string): Failure | undefined {
  return removedAs('variable', (removed) => removed.name === name)
}
