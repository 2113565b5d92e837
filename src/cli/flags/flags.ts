import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'

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

const output = 'OUTPUT'
const global = 'GLOBAL'
const rows = 'ROWS'
const times = 'TIMES'
const service = 'SERVICE'
const run = 'RUN'
const safety = 'SAFETY'

/** A common flag with a meaning of its own in a command, whose help lists it. */
export function withMeaning<Flag extends {helpGroup?: string}>(flag: Flag, summary: string, helpValue?: string): Flag {
  return {...flag, helpGroup: undefined, summary, ...(helpValue === undefined ? {} : {helpValue})}
}

/** For a flag that may be given several times; what follows its value is no further value. */
export const repeatable = {multiple: true, multipleNonGreedy: true} as const

export const progressKinds = ['auto', 'bar', 'line', 'json', 'none'] as const

export type ProgressKind = (typeof progressKinds)[number]

/** The examples of a command's help: what each shows, and its command line. */
export function commandExamples(lines: Readonly<Record<string, string>>): {description: string; command: string}[] {
  return Object.entries(lines).map(([description, command]) => ({description, command}))
}

/** Flags of every command: what is shown, and how. */
const outputFlags = {
  output: Flags.string({
    char: 'o',
    helpGroup: output,
    helpValue: 'FORMAT',
    summary: 'table, json, ndjson, yaml, csv, tsv or ids',
  }),
  json: Flags.boolean({helpGroup: output, summary: 'the same as -o json', exclusive: ['output', 'quiet']}),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: output,
    summary: 'ids only: the same as -o ids',
    exclusive: ['output', 'json'],
  }),
  query: Flags.string({
    helpGroup: output,
    helpValue: 'JMESPATH',
    summary: 'filter JSON or YAML with JMESPath; implies -o json',
  }),
  raw: Flags.boolean({
    char: 'r',
    helpGroup: output,
    summary: 'print strings found by --query unquoted, one per line',
    dependsOn: ['query'],
  }),
  color: Flags.string({helpGroup: output, options: ['auto', 'always', 'never'], summary: 'when to use colour'}),
}

/** Flags of every command: where its settings come from. */
export const localFlags = {
  ...outputFlags,
  profile: Flags.string({
    char: 'p',
    helpGroup: global,
    helpValue: 'NAME',
    summary: 'profile to use; `sandbox` is built in',
  }),
  'no-input': Flags.boolean({helpGroup: global, summary: 'never prompt'}),
  'read-only': Flags.boolean({helpGroup: global, summary: 'refuse to change anything; exit with 13'}),
  debug: Flags.boolean({helpGroup: global, summary: 'show requests and responses on stderr, secrets masked'}),
}

/** Flags of the commands that print the fields of one object. */
export const cardFlags = {
  columns: Flags.string({helpGroup: rows, helpValue: 'a,b', summary: 'columns of a table, csv or tsv'}),
  'no-header': Flags.boolean({helpGroup: rows, summary: 'omit the header row'}),
  bom: Flags.boolean({helpGroup: rows, summary: 'begin csv with a byte order mark, for Excel on Windows'}),
  'no-pager': Flags.boolean({helpGroup: rows, summary: 'print long lists without a pager'}),
}

/** Flags of the commands that print a list. */
export const rowFlags = {
  ...cardFlags,
  sort: Flags.string({helpGroup: rows, helpValue: '-a,b', summary: 'sort a list; a minus sorts in descending order'}),
}

/** Flags of the commands that print or read times. */
export const timeFlags = {
  utc: Flags.boolean({helpGroup: times, summary: 'show times in UTC', exclusive: ['tz']}),
  tz: Flags.string({
    helpGroup: times,
    helpValue: 'ZONE',
    summary: 'show and read times in this zone: Asia/Seoul, local, utc',
  }),
}

/** Overrides routes, also for commands that only show them. */
export const routeOverrideFlags = {
  route: Flags.string({
    helpGroup: service,
    helpValue: "ID='METHOD /path'",
    ...repeatable,
    summary: 'override the method and path of an operation',
  }),
}

/** Flags of every command that calls a service. */
export const serviceFlags = {
  ...localFlags,
  timeout: Flags.string({helpGroup: service, helpValue: '60s', summary: 'time limit per call, including retries'}),
  retries: Flags.string({helpGroup: service, helpValue: 'N', summary: 'number of retries, 0–10 (default 2)'}),
  'ca-file': Flags.string({
    helpGroup: service,
    helpValue: 'FILE',
    summary: 'also trust the certificates in this PEM file',
  }),
  ...routeOverrideFlags,
}

/** The common flags before the command, each with its words: `-p live` of `-p live room list`. Another flag ends them. */
export function leadingFlags(argv: readonly string[]): {readonly name: string; readonly words: readonly string[]}[] {
  const leading: {name: string; words: readonly string[]}[] = []
  for (let at = 0, word = argv[0]; word !== undefined; word = argv[at]) {
    const [, long, short] = /^(?:--([^=]+)|-(\w))/u.exec(word) ?? []
    const [name, flag] =
      Object.entries(commonFlags).find(([one, {char}]) => one === long || (short && char === short)) ?? []
    if (!name) break
    const words = argv.slice(at, at + (flag?.type === 'option' && word === (long ? `--${long}` : `-${short}`) ? 2 : 1))
    leading.push({name, words})
    at += words.length
  }
  return leading
}

/** Flags that choose rooms (product §5); a room must meet all that are given. `instead`: of what, where that is not plain. */
export function roomSelectionFlags(group: {readonly helpGroup?: string} = {}, instead = '') {
  return {
    where: Flags.string({...group, helpValue: 'EXPR', summary: `rooms that match the expression${instead}`}),
    'older-than': Flags.string({...group, helpValue: '8h', summary: 'rooms that began longer ago than this'}),
    empty: Flags.boolean({...group, summary: 'MEETING and IDLE rooms with nobody present'}),
    match: Flags.string({...group, helpValue: 'GLOB', summary: 'rooms whose name matches, as test-*'}),
  }
}

export const roomSelectionNames = ['where', 'older-than', 'empty', 'match'] as const

/** How progress is shown, of everything that takes long. `auto`: bars on a terminal, lines elsewhere. */
export const progressFlag = Flags.string({
  helpGroup: run,
  options: [...progressKinds],
  default: 'auto',
  summary: 'show progress as bars, lines or JSON',
})

/** How many requests run at once; `most` is the limit of the command. */
export function concurrencyFlag(most: number) {
  return Flags.string({helpGroup: run, helpValue: 'N', summary: `parallel requests, 1–${most} (default 8)`})
}

/** For the files that a command writes; `flags` name those that it is for. */
export function overwriteFlag(...flags: string[]) {
  if (flags.length === 0) return Flags.boolean({summary: 'overwrite existing files'})
  const summary = `overwrite the file of ${flags.map((flag) => `--${flag}`).join(' or ')}`
  return Flags.boolean({summary, relationships: [{type: 'some', flags}]})
}

/** A token is read from a file, never from the command line. */
export const tokenFileFlag = Flags.string({helpValue: 'FILE', summary: 'read the token from a file; - is stdin'})

export const roomFlags = {
  ...serviceFlags,
  'by-name': Flags.boolean({summary: 'ROOM is the name of a room, which must be unique'}),
}

/** Who a room operation is done as (product §4). */
export const requesterFlags = {
  as: Flags.string({
    helpValue: 'USER|host|creator',
    summary: 'act as this user (default: the profile’s requester, then the host)',
  }),
}

export const applicationFlags = {
  'application-id': Flags.string({helpValue: 'ID', summary: 'id of the application (default: the profile’s)'}),
}

export const changeFlags = {
  'dry-run': Flags.boolean({helpGroup: safety, summary: 'show the request and what would be refused; change nothing'}),
  confirm: Flags.string({
    helpGroup: safety,
    helpValue: 'VALUE',
    summary: 'confirm with the name of a protected profile',
  }),
  reason: Flags.string({
    helpGroup: safety,
    helpValue: 'TEXT',
    summary: 'why, at most 500 characters; kept in the journal, shown by history',
  }),
}

/** Flags of the changes that concern a whole application, which `--yes` does not confirm. */
export const applicationChangeFlags = {
  ...changeFlags,
  confirm: withMeaning(
    changeFlags.confirm,
    'confirm with the application id, or the name of a protected profile',
    'ID',
  ),
}

export const confirmableFlags = {
  ...changeFlags,
  yes: Flags.boolean({char: 'y', helpGroup: safety, summary: 'skip the confirmation'}),
}

/** Every common flag: `roomctl help flags` explains them, and each may stand before the command. */
export const commonFlags = {
  ...serviceFlags,
  ...rowFlags,
  ...timeFlags,
  concurrency: {...concurrencyFlag(64), summary: 'parallel requests, 1–64, or 1–32 for files (default 8)'},
  progress: progressFlag,
  ...confirmableFlags,
}

/** Limit on the number of targets, against a list that is longer than intended. `most`: the default. */
export function maxTargetsFlag(most: number) {
  return Flags.string({
    helpValue: 'N',
    default: String(most),
    summary: 'refuse to change more than N targets',
  })
}

export const failFastFlag = Flags.boolean({summary: 'stop after the first failure'})

export const severalTargetsFlags = {
  ...confirmableFlags,
  confirm: withMeaning(
    changeFlags.confirm,
    'confirm with the number of targets, if several, or a protected profile’s name',
  ),
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

/** Optional for the parser: where it is missing, a terminal is asked and a script refused. */
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
