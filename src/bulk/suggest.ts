import {distance} from 'fastest-levenshtein'

/**
 * The choice a mistyped word most likely means, without regard to case; undefined when none is near.
 * One wrong letter in three is forgiven, rounded up, so that two letters of four may be swapped.
 */
export function suggest(word: string, choices: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.ceil(typed.length / 3) + 1
  for (const choice of choices) {
    const away = distance(typed, choice.toLowerCase())
    if (away < bestDistance) {
      best = choice
      bestDistance = away
    }
  }
  return best
}
