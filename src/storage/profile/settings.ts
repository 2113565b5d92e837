import {nearest} from '../../text/nearest.js'
import {
  absolutePath,
  address,
  duration,
  type Kind,
  oneOf,
  scheme,
  timeZone,
  wholeNumber,
  words,
  yesOrNo,
} from './kinds.js'
import {ProfileProblem} from './problem.js'

/** product §2. */
const outputFormats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'] as const

/** What the settings mean once resolved. Where nothing sets one without a default it is undefined. */
export interface Values {
  readonly 'room.url': string | undefined
  readonly 'asset.url': string | undefined
  readonly 'push.url': string | undefined
  readonly applicationId: string | undefined
  readonly bizId: string | undefined
  readonly requester: string | undefined
  readonly output: (typeof outputFormats)[number]
  readonly tz: string | undefined
  /** Milliseconds for a whole call. */
  readonly timeout: number
  readonly retries: number
  readonly concurrency: number
  readonly caFile: string | undefined
  readonly allowHttp: boolean
  readonly protected: boolean
  readonly readOnly: boolean
  readonly tokenStore: 'file' | 'keyring'
  /** The name under which a room update sends its requester (product §9). */
  readonly updateRequesterField: 'requester_id' | 'user_id'
  readonly pager: string | undefined
  /** How names and descriptions that are not ASCII stand in the headers of an upload (product §9). */
  readonly 'asset.headerEncoding': 'percent' | 'raw'
  /** The form of `dispatch_date`, of which the document names no separators: basic has none (product §9). */
  readonly 'push.dispatchDateFormat': 'basic' | 'extended'
  /** The scheme before the token of the push service, which the document does not show; `none`: the token alone. */
  readonly 'push.authScheme': string
  /** Where the journal is kept instead of the state folder. */
  readonly 'journal.path': string | undefined
}
export type SettingKey = keyof Values

interface Entry<T> {
  readonly kind: Kind<NonNullable<T>>
  /** What it is, for help and `config list`. */
  readonly what: string
  readonly env?: string
  /** As a person would write it. */
  readonly default?: string
}

// allowHttp, protected, readOnly and tokenStore have no variable: no environment variable answers a question (product §5).
// journal.path has none either: what is done with a profile is kept in one place.
const table: {readonly [Key in SettingKey]: Entry<Values[Key]>} = {
  'room.url': {kind: address, what: 'base address of the room service', env: 'ROOMCTL_ROOM_URL'},
  'asset.url': {kind: address, what: 'base address of the asset service', env: 'ROOMCTL_ASSET_URL'},
  'push.url': {kind: address, what: 'base address of the push service', env: 'ROOMCTL_PUSH_URL'},
  applicationId: {kind: words, what: 'application that rooms and pushes belong to', env: 'ROOMCTL_APPLICATION_ID'},
  bizId: {kind: words, what: 'business id that rooms are made and listed under', env: 'ROOMCTL_BIZ_ID'},
  requester: {kind: words, what: 'whom to act as: a user id, host or creator', env: 'ROOMCTL_REQUESTER'},
  output: {kind: oneOf(outputFormats), what: 'output format', env: 'ROOMCTL_OUTPUT', default: 'table'},
  tz: {kind: timeZone, what: 'time zone that times are shown in', env: 'ROOMCTL_TZ'},
  timeout: {kind: duration, what: 'longest time for one call', env: 'ROOMCTL_TIMEOUT', default: '60s'},
  retries: {kind: wholeNumber(0, 5), what: 'times a call is tried again', env: 'ROOMCTL_RETRIES', default: '2'},
  concurrency: {
    kind: wholeNumber(1, 64),
    what: 'calls under way at once in a bulk command',
    env: 'ROOMCTL_CONCURRENCY',
    default: '8',
  },
  caFile: {kind: words, what: 'file of certificates to trust as well', env: 'ROOMCTL_CA_FILE'},
  allowHttp: {kind: yesOrNo, what: 'whether plain http may be used beyond this machine', default: 'false'},
  protected: {kind: yesOrNo, what: 'whether every change asks for the name of the profile', default: 'false'},
  readOnly: {kind: yesOrNo, what: 'whether no change is sent at all', default: 'false'},
  tokenStore: {kind: oneOf(['file', 'keyring']), what: 'where config login keeps a token', default: 'file'},
  updateRequesterField: {
    kind: oneOf(['requester_id', 'user_id']),
    what: 'name of the requester in a room update',
    default: 'requester_id',
  },
  pager: {kind: words, what: 'program that long output goes through', env: 'ROOMCTL_PAGER'},
  'asset.headerEncoding': {
    kind: oneOf(['percent', 'raw']),
    what: 'how file names and descriptions beyond ASCII are sent: percent-encoded, or raw as UTF-8',
    env: 'ROOMCTL_ASSET_HEADER_ENCODING',
    default: 'percent',
  },
  'push.dispatchDateFormat': {
    kind: oneOf(['basic', 'extended']),
    what: 'how the time of a scheduled push is written: 20261201T000000, or 2026-12-01T00:00:00',
    env: 'ROOMCTL_PUSH_DISPATCH_DATE_FORMAT',
    default: 'basic',
  },
  'push.authScheme': {
    kind: scheme,
    what: 'what stands before the token of the push service in Authorization; none sends the token alone',
    env: 'ROOMCTL_PUSH_AUTH_SCHEME',
    default: 'Bearer',
  },
  'journal.path': {
    kind: absolutePath,
    what: 'file that the journal is kept in, which others may share; without it one of your own',
  },
}

/** One row of the table of settings. */
export interface Setting {
  readonly key: SettingKey
  /** The environment variable that sets it. */
  readonly env?: string
  readonly what: string
  /** As a person would write it. */
  readonly default?: string
  /** The form in words, to follow "must be". */
  readonly form: string
  /** The words that it can be, where there are only a few. */
  readonly choices: readonly string[]
  /** What the text means: durations in milliseconds. Undefined where it has not the form. */
  read(text: string): string | number | boolean | undefined
  /**
   * The value as the profile file keeps it: durations as written. Raises a ProfileProblem of kind `usage` that begins with
   * `subject` (the key, or the variable the text comes from).
   */
  parse(text: string, subject?: string): string | number | boolean
}

function row(key: SettingKey): Setting {
  const {kind, what, env, default: otherwise} = table[key]
  return {
    key,
    what,
    form: kind.form,
    choices: kind.choices ?? [],
    ...(env === undefined ? {} : {env}),
    ...(otherwise === undefined ? {} : {default: otherwise}),
    read: (text) => kind.read(text),
    parse: (text, subject = key) => {
      const value = kind.read(text)
      if (value === undefined) throw misfit(subject, kind, text)
      return kind.keepsText ? text : value
    },
  }
}

function misfit(subject: string, kind: Kind<unknown>, text: string): ProfileProblem {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  const not = kind.hidden ? '' : `, not ${JSON.stringify(shown)}`
  const meant = nearest(text.slice(0, 64), kind.choices ?? [])
  const detail = meant === undefined ? {} : {advice: `did you mean ${meant}?`}
  return new ProfileProblem('usage', `${subject} must be ${kind.form}${not}`, detail)
}

// The table has exactly the keys of Values, which its type cannot tell Object.keys.
const keys = Object.keys(table) as SettingKey[]

/** All settings, in the order in which they are listed. */
export const settings: readonly Setting[] = keys.map(row)

/** The setting of that name. Raises a ProfileProblem of kind `usage` that suggests the nearest name, or the login. */
export function settingByKey(key: string): Setting {
  const found = settings.find((setting) => setting.key === key)
  if (found) return found
  const shown = JSON.stringify(key.slice(0, 60))
  const meant = nearest(key, keys)
  if (meant) throw new ProfileProblem('usage', `there is no setting ${shown}`, {advice: `did you mean ${meant}?`})
  if (/token|secret|password|credential/i.test(key)) {
    throw new ProfileProblem('usage', `${shown} is not a setting: a token is stored by logging in`, {
      why: 'what stands on a command line stays in the shell history and is seen by other programs',
      advice: 'roomctl config login',
    })
  }
  throw new ProfileProblem('usage', `there is no setting ${shown}`, {advice: `the settings are ${keys.join(', ')}`})
}
