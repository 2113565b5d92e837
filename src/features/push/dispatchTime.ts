import {parseInstantFlag} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {readRelative, readWallTime} from '../../selection/instant.js'
import {clockOf} from '../../selection/zone.js'
import {formatDuration} from '../../text/quantity.js'
import {dayMs, minuteMs, offsetText, utcSecond} from '../../text/time.js'

const yearMs = 366 * dayMs

/** Reads `--at`. Throws Failure (usage), also for less than a minute ahead; warns of more than a year. */
export function dispatchTime(session: Session, text: string) {
  const moment = Date.parse(parseInstantFlag(session, '--at', text))
  const ahead = moment - session.runtime.now().getTime()
  const refused = (what: string, advice: string) => {
    const why = `it is ${both(session, text, moment)}`
    return wrongUsage(`--at: ${text.trim()} ${what}; nothing was sent`, {why, try: advice})
  }
  if (ahead < minuteMs) {
    const what = ahead < 0 ? 'is past' : 'is less than a minute ahead'
    throw refused(what, 'name a later time; without --at a push is sent at once')
  }
  if (ahead > yearMs) session.warn(`warning: --at: ${text.trim()} is more than a year ahead; check the year`)
  const at = Math.floor(moment / 1000) * 1000
  const utc = utcSecond(at)
  const date = utc.slice(0, -1)
  const isBasic = session.resolved.values['push.dispatchDateFormat'] === 'basic'
  return {
    /** For the request: UTC without a zone (push, Rules 1). */
    dispatch_date: isBasic ? date.replaceAll(/[-:]/g, '') : date,
    dispatch_at: utc,
    /** In the user's zone. */
    dispatch_local: localText(session, text, at),
    /** `2026-12-01T09:00:00+09:00 = 2026-12-01T00:00:00Z (in 9d 23h)`. */
    words: both(session, text, at),
  }
}

/** Local and UTC, or once if they are the same. */
function both(session: Session, text: string, at: number): string {
  const local = localText(session, text, at)
  const isUtc = local.endsWith('+00:00')
  return `${isUtc ? '' : `${spaced(session, local)} = `}${spaced(session, utcSecond(at))} (${distance(session, at)})`
}

/** On a terminal as tables show a time: `2026-12-01 09:00:00 +09:00`, which a warning does not shorten. */
function spaced({runtime}: Session, time: string): string {
  return runtime.stdout.isTerminal ? time.replace('T', ' ').replace(/(?=[+-]\d\d:\d\d$)/u, ' ') : time
}

/** In the zone that was asked for, else at the offset that was written, else in the zone of this machine. */
function localText({resolved}: Session, text: string, at: number): string {
  const {tz} = resolved.values
  const offset = (tz === undefined ? writtenOffset(text) : undefined) ?? clockOf(tz ?? 'local')(at)
  return `${new Date(at + offset).toISOString().slice(0, 19)}${offsetText(offset)}`
}

/** The offset of a valid text; `+2h` has none. */
function writtenOffset(text: string): number | undefined {
  const written = text.trim()
  return readRelative(written) === undefined ? readWallTime(written).offset : undefined
}

/** In the two largest units: `in 9d 23h`. */
function distance({runtime}: Session, at: number): string {
  const ms = at - runtime.now().getTime()
  const unit = Math.abs(ms) < minuteMs ? 1000 : minuteMs
  const parts = formatDuration(Math.round(Math.abs(ms) / unit) * unit).match(/\d+[a-z]+/g) ?? []
  const length = parts.slice(0, 2).join(' ')
  return ms < 0 ? `${length} ago` : `in ${length}`
}
