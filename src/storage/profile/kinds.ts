import {isAbsolute} from 'node:path'

/** A form that the text of a setting must have. */
export interface Kind<T> {
  /** The form in words, to follow "must be". */
  readonly form: string
  /** What the text means; undefined where it has not the form. */
  read(text: string): T | undefined
  /** The words that it can be, where there are only a few. */
  readonly choices?: readonly string[]
  /** The profile file keeps the text itself, not what it means: a duration stays `60s`. */
  readonly keepsText?: true
  /** A refused text may hold a password and is not repeated in the sentence. */
  readonly hidden?: true
}

/** A base address of a service. Whether plain http may be used for it is for the caller to decide. */
export const address: Kind<string> = {
  form: 'an http or https address without user name, password, query and fragment, like https://host/media',
  hidden: true,
  read: (text) => {
    // The URL parser forgives spaces, backslashes and missing slashes; an address that needs forgiving is a mistake.
    if (!/^https?:\/\/[^/\s\\?#@][^\s\\?#@]*$/i.test(text) || !URL.canParse(text)) return undefined
    return text
  },
}

/** A name, an id or a path as the person writes it. */
export const words: Kind<string> = {
  form: 'a text of 1 to 1000 characters on one line',
  read: (text) => (/^[^\p{Cc}\p{Cs}]{1,1000}$/u.test(text) && text.trim() !== '' ? text : undefined),
}

/** A file, wherever the tool is run. */
export const absolutePath: Kind<string> = {
  form: 'an absolute path, like /srv/roomctl/journal.ndjson',
  read: (text) => (words.read(text) !== undefined && isAbsolute(text) && !/[/\\]$/u.test(text) ? text : undefined),
}

/** true or false. */
export const yesOrNo: Kind<boolean> = {
  form: 'true or false',
  choices: ['true', 'false'],
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

/** A whole number in decimal digits, both ends included: `1e3`, `0x10` and `5.0` are refused. */
export function wholeNumber(from: number, to: number): Kind<number> {
  return {
    form: `a whole number from ${from} to ${to}`,
    read: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= from && value <= to ? value : undefined
    },
  }
}

/** The scheme of an Authorization header: a token of RFC 9110. What is longer than any scheme may be a credential. */
export const scheme: Kind<string> = {
  form: 'the name of a scheme such as Bearer, or none',
  hidden: true,
  read: (text) => (/^[A-Za-z][\w.~+-]{0,31}$/.test(text) ? text : undefined),
}

/** One of the given words. */
export function oneOf<const Word extends string>(choices: readonly Word[]): Kind<Word> {
  return {
    form: `one of ${choices.join(', ')}`,
    choices,
    read: (text) => choices.find((choice) => choice === text),
  }
}

const unitMs = {ms: 1, s: 1000, m: 60_000, h: 3_600_000} as const
const dayMs = 24 * unitMs.h

/** A length of time with its unit, read as milliseconds; more than none, at most a day. */
export const duration: Kind<number> = {
  form: 'a time with its unit, like 500ms, 60s or 2m, at most 24h',
  keepsText: true,
  read: (text) => {
    const [, digits, unit] = /^(\d{1,8})(ms|s|m|h)$/.exec(text) ?? []
    if (digits === undefined || unit === undefined) return undefined
    const ms = Number(digits) * unitMs[unit as keyof typeof unitMs] // the pattern lets no other unit through
    return ms > 0 && ms <= dayMs ? ms : undefined
  },
}

/** `local`, `utc` or a zone of the IANA database. */
export const timeZone: Kind<string> = {
  form: 'local, utc or a zone like Asia/Seoul',
  read: (text) => (text === 'local' || text === 'utc' || isZone(text) ? text : undefined),
}

function isZone(text: string): boolean {
  // Newer Nodes take bare offsets as zones too; a profile must mean the same on all of them.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', {timeZone: text})
    return true
  } catch {
    return false
  }
}
