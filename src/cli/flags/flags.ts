import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {OptionFlag} from '@oclif/core/interfaces'

/** The groups of the common flags, each with who takes it. Help shows a flag of another group, or of none, as the command's own. */
export const commonGroups = {
  OUTPUT: 'Every command: output',
  GLOBAL: 'Every command: settings',
  ROWS: 'Commands that print rows',
  TIMES: 'Commands that print or read times',
  SERVICE: 'Commands that call a service',
  RUN: 'Commands with several targets or files',
  SAFETY: 'Commands that change something',
} as const

const output = {helpGroup: 'OUTPUT'}
const global = {helpGroup: 'GLOBAL'}
const rows = {helpGroup: 'ROWS'}
const times = {helpGroup: 'TIMES'}
const service = {helpGroup: 'SERVICE'}
const run = {helpGroup: 'RUN'}
const safety = {helpGroup: 'SAFETY'}

/** A common flag with a meaning of its own in a command, whose help lists it. */
export function withMeaning<Flag extends {helpGroup?: string}>(flag: Flag, summary: string, helpValue?: string): Flag {
  return {...flag, helpGroup: undefined, summary, ...(helpValue === undefined ? {} : {helpValue})}
}

type MoreOfFlag = Partial<Pick<OptionFlag<string>, 'helpGroup' | 'exclusive' | 'dependsOn' | 'char'>>

/** A flag that is given or not; with `allowNo` also as `--no-NAME`. */
export function switchFlag(
  summary: string,
  more: MoreOfFlag & {readonly allowNo?: true; readonly default?: true} = {},
) {
  return Flags.boolean({...more, summary})
}

/** A flag with a value, which help calls `helpValue`. */
export function valueFlag(helpValue: string, summary: string, more: MoreOfFlag = {}) {
  return Flags.string({...more, helpValue, summary})
}

/** A flag that names a file to read; `-` is stdin. A file that cannot be read is refused before any question. */
export function inputFileFlag(summary: string, more: MoreOfFlag = {}) {
  return {...valueFlag('FILE', summary, more), isInputFile: true as const}
}

export function requiredFlag(helpValue: string, summary: string) {
  return Flags.string({required: true, helpValue, summary})
}

export function defaultedFlag(helpValue: string, value: string, summary: string) {
  return Flags.string({default: value, helpValue, summary})
}

/** For a flag that may be repeated; it takes one value each time. */
export const repeatable = {multiple: true, multipleNonGreedy: true} as const

export function repeatableFlag(helpValue: string, summary: string, more: MoreOfFlag = {}) {
  return Flags.string({...more, ...repeatable, helpValue, summary})
}

export const progressKinds = ['auto', 'bar', 'line', 'json', 'none'] as const

export type ProgressKind = (typeof progressKinds)[number]

/** The examples of a command's help: what each shows, and its command line. */
export function commandExamples(lines: Readonly<Record<string, string>>): {description: string; command: string}[] {
  return Object.entries(lines).map(([description, command]) => ({description, command}))
}

/** Flags of every command: output. */
const outputFlags = {
  output: valueFlag('FORMAT', 'table, json, ndjson, yaml, csv, tsv or ids', {char: 'o', ...output}),
  json: switchFlag('the same as -o json', {...output, exclusive: ['output', 'quiet']}),
  quiet: switchFlag('ids only: the same as -o ids', {char: 'q', ...output, exclusive: ['output', 'json']}),
  query: valueFlag('JMESPATH', 'filter JSON or YAML with JMESPath; implies -o json', output),
  raw: switchFlag('print strings found by --query unquoted, one per line', {
    char: 'r',
    ...output,
    dependsOn: ['query'],
  }),
  color: Flags.string({...output, options: ['auto', 'always', 'never'], summary: 'when to use colour'}),
}

/** Flags of every command: sources of settings. */
export const localFlags = {
  ...outputFlags,
  profile: valueFlag('NAME', 'profile to use; `sandbox` is built in', {char: 'p', ...global}),
  'no-input': switchFlag('never prompt', global),
  'read-only': switchFlag('refuse to change anything; exit with 13', global),
  debug: switchFlag('show requests and responses on stderr, secrets masked', global),
}

/** Flags of the commands that print the fields of one object. */
export const cardFlags = {
  columns: valueFlag('a,b', 'columns of a table, csv or tsv', rows),
  'no-header': switchFlag('omit the header row', rows),
  bom: switchFlag('begin csv with a byte order mark, for Excel on Windows', rows),
  'no-pager': switchFlag('print long lists without a pager', rows),
}

/** Flags of the commands that print a list. */
export const rowFlags = {
  ...cardFlags,
  sort: valueFlag('-a,b', 'sort a list; a minus sorts in descending order', rows),
}

/** Flags of the commands that print or read times. */
export const timeFlags = {
  tz: valueFlag('ZONE', 'show and read times in this zone: Asia/Seoul, local, utc', times),
}

/** Flags of every command that calls a service. */
export const serviceFlags = {
  ...localFlags,
  timeout: valueFlag('60s', 'time limit per call, including retries', service),
  retries: valueFlag('N', 'number of retries, 0–10 (default 2)', service),
  'ca-file': valueFlag('FILE', 'also trust the certificates in this PEM file', service),
}

const choosing = {helpGroup: 'CHOOSING ROOMS'}

/** Flags that choose rooms, the same in every command; a room must match all. */
export const roomSelectionFlags = {
  status: repeatableFlag('STATE', 'rooms in this state; repeatable', choosing),
  match: valueFlag('PATTERN', 'rooms whose whole name matches, as test-*', choosing),
  'created-by': valueFlag('USER', 'rooms created by this user', choosing),
  'older-than': valueFlag('8h', 'rooms that began longer ago than this', choosing),
  empty: switchFlag('MEETING and IDLE rooms with nobody present', choosing),
}

export const roomSelectionNames = ['status', 'match', 'created-by', 'older-than', 'empty'] as const

/** How progress is shown, of everything that takes long. `auto`: bars on a terminal, lines elsewhere. */
export const progressFlag = Flags.string({
  ...run,
  options: [...progressKinds],
  default: 'auto',
  summary: 'show progress as bars, lines or JSON',
})

/** How many requests run at once; `most` is the limit of the command. */
export function concurrencyFlag(most: number) {
  return valueFlag('N', `parallel requests, 1–${most} (default 8)`, run)
}

/** For the files that a command writes, or for the one of `flag`. */
export function overwriteFlag(flag?: string) {
  if (flag === undefined) return switchFlag('overwrite existing files')
  return switchFlag(`overwrite the file of --${flag}`, {dependsOn: [flag]})
}

/** A token is read from a file, never from the command line. */
export const tokenFileFlag = inputFileFlag('read the token from a file; - is stdin')

/** The requester of a room operation. */
export const requesterFlags = {
  as: valueFlag('USER|host|creator', 'act as this user (default: profile’s requester, then host)'),
}

export const applicationFlags = {
  'application-id': valueFlag('ID', 'id of the application (default: the profile’s)'),
}

/** Every change takes it, also one that asks nothing. */
export const yesFlag = {yes: switchFlag('skip the confirmation', {char: 'y', ...safety})}

export const changeFlags = {
  'dry-run': switchFlag('show what would be sent or refused; change nothing', safety),
  confirm: valueFlag('VALUE', 'confirm with the name of a protected profile', safety),
  ...yesFlag,
}

/** Flags of the changes that concern a whole application, which `--yes` does not confirm. */
export const applicationChangeFlags = {
  ...changeFlags,
  confirm: withMeaning(changeFlags.confirm, 'the application id or protected profile that is asked for', 'ID'),
}

/** Every common flag: `roomctl help flags` explains them, and each may precede the command. */
export const commonFlags = {
  ...serviceFlags,
  ...rowFlags,
  ...timeFlags,
  concurrency: {...concurrencyFlag(64), summary: 'parallel requests, 1–64, or 1–32 for files (default 8)'},
  progress: progressFlag,
  ...changeFlags,
}

/** Limit on the number of targets, against a list that is longer than intended. `most`: the default. */
export function maxTargetsFlag(most: number) {
  return defaultedFlag('N', String(most), 'refuse to change more than N targets')
}

export const failFastFlag = switchFlag('stop after the first failure')

export const severalTargetsFlags = {
  ...changeFlags,
  confirm: withMeaning(changeFlags.confirm, 'confirm with the number of targets, or protected profile'),
  max: maxTargetsFlag(100),
  'fail-fast': failFastFlag,
}

// ignoreStdin: oclif would take piped input for an argument that is missing.

export function requiredArg(name: string, description: string) {
  return Args.string({name, description, required: true, ignoreStdin: true})
}

export function optionalArg(name: string, description: string) {
  return Args.string({name, description, ignoreStdin: true})
}

/** Optional for the parser: if it is missing, roomctl asks on a terminal and fails in a script. */
export const roomArg = optionalArg('ROOM', 'id of the room')
export const userArg = optionalArg('USER', 'id of the user')

export function severalArg(name: string, description: string) {
  return Args.string({name, description, multiple: true, ignoreStdin: true})
}

export const roomsArg = severalArg('ROOM', 'room ids; - reads them from stdin, one per line')

/** To be called `room user`. In one, because oclif takes no argument that may be left out before one of several words. */
export const roomAndUsersArg = severalArg(
  'ROOM USER',
  'room id, then user ids; - instead of either reads ids from stdin, one per line',
)
