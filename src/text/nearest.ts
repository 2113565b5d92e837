import {distance} from 'fastest-levenshtein'

/**
 * The choice that a mistyped word most likely means, whatever its case; undefined when none is near. Of the shorter word one letter
 * in three may be wrong, in a short one a single letter, or two swapped. Among equals, the one with the longer common beginning.
 */
export function nearest(word: string, choices: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  let bestBeginning = -1
  for (const choice of choices) {
    const [away, beginning] = [distance(typed, choice.toLowerCase()), sameBeginning(typed, choice.toLowerCase())]
    if (!isNear(typed, choice.toLowerCase(), away)) continue
    if (away > bestDistance || (away === bestDistance && beginning <= bestBeginning)) continue
    ;[best, bestDistance, bestBeginning] = [choice, away, beginning]
  }
  return best
}

/** Other endings of one stem are near, too: `state` and `status`. */
function isNear(typed: string, choice: string, away: number): boolean {
  if (away <= Math.max(1, Math.floor(Math.min(typed.length, choice.length) / 3))) return true
  return away === 2 && (letters(typed) === letters(choice) || sameBeginning(typed, choice) >= 4)
}

function letters(word: string): string {
  return [...word].sort().join('')
}

function sameBeginning(word: string, other: string): number {
  let length = 0
  while (length < word.length && word[length] === other[length]) length += 1
  return length
}
