import {closest, distance} from 'fastest-levenshtein'

/** The one of `names` that `word` most probably means: at most two letters away, capitals aside. Undefined if none is. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  const lower = word.toLowerCase()
  const nearest = closest(
    lower,
    names.map((name) => name.toLowerCase()),
  )
  if (distance(lower, nearest) > 2) return undefined
  return names.find((name) => name.toLowerCase() === nearest)
}
