import type {Advice} from '../../advice.js'
import {type Failure, withFacts, wrongUsage} from '../../failure.js'
import {parseInstant} from '../../selection/instant.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {nearest} from '../../text/nearest.js'
import {parseByteCount, parseDuration} from '../../text/quantity.js'
import {quotedText} from '../../text/text.js'
import type {Runtime} from '../runtime/runtime.js'

/** A whole number. Throws Failure (usage) that names the flag for anything else, such as `1e3x`. */
export function parseWholeNumber(flag: string, text: string, {min = 0, max = 1_000_000_000} = {}): number {
  const value = /^\d{1,12}$/u.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw wrongUsage(`invalid ${flag} ${quotedText(text)}: expected a number`, {
    why: `it must be digits only, from ${min} to ${max}`,
  })
}

/** Advice to read the help of the command that failed, which the place that shows the failure names. */
export const ownHelp: Advice = {command: ['COMMAND', '--help']}

/**
 * One of a list of words, in any case. Throws Failure (usage) with the nearest; a text near none may be a misplaced secret
 * and is not repeated.
 */
export function parseChoice<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const plain = text.toLowerCase().replaceAll('_', '-')
  const choice = words.find((word) => word.toLowerCase().replaceAll('_', '-') === plain)
  if (choice !== undefined) return choice
  throw notAChoice(flag, text, words)
}

/** What `parseChoice` throws for a text that is not one of the words. */
export function notAChoice(flag: string, text: string, words: readonly string[]): Failure {
  const guess = nearest(text, words)
  const takes = `${flag} takes ${words.join(', ').replace(/, ([^,]*)$/u, ' or $1')}`
  if (guess === undefined) return wrongUsage(takes, {try: ownHelp})
  const advice = flag.startsWith('--') ? `use ${flag} ${guess.toLowerCase()}` : `did you mean ${guess}?`
  return wrongUsage(`${takes}, not ${text}`, {try: advice})
}

/**
 * The name on the wire for an alias or the name itself, in any case. Throws Failure as
 * `parseChoice` does.
 */
export function parseWireName<Wire extends string>(
  flag: string,
  text: string,
  aliases: Readonly<Record<string, Wire>>,
): Wire {
  const wire = Object.values(aliases).find(
    (name) => name.replaceAll('_', '-') === text.toUpperCase().replaceAll('_', '-'),
  )
  if (wire !== undefined) return wire
  const alias = parseChoice(flag, text, Object.keys(aliases))
  return aliases[alias] ?? parseChoice<Wire>(flag, text, Object.values(aliases))
}

/** `--concurrency`, else the setting, `most` at most. Throws Failure (usage). */
export function readConcurrency(
  {resolved}: {readonly resolved: Resolved},
  flag: string | undefined,
  most: number,
): number {
  if (flag === undefined) return Math.min(resolved.values.concurrency, most)
  return parseWholeNumber('--concurrency', flag, {min: 1, max: most})
}

/** A duration in milliseconds: `90s`, `8h`, `1h30m`. */
export function parseDurationFlag(flag: string, text: string): number {
  return naming(flag, () => parseDuration(text))
}

/** A number of bytes, `64MiB`, `65536`, of at least `least`. Throws Failure (usage) that names the flag. */
export function parseByteCountFlag(flag: string, text: string, least = '1'): number {
  const bytes = naming(flag, () => parseByteCount(text))
  if (bytes >= parseByteCount(least)) return bytes
  throw wrongUsage(`${flag} takes ${least} or more, not ${text}`)
}

/** A moment as the wire takes it (ISO 8601, UTC): RFC 3339 with an offset, `+2h`, or local with `--tz`. */
export function parseInstantFlag(
  {runtime, resolved}: {readonly runtime: Runtime; readonly resolved: Resolved},
  flag: string,
  text: string,
): string {
  const {tz} = resolved.values
  return naming(flag, () => parseInstant(text, {now: runtime.now(), ...(tz ? {tz} : {})}).toISOString())
}

function naming<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw withFacts(error, ({message}) => ({message: `${flag}: ${message}`}))
  }
}
