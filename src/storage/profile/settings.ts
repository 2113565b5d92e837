import * as z from 'zod/mini'
import {type Failure, failureWith} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {parseDuration} from '../../text/quantity.js'
import {unlessError} from '../../text/text.js'
import {dayMs} from '../../text/time.js'

// Shapes of settings, shared: making one takes longer than the rest of a profile.
const text = z.optional(z.string())
const count = z.optional(z.number())
const flag = z.optional(z.boolean())

interface SettingKind<T, Shape = typeof text> {
  /** The form in words, to follow "must be". */
  readonly form: string
  /** The value of a text; undefined if invalid. */
  read(text: string): T | undefined
  /** Whether the profile stores the value, or the text: a duration stays `60s`. */
  readonly shape: Shape
  readonly choices?: readonly string[]
  /** A refused text may hold a password and is not repeated in the sentence. */
  readonly hidden?: true
}

/** A base address of a service. The caller decides about plain http. */
const addressKind: SettingKind<string> = {
  form: 'an http or https address without user name, password, query and fragment, like https://host/media',
  shape: text,
  hidden: true,
  read: (text) => {
    // The URL parser forgives spaces, backslashes and missing slashes; an address that needs forgiving is a mistake.
    if (!/^https?:\/\/[^/\s\\?#@][^\s\\?#@]*$/i.test(text) || !URL.canParse(text)) return undefined
    return text
  },
}

/** A name, an id or a path as the person writes it. */
const lineOfText: SettingKind<string> = {
  form: 'a string of 1 to 1000 characters on one line',
  shape: text,
  read: (text) => (/^[^\p{Cc}\p{Cs}]{1,1000}$/u.test(text) && text.trim() !== '' ? text : undefined),
}

const yesOrNo: SettingKind<boolean, typeof flag> = {
  form: 'true or false',
  shape: flag,
  choices: ['true', 'false'],
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

/** A whole number in decimal digits, both ends included: `1e3`, `0x10` and `5.0` are refused. */
function wholeNumber(from: number, to: number): SettingKind<number, typeof count> {
  return {
    form: `a whole number from ${from} to ${to}`,
    shape: count,
    read: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= from && value <= to ? value : undefined
    },
  }
}

/** The scheme of an Authorization header: a token of RFC 9110. A longer text may be a credential. */
const schemeKind: SettingKind<string> = {
  form: 'the name of a scheme such as Bearer, or none',
  shape: text,
  hidden: true,
  read: (text) => (/^[A-Za-z][\w.~+-]{0,31}$/.test(text) ? text : undefined),
}

function choice<const Word extends string>(choices: readonly Word[]): SettingKind<Word> {
  return {
    form: `one of ${choices.join(', ')}`,
    shape: text,
    choices,
    read: (text) => choices.find((choice) => choice === text),
  }
}

/** A length of time as flags take it, read as milliseconds; more than none, at most a day. */
const durationKind: SettingKind<number> = {
  form: 'a time with its unit, like 500ms, 60s or 2m, at most 24h',
  shape: text,
  read: (text) => {
    const ms = unlessError(() => parseDuration(text), 0)
    return ms > 0 && ms <= dayMs ? ms : undefined
  },
}

const timeZoneKind: SettingKind<string> = {
  form: 'local, utc or a zone like Asia/Seoul',
  shape: text,
  read: (text) => (text === 'local' || text === 'utc' || isZone(text) ? text : undefined),
}

function isZone(text: string): boolean {
  // Newer Nodes take bare offsets as zones too; a profile must mean the same on all of them.
  // The list is fast; the first format loads all of ICU's data, half as long as Node's own start.
  if (text === 'UTC' || Intl.supportedValuesOf('timeZone').includes(text)) return true
  return /^[A-Za-z]/.test(text) && unlessError(() => new Intl.DateTimeFormat('en', {timeZone: text}), null) !== null
}

const outputFormats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'] as const

interface SettingFacts {
  readonly kind: SettingKind<string | number | boolean, z.ZodMiniType>
  /** The description, for help and `config list`. */
  readonly what: string
  readonly env?: string
  /** As a person would write it. */
  readonly default?: string
}

// allowHttp, protected and tokenStore have no variable: no environment variable answers a question.
const table = {
  'room.url': {kind: addressKind, what: 'base address of the room service', env: 'ROOMCTL_ROOM_URL'},
  'asset.url': {kind: addressKind, what: 'base address of the asset service', env: 'ROOMCTL_ASSET_URL'},
  'push.url': {kind: addressKind, what: 'base address of the push service', env: 'ROOMCTL_PUSH_URL'},
  applicationId: {kind: lineOfText, what: 'application that rooms and pushes belong to', env: 'ROOMCTL_APPLICATION_ID'},
  bizId: {kind: lineOfText, what: 'business id for creating and listing rooms', env: 'ROOMCTL_BIZ_ID'},
  requester: {
    kind: lineOfText,
    what: 'the requester of room operations: a user id, host or creator',
    env: 'ROOMCTL_REQUESTER',
  },
  output: {kind: choice(outputFormats), what: 'output format', env: 'ROOMCTL_OUTPUT', default: 'table'},
  tz: {kind: timeZoneKind, what: 'time zone for display', env: 'ROOMCTL_TZ'},
  timeout: {kind: durationKind, what: 'time limit per call, including retries', env: 'ROOMCTL_TIMEOUT', default: '60s'},
  retries: {kind: wholeNumber(0, 10), what: 'number of retries', env: 'ROOMCTL_RETRIES', default: '2'},
  concurrency: {
    kind: wholeNumber(1, 64),
    what: 'parallel requests of a bulk command',
    env: 'ROOMCTL_CONCURRENCY',
    default: '8',
  },
  caFile: {kind: lineOfText, what: 'PEM file of additional CA certificates', env: 'ROOMCTL_CA_FILE'},
  allowHttp: {kind: yesOrNo, what: 'allow plain http beyond this machine', default: 'false'},
  protected: {kind: yesOrNo, what: 'require the profile name to confirm any change', default: 'false'},
  readOnly: {
    kind: yesOrNo,
    what: 'send no changes. If the variable has any value except 0 (even false), all changes on every profile are forbidden',
    env: 'ROOMCTL_READ_ONLY',
    default: 'false',
  },
  tokenStore: {kind: choice(['file', 'keyring']), what: 'where config login stores tokens', default: 'file'},
  updateRequesterField: {
    kind: choice(['requester_id', 'user_id']),
    what: 'name of the requester in a room update',
    default: 'requester_id',
  },
  'asset.headerEncoding': {
    kind: choice(['percent', 'raw']),
    what: 'encoding of non-ASCII file names and descriptions: percent, or raw for UTF-8 as it is',
    env: 'ROOMCTL_ASSET_HEADER_ENCODING',
    default: 'percent',
  },
  'asset.stamp': {
    kind: yesOrNo,
    what: 'end each description with the digest of the file, [sha256:DIGEST] (default: only in asset sync)',
    env: 'ROOMCTL_ASSET_STAMP',
  },
  'asset.containerPath': {
    kind: choice(['itself', 'parent']),
    what: 'which container the path of a create request names: the new one (itself) or its parent',
    env: 'ROOMCTL_ASSET_CONTAINER_PATH',
    default: 'itself',
  },
  'push.dispatchDateFormat': {
    kind: choice(['basic', 'extended']),
    what: 'time format of a scheduled push: basic (20261201T000000) or extended (2026-12-01T00:00:00)',
    env: 'ROOMCTL_PUSH_DISPATCH_DATE_FORMAT',
    default: 'basic',
  },
  'push.authScheme': {
    kind: schemeKind,
    what: 'word before the push token in Authorization; the value none sends the token alone',
    env: 'ROOMCTL_PUSH_AUTH_SCHEME',
    default: 'Bearer',
  },
} as const satisfies Record<string, SettingFacts>

type Table = typeof table
export type SettingKey = keyof Table

/** The resolved settings; undefined if unset and without a default. */
export type SettingValues = {
  readonly [Key in SettingKey]:
    | NonNullable<ReturnType<Table[Key]['kind']['read']>>
    | (Table[Key] extends {default: string} ? never : undefined)
}

export interface Setting extends SettingFacts {
  readonly key: SettingKey
}

// The table has exactly these keys, which the type of Object.keys lacks.
const keys = Object.keys(table) as SettingKey[]

export const settings: readonly Setting[] = keys.map((key) => ({key, ...table[key]}))

export const settingShapes = Object.fromEntries(settings.map(({key, kind}) => [key, kind.shape])) as {
  [Key in SettingKey]: Table[Key]['kind']['shape']
}

/** The value as the profile file keeps it. Throws Failure that begins with `subject`: the key, or the variable. */
export function parseSetting(
  {key, kind}: Setting,
  typed: string,
  subject: string = key,
  fault: 'usage' | 'configuration' = 'usage',
): string | number | boolean {
  const value = kind.read(typed)
  if (value === undefined) throw misfit(subject, kind, typed, fault)
  return kind.shape === text ? typed : value
}

function misfit(subject: string, kind: Setting['kind'], text: string, fault: 'usage' | 'configuration'): Failure {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  const not = kind.hidden ? '' : `, not ${JSON.stringify(shown)}`
  const meant = nearest(text.slice(0, 64), kind.choices ?? [])
  // Only the environment can make a configuration wrong here.
  const mended = fault === 'configuration' ? `export ${subject} again, with the right address` : undefined
  const detail = {try: meant === undefined ? mended : `did you mean ${meant}?`}
  return failureWith(fault, `${subject} must be ${kind.form}${not}`, detail)
}

/** Settings of earlier versions that profiles may still have: they have no effect, and can be unset. */
export const retiredShapes = {'journal.path': text, 'journal.keep': count, pager: text} as const

/** The setting of that name. Throws Failure of kind `usage` that suggests the nearest name, or the login. */
export function settingByKey(key: string): Setting {
  const match = settings.find((setting) => setting.key === key)
  if (match) return match
  const shown = JSON.stringify(key.slice(0, 60))
  const meant = nearest(key, keys)
  if (meant) throw failureWith('usage', `unknown setting ${shown}`, {try: `did you mean ${meant}?`})
  if (/token|secret|password|credential/i.test(key)) {
    throw failureWith('usage', `${shown} is not a setting`, {
      why: 'command lines are stored in the shell history and visible to other programs',
      try: {command: ['config login']},
    })
  }
  throw failureWith('usage', `unknown setting ${shown}`, {try: `the settings are ${keys.join(', ')}`})
}
