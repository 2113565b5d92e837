import type {Obstacle} from './obstacles.js'

/** The lines on stderr for each obstacle that hinders; the home is `~`. What hinders nothing is not there. */
type Refusals = Partial<Record<Obstacle, readonly string[]>>

const config = '~/config/config.json'
const profile = (why: string, advice: string) => [
  `error: ${config} is not used for the profile: ${why}`,
  `  try: ${advice}`,
]
const linkedProfile = profile(
  'it is a symbolic link',
  'put the file itself there, or set ROOMCTL_CONFIG_DIR to its folder',
)
const movedProfile = (why: string) => profile(why, `move it away: mv ${config} ${config}.old`)

const journal = (why: string) => [
  `warning: the change is not in the journal: ~/state/journal.ndjson cannot be written: ${why}; fix that, or set ROOMCTL_STATE_DIR to another folder`,
]

const ledger = (why: string) => [
  `error: ~/state/uploads/uploads.jsonl is not used for the ledger of uploads: ${why}`,
  '  try: move it away, or keep the ledger in another folder with --state-dir',
]
const unreadLedger = (why: string, ...because: readonly string[]) => [
  `error: cannot read the ledger of uploads ~/state/uploads/uploads.jsonl: ${why}`,
  ...because,
  '  try: fix that, or keep the ledger in another folder with --state-dir',
]
const linkedLedger = unreadLedger('it is a symbolic link', '  why: a link could lead the writing to any other file')

const world = (why: string) => [
  `error: cannot read the sandbox's state in ~/data/roomctl/sandbox/world.json: ${why}`,
  '  try: fix that, or move the file away',
]

/** A file that a flag names, looked at before anything is sent. */
function named(file: string): Refusals {
  const lines = (why: string) => [
    `error: cannot write ${file}; nothing was sent`,
    `  why: ${why}`,
    '  try: name another file',
  ]
  return {
    'a folder in its place': lines('it is not a file'),
    'a file in the place of its folder': lines('a part of this path is not a folder'),
    'a link to a file of the user': lines('it is a symbolic link'),
    'a link to nothing': lines('it is a symbolic link'),
    'a link to itself': lines('it is a symbolic link'),
    'a pipe without a reader': lines('it is not a file'),
  }
}

/** By the name of the file. */
export const refusals: Readonly<Record<string, Refusals>> = {
  'the profile file': {
    'a folder in its place': movedProfile('it is not a file'),
    'a file in the place of its folder': [
      'error: ~/config is not used for the profile: a part of this path is not a folder',
      '  try: set ROOMCTL_CONFIG_DIR to a folder of your own',
    ],
    'a link to a file of the user': linkedProfile,
    'a link to nothing': linkedProfile,
    'a link to itself': linkedProfile,
    'a pipe without a reader': movedProfile('it is not a file'),
    'a gibibyte of nothing': movedProfile('it is larger than 16 MiB'),
  },
  'the journal': {
    'a folder in its place': journal('it is a folder'),
    'a file in the place of its folder': journal('a part of this path is not a folder'),
    'a link to a file of the user': journal('it is a symbolic link'),
    'a link to nothing': journal('it is a symbolic link'),
    'a link to itself': journal('it is a symbolic link'),
    'a pipe without a reader': journal('it is not a file'),
  },
  'the ledger of uploads': {
    'a folder in its place': ledger('it is not a file'),
    'a file in the place of its folder': unreadLedger('a part of this path is not a folder'),
    'a link to a file of the user': linkedLedger,
    'a link to nothing': linkedLedger,
    'a link to itself': linkedLedger,
    'a pipe without a reader': ledger('it is not a file'),
    'a gibibyte of nothing': ledger('it is larger than 500 MiB'),
  },
  "the sandbox's world": {
    'a folder in its place': world('it is not a file'),
    'a file in the place of its folder': world('a part of this path is not a folder'),
    'a link to a file of the user': world('it is a symbolic link'),
    'a link to nothing': world('it is a symbolic link'),
    'a link to itself': world('it is a symbolic link'),
    'a pipe without a reader': world('it is not a file'),
    'a gibibyte of nothing': world('it is larger than 256 MiB'),
  },
  'a download': named('out/bytes'),
}
