import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'

/** Milliseconds: the least and the longest time between two looks. */
const leastMs = 1000
const mostMs = 3_600_000

/** The flag of everything that watches. */
export const intervalFlag = Flags.string({
  helpValue: '5s',
  summary: 'polling interval, 1s–1h; longer where the service is slow',
})

/** Reads the flag, in milliseconds: five seconds without it. Raises a Failure (usage). */
export function readInterval(text = '5s'): number {
  const ms = parseDurationFlag('--interval', text)
  if (ms >= leastMs && ms <= mostMs) return ms
  throw new Failure({exit: 'usage', message: `--interval takes 1s to 1h, not ${text}`})
}
