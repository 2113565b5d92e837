import {withFacts} from '../../failure.js'
import {timeAdvice} from '../../selection/instant.js'
import {parseInstantFlag} from './parseValues.js'

/** A moment in milliseconds; a duration alone counts back from now: `2h`. @throws Failure (usage) */
export function parsePastFlag(session: Parameters<typeof parseInstantFlag>[0], flag: string, text: string): number {
  const isDuration = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/u.test(text)
  try {
    return Date.parse(parseInstantFlag(session, flag, isDuration ? `-${text}` : text))
  } catch (error) {
    throw withFacts(error, (facts) =>
      facts.try === timeAdvice ? {try: 'use RFC 3339 such as 2026-12-01T09:00+09:00, or 1d for a day ago'} : {},
    )
  }
}
