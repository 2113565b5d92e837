import {Failure} from '../../api/contract/failure.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'

/** Milliseconds: the least and the longest time between two looks. */
const leastMs = 1000
const mostMs = 3_600_000

/** Reads `--interval`, in milliseconds: five seconds without it. Raises a Failure (usage). */
export function readInterval(text = '5s'): number {
  const ms = parseDurationFlag('--interval', text)
  if (ms >= leastMs && ms <= mostMs) return ms
  throw new Failure({exit: 'usage', message: `--interval takes 1s to 1h, not ${text}`})
}

/**
 * Refuses what needs a whole result: a watch has lines, for people or as ndjson. Raises a Failure (usage).
 */
export function checkWatchOutput({output}: Session): void {
  const {format, columns, sort, query} = output
  if (format !== 'table' && format !== 'ndjson') {
    throw new Failure({
      exit: 'usage',
      message: `room watch does not support -o ${format}`,
      why: 'a stream of events needs a line format',
      try: '-o ndjson, one object per line',
    })
  }
  const given = Object.entries({columns, sort, query}).find(([, value]) => value !== undefined)
  if (!given) return
  throw new Failure({
    exit: 'usage',
    message: `--${given[0]} cannot be used with a watch`,
    why: 'it prints a stream of events, not a finished list',
    try: '-o ndjson, piped to a program such as jq',
  })
}
